"""The lines that are drawn on a board, as segments on its plane."""

from functools import cache
from math import cos, pi, sin, sqrt

import numpy as np
from numpy.typing import NDArray

from rules.board import NOWHERE, Board, BoardKind

Point = tuple[float, float]
OCTAGON_SQUARE = 0.29
"""Half the side of the small squares between octagons of equal sides, in widths of a square."""


@cache
def lines_of(board: Board) -> NDArray[np.float64]:
    """Segments (m, 2, 2) between points of the plane; read-only. For chequered boards the edges of the squares."""
    if board.rows:
        segments = _square_edges(board.columns, board.rows)
    elif board.kind is BoardKind.HEXAGON:
        segments = _hexagon_edges(board)
    else:
        segments = _joins(board)
    lines = np.array(sorted(segments), np.float64).reshape(-1, 2, 2)
    lines.flags.writeable = False
    return lines


@cache
def octagon_lines(columns: int, rows: int, odd: int) -> NDArray[np.float64]:
    """Segments (m, 2, 2) of octagons, and of the small squares between them.

    The small squares are at cells whose column + row is `odd` modulo 2; the outermost octagons reach beyond the cells.
    """
    h, found = OCTAGON_SQUARE, set()
    square = [(-h, -h), (h, -h), (h, h), (-h, h)]
    octagon = [(h, h - 1), (1 - h, -h), (1 - h, h), (h, 1 - h), (-h, 1 - h), (h - 1, h), (h - 1, -h), (-h, h - 1)]
    for column in range(columns):
        for row in range(rows):
            shape = square if (column + row) % 2 == odd else octagon
            ring = [(column + 0.5 + x, row + 0.5 + y) for x, y in shape]
            found |= {_edge(a, b) for a, b in zip(ring, ring[1:] + ring[:1], strict=True)}
    lines = np.array(sorted(found), np.float64).reshape(-1, 2, 2)
    lines.flags.writeable = False
    return lines


def _edge(a: Point, b: Point) -> tuple[Point, Point]:
    one, other = sorted(((round(a[0], 6), round(a[1], 6)), (round(b[0], 6), round(b[1], 6))))
    return one, other


def _square_edges(columns: int, rows: int) -> set[tuple[Point, Point]]:
    across = {_edge((x, y), (x + 1, y)) for x in range(columns) for y in range(rows + 1)}
    return across | {_edge((x, y), (x, y + 1)) for x in range(columns + 1) for y in range(rows)}


def _joins(board: Board) -> set[tuple[Point, Point]]:
    """Lines from point to neighbouring point."""
    return {
        _edge(board.xy[point], board.xy[beside])
        for table in board.neighbours
        for point, beside in enumerate(table)
        if beside != NOWHERE
    }


def _hexagon_edges(board: Board) -> set[tuple[Point, Point]]:
    """The sides of the cells, whose vertices lie between the directions of the neighbours."""
    east = any(beside != NOWHERE for beside in board.neighbours[2])
    turn, radius = (pi / 6 if east else 0.0), 1 / sqrt(3)
    edges = set()
    for x, y in board.xy:
        ring = [(x + radius * cos(turn + k * pi / 3), y + radius * sin(turn + k * pi / 3)) for k in range(7)]
        edges |= {_edge(ring[k], ring[k + 1]) for k in range(6)}
    return _apart(sorted(edges))


def _apart(edges: list[tuple[Point, Point]]) -> set[tuple[Point, Point]]:
    """Rounding may leave a side twice, a millionth apart: only the first is kept."""
    middles = np.array(edges, np.float64).mean(axis=1)
    near = np.abs(middles[:, None] - middles[None]).max(axis=2) < 1e-3
    return {edge for k, edge in enumerate(edges) if not near[k, :k].any()}
