"""Hints are legal, see what is plain to see, and stop when told."""

from itertools import count, islice

import numpy as np
import pytest

from rules import hint as hints
from rules.fen import parse_fen
from rules.hint import hint
from rules.kernel import layout
from rules.kernel.lattice import sets_of
from rules.legal_moves import legal_moves, play, warm_up
from rules.notation import move_text
from rules.position import Position
from rules.variant import Variant, start_position
from rules.variants.catalogue import variant_named
from tests.support.positions import positions_of_games, thrown_positions


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


def _score(variant: Variant, position: Position, depth: int) -> int:
    search = hints._Search(variant, position)
    search.begin(depth, 0)
    while not search.done:
        search.go_on()
    return search.score


@pytest.mark.parametrize("name", ["international", "english", "frisian", "russian-giveaway", "killer", "alquerque"])
def test_the_search_on_sets_finds_the_score_that_the_search_by_lists_finds(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    warm_up()
    variant = variant_named(name)
    thrown = (p for p in thrown_positions(variant, 31, 0.3) if legal_moves(variant, p))
    positions = [*islice(positions_of_games(variant, 30), 5, 100, 30), *islice(thrown, 4)]
    assert sets_of(variant)[0][layout.WAYS_COUNT] > 0
    on_sets = [_score(variant, position, 4) for position in positions]
    none = [0] * layout.SETS_SIZE
    monkeypatch.setattr(hints, "sets_of", lambda _: (none, np.array(none, dtype=np.int64)))
    assert [_score(variant, position, 4) for position in positions] == on_sets
    assert len(set(on_sets)) > 3


def test_the_line_of_a_hint_can_be_played() -> None:
    for name in ("international", "frisian", "turkish"):
        variant = variant_named(name)
        for position in islice(positions_of_games(variant, 33), 8, 60, 17):
            found = hint(variant, position, 0.3, lambda: False, _clock)
            assert found.line[0] == found.move
            for move in found.line:
                assert move in legal_moves(variant, position)
                position = play(variant, position, move)
