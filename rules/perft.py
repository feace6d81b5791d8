"""Counting positions of the tree of moves: the check that every rule is right."""

from itertools import chain

import numpy as np

from rules.errors import TooManyMoves
from rules.kernel import compiled as kernel
from rules.kernel import layout
from rules.kernel.lattice import sets_of
from rules.kernel.set_walk import count_on_sets
from rules.kernel.tables import tables_of
from rules.kernel.walk import count_leaves
from rules.legal_moves import all_found, legal_moves, play
from rules.piece import Side
from rules.position import Position
from rules.variant import Variant

_MOVES_IN_ALL = 30_000
_DEEPEST_AT_ONCE = 9
"""Deeper trees are counted branch by branch, so that Ctrl-C is heard between two."""


def perft(variant: Variant, position: Position, depth: int, compiled: bool = True) -> int:
    """Leaves at exactly `depth` plies, routes with the same ends and captures counting once.

    `compiled` waits for the compiler; without numba the same source runs uncompiled. Raises TooManyMoves where the
    moves along one line do not fit.
    """
    if depth <= 0:
        return 1
    if depth > _DEEPEST_AT_ONCE and all_found(variant, position):
        after = (play(variant, position, move) for move in legal_moves(variant, position))
        return sum(perft(variant, reached, depth - 1, compiled) for reached in after)
    tables = tables_of(variant)
    sets, set_array = sets_of(variant)
    side = 0 if position.to_move is Side.WHITE else 1
    cells = list(position.placement.pieces)
    plies = [0] * (layout.PLY * (depth + 1))
    plies[layout.RUNS : layout.RUNS + 4] = runs_of(position)
    if compiled and kernel.warm_up():
        run = kernel.count_leaves()
        assert run is not None
        cell_array, ply_array = (np.array(values, dtype=np.int64) for values in (cells, plies))
        out, tally, work = (kernel.workspace(size) for size in _sizes())
        tally[layout.LEFT], tally[layout.ROOM] = layout.UNBOUNDED, len(out)
        leaves = int(run(cell_array, side, depth, *tables.arrays, set_array, out, tally, work, ply_array))
        return _checked(leaves, int(tally[layout.LEFT]))
    out_list, tally_list, work_list = ([0] * size for size in _sizes())
    flat = (tables.neighbours, tables.masks, tables.crown, tables.rules)
    tally_list[layout.LEFT], tally_list[layout.ROOM] = layout.UNBOUNDED, len(out_list)
    if sets[layout.WAYS_COUNT] > 0:
        leaves = count_on_sets(cells, side, depth, *flat, sets, out_list, tally_list, work_list, plies)
    else:
        leaves = count_leaves(cells, side, depth, *flat, out_list, tally_list, work_list, plies)
    return _checked(leaves, tally_list[layout.LEFT])


def _checked(leaves: int, left: int) -> int:
    if left < 0:
        raise TooManyMoves(f"saw more than {_MOVES_IN_ALL} moves on the way down; expected fewer: count less deep")
    return leaves


def _sizes() -> tuple[int, int, int]:
    return _MOVES_IN_ALL * layout.RECORD, layout.TALLY_SIZE, layout.WORK_SIZE


def runs_of(position: Position) -> list[int]:
    """The king runs as the kernel wants them: point and moves of White's, then of Black's."""
    runs = (position.white_run, position.black_run)
    return list(chain.from_iterable((-1, 0) if run is None else (run.point, run.moves) for run in runs))
