"""Compiled code checks no index and sees no lengths: its source keeps to its bounds in every game."""

from collections.abc import Iterable
from itertools import islice
from typing import Any, SupportsIndex

import pytest

from rules.hint import _values
from rules.kernel import layout
from rules.kernel.follow import follow_text
from rules.kernel.generate import generate
from rules.kernel.lattice import sets_of
from rules.kernel.set_search import search_any, weigh
from rules.kernel.set_walk import count_on_sets
from rules.kernel.sets import write_sets
from rules.kernel.tables import tables_of
from rules.kernel.walk import count_leaves
from rules.legal_moves import legal_moves, play, tired_king
from rules.notation import full_text
from rules.perft import runs_of
from rules.piece import Side
from rules.position import Position
from rules.variant import Variant, start_position
from rules.variants.catalogue import VARIANT_NAMES, variant_named
from tests.support.positions import positions_of_games, thrown_positions

_MANY = 30
_LONG = 3_000 * layout.RECORD


class Watched(list[int]):
    """A list that refuses an index under 0; one too high it refuses anyway."""

    def __getitem__(self, index: Any) -> Any:
        assert isinstance(index, slice) or index >= 0
        return super().__getitem__(index)

    def __setitem__(self, index: SupportsIndex | slice, value: Any) -> None:
        assert isinstance(index, slice) or int(index) >= 0
        super().__setitem__(index, value)


def _blank(size: int) -> Watched:
    return Watched([0] * size)


def _asked(variant: Variant) -> tuple[Position, ...]:
    thrown, played = thrown_positions(variant, seed=31), positions_of_games(variant, seed=32)
    return (start_position(variant), *islice(thrown, 4), *islice(played, 5, 60, 18))


def _tables(variant: Variant) -> tuple[Watched, ...]:
    tables = tables_of(variant)
    lists: Iterable[list[int]] = (tables.neighbours, tables.masks, tables.crown, tables.rules, sets_of(variant)[0])
    return tuple(Watched(values) for values in lists)


def _room(left: int) -> tuple[Watched, Watched, Watched]:
    return _blank(_LONG), Watched([0, 0, left, _LONG]), _blank(layout.WORK_SIZE)


@pytest.mark.parametrize("name", VARIANT_NAMES)
def test_moves_are_made_and_counted_within_bounds(name: str) -> None:
    variant = variant_named(name)
    *flat, sets = _tables(variant)
    for position in _asked(variant):
        side = 0 if position.to_move is Side.WHITE else 1
        cells = Watched(position.placement.pieces)
        count = generate(cells, side, tired_king(variant, position), *flat, *_with_base(_room(layout.LANDINGS)))
        assert count == len(legal_moves(variant, position))
        plies = _blank(layout.PLY * 3)
        plies[layout.RUNS : layout.RUNS + 4] = runs_of(position)
        by_sets = sets[layout.WAYS_COUNT] > 0
        many = (sets,) if by_sets else ()
        tree: Any = count_on_sets if by_sets else count_leaves
        depth = 1 if count > _MANY else 2
        leaves = tree(cells, side, depth, *flat, *many, *_room(layout.UNBOUNDED), plies)
        after = (play(variant, position, move) for move in legal_moves(variant, position))
        assert leaves == (count if depth == 1 else sum(len(legal_moves(variant, one)) for one in after))


def _with_base(room: tuple[Watched, Watched, Watched]) -> tuple[Any, ...]:
    out, tally, work = room
    return (out, 0, tally, work)


@pytest.mark.parametrize("name", VARIANT_NAMES)
def test_a_search_keeps_to_its_bounds(name: str) -> None:
    variant = variant_named(name)
    *flat, sets = _tables(variant)
    for position in _asked(variant)[::3]:
        if not legal_moves(variant, position):
            continue
        cells, values = Watched(position.placement.pieces), Watched(_values(variant))
        plies, control = _blank(layout.PLY * (layout.MAX_PLIES + 1)), _blank(layout.CONTROL_SIZE)
        plies[layout.ALPHA], plies[layout.BETA] = -layout.INFINITE, layout.INFINITE
        plies[layout.RUNS : layout.RUNS + 4] = runs_of(position)
        if sets[layout.WAYS_COUNT] > 0:
            write_sets(cells, variant.board.size, plies, 0, sets)
            weigh(plies, 0, values, flat[3], sets)
        control[layout.BUDGET], control[layout.DEPTH], control[layout.ENTERING] = 250, 3, 1
        line = _blank(layout.LINE_ENTRY * layout.MAX_PLIES * (layout.MAX_PLIES + 1))
        side = 0 if position.to_move is Side.WHITE else 1
        room = _room(layout.LANDINGS)
        spent = search_any(cells, side, *flat, sets, values, *room, plies, line, control)
        assert spent > 0


@pytest.mark.parametrize("name", VARIANT_NAMES)
def test_written_moves_are_played_within_bounds(name: str) -> None:
    variant = variant_named(name)
    position, words = start_position(variant), list[int]()
    for _ in range(12):
        move = legal_moves(variant, position)[-1]
        assert full_text(variant, move)
        words += [len(move.path), *move.path]
        position = play(variant, position, move)
    start = start_position(variant)
    cells, control = Watched(start.placement.pieces), _blank(layout.FOLLOW_SIZE)
    control[layout.FOLLOW_SIDE] = 0 if start.to_move is Side.WHITE else 1
    control[layout.FOLLOW_UNTIL], control[layout.FOLLOW_ROOM] = len(words), 2_000
    plies = _blank(2 * layout.PLY)
    plies[layout.RUNS : layout.RUNS + 4] = runs_of(start)
    rest = (_blank(0), _blank(0), Watched(words), _blank(2_000), control)
    done = follow_text(cells, *_tables(variant), *_room(layout.LANDINGS), plies, *rest)
    assert 0 < done <= 12
