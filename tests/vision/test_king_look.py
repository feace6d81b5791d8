"""How a set's own men, and its kings once the rules have proven one, put right what the network says of kings."""

from dataclasses import replace

import numpy as np

from rules.piece import Piece
from vision.appearance import Appearance, SetLook, king_odds_of, learn

PLAIN = SetLook(np.zeros(4, np.float32), np.ones(4, np.float32), 8, kinglike=-6.0)


def odds(look: SetLook, *values: float) -> list[float]:
    return [float(v) for v in king_odds_of(look, np.array(values, np.float32))]


def learned(pieces: list[int], king_odds: list[float], previous: Appearance | None = None) -> Appearance:
    patches = np.random.default_rng(2).integers(90, 110, (len(pieces), 40, 40, 3)).astype(np.uint8)
    return learn(patches, pieces, patches[:0], np.array(king_odds, np.float32), previous, 0.5)


def test_plain_men_leave_the_network_its_say() -> None:
    assert odds(PLAIN, -5.0, 2.0) == [-5.0, 2.0]


def test_men_that_look_like_kings_must_look_more_so_to_be_taken_for_kings() -> None:
    assert odds(replace(PLAIN, kinglike=0.5), 0.4, 6.0)[0] < -3.0
    assert odds(replace(PLAIN, kinglike=0.5), 6.0)[0] > 2.0


def test_low_stacks_are_told_from_men_once_a_king_is_proven() -> None:
    man, king = odds(replace(PLAIN, kinglike=-6.0, crowned=-3.0), -6.0, -3.0)
    assert man <= -3.0
    assert king >= 3.0


def test_proven_kings_that_look_like_their_men_say_nothing() -> None:
    assert odds(replace(PLAIN, kinglike=-4.0, crowned=-4.5), -4.5) == odds(replace(PLAIN, kinglike=-4.0), -4.5)


def test_a_clear_difference_is_not_stretched() -> None:
    man, king = odds(replace(PLAIN, kinglike=-6.0, crowned=6.0), -6.0, 6.0)
    assert (man, king) == (-6.0, 6.0)


def test_the_look_of_kings_is_learned_from_kings_alone_and_kept_while_none_is_seen() -> None:
    men = [Piece.WHITE_MAN] * 4
    first = learned([*men, Piece.WHITE_KING], [-6.0, -6.0, -5.5, -6.0, -2.0])
    assert first.light is not None
    assert first.light.crowned == -2.0
    later = learned([*men, Piece.EMPTY], [-6.0] * 5, first)
    assert later.light is not None
    assert later.light.crowned == -2.0


def test_a_look_saved_before_kings_were_learned_is_still_read() -> None:
    saved = learned([Piece.WHITE_MAN, Piece.WHITE_KING], [-6.0, -2.0]).to_json()
    again = Appearance.from_json(saved)
    assert again.light is not None
    assert again.light.crowned == -2.0
    del saved["light"]["crowned"]
    old = Appearance.from_json(saved)
    assert old.light is not None
    assert old.light.crowned is None
