"""Boards of points joined by lines: alquerque and the fighting serpents."""

from functools import cache

from rules.board import NOWHERE, Board, BoardKind, Direction, link

_ORTHOGONAL = {Direction.N: (0, 1), Direction.E: (1, 0), Direction.S: (0, -1), Direction.W: (-1, 0)}
_DIAGONAL = {Direction.NE: (1, 1), Direction.SE: (1, -1), Direction.SW: (-1, -1), Direction.NW: (-1, 1)}
_SLANTED = {
    Direction.E: (1, 0),
    Direction.W: (-1, 0),
    Direction.NE: (0.5, 1),
    Direction.SE: (0.5, -1),
    Direction.SW: (-0.5, -1),
    Direction.NW: (-0.5, 1),
}


@cache
def alquerque() -> Board:
    """Five by five points, all orthogonal lines, diagonals through the points whose column + row is even."""
    cells = [(c, r) for r in reversed(range(5)) for c in range(5)]
    xy = tuple((float(c), float(r)) for c, r in cells)
    neighbours = tuple(
        tuple(
            NOWHERE if direction in _DIAGONAL and sum(cells[point]) % 2 else beside
            for point, beside in enumerate(table)
        )
        for direction, table in zip(Direction, link(xy, _ORTHOGONAL | _DIAGONAL), strict=True)
    )
    return Board(
        name="alquerque",
        kind=BoardKind.ALQUERQUE,
        names=tuple(f"{'abcde'[c]}{r + 1}" for c, r in cells),
        xy=xy,
        neighbours=neighbours,
        width=4.0,
        height=4.0,
        outline=((0.0, 4.0), (4.0, 4.0), (4.0, 0.0), (0.0, 0.0)),
    )


@cache
def serpents() -> Board:
    """Three rows of 16, 17 and 16 points; each outer point is joined to the two middle points beside it.

    White's row is a1-p1, the middle row a2-q2, Black's row a3-p3.
    """
    letters = "abcdefghijklmnopq"
    far = [(f"{letters[i]}3", (i + 0.5, 2.0)) for i in range(16)]
    middle = [(f"{letters[i]}2", (float(i), 1.0)) for i in range(17)]
    near = [(f"{letters[i]}1", (i + 0.5, 0.0)) for i in range(16)]
    points = far + middle + near
    xy = tuple(place for _, place in points)
    return Board(
        name="serpents",
        kind=BoardKind.SERPENTS,
        names=tuple(name for name, _ in points),
        xy=xy,
        neighbours=link(xy, _SLANTED),
        width=16.0,
        height=2.0,
        outline=((0.0, 2.0), (16.0, 2.0), (16.0, 0.0), (0.0, 0.0)),
    )
