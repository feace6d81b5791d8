"""Where a king could capture in more ways than anyone can try, the effort is bounded and nobody is accused."""

import random
from itertools import count

import pytest

from rules.errors import TooManyMoves
from rules.hint import hint
from rules.judge import Irregular, Legal, judge
from rules.kernel import captures, layout
from rules.kernel.generate import generate
from rules.kernel.tables import tables_of
from rules.legal_moves import all_found, legal_moves, moves_of_disc, placement_after, warm_up
from rules.perft import perft
from rules.piece import Piece, Side
from rules.placement import Placement
from rules.position import Position
from rules.relaxation import Relaxation, relaxed
from rules.variant import start_position
from rules.variants.catalogue import variant_named

HONEYCOMB = variant_named("honeycomb")


def _scattered(men: int, seed: int, name: str = "honeycomb") -> Position:
    """A white king among black men anywhere."""
    size = variant_named(name).board.size
    king, *others = random.Random(seed).sample(range(size), men + 1)
    pieces = dict.fromkeys(others, Piece.BLACK_MAN) | {king: Piece.WHITE_KING}
    return Position(Placement.empty(size).replaced(pieces), Side.WHITE)


def _crowd() -> Position:
    warm_up()
    return next(p for p in (_scattered(24, seed) for seed in count()) if not all_found(HONEYCOMB, p))


@pytest.mark.parametrize("name", ["honeycomb", "hexdame", "turkish-10", "canadian", "russian", "italian"])
def test_no_more_landings_are_tried_than_allowed(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    tried, allowed = [0], 1_500
    landing = captures.next_landing

    def counted(*arguments: object) -> bool:
        found: bool = landing(*arguments)  # type: ignore[arg-type]
        tried[0] += found
        return found

    monkeypatch.setattr(captures, "next_landing", counted)
    tables = tables_of(relaxed(variant_named(name), Relaxation.MAJORITY))
    flat = (tables.neighbours, tables.masks, tables.crown, tables.rules)
    for seed in range(12):
        cells = list(_scattered(min(24, len(tables.crown) // 8), seed, name).placement.pieces)
        out = [0] * (400 * layout.RECORD)
        tally, before, tried[0] = [0, 0, allowed, len(out)], list(cells), 0
        generate(cells, 0, -1, *flat, out, 0, tally, [0] * layout.WORK_SIZE)
        assert tried[0] <= allowed + 1
        assert (tally[layout.LEFT] >= 0) or tried[0] > 0
        assert cells == before


def test_an_unfinished_list_holds_captures_only_and_at_least_one() -> None:
    moves = legal_moves(HONEYCOMB, _crowd())
    assert moves
    assert all(move.is_capture for move in moves)


def test_the_list_of_an_ordinary_position_is_complete() -> None:
    for name in ("international", "honeycomb", "turkish"):
        assert all_found(variant_named(name), start_position(variant_named(name)))


def test_nobody_is_accused_where_captures_are_too_many_to_try() -> None:
    position = _crowd()
    origin = position.placement.points_of(Side.WHITE)[0]
    enemies = sorted(position.placement.points_of(Side.BLACK))
    free = relaxed(HONEYCOMB, Relaxation.MAJORITY)
    rng = random.Random(4)
    ruled = set()
    for _ in range(12):
        prey = frozenset(rng.sample(enemies, 9))
        for move in moves_of_disc(free, position, origin, prey)[:2]:
            verdict = judge(HONEYCOMB, position, placement_after(position.placement, Side.WHITE, move))
            assert not isinstance(verdict, Irregular)
            ruled.add(type(verdict))
    assert Legal in ruled


def test_a_hint_stops_in_time_among_scattered_discs() -> None:
    position = _crowd()
    ticks = count()
    found = hint(HONEYCOMB, position, 5.0, lambda: False, lambda: float(next(ticks)))
    assert found.move in legal_moves(HONEYCOMB, position)
    assert found.line[0] == found.move


def test_a_count_that_does_not_fit_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rules.perft._MOVES_IN_ALL", 8)
    variant = variant_named("international")
    with pytest.raises(TooManyMoves, match="count less deep"):
        perft(variant, start_position(variant), 4, compiled=False)
