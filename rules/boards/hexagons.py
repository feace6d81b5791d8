"""Boards of hexagonal cells: the honeycomb, seen along its rows, and hexdame, seen from a corner."""

from functools import cache
from math import sqrt

from rules.board import Board, BoardKind, Direction, link

_H = sqrt(3) / 2
_ROWS = {
    Direction.E: (1.0, 0.0),
    Direction.W: (-1.0, 0.0),
    Direction.NE: (0.5, _H),
    Direction.NW: (-0.5, _H),
    Direction.SE: (0.5, -_H),
    Direction.SW: (-0.5, -_H),
}
_FILES = {
    Direction.N: (0.0, 1.0),
    Direction.S: (0.0, -1.0),
    Direction.NE: (_H, 0.5),
    Direction.NW: (-_H, 0.5),
    Direction.SE: (_H, -0.5),
    Direction.SW: (-_H, -0.5),
}
_LETTERS = "abcdefghijklmnopqrstu"


@cache
def honeycomb(side: int = 7) -> Board:
    """Cells in rows that run from White's left to right; a cell is named by its place in its row and the row.

    Neighbouring centres are one unit apart; the playing area is the box around the hexagons.
    """
    rows = 2 * side - 1
    radius = 1 / sqrt(3)
    height = (rows - 1) * _H + 2 * radius
    names: list[str] = []
    xy: list[tuple[float, float]] = []
    for row in reversed(range(rows)):
        length = rows - abs(row - (side - 1))
        left = (rows - length) / 2 + 0.5
        names.extend(f"{_LETTERS[i]}{row + 1}" for i in range(length))
        xy.extend((left + i, radius + row * _H) for i in range(length))
    lo, hi = (rows - side) / 2, (rows + side) / 2
    return Board(
        name=f"honeycomb-{side}",
        kind=BoardKind.HEXAGON,
        names=tuple(names),
        xy=tuple(xy),
        neighbours=link(xy, _ROWS),
        width=float(rows),
        height=height,
        outline=(
            (lo, height),
            (hi, height),
            (float(rows), height / 2),
            (hi, 0.0),
            (lo, 0.0),
            (0.0, height / 2),
        ),
    )


@cache
def oblique(side: int = 5) -> Board:
    """A hexagon standing on White's corner a1; letters run to his upper right, numbers to his upper left."""
    span = 2 * side - 1
    radius = 1 / sqrt(3)
    cells = [(i, k) for i in range(span) for k in range(span) if abs(i - k) < side]
    cells.sort(key=lambda cell: (-(cell[0] + cell[1]), cell[0] - cell[1]))
    middle_x = (side - 1) * _H + radius
    xy = tuple((middle_x + (i - k) * _H, 0.5 + (i + k) / 2) for i, k in cells)
    width, height = 2 * middle_x, float(span)
    low, high = side / 2, height - side / 2
    return Board(
        name=f"oblique-{side}",
        kind=BoardKind.HEXAGON,
        names=tuple(f"{_LETTERS[i]}{k + 1}" for i, k in cells),
        xy=xy,
        neighbours=link(xy, _FILES),
        width=width,
        height=height,
        outline=(
            (0.0, high),
            (middle_x, height),
            (width, high),
            (width, low),
            (middle_x, 0.0),
            (0.0, low),
        ),
    )
