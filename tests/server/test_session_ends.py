"""Draw offers, refusals and counts, results, resignation, the clock, corrections of the record by hand."""

from dataclasses import replace

import pytest

from rules.fen import parse_fen
from rules.legal_moves import legal_moves, play
from rules.notation import parse_move
from rules.piece import Side
from rules.variants.catalogue import variant_named
from server.errors import CommandRefused
from server.session import clock as clocks
from server.session.clock import Bonus, Driver, TimeControl
from server.session.counting import running_counters
from server.session.events import ClockChanged, DrawCounter
from server.session.state import new_state, terms_for
from server.session.step import Command, Tick
from tests.server.synthetic import Table, clear_look, edited, words

ENGLISH = variant_named("english")
KINGS = "B:WK32:BK1"


class Played(Table):
    """A table at which moves are made by their text."""

    def move(self, text: str) -> list:
        state = self.state
        move = parse_move(state.terms.variant, state.position, text)
        return self.show(play(state.terms.variant, state.position, move).placement)


def begun(start: str | None = None, name: str = "english") -> Played:
    variant = variant_named(name)
    state = new_state(terms_for(variant, parse_fen(variant, start) if start else None))
    table = Played(state)
    table.show(state.position.placement)
    return table


# Agreement and resignation


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


# The clock as a value


@pytest.mark.parametrize(
    ("bonus", "seconds", "left"),
    [(Bonus.INCREMENT, 30.0, 275.0), (Bonus.DELAY, 30.0, 275.0), (Bonus.DELAY, 4.0, 300.0)],
)
def test_increment_and_delay(bonus, seconds, left):
    clock = clocks.new_clock(TimeControl(300.0, 300.0, 5.0, bonus))
    clock = clocks.pressed(clocks.started(clock, Side.WHITE, 0.0), Side.WHITE, seconds)
    assert clock.left(Side.WHITE, 99.0) == left
    assert clock.running is Side.BLACK


def test_sides_may_have_different_times():
    clock = clocks.new_clock(TimeControl(60.0, 600.0))
    assert (clock.left(Side.WHITE, 0.0), clock.left(Side.BLACK, 0.0)) == (60.0, 600.0)


def test_a_press_out_of_turn_changes_nothing():
    clock = clocks.started(clocks.new_clock(TimeControl(60.0, 60.0)), Side.WHITE, 0.0)
    assert clocks.pressed(clock, Side.BLACK, 10.0) == clock


def test_a_paused_clock_keeps_what_was_used():
    clock = clocks.started(clocks.new_clock(TimeControl(60.0, 60.0)), Side.WHITE, 0.0)
    clock = clocks.paused(clock, 10.0)
    assert clock.left(Side.WHITE, 1000.0) == 50.0
    assert clock.fallen(1000.0) is None
    assert clock.turn is Side.WHITE


def test_a_time_that_jumps_back_takes_nothing_and_gives_nothing():
    clock = clocks.started(clocks.new_clock(TimeControl(60.0, 60.0)), Side.WHITE, 100.0)
    assert clock.left(Side.WHITE, 40.0) == 60.0


# The clock in the game


def timed(driver: Driver, minutes: float = 1.0) -> Played:
    table = begun()
    said = table.feed(Command("clock", {"action": "set", "minutes": minutes, "driver": driver.value}, table.seconds))
    assert isinstance(said[0], ClockChanged)
    return table


def test_moves_turn_the_clock_over():
    table = timed(Driver.MOVES)
    table.move("11-15")
    assert table.state.clock.running is Side.WHITE
    table.move("22-18")
    assert table.state.clock.running is Side.BLACK
    assert table.state.clock.white < 60.0
    assert table.state.clock.black == 60.0


def test_presses_turn_the_clock_over_where_presses_drive_it():
    table = timed(Driver.PRESSES)
    table.feed(Command("clock", {"action": "start", "side": "B"}, 100.0))
    table.feed(Command("clock", {"action": "press", "side": "B"}, 110.0))
    clock = table.state.clock
    assert clock.running is Side.WHITE
    assert (clock.white, clock.black) == (60.0, 50.0)
    table.seconds = 115.0
    table.move("11-15")
    assert table.state.clock.running is Side.WHITE


def test_a_side_whose_time_is_over_has_lost():
    table = timed(Driver.PRESSES)
    table.feed(Command("clock", {"action": "start", "side": "B"}, 100.0))
    assert table.feed(Tick(159.9)) == ()
    assert words(table.feed(Tick(160.0))) == ["clock", "result 1-0"]
    assert table.said[-1].reason.startswith("time forfeit")
    assert table.feed(Tick(500.0)) == ()


def test_a_look_notices_the_forfeit_as_well():
    table = timed(Driver.PRESSES)
    table.feed(Command("clock", {"action": "start", "side": "W"}, 100.0))
    assert "result 0-1" in words(table.feed(clear_look(table.state.position.placement, 200.0)))


def test_the_arbiter_may_give_time_and_stop_the_clock():
    table = timed(Driver.PRESSES)
    table.feed(Command("clock", {"action": "start", "side": "W"}, 100.0))
    table.feed(Command("clock", {"action": "give", "side": "W", "seconds_left": 90}, 120.0))
    assert table.state.clock.left(Side.WHITE, 130.0) == 80.0
    table.feed(Command("clock", {"action": "pause"}, 130.0))
    assert table.feed(Tick(1000.0)) == ()
    table.feed(Command("clock", {"action": "off"}, 1000.0))
    assert table.state.clock is None


@pytest.mark.parametrize(
    "fields",
    [
        {"action": "press"},
        {"action": "set", "minutes": "ten"},
        {"action": "set", "minutes": 5, "bonus": "gift"},
        {"action": "set", "minutes": True},
    ],
)
def test_a_clock_that_makes_no_sense_is_refused(fields):
    with pytest.raises(CommandRefused):
        begun().feed(Command("clock", fields))


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


@pytest.mark.parametrize("fields", [{"minutes": 0}, {"minutes": 5, "black_minutes": 0}])
def test_a_clock_without_time_is_refused(fields):
    table = begun()
    with pytest.raises(CommandRefused, match="more than 0 minutes"):
        table.feed(Command("clock", {"action": "set", "bonus_seconds": 5, **fields}))


@pytest.mark.parametrize("text", ["W:W:B", "W:W", "B:W31:B"])
def test_a_board_without_the_discs_of_a_side_is_no_position_to_play_from(text):
    table = begun()
    with pytest.raises(CommandRefused, match="at least one of each side"):
        table.feed(Command("set_position", {"fen": text}))
