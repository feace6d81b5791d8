"""The `sets` table: a bit for each point such that a step in a direction is one shift, whatever the point."""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from rules.board import NOWHERE, Board, Direction
from rules.kernel import layout
from rules.kernel.tables import tables_of
from rules.piece import Piece, Side
from rules.variant import Variant

_FAR = 16
"""Greatest shift tried; 10x10 needs 6."""


@lru_cache(maxsize=64)
def sets_of(variant: Variant) -> tuple[list[int], NDArray[np.int64]]:
    """The table of a variant; it counts no ways if the board has no such bits, or too many for one word."""
    table = [0] * layout.SETS_SIZE
    bits = _bits(variant.board)
    if bits is not None:
        _fill(table, variant, bits)
    return table, np.array(table, dtype=np.int64)


def _fill(table: list[int], variant: Variant, bits: tuple[int, ...]) -> None:
    board = variant.board
    for point, bit in enumerate(bits):
        table[layout.POINT_BITS + point] = 1 << bit
        table[layout.BIT_POINTS + bit] = point
    table[layout.EVERYWHERE] = sum(1 << bit for bit in bits)
    for side in Side:
        row = variant.promotion_row(side)
        table[layout.CROWNS + (side is Side.BLACK)] = sum(1 << bits[point] for point in row)
    ways = [d for d in Direction if _pairs(board, d) and _is_used(variant, d)]
    table[layout.WAYS_COUNT] = len(ways)
    for k, way in enumerate(ways):
        w = layout.WAYS + k * layout.WAY
        origin, end = _pairs(board, way)[0]
        shift = bits[end] - bits[origin]
        table[w + layout.WAY_LEFT], table[w + layout.WAY_RIGHT] = max(0, shift), max(0, -shift)
        table[w + layout.WAY_FROM] = sum(1 << bits[origin] for origin, _ in _pairs(board, way))
        table[w + layout.WAY_BACK] = ways.index(way.opposite) if way.opposite in ways else -1
        _fill_origins(table, w, way, variant, bits)


def _fill_origins(table: list[int], w: int, way: Direction, variant: Variant, bits: tuple[int, ...]) -> None:
    """From where each kind of piece may step and capture in this way."""
    masks, size = tables_of(variant).masks, variant.board.size
    for origin, _ in _pairs(variant.board, way):
        for piece in list(Piece)[1:]:
            for column, row in ((layout.WAY_STEP, piece), (layout.WAY_TAKE, 5 + piece)):
                if masks[row * size + origin] >> way & 1:
                    table[w + column + piece - 1] |= 1 << bits[origin]


def _is_used(variant: Variant, way: Direction) -> bool:
    masks = tables_of(variant).masks
    return any(mask >> way & 1 for mask in masks)


def _pairs(board: Board, way: Direction) -> list[tuple[int, int]]:
    return [(point, end) for point, end in enumerate(board.neighbours[way]) if end != NOWHERE]


@lru_cache(maxsize=32)
def _bits(board: Board) -> tuple[int, ...] | None:
    """The bit of each point, in as few bits as possible; None if no shifts fit the board's steps.

    Points are brought to coordinates along two of the board's directions; weights of these two that tell all points
    apart make the bits.
    """
    places = _places(board)
    if places is None:
        return None
    best: tuple[int, ...] | None = None
    for a in range(1, _FAR):
        for b in range(-_FAR, _FAR):
            raw = [a * u + b * v for u, v in places]
            span = max(raw) - min(raw)
            if span < (layout.WORD_BITS if best is None else max(best)) and len(set(raw)) == board.size:
                best = tuple(value - min(raw) for value in raw)
    return best if best is None or _is_even(board, best) else None


def _places(board: Board) -> list[tuple[int, int]] | None:
    """Whole coordinates of the points along the first two directions that are not opposite; None if there are none."""
    steps = {d: _displacement(board, *_pairs(board, d)[0]) for d in Direction if _pairs(board, d)}
    (ax, ay), (bx, by) = list(steps.values())[:2]
    area = ax * by - ay * bx
    if abs(area) < 1e-6 or board.size > layout.WORD_BITS:
        return None
    places = []
    for point in range(board.size):
        x, y = _displacement(board, 0, point)
        u, v = (x * by - y * bx) / area, (ax * y - ay * x) / area
        if abs(u - round(u)) > 1e-6 or abs(v - round(v)) > 1e-6:
            return None
        places.append((round(u), round(v)))
    return places


def _displacement(board: Board, origin: int, end: int) -> tuple[float, float]:
    (x, y), (to_x, to_y) = board.xy[origin], board.xy[end]
    return to_x - x, to_y - y


def _is_even(board: Board, bits: tuple[int, ...]) -> bool:
    """Whether every step in one direction is the same shift."""
    return all(len({bits[end] - bits[origin] for origin, end in _pairs(board, way)}) <= 1 for way in Direction)
