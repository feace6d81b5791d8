"""What the snapshot says of a game."""

from dataclasses import replace

import numpy as np
import pytest

from calibration.calibrate import Calibration
from calibration.quality import Quality
from rules.draws import DrawCounter, draw_counters
from rules.faults import Fault, FaultKind
from rules.fen import parse_fen
from rules.legal_moves import legal_moves
from rules.piece import Side
from rules.variants.catalogue import variant_named
from server.runtime.view import clock_view, facing_view, game_view, in_players_words
from server.session.clock import Bonus, TimeControl, new_clock, started
from server.session.record_ply import record_moves
from server.session.state import Ply, Restoring, Standing, Uncrowned, new_state, terms_for
from vision.pose import pose_from_corners

ENGLISH = variant_named("english")


def test_a_displacement_that_was_let_stand_keeps_the_pairs_of_moves_aligned():
    state = new_state(terms_for(ENGLISH))
    state, _ = record_moves(state, (legal_moves(ENGLISH, state.position)[0],))
    after = replace(state.position, to_move=state.position.to_move.opponent)
    state = replace(state, plies=(*state.plies, Ply(state.position, after, "23-14")), position=after)
    view = game_view(state)
    assert view["ply"] == len(view["moves"]) == 2
    assert view["moves"][1] == "(23-14)"


def test_short_draw_rules_that_are_under_way_are_shown_with_their_limits():
    variant = variant_named("international")
    state = new_state(terms_for(variant, parse_fen(variant, "W:WK50:BK1,K6")))
    for _ in range(2):
        state, _ = record_moves(state, (legal_moves(variant, state.position)[0],))
    history = [(ply.before, ply.move) for ply in state.plies] + [(state.position, None)]
    wanted = [(c.value, c.limit) for c in draw_counters(variant, history) if c.name != "king moves"]
    shown = game_view(state)["counters"]
    assert wanted
    assert [(item["count"], item["limit"]) for item in shown] == wanted
    assert all(set(item) == {"label", "text", "count", "limit"} for item in shown)


@pytest.mark.parametrize(
    ("name", "rule", "limit", "text"),
    [
        ("turkish", "no taking", 50, "Draw at 50 moves without a capture, both sides counted: 40 so far"),
        (
            "english",
            "no progress",
            80,
            "A draw may be claimed at 80 moves without a capture or a move of a man, both sides counted: 64 so far",
        ),
    ],
)
def test_a_long_count_is_shown_in_its_last_fifth_and_says_in_a_sentence_what_it_leads_to(
    name, rule, limit, text, monkeypatch
):
    state = new_state(terms_for(variant_named(name)))
    for value, shown in ((2, []), (limit * 4 // 5 - 1, []), (limit * 4 // 5, [text])):
        counter = DrawCounter(rule, value, limit, "", claim=name == "english")
        monkeypatch.setattr("server.session.counting.running_counters", lambda _, counter=counter: (counter,))
        assert [item["text"] for item in game_view(state)["counters"]] == shown


def test_a_game_that_is_over_shows_no_counters():
    state = replace(new_state(terms_for(ENGLISH, parse_fen(ENGLISH, "B:WK32:BK1"))), result="1/2-1/2")
    assert game_view(state)["counters"] == []


def test_a_crown_that_is_missed_is_an_irregularity_on_the_dashboard():
    state = new_state(terms_for(ENGLISH, parse_fen(ENGLISH, "B:WK1,32:B12")))
    assert game_view(state)["irregularity"] is None
    told = Uncrowned(0, 1, reminded=1, told="not_crowned", told_ply=2)
    shown = game_view(replace(state, uncrowned=(told,)))["irregularity"]
    assert (shown["kind"], shown["squares"], shown["due"]) == ("not_crowned", ["1"], [])
    assert "1 is a king" in shown["message"]


def test_a_delay_is_waited_before_the_running_clock_goes_down():
    control = TimeControl(60.0, 60.0, 5.0, Bonus.DELAY)
    state = replace(new_state(terms_for(ENGLISH)), clock=started(new_clock(control), Side.BLACK, 100.0))
    assert clock_view(state, 102.0) == {"W": 60.0, "B": 60.0, "running": "B", "wait": 3.0, "driver": "moves"}
    assert clock_view(state, 108.0)["B"] == 57.0


def test_a_disturbed_board_is_told_square_by_square_those_to_be_emptied_first():
    state = new_state(terms_for(ENGLISH))
    seen = parse_fen(ENGLISH, "B:W21-31,16:B1-11,K13").placement
    view = game_view(replace(state, started=True, restoring=Restoring(seen, seen, 0.0)))
    assert view["restore"] == [
        {"square": "13", "want": ".", "seen": "B"},
        {"square": "16", "want": ".", "seen": "w"},
        {"square": "12", "want": "b", "seen": "."},
        {"square": "32", "want": "w", "seen": "."},
    ]


def test_the_snapshot_says_which_side_has_the_light_discs():
    assert game_view(new_state(terms_for(ENGLISH, None, True)))["light"] == "B"
    assert game_view(new_state(terms_for(ENGLISH)))["light"] == "W"


@pytest.mark.parametrize(("quarter_turns", "facing"), [(0, 0), (1, 0), (2, 2), (3, 0)])
def test_the_drawn_board_turns_where_the_camera_sees_it_upside_down(quarter_turns, facing):
    corners = np.roll([(120, 60), (500, 80), (600, 440), (40, 430)], quarter_turns, axis=0)
    pose = pose_from_corners(np.asarray(corners, float), ENGLISH.board, (640, 480))
    known = Calibration(pose, None, "english", False, False, Quality(0.5, 50.0, 20.0, 0.0, 0.3, 60.0, ()))
    assert facing_view(known, ENGLISH.board) == facing
    assert facing_view(None, ENGLISH.board) == 0


def told_of(text, due_from):
    """The irregularity shown where the moves of `due_from` were due in a position."""
    position, due = parse_fen(ENGLISH, text), legal_moves(ENGLISH, parse_fen(ENGLISH, due_from))
    fault = Fault(FaultKind.MISSED_CAPTURE, position.to_move, (), due, "A capture was due.")
    standing = Standing(fault, position.placement, (position,), None, 0.0, told=True)
    return game_view(replace(new_state(terms_for(ENGLISH, position)), standing=standing))["irregularity"]


def test_a_capture_that_was_due_is_shown_with_its_way_and_the_discs_it_takes():
    position = "W:W18:B15,8"
    shown = told_of(position, position)
    assert shown["due"] == ["18x4"]
    assert shown["ways"] == [{"path": ["18", "11", "4"], "over": ["8", "15"]}]


def test_a_quiet_move_that_was_due_has_no_way_to_draw():
    shown = told_of("W:W18:B1", "W:W18:B1")
    assert len(shown["due"]) == 2
    assert shown["ways"] == []


def test_a_fault_shows_what_stands_on_the_board_beside_what_the_record_has():
    position, played = parse_fen(ENGLISH, "W:W18,30:B15,8"), parse_fen(ENGLISH, "B:W18,25:B15,8")
    move = next(m for m in legal_moves(ENGLISH, parse_fen(ENGLISH, "W:W30:B1")) if int(m.path[-1]) == 24)
    fault = Fault(FaultKind.MISSED_CAPTURE, Side.WHITE, (29, 24), (), "A capture was due.", move)
    standing = Standing(fault, played.placement, (played,), None, 0.0, told=True)
    shown = game_view(replace(new_state(terms_for(ENGLISH, position)), standing=standing))
    assert shown["irregularity"]["played"] == ["30", "25"]
    assert (shown["pieces"][29], shown["pieces"][24]) == ("w", ".")
    assert (shown["irregularity"]["seen"][29], shown["irregularity"]["seen"][24]) == (".", "w")


@pytest.mark.parametrize(
    ("light_begins", "said"),
    [(False, "Black moved, but it is White's turn."), (True, "Light moved, but it is Dark's turn.")],
)
def test_sides_are_called_in_sentences_as_the_page_calls_them(light_begins, said):
    state = new_state(terms_for(ENGLISH, first_is_light=light_begins))
    fault = Fault(FaultKind.OUT_OF_TURN, Side.BLACK, (8, 13), (), "Black moved, but it is White's turn.")
    standing = Standing(fault, state.position.placement, (state.position,), None, 0.0, told=True)
    state = replace(state, standing=standing, tags={"White": "Joe Black"})
    view = game_view(state)
    assert view["irregularity"]["message"] == said
    assert in_players_words(state, fault.message) == said
    assert view["tags"] == {"White": "Joe Black"}
