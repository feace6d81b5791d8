"""The session's rulings on boards made from placements."""

from dataclasses import replace

import numpy as np

from rules.fen import parse_fen
from rules.variants.catalogue import variant_named
from server.session.events import Moved, Ready, Resolved, Violation
from server.session.state import Look, new_state, terms_for
from server.session.step import step

ENGLISH = variant_named("english")
START = "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12"


def _look(fen: str, seconds: float) -> Look:
    placement = parse_fen(ENGLISH, fen, uncrowned=True).placement
    evidence = np.full((32, 5), -7.0, np.float32)
    evidence[np.arange(32), np.frombuffer(placement.pieces, np.uint8)] = 0.0
    return Look(evidence, np.zeros(32, np.bool_), seconds, int(seconds * 2))


def _said(start: str, *fens: str) -> list[object]:
    state = new_state(terms_for(ENGLISH, parse_fen(ENGLISH, start)))
    said: list[object] = []
    for k, fen in enumerate(fens):
        for part in range(3):
            state, effects = step(state, _look(fen, 10 * k + part))
            said.extend(effects)
    return said


def test_a_correct_game_says_only_its_moves() -> None:
    said = _said(START, START, START.replace("11,12", "11,16"))
    assert [type(e) for e in said] == [Ready, Moved]


BEFORE = "B:W18,21,22,32:B1,2,14,12"
QUIET = "W:W18,21,22,32:B1,2,14,16"
TAKEN = "W:W21,22,32:B1,2,12,23"


def test_a_missed_capture_is_told_once_and_corrected_by_the_capture() -> None:
    said = _said(BEFORE, BEFORE, QUIET, QUIET, BEFORE, TAKEN)
    assert [e.kind for e in said if isinstance(e, Violation)] == ["missed_capture"]
    assert [e.how for e in said if isinstance(e, Resolved)] == ["corrected"]
    assert [e.move for e in said if isinstance(e, Moved)] == ["14x23"]


def test_a_missed_capture_is_accepted_when_the_opponent_plays_on() -> None:
    said = _said(BEFORE, BEFORE, QUIET, "B:W9,21,22,32:B1,2,16")
    wanted = [Ready, Violation]
    assert [type(e) for e in said][:2] == wanted


def test_a_displaced_disc_whose_crown_is_doubtful_is_told_of_once() -> None:
    state = new_state(terms_for(ENGLISH, parse_fen(ENGLISH, "W:W32,31:B5,1")))
    state, _ = step(state, _look("W:W32,31:B5,1", 0))
    said: list[object] = []
    for k in range(8):
        look = _look("W:W32,31:B15,1", 3 + k)
        evidence = look.evidence.copy()
        evidence[14, 4] = evidence[14, 2] + (1.0 if k % 2 else -1.0)
        state, effects = step(state, replace(look, evidence=evidence))
        said.extend(effects)
    assert [e.kind for e in said if isinstance(e, Violation)] == ["opponent_piece_moved"]
    assert not [e for e in said if isinstance(e, Resolved)]


def _with_doubtful_origin(fen: str, seconds: float, lead: float) -> Look:
    """Square 22 still looks like its white man, by so much."""
    look = _look(fen, seconds)
    evidence = 1.4 * look.evidence
    evidence[21, [0, 1]] = [-lead, 0.0]
    return replace(look, evidence=evidence)


def _seen_after_22_17(lead: float) -> list[object]:
    start = START.replace("B:", "W:", 1)
    state, _ = step(new_state(terms_for(ENGLISH, parse_fen(ENGLISH, start))), _look(start, 0))
    said: list[object] = []
    for k in range(12):
        state, effects = step(state, _with_doubtful_origin(start.replace("W21,22", "W17,21"), 3 + 0.5 * k, lead))
        said.extend(effects)
    return said


def test_a_square_left_that_still_looks_like_its_disc_is_no_question_beside_a_disc_from_nowhere() -> None:
    said = _seen_after_22_17(4.2)
    assert [type(e) for e in said] == [Moved]
    assert [e.move for e in said if isinstance(e, Moved)] == ["22-17"]


def test_a_disc_that_came_from_nowhere_beside_one_that_plainly_stands_is_told() -> None:
    said = _seen_after_22_17(12.0)
    assert [e.kind for e in said if isinstance(e, Violation)] == ["piece_appeared"]
    assert not [e for e in said if isinstance(e, Moved)]
