"""Hints are legal, see what is plain to see, and stop when told."""

from itertools import count

from rules.fen import parse_fen
from rules.hint import hint
from rules.legal_moves import legal_moves
from rules.notation import move_text
from rules.variant import start_position
from rules.variants.catalogue import variant_named


def _clock() -> float:
    return next(_TICKS) * 0.01


_TICKS = count()


def test_a_hint_is_a_legal_move_with_a_line() -> None:
    variant = variant_named("english")
    position = start_position(variant)
    found = hint(variant, position, 0.05, lambda: False, _clock)
    assert found.move in legal_moves(variant, position)
    assert found.line[0] == found.move
    assert found.depth >= 1


def test_a_hint_sees_a_shot_of_two() -> None:
    variant = variant_named("international")
    position = parse_fen(variant, "W:W32,37,43:B21,22,13,9")
    found = hint(variant, position, 0.5, lambda: False, _clock)
    assert found.move in legal_moves(variant, position)


def test_a_hint_finds_the_winning_block() -> None:
    variant = variant_named("english")
    position = parse_fen(variant, "W:W10,K19:B1")
    found = hint(variant, position, 3.0, lambda: False, _clock)
    assert found.score > 0


def test_a_stopped_search_still_answers() -> None:
    variant = variant_named("international")
    position = start_position(variant)
    found = hint(variant, position, 60.0, lambda: True, _clock)
    assert found.depth == 1
    assert move_text(variant, position, found.move)
