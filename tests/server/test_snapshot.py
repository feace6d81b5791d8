"""What the snapshot says of a game."""

from dataclasses import replace

from rules.draws import draw_counters
from rules.fen import parse_fen
from rules.legal_moves import legal_moves
from rules.variants.catalogue import variant_named
from server.runtime.view import game_view
from server.session.record_ply import record_moves
from server.session.state import Ply, Uncrowned, new_state, terms_for

ENGLISH = variant_named("english")


def test_a_displacement_that_was_let_stand_keeps_the_pairs_of_moves_aligned():
    state = new_state(terms_for(ENGLISH))
    state, _ = record_moves(state, (legal_moves(ENGLISH, state.position)[0],))
    after = replace(state.position, to_move=state.position.to_move.opponent)
    state = replace(state, plies=(*state.plies, Ply(state.position, after, "23-14")), position=after)
    view = game_view(state)
    assert view["ply"] == len(view["moves"]) == 2
    assert view["moves"][1] == "(23-14)"


def test_draw_rules_that_are_under_way_are_shown_with_their_limits():
    start = parse_fen(ENGLISH, "B:WK32:BK1")
    state = new_state(terms_for(ENGLISH, start))
    for _ in range(2):
        state, _ = record_moves(state, (legal_moves(ENGLISH, state.position)[0],))
    history = [(ply.before, ply.move) for ply in state.plies] + [(state.position, None)]
    wanted = [(c.value, c.limit) for c in draw_counters(ENGLISH, history)]
    shown = game_view(state)["counters"]
    assert wanted
    assert [(item["count"], item["limit"]) for item in shown] == wanted
    assert all(set(item) == {"label", "count", "limit"} for item in shown)


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
