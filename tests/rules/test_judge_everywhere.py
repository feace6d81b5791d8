"""In every game: legal moves are never accused, planted mistakes get their name, and nothing illegal is let pass."""

import random
from collections.abc import Iterator
from itertools import islice

import pytest

from rules.faults import FaultKind
from rules.judge import Ambiguous, Irregular, Legal, judge
from rules.legal_moves import legal_moves, placement_after, play
from rules.move import Move
from rules.piece import Piece, Side, king, man
from rules.placement import Placement
from rules.position import Position
from rules.relaxation import Relaxation, relaxed
from rules.variant import Variant
from rules.variants.catalogue import VARIANT_NAMES, variant_named
from tests.support.positions import positions_of_games, thrown_positions


def _positions(variant: Variant, seed: int) -> list[Position]:
    """Two positions out of the middle of games and three thrown ones, all with a legal move."""
    fullest = 0.12 if variant.board.size > 100 else 0.4
    games = islice(positions_of_games(variant, seed), 20, 120, 45)
    thrown = islice(thrown_positions(variant, seed, fullest), 12)
    return [p for p in (*games, *thrown) if legal_moves(variant, p)][:6]


def _ends(rules: Variant, position: Position, captures: bool | None = None) -> dict[Placement, Move]:
    moves = (m for m in legal_moves(rules, position) if captures in (None, m.is_capture))
    return {placement_after(position.placement, position.to_move, m): m for m in moves}


@pytest.mark.parametrize("name", VARIANT_NAMES)
def test_no_legal_move_is_ever_accused(name: str) -> None:
    variant = variant_named(name)
    for position in _positions(variant, 3):
        for after, move in _ends(variant, position).items():
            verdict = judge(variant, position, after)
            assert isinstance(verdict, Legal | Ambiguous)
            assert move.key in {m.key for m in verdict.moves}


def _relaxed_ends(variant: Variant, position: Position) -> Iterator[tuple[FaultKind, Placement]]:
    """Boards after moves that only the relaxation of one rule allows, with the fault each is."""
    legal = set(_ends(variant, position)) | {position.placement}
    free = _ends(relaxed(variant, Relaxation.COMPULSION), position, captures=False)
    ranked = _ends(relaxed(variant, Relaxation.MAJORITY), position, captures=True)
    loose = _ends(relaxed(variant, Relaxation.COMPLETION), position, captures=True)
    yield from ((FaultKind.MISSED_CAPTURE, after) for after in set(free) - legal)
    yield from ((FaultKind.NOT_MAJORITY, after) for after in set(ranked) - legal - set(free))
    incomplete = set(loose) - set(ranked) - legal - set(free)
    if variant.name == "killer":  # a king that stops too far behind is another fault
        incomplete -= set(_ends(relaxed(relaxed(variant, Relaxation.MAJORITY), Relaxation.LANDING), position))
    yield from ((FaultKind.CAPTURE_INCOMPLETE, after) for after in incomplete)


@pytest.mark.parametrize("name", VARIANT_NAMES)
def test_a_move_that_one_relaxed_rule_allows_gets_that_rule_s_fault(name: str) -> None:
    variant = variant_named(name)
    for position in _positions(variant, 5):
        for kind, after in list(_relaxed_ends(variant, position))[:12]:
            verdict = judge(variant, position, after)
            assert isinstance(verdict, Irregular)
            assert verdict.faults[0].kind is kind
            assert verdict.faults[0].due == tuple(m for m in legal_moves(variant, position) if m.is_capture)


ILLEGAL = (
    *((relaxation, False) for relaxation in (Relaxation.BACKWARD, Relaxation.FAR_ROW, Relaxation.KING_RUN)),
    (Relaxation.KING_FLIES, False),
    *((relaxation, True) for relaxation in (Relaxation.BACKWARD_CAPTURE, Relaxation.TAKE_KINGS, Relaxation.LANDING)),
    *((relaxation, True) for relaxation in (Relaxation.REVERSAL, Relaxation.CHAIN, Relaxation.REMOVAL)),
)


@pytest.mark.parametrize("name", VARIANT_NAMES)
def test_a_move_against_the_nature_of_its_piece_is_illegal(name: str) -> None:
    variant = variant_named(name)
    free, loose = (relaxed(variant, r) for r in (Relaxation.COMPULSION, Relaxation.COMPLETION))
    for position in _positions(variant, 7):
        meant = {position.placement, *_ends(free, position), *_ends(loose, position)}
        for relaxation, captures in ILLEGAL:
            rules = relaxed(loose if captures else free, relaxation)
            for after in list(set(_ends(rules, position, captures)) - meant)[:3]:
                verdict = judge(variant, position, after)
                assert isinstance(verdict, Irregular)
                assert verdict.faults[0].kind is FaultKind.ILLEGAL_MOVE


def _change(variant: Variant, placement: Placement, rng: random.Random) -> Placement:
    """Some discs taken off, put on, moved or crowned at random."""
    values = [Piece.EMPTY, Piece.WHITE_MAN, Piece.BLACK_MAN, Piece.WHITE_KING, Piece.BLACK_KING]
    if not variant.king_steps:
        values = values[:3]
    points = rng.sample(range(len(placement)), rng.randint(1, 6))
    return placement.replaced({point: rng.choice(values) for point in points})


@pytest.mark.parametrize("name", VARIANT_NAMES)
def test_a_random_change_is_never_legal_unless_a_move_leads_there(name: str) -> None:
    variant = variant_named(name)
    rng = random.Random(9)
    for position in _positions(variant, 9):
        shown = list(_ends(variant, position))
        for _ in range(6):
            after = _change(variant, position.placement, rng)
            verdict = judge(variant, position, after)
            uncrowned = [_bare(p, after) for p in shown]
            assert isinstance(verdict, Legal | Ambiguous) == (after in uncrowned)
            if isinstance(verdict, Irregular):
                assert all(fault.message.endswith(".") and fault.squares for fault in verdict.faults)


def _bare(expected: Placement, seen: Placement) -> Placement:
    """The board after a move, kings without a crown where none is seen."""
    bare = {
        point: man(side)
        for point in range(len(seen))
        for side in Side
        if expected[point] is king(side) and seen[point] is man(side)
    }
    return expected.replaced(bare)


@pytest.mark.parametrize("name", VARIANT_NAMES)
def test_a_move_and_its_answer_seen_at_once_accuse_nobody(name: str) -> None:
    variant = variant_named(name)
    for position in _positions(variant, 11):
        single = set(_ends(variant, position))
        for move in legal_moves(variant, position)[:6]:
            replied = play(variant, position, move)
            for after in set(list(_ends(variant, replied))[:4]) - single - {position.placement}:
                verdict = judge(variant, position, after)
                assert isinstance(verdict, Irregular)
                assert verdict.faults[0].kind in _NO_ACCUSATION


_NO_ACCUSATION = (FaultKind.BOARD_DISTURBED, FaultKind.PIECE_VANISHED, FaultKind.CAPTURED_NOT_REMOVED)
"""A disc that moved and was captured in the answer just looks gone."""
