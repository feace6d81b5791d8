"""The board held as sets of points says the same as the board held point by point."""

from itertools import islice

import numpy as np
import pytest
from numpy.typing import NDArray

from rules.kernel import compiled, layout
from rules.kernel.compiled import Entry
from rules.kernel.count import count_at_once
from rules.kernel.generate import generate_by_sets
from rules.kernel.lattice import sets_of
from rules.kernel.sets import before, next_to, point_at, size_of, write_sets
from rules.kernel.tables import tables_of
from rules.legal_moves import legal_moves, tired_king
from rules.perft import runs_of
from rules.piece import Side
from rules.position import Position
from rules.variant import Variant
from rules.variants.catalogue import VARIANT_NAMES, variant_named
from tests.support.positions import positions_of_games, thrown_positions

ON_SETS = [name for name in VARIANT_NAMES if sets_of(variant_named(name))[0][layout.WAYS_COUNT]]


def test_boards_of_up_to_fifty_points_are_held_as_sets() -> None:
    assert {"international", "english", "russian", "italian", "frisian", "alquerque"} <= set(ON_SETS)
    assert all(variant_named(name).board.size > 50 for name in set(VARIANT_NAMES) - set(ON_SETS))


@pytest.mark.parametrize("name", ON_SETS)
def test_a_step_is_one_shift(name: str) -> None:
    variant, (sets, _) = variant_named(name), sets_of(variant_named(name))
    steps = set()
    for k in range(sets[layout.WAYS_COUNT]):
        w = layout.WAYS + k * layout.WAY
        for point in range(variant.board.size):
            here = sets[layout.POINT_BITS + point]
            if here & sets[w + layout.WAY_FROM]:
                beside = next_to(here, w, sets)
                assert before(beside, w, sets) == here
                steps.add((k, point, point_at(beside, sets)))
    used = sorted({d for table in _ways(variant) for d in table})
    assert steps == {
        (k, point, end) for k, d in enumerate(used) for point, end in enumerate(variant.board.neighbours[d]) if end >= 0
    }


def _ways(variant: Variant) -> list[list[int]]:
    fields = (variant.man_steps, variant.man_captures, variant.king_steps, variant.king_captures)
    return [[int(d) for d in variant.directions(field, side)] for field in fields for side in Side]


def test_the_size_of_a_set_is_its_number_of_ones() -> None:
    for points in (0, 1, 0b1011, (1 << 62) - 1, 0x2AAAAAAAAAAAAAAA, 1 << 61):
        assert size_of(points) == points.bit_count()


def _asked(variant: Variant) -> list[Position]:
    games = islice(positions_of_games(variant, seed=15), 0, 160, 2)
    return [*games, *islice(thrown_positions(variant, seed=16, fullest=0.45), 60)]


def _laid_out(variant: Variant, position: Position) -> tuple[list[int], int, list[int]]:
    """The flat board, whose turn it is, and a ply with the board as sets."""
    sets, _ = sets_of(variant)
    cells, plies = list(position.placement.pieces), [0] * (2 * layout.PLY)
    write_sets(cells, len(cells), plies, 0, sets)
    return cells, 0 if position.to_move is Side.WHITE else 1, plies


@pytest.mark.parametrize("name", ON_SETS)
def test_moves_are_counted_on_sets_as_they_are_listed(name: str) -> None:
    variant, (sets, _) = variant_named(name), sets_of(variant_named(name))
    work, counted = [0] * layout.WORK_SIZE, 0
    positions = _asked(variant)
    for position in positions:
        _, side, plies = _laid_out(variant, position)
        rules, tally = tables_of(variant).rules, [0] * layout.TALLY_SIZE
        count = count_at_once(side, tired_king(variant, position), plies, 0, rules, sets, tally, work)
        assert count in (-1, len(legal_moves(variant, position)))
        counted += count >= 0
    assert counted > len(positions) // 3


@pytest.mark.parametrize("name", ON_SETS)
def test_moves_are_listed_from_sets_as_without_them(name: str) -> None:
    variant, (sets, _) = variant_named(name), sets_of(variant_named(name))
    work, out, tables = [0] * layout.WORK_SIZE, [0] * (400 * layout.RECORD), tables_of(variant)
    flat = (tables.neighbours, tables.masks, tables.crown, tables.rules)
    for position in _asked(variant)[::3]:
        cells, side, plies = _laid_out(variant, position)
        tally, tired = [0, 0, layout.LANDINGS, len(out)], tired_king(variant, position)
        count = generate_by_sets(cells, side, tired, plies, 0, *flat, sets, out, 0, tally, work)
        records = [out[k * layout.RECORD : (k + 1) * layout.RECORD] for k in range(count)]
        found = {(r[layout.ORIGIN], r[layout.END], r[layout.PROMOTES], r[layout.SET_0]) for r in records}
        legal = legal_moves(variant, position)
        assert count == len(legal)
        assert found == {(m.origin, m.end, m.promotes, sum(1 << p for p in m.captured)) for m in legal}
        assert cells == list(position.placement.pieces)


def _leaves(run: Entry, variant: Variant, position: Position, sets: NDArray[np.int64]) -> int:
    plies = np.zeros(5 * layout.PLY, dtype=np.int64)
    plies[layout.RUNS : layout.RUNS + 4] = runs_of(position)
    out, tally, work = (np.zeros(n, np.int64) for n in (9_000 * layout.RECORD, layout.TALLY_SIZE, layout.WORK_SIZE))
    tally[layout.LEFT], tally[layout.ROOM] = layout.UNBOUNDED, len(out)
    cells = np.frombuffer(position.placement.pieces, np.uint8).astype(np.int64)
    side = 0 if position.to_move is Side.WHITE else 1
    return run(cells, side, 3, *tables_of(variant).arrays, sets, out, tally, work, plies)


@pytest.mark.parametrize("name", ON_SETS)
def test_the_tree_has_as_many_leaves_on_sets_as_by_lists(name: str) -> None:
    if not compiled.warm_up() or (run := compiled.count_leaves()) is None:
        pytest.skip("numba is not installed, and uncompiled this takes long")
    variant, (_, sets) = variant_named(name), sets_of(variant_named(name))
    thrown, played = thrown_positions(variant, seed=17), positions_of_games(variant, seed=18)
    asked = (*islice(thrown, 20), *islice(played, 0, 80, 4))
    counts = [_leaves(run, variant, position, sets) for position in asked]
    assert counts == [_leaves(run, variant, position, np.zeros_like(sets)) for position in asked]
    assert sum(counts) > 2_000
