"""Draw offers, refusals and counts, results, resignation, the clock, corrections of the record by hand."""

from dataclasses import replace

import pytest

from rules.fen import parse_fen
from rules.legal_moves import legal_moves, play
from rules.piece import Side
from rules.variants.catalogue import variant_named
from server.errors import CommandRefused
from server.session.counting import running_counters
from server.session.events import DrawCounter
from server.session.state import new_state, terms_for
from server.session.step import Command
from tests.server.played_table import Played, begun
from tests.server.synthetic import edited, words

ENGLISH = variant_named("english")
KINGS = "B:WK32:BK1"


def test_a_draw_that_both_want_ends_the_game():
    table = begun()
    assert words(table.feed(Command("offer_draw", {"side": "B"}))) == ["draw_offer"]
    assert table.state.draw_offer is Side.BLACK
    assert words(table.feed(Command("accept_draw"))) == ["result 1/2-1/2"]


def test_offers_from_both_sides_are_an_agreement():
    table = begun(name="international")
    table.feed(Command("offer_draw", {"side": "light"}))
    assert words(table.feed(Command("offer_draw", {"side": "dark"}))) == ["result 1-1"]


def test_an_offer_lapses_when_the_other_side_moves_on():
    table = begun()
    table.feed(Command("offer_draw", {"side": "W"}))
    table.move("11-15")
    assert table.state.draw_offer is None


def test_after_a_refused_draw_the_moves_of_the_side_that_refused_are_counted():
    table = begun(KINGS)
    table.feed(Command("offer_draw", {"side": "W"}))
    assert words(table.feed(Command("refuse_draw"))) == ["draw_offer"]
    for k in range(4):
        here = legal_moves(ENGLISH, table.state.position)
        table.show(play(ENGLISH, table.state.position, here[k % len(here)]).placement)
    count = next(c for c in running_counters(table.state) if c.name == "refused draw")
    assert (count.value, count.limit) == (2, 40)
    told = [e for e in table.said if isinstance(e, DrawCounter) and "refusing" in e.rule]
    assert told == []


def test_the_count_after_a_refused_draw_is_told_from_the_half_on():
    table = begun(KINGS)
    table.feed(Command("offer_draw", {"side": "W"}))
    table.feed(Command("refuse_draw"))
    for _ in range(10):
        for text in ("1-6", "32-27", "6-1", "27-32"):
            if table.state.result is None or table.state.by_rule:
                table.move(text)
    told = [e.count for e in table.said if isinstance(e, DrawCounter) and "refusing" in e.rule]
    assert told[0] == 20


def test_playing_on_refuses_an_offer_and_begins_the_count():
    table = begun(KINGS)
    table.feed(Command("offer_draw", {"side": table.state.position.to_move.opponent.value}))
    refuser = table.state.position.to_move.title
    for text in ("1-6", "32-27", "6-1"):
        table.move(text)
    count = next(c for c in running_counters(table.state) if c.name == "refused draw")
    assert (count.value, count.limit) == (2, 40)
    assert refuser in count.due_to


def test_a_refusal_without_an_offer_is_refused():
    with pytest.raises(CommandRefused, match="no draw offer stands"):
        begun().feed(Command("refuse_draw"))


@pytest.mark.parametrize(("side", "result"), [("W", "0-1"), ("B", "1-0"), ("light", "0-1"), ("dark", "1-0")])
def test_a_side_may_resign(side, result):
    table = begun()
    assert words(table.feed(Command("resign", {"side": side}))) == [f"result {result}"]
    with pytest.raises(CommandRefused, match="the game is over"):
        table.feed(Command("resign", {"side": side}))
    board = play(ENGLISH, table.state.position, legal_moves(ENGLISH, table.state.position)[0]).placement
    assert table.show(board) == []


@pytest.mark.parametrize("order", ["accept", "dismiss", "huff"])
def test_nothing_is_ruled_on_once_the_game_is_over(order):
    table = begun("W:W18,32:B14,1")
    table.show(edited(ENGLISH, table.state.position.placement, "32-28"), looks=12)
    assert table.state.standing is not None
    table.feed(Command("resign", {"side": "W"}))
    record = table.state.plies
    with pytest.raises(CommandRefused, match="the game is over"):
        table.feed(Command(order))
    assert table.state.plies == record


def test_a_result_entered_by_hand_may_be_taken_back():
    table = begun()
    assert words(table.feed(Command("result", {"result": "1-0"}))) == ["result 1-0"]
    assert words(table.feed(Command("result", {"result": "*"}))) == ["result *"]
    assert words(table.move("11-15")) == ["move 11-15"]


# Ends by the rules


@pytest.mark.parametrize(
    ("name", "start", "move", "result"),
    [
        ("english", "W:W18:B14", "18x9", "1-0"),
        ("international", "W:W32:B28", "32x23", "2-0"),
        ("turkish", "W:Wc4,a1:Bc5", "c4xc6", "2-0"),
        ("antidraughts", "W:W32,47:B28", "32x23", "0-2"),
    ],
)
def test_a_side_without_discs_or_moves_has_lost(name, start, move, result):
    table = begun(start, name)
    said = [w for w in words(table.move(move)) if not w.startswith("draw_counter")]
    assert said[0] == f"move {move}"
    assert said[1] == f"result {result}"
    assert table.state.result == result


def test_a_count_is_told_when_it_begins_to_matter():
    table = begun("W:WK50:BK1,K6", "international")
    said = table.move("50-45")
    counters = [e for e in said if isinstance(e, DrawCounter)]
    assert counters
    assert all(c.count <= c.limit for c in counters)


def peaceful(table: Played) -> list[str]:
    """Plays a move after which nothing can be taken."""
    variant, position = table.state.terms.variant, table.state.position
    for move in legal_moves(variant, position):
        after = play(variant, position, move)
        if not any(reply.is_capture for reply in legal_moves(variant, after)):
            return [w for w in words(table.show(after.placement)) if not w.startswith("draw_counter")]
    raise AssertionError("no peaceful move")


def test_a_draw_by_rule_ends_the_game_but_players_who_go_on_are_recorded():
    table = begun("W:WK50:BK3", "international")
    while table.state.result is None:
        said = peaceful(table)
        assert table.state.ply < 60
    assert said[-1] == "result 1-1"
    assert table.state.by_rule
    ended = table.state.ply
    said = peaceful(table)
    assert said[0] == "result *"
    assert said[1].startswith("move ")
    assert table.state.ply == ended + 1


# The record corrected by hand


def test_the_last_move_may_be_replaced():
    table = begun()
    table.move("11-15")
    assert words(table.feed(Command("replace_move", {"move": "11-16"}))) == ["takeback 1", "move 11-16"]
    assert [p.text for p in table.state.plies] == ["11-16"]


def test_an_earlier_move_may_be_replaced_by_its_number():
    table = begun()
    for text in ("11-15", "22-18", "15x22"):
        table.move(text)
    said = words(table.feed(Command("replace_move", {"move": "24-19", "ply": 2})))
    assert said == ["takeback 2", "move 24-19"]


@pytest.mark.parametrize("plies", [0, 3, -1])
def test_more_plies_than_there_are_cannot_be_taken_back(plies):
    table = begun()
    table.move("11-15")
    with pytest.raises(CommandRefused, match="plies to take back"):
        table.feed(Command("take_back", {"plies": plies}))


@pytest.mark.parametrize("order", [Command("take_back"), Command("replace_move", {"move": "24-19", "ply": 1})])
def test_where_no_move_is_written_that_is_said_instead_of_a_number(order):
    with pytest.raises(CommandRefused, match="but no move is written yet"):
        begun().feed(order)


def test_a_move_that_is_not_legal_does_not_replace_one_and_nothing_is_lost():
    table = begun()
    table.move("11-15")
    with pytest.raises(CommandRefused):
        table.feed(Command("replace_move", {"move": "11-20"}))
    assert [p.text for p in table.state.plies] == ["11-15"]


def test_training_says_that_a_capture_is_due_before_the_move():
    position = parse_fen(ENGLISH, "B:W18,32,31:B11,1")
    table = Played(
        new_state(
            replace(terms_for(ENGLISH, position), mode=type(new_state(terms_for(ENGLISH)).terms.mode)("training"))
        )
    )
    table.show(position.placement)
    said = table.move("11-15")
    assert words(said) == ["move 11-15", "reminder capture_due"]
    assert "18x11" in said[-1].message


def test_a_side_that_has_offered_a_draw_cannot_offer_it_again():
    table = begun()
    table.feed(Command("offer_draw", {"side": "W"}))
    with pytest.raises(CommandRefused, match="offered a draw already"):
        table.feed(Command("offer_draw", {"side": "W"}))


@pytest.mark.parametrize("text", ["W:W:B", "W:W", "B:W31:B"])
def test_a_board_without_the_discs_of_a_side_is_no_position_to_play_from(text):
    table = begun()
    with pytest.raises(CommandRefused, match="at least one of each side"):
        table.feed(Command("set_position", {"fen": text}))
