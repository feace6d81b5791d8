"""How a set's own men, and its kings once the rules have proven one, put right what the network says of kings."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from rules.piece import Piece
from vision.appearance import Appearance, SetLook, king_odds_of, learn
from vision.evidence import _with_look

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


def test_one_man_a_little_less_kinglike_than_a_king_does_not_make_a_man_elsewhere_a_king() -> None:
    alone = replace(PLAIN, count=1, kinglike=-3.6, crowned=-2.2)
    assert odds(alone, -1.2)[0] < -1.0
    assert odds(replace(alone, count=12), -1.2)[0] > 3.0


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


def _tops(*colours: float) -> NDArray[np.uint8]:
    """Patches (n, 40, 40, 3) each of one grey."""
    return np.concatenate([np.full((1, 40, 40, 3), grey, np.uint8) for grey in colours])


def test_a_set_looks_as_its_men_do_whatever_marks_its_kings_bear() -> None:
    tops = _tops(200, 205, 90, 95, 92)
    look = learn(tops, [Piece.WHITE_MAN] * 2 + [Piece.WHITE_KING] * 3, tops[:0]).light
    assert look is not None
    assert look.count == 2
    assert look.mean[0] > 75


def test_the_marks_of_kings_do_not_become_the_look_of_men_that_were_seen_before() -> None:
    none = np.zeros((0, 40, 40, 3), np.uint8)
    before = learn(_tops(200, 205), [Piece.WHITE_MAN] * 2, none)
    after = learn(_tops(90, 30), [Piece.WHITE_KING, Piece.EMPTY], none, None, before, 0.5)
    assert after.light is not None
    assert before.light is not None
    assert np.array_equal(after.light.mean, before.light.mean)


def test_men_seen_at_last_give_the_look_that_marks_only_guessed_at() -> None:
    none = np.zeros((0, 40, 40, 3), np.uint8)
    guessed = learn(_tops(90, 30), [Piece.WHITE_KING, Piece.EMPTY], none)
    seen = learn(_tops(200, 205), [Piece.WHITE_MAN] * 2, none, None, guessed, 0.1)
    assert seen.light is not None
    assert seen.light.mean[0] > 75


def test_where_a_set_was_seen_as_kings_only_its_marks_do_not_decide_whose_a_disc_is() -> None:
    marked, men = (
        SetLook(np.array([45.0, 4, 38, 16]), np.ones(4), 0),
        SetLook(np.array([74.0, 5, 31, 7]), np.ones(4), 2),
    )
    like_the_mark = np.array([[45.0, 4, 38, 16]], np.float32)
    scores = np.log(np.array([[0.001, 0.01, 0.0001, 0.98, 0.0088, 0.0001]], np.float32))
    bare = np.full((1, 4), np.nan, np.float32)
    look = Appearance(men, marked, bare, bare[:, :3], np.zeros((0, 3), np.float32))
    joint = _with_look(scores, np.array([3.0], np.float32), like_the_mark, look)
    assert joint[0].argmax() == Piece.WHITE_KING


def test_a_look_saved_before_kings_were_learned_is_still_read() -> None:
    saved = learned([Piece.WHITE_MAN, Piece.WHITE_KING], [-6.0, -2.0]).to_json()
    again = Appearance.from_json(saved)
    assert again.light is not None
    assert again.light.crowned == -2.0
    del saved["light"]["crowned"]
    old = Appearance.from_json(saved)
    assert old.light is not None
    assert old.light.crowned is None
