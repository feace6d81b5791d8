"""Every kind of irregularity that a turn can show, in three games, through each of its exits."""

from dataclasses import replace

import numpy as np
import pytest

from rules.legal_moves import legal_moves, play
from rules.notation import move_text
from rules.piece import Side
from rules.position import Position
from rules.variant import start_position
from rules.variants.catalogue import variant_named
from server.session.state import House, Mode, State, new_state, terms_for
from server.session.step import Command
from tests.server.irregular_cases import CASES, Case, played_on
from tests.server.synthetic import Table, edited, words

every_case = pytest.mark.parametrize("case", CASES, ids=str)


def table(case: Case, **terms) -> Table:
    """A game at the case's position, ready to be played."""
    state: State = new_state(replace(terms_for(case.variant, case.position), **terms))
    shown = Table(state)
    assert words(shown.show(case.position.placement)) == ["ready"]
    return shown


def told(case: Case, **terms) -> Table:
    """The irregular board has been shown and spoken of, once."""
    shown = table(case, **terms)
    said = shown.show(case.irregular, looks=6)
    assert words(said) == [f"violation {case.kind}"]
    (violation,) = said
    assert violation.squares == case.squares
    assert violation.due == case.due
    assert violation.message
    assert shown.show(case.irregular) == []
    return shown


def test_every_case_is_a_board_that_no_move_explains():
    for case in CASES:
        after = {play(case.variant, case.position, m).placement for m in legal_moves(case.variant, case.position)}
        assert case.irregular not in after, case


@every_case
def test_it_is_corrected_by_putting_the_board_back_and_moving_rightly(case):
    shown = told(case)
    assert words(shown.show(case.position.placement)) == [f"resolved corrected {case.kind}"]
    move = legal_moves(case.variant, case.position)[0]
    text = move_text(case.variant, case.position, move)
    assert words(shown.show(play(case.variant, case.position, move).placement)) == [f"move {text}"]
    assert [ply.text for ply in shown.state.plies] == [text]


@pytest.mark.parametrize("case", [c for c in CASES if c.mended], ids=str)
def test_it_is_corrected_by_doing_what_was_left_undone(case):
    shown = told(case)
    mended = edited(case.variant, case.position.placement, *case.mended)
    text = case.counted or case.due[0]
    said = words(shown.show(mended))
    assert said[:2] == [f"resolved corrected {case.kind}", f"move {text}"]
    assert not [word for word in said[2:] if not word.startswith("draw_counter")]
    assert [ply.text for ply in shown.state.plies] == [text]


@every_case
def test_it_is_accepted_when_the_next_player_moves_on(case):
    shown = told(case)
    text, after = played_on(case)
    said = [w for w in words(shown.show(after)) if not w.startswith("draw_counter")]
    recorded = [f"move {case.counted}"] if case.counted else []
    assert said == [*recorded, f"resolved accepted {case.kind}", f"move {text}"]
    assert shown.state.position.placement == after
    assert shown.state.standing is None


@every_case
def test_it_is_accepted_by_the_arbiter(case):
    shown = told(case)
    said = words(shown.feed(Command("accept")))
    assert said[-1] == f"resolved accepted {case.kind}"
    assert shown.state.position == Position(case.irregular, Side(case.next))
    assert shown.show(case.irregular) == []


@every_case
def test_dismissed_as_a_misreading_it_is_not_told_again(case):
    shown = told(case)
    assert words(shown.feed(Command("dismiss"))) == [f"resolved dismissed {case.kind}"]
    assert shown.show(case.irregular, looks=6) == []
    move = legal_moves(case.variant, case.position)[0]
    text = move_text(case.variant, case.position, move)
    assert words(shown.show(play(case.variant, case.position, move).placement)) == [f"move {text}"]


@every_case
def test_dismissed_as_in_order_the_game_goes_on_from_the_board(case):
    shown = told(case)
    shown.feed(Command("dismiss"))
    text, after = played_on(case)
    said = words(shown.show(after))
    assert "violation" not in " ".join(said)
    assert f"move {text}" in said
    assert shown.state.position.placement == after


@every_case
def test_a_game_that_only_records_says_nothing_and_keeps_the_board(case):
    shown = table(case, mode=Mode.RECORD)
    assert shown.show(case.irregular, looks=6) == []
    text, after = played_on(case)
    said = [w for w in words(shown.show(after)) if not w.startswith("draw_counter")]
    recorded = [f"move {case.counted}"] if case.counted else []
    assert said == [*recorded, f"resolved accepted {case.kind}", f"move {text}"]
    assert not any(getattr(e, "reported", False) for e in shown.said)


MISSED = [c for c in CASES if c.kind == "missed_capture"]


@pytest.mark.parametrize("case", MISSED, ids=str)
def test_a_disc_that_failed_to_capture_is_huffed_where_the_house_allows(case):
    shown = told(case, house=House.HUFF)
    lazy = case.due[0].split("x")[0]
    after = edited(case.variant, case.irregular, f"-{lazy}")
    assert words(shown.show(after)) == ["resolved huffed missed_capture"]
    assert shown.state.position == Position(after, Side.BLACK)
    move = legal_moves(case.variant, shown.state.position)[0]
    text = move_text(case.variant, shown.state.position, move)
    assert words(shown.show(play(case.variant, shown.state.position, move).placement)) == [f"move {text}"]


@pytest.mark.parametrize("case", MISSED, ids=str)
def test_huffing_and_moving_may_come_in_one_look(case):
    shown = told(case, house=House.HUFF)
    lazy = case.due[0].split("x")[0]
    huffed = Position(edited(case.variant, case.irregular, f"-{lazy}"), Side.BLACK)
    move = legal_moves(case.variant, huffed)[0]
    said = words(shown.show(play(case.variant, huffed, move).placement))
    assert said == ["resolved huffed missed_capture", f"move {move_text(case.variant, huffed, move)}"]


@pytest.mark.parametrize("case", MISSED, ids=str)
def test_the_arbiter_may_huff_and_the_board_follows(case):
    shown = told(case, house=House.HUFF)
    assert words(shown.feed(Command("huff"))) == ["resolved huffed missed_capture"]
    lazy = case.due[0].split("x")[0]
    assert shown.show(edited(case.variant, case.irregular, f"-{lazy}")) == []


@pytest.mark.parametrize("case", MISSED, ids=str)
def test_a_disc_huffed_by_a_press_that_still_stands_is_asked_for_and_accuses_nobody(case):
    shown = told(case, house=House.HUFF)
    shown.feed(Command("huff"))
    lazy = case.due[0].split("x")[0]
    said = shown.show(case.irregular, looks=8)
    assert words(said) == ["attention huffed_on_board"]
    assert f"The disc on {lazy} was huffed" in said[0].message
    after = edited(case.variant, case.irregular, f"-{lazy}")
    assert shown.show(after) == []
    assert shown.state.position == Position(after, Side.BLACK)


@pytest.mark.parametrize("case", MISSED, ids=str)
def test_where_the_house_corrects_a_disc_taken_off_is_a_second_irregularity(case):
    shown = told(case)
    lazy = case.due[0].split("x")[0]
    said = words(shown.show(edited(case.variant, case.irregular, f"-{lazy}"), looks=6))
    assert "resolved huffed missed_capture" not in said
    assert [word for word in said if word.startswith("violation")]


@every_case
def test_nothing_is_told_of_squares_beside_a_hand_until_it_has_gone(case):
    shown = table(case)
    changed = case.position.placement.difference(case.irregular)
    places = np.array(case.variant.board.xy)
    near = np.linalg.norm(places[:, None] - places[list(changed)][None], axis=2).min(axis=1)
    hand = (near > 0) & (near < 1.5)
    assert hand.any()
    assert shown.show(case.irregular, looks=6, under=hand) == []
    assert words(shown.show(case.irregular, looks=6, under=np.zeros_like(hand))) == [f"violation {case.kind}"]


def test_a_move_beside_a_thing_or_its_shadow_is_written_down_at_once():
    variant = variant_named("english")
    start = start_position(variant)
    move = legal_moves(variant, start)[0]
    places = np.array(variant.board.xy)
    cup = np.zeros(len(places), bool)
    cup[np.argsort(np.linalg.norm(places - places[move.end], axis=1))[1]] = True
    shown = Table(new_state(terms_for(variant)))
    shown.show(start.placement)
    after = play(variant, start, move).placement
    assert words(shown.show(after, under=cup)) == [f"move {move_text(variant, start, move)}"]


def test_a_fault_beside_a_thing_that_stays_is_told_in_the_end():
    case = CASES[0]
    shown = table(case)
    cup = np.ones(case.variant.board.size, bool)
    assert shown.show(case.irregular, looks=25, under=cup) == []
    assert words(shown.show(case.irregular, looks=34, under=cup)) == [f"violation {case.kind}"]
