"""What holds for every move of every game, on whatever stands on the board."""

from itertools import islice

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.fen import fen, parse_fen
from rules.legal_moves import legal_moves, play, routes, warm_up
from rules.piece import Piece, Side, king, man
from rules.placement import Placement
from rules.position import KingRun, Position
from rules.relaxation import Relaxation, relaxed
from rules.variant import Promotion, Variant
from rules.variants.catalogue import VARIANT_NAMES, variant_named
from tests.support.positions import positions_of_games, thrown_positions

SEEDED = settings(max_examples=25, deadline=None, derandomize=True, database=None)
MOST_DISCS = 20


@st.composite
def _positions(draw: st.DrawFn, variant: Variant) -> Position:
    """A few discs anywhere, kings where the game has them, and a king's run where the game counts it."""
    crowns = variant.promotion is not Promotion.NEVER
    kinds = list(Piece)[1:] if crowns else [Piece.WHITE_MAN, Piece.BLACK_MAN]
    points = st.integers(0, variant.board.size - 1)
    pieces = draw(st.dictionaries(points, st.sampled_from(kinds), min_size=1, max_size=MOST_DISCS))
    for side in Side:
        for point in variant.promotion_row(side) if crowns else ():
            if pieces.get(point) is man(side):
                pieces[point] = king(side)
    position = Position(Placement.empty(variant.board.size).replaced(pieces), draw(st.sampled_from(Side)))
    kings = [p for p in position.placement.points_of(Side.WHITE) if position.placement[p].is_king]
    if not variant.king_run_limit or not kings:
        return position
    return Position(position.placement, position.to_move, KingRun(draw(st.sampled_from(kings)), 3))


def _count(placement: Placement, side: Side) -> tuple[int, int]:
    """Men and kings of a side."""
    return placement.pieces.count(man(side)), placement.pieces.count(king(side))


@pytest.mark.parametrize("name", VARIANT_NAMES)
def test_what_is_captured_vanishes_and_nothing_appears(name: str) -> None:
    variant = variant_named(name)

    @SEEDED
    @given(_positions(variant))
    def holds(position: Position) -> None:
        side, before = position.to_move, position.placement
        for move in legal_moves(variant, position):
            after = play(variant, position, move).placement
            assert all(before[p].side is side.opponent for p in move.captured)
            assert len(set(move.captured)) == len(move.captured)
            assert all(after[p] is Piece.EMPTY for p in move.captured if p != move.end)
            men, kings = _count(before, side)
            assert _count(after, side) == (men - move.promotes, kings + move.promotes)
            assert sum(_count(after, side.opponent)) == sum(_count(before, side.opponent)) - len(move.captured)
            untouched = set(range(variant.board.size)) - {move.origin, move.end, *move.captured}
            assert all(after[p] is before[p] for p in untouched)

    holds()


@pytest.mark.parametrize("name", VARIANT_NAMES)
def test_a_position_survives_its_own_text(name: str) -> None:
    variant = variant_named(name)

    @SEEDED
    @given(_positions(variant))
    def holds(position: Position) -> None:
        assert parse_fen(variant, fen(variant, position)) == position

    holds()


@pytest.mark.parametrize("name", [name for name in VARIANT_NAMES if not variant_named(name).one_way])
def test_both_sides_play_by_the_same_rules(name: str) -> None:
    variant = variant_named(name)
    turn = variant.board.half_turn

    def swapped(placement: Placement) -> Placement:
        other = {p: placement[p] for p in range(len(placement)) if placement[p] is not Piece.EMPTY}
        sides = {Side.WHITE: Side.BLACK, Side.BLACK: Side.WHITE}
        return Placement.empty(len(placement)).replaced(
            {turn[p]: (king if piece.is_king else man)(sides[piece.side]) for p, piece in other.items() if piece.side}
        )

    @SEEDED
    @given(_positions(variant))
    def holds(position: Position) -> None:
        as_white = Position(position.placement, Side.WHITE)
        as_black = Position(swapped(position.placement), Side.BLACK)
        whites = {
            (turn[m.origin], turn[m.end], frozenset(turn[p] for p in m.captured), m.promotes)
            for m in legal_moves(variant, as_white)
        }
        assert {(*m.key, m.promotes) for m in legal_moves(variant, as_black)} == whites

    holds()


def _seeded(variant: Variant) -> list[Position]:
    return [
        *islice(positions_of_games(variant, seed=5), 0, 80, 4),
        *islice(thrown_positions(variant, seed=6, fullest=0.2), 20),
    ]


@pytest.mark.parametrize("name", VARIANT_NAMES)
def test_the_compiled_and_the_uncompiled_kernel_find_the_same_moves(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    variant = variant_named(name)
    games = [variant, *(relaxed(variant, relaxation) for relaxation in Relaxation)]
    positions = _seeded(variant)
    asked = [(game, position) for game in games for position in positions[:: 1 if game is variant else 8]]

    def answers() -> list[object]:
        moves: list[object] = [legal_moves.__wrapped__(game, position) for game, position in asked]
        return [*moves, *(routes.__wrapped__(variant, position) for position in positions[::4])]

    if not warm_up():
        pytest.skip("numba is not here, so there is no compiled kernel")
    compiled = answers()
    monkeypatch.setattr("rules.kernel.compiled.generate", lambda: None)
    assert answers() == compiled
