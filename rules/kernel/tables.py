"""A variant as the flat tables that the kernel reads."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from rules.board import Direction
from rules.kernel import layout
from rules.piece import Side
from rules.variant import Criterion, Directions, Variant

Int64s = NDArray[np.int64]

_BASE = {
    Criterion.NUMBER: 64,
    Criterion.WORTH: 8192,
    Criterion.BY_KING: 2,
    Criterion.KINGS: 64,
    Criterion.KINGS_EARLY: 1 << 32,
}
_WEIGHT_AT = {
    Criterion.NUMBER: layout.W_NUMBER,
    Criterion.WORTH: layout.W_WORTH,
    Criterion.BY_KING: layout.W_BY_KING,
    Criterion.KINGS: layout.W_KINGS,
    Criterion.KINGS_EARLY: layout.W_EARLY,
}


@dataclass(frozen=True, slots=True, eq=False)
class Tables:
    """The four tables of generate.py, as lists for the uncompiled kernel and as arrays for the compiled one."""

    neighbours: list[int]
    masks: list[int]
    crown: list[int]
    rules: list[int]
    arrays: tuple[Int64s, Int64s, Int64s, Int64s]


def _bits(directions: Sequence[Direction]) -> int:
    return sum(1 << direction for direction in directions)


def _weights(precedence: tuple[Criterion, ...]) -> dict[int, int]:
    """Multipliers that make one sum compare like the list of criteria."""
    weights, scale = {}, 1
    for criterion in reversed(precedence):
        weights[_WEIGHT_AT[criterion]] = scale
        scale *= _BASE[criterion]
    return weights


def _mask_rows(variant: Variant, man: Directions, king: Directions) -> list[list[int]]:
    """Masks per point for the five values of a Piece."""
    size = variant.board.size
    rows = [[0] * size]
    for directions in (man, king):
        rows.extend([_bits(variant.directions(directions, side))] * size for side in Side)
    return rows


def _masks(variant: Variant) -> list[int]:
    steps = _mask_rows(variant, variant.man_steps, variant.king_steps)
    if variant.far_row_only_captures:
        for piece, side in ((1, Side.WHITE), (2, Side.BLACK)):
            row = variant.promotion_row(side)
            steps[piece] = [0 if p in row else mask for p, mask in enumerate(steps[piece])]
    captures = _mask_rows(variant, variant.man_captures, variant.king_captures)
    return [mask for row in steps + captures for mask in row]


def _rules(variant: Variant) -> list[int]:
    rules = [0] * layout.RULES_SIZE
    rules[layout.POINTS] = variant.board.size
    rules[layout.FLYING] = int(variant.king_flies)
    rules[layout.LANDING] = int(variant.king_landing)
    rules[layout.AT_ONCE] = int(variant.removed_at_once)
    rules[layout.REVERSE] = int(variant.may_reverse)
    rules[layout.PROMOTION] = int(variant.promotion)
    rules[layout.CHAIN] = int(variant.chain)
    rules[layout.COMPULSORY] = int(variant.compulsory)
    rules[layout.MAN_TAKES_KING] = int(variant.man_takes_king)
    rules[layout.BREAKTHROUGH] = int(variant.breakthrough)
    rules[layout.RUN_LIMIT] = variant.king_run_limit
    rules[layout.LOSING] = int(variant.losing)
    for index, weight in _weights(variant.precedence).items():
        rules[index] = weight
    return rules


@lru_cache(maxsize=256)
def tables_of(variant: Variant, every_route: bool = False) -> Tables:
    neighbours = [point for table in variant.board.neighbours for point in table]
    masks, rules = _masks(variant), _rules(variant)
    size = range(variant.board.size)
    rules[layout.EVERY_ROUTE] = int(every_route)
    crown = [int(p in variant.promotion_row(side)) for side in Side for p in size]
    arrays = tuple(np.array(table, dtype=np.int64) for table in (neighbours, masks, crown, rules))
    return Tables(neighbours, masks, crown, rules, (arrays[0], arrays[1], arrays[2], arrays[3]))
