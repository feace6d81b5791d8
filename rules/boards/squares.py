"""Boards made of squares: chequered ones, where half the squares are played on, and full ones, where all are."""

from functools import cache

from rules.board import Board, BoardKind, Direction, link

_ORTHOGONAL = {Direction.N: (0, 1), Direction.E: (1, 0), Direction.S: (0, -1), Direction.W: (-1, 0)}
_DIAGONAL = {Direction.NE: (1, 1), Direction.SE: (1, -1), Direction.SW: (-1, -1), Direction.NW: (-1, 1)}


def _square_name(column: int, row: int) -> str:
    return f"{'abcdefghijklmnopqrst'[column]}{row + 1}"


def _outline(columns: int, rows: int) -> tuple[tuple[float, float], ...]:
    return ((0.0, float(rows)), (float(columns), float(rows)), (float(columns), 0.0), (0.0, 0.0))


@cache
def chequered(columns: int, rows: int, mirrored: bool = False) -> Board:
    """A chequered board; the square at White's left hand is played on unless `mirrored`.

    An orthogonal neighbour is two columns or rows away, as Frisian captures need it.
    """
    cells = [(c, r) for r in reversed(range(rows)) for c in range(columns)]
    played = [(c, r) for c, r in cells if (c + r) % 2 == int(mirrored)]
    idle = [(c, r) for c, r in cells if (c + r) % 2 != int(mirrored)]
    xy = tuple((c + 0.5, r + 0.5) for c, r in played)
    steps = dict(_DIAGONAL) | {d: (2 * dx, 2 * dy) for d, (dx, dy) in _ORTHOGONAL.items()}
    return Board(
        name=f"chequered-{columns}x{rows}" + ("-mirrored" if mirrored else ""),
        kind=BoardKind.CHEQUERED,
        names=tuple(_square_name(c, r) for c, r in played),
        xy=xy,
        neighbours=link(xy, steps),
        width=float(columns),
        height=float(rows),
        outline=_outline(columns, rows),
        idle_xy=tuple((c + 0.5, r + 0.5) for c, r in idle),
        rows=rows,
        columns=columns,
    )


@cache
def full(columns: int, rows: int) -> Board:
    """A board whose every square is played on, with or without colouring."""
    cells = [(c, r) for r in reversed(range(rows)) for c in range(columns)]
    xy = tuple((c + 0.5, r + 0.5) for c, r in cells)
    return Board(
        name=f"full-{columns}x{rows}",
        kind=BoardKind.FULL,
        names=tuple(_square_name(c, r) for c, r in cells),
        xy=xy,
        neighbours=link(xy, _ORTHOGONAL | _DIAGONAL),
        width=float(columns),
        height=float(rows),
        outline=_outline(columns, rows),
        rows=rows,
        columns=columns,
    )
