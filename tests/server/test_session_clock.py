"""The clock: bonuses, presses, moves that turn it over, time that is over, and what the arbiter may do with it."""

import pytest

from rules.piece import Side
from server.errors import CommandRefused
from server.session import clock as clocks
from server.session.clock import Bonus, Driver, TimeControl
from server.session.events import ClockChanged
from server.session.step import Command, Tick
from tests.server.played_table import Played, begun
from tests.server.synthetic import clear_look, edited, words


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


@pytest.mark.parametrize("fields", [{"minutes": 0}, {"minutes": 5, "black_minutes": 0}])
def test_a_clock_without_time_is_refused(fields):
    table = begun()
    with pytest.raises(CommandRefused, match="more than 0 minutes"):
        table.feed(Command("clock", {"action": "set", "bonus_seconds": 5, **fields}))


def test_a_move_taken_back_gives_the_clock_back_to_the_side_whose_turn_it_is():
    table = timed(Driver.MOVES)
    table.move("11-15")
    table.feed(Command("take_back", {}, table.seconds + 5.0))
    clock = table.state.clock
    assert clock.running is clock.turn is table.state.position.to_move is Side.BLACK
    assert clock.white < 60.0
    assert clock.black == 60.0


def test_a_clock_that_presses_drive_is_left_as_it_is_when_a_move_is_taken_back():
    table = timed(Driver.PRESSES)
    table.feed(Command("clock", {"action": "start", "side": "W"}, table.seconds))
    table.move("11-15")
    table.feed(Command("take_back", {}, table.seconds))
    assert table.state.clock.running is Side.WHITE


def test_a_fault_that_is_let_stand_hands_the_clock_over_without_a_bonus():
    table = timed(Driver.MOVES)
    table.feed(Command("clock", {"action": "set", "minutes": 1, "bonus_seconds": 9}, table.seconds))
    table.move("11-15")
    table.move("22-18")
    assert table.state.clock.running is Side.BLACK
    given = table.state.clock.black
    missed = edited(table.state.terms.variant, table.state.position.placement, "8-11")
    assert words(table.show(missed)) == ["violation missed_capture"]
    table.feed(Command("accept", {}, table.seconds))
    assert table.state.clock.running is table.state.position.to_move is Side.WHITE
    assert table.state.clock.black < given


def test_a_position_put_up_hands_the_clock_to_the_side_that_moves_in_it():
    table = timed(Driver.MOVES)
    table.move("11-15")
    table.feed(Command("set_position", {"fen": "B:W21,22:B1,2"}, table.seconds))
    assert table.state.clock.running is Side.BLACK


def test_a_paused_clock_goes_on_with_the_side_whose_turn_it_has_become():
    table = timed(Driver.MOVES)
    table.move("11-15")
    table.feed(Command("clock", {"action": "pause"}, table.seconds))
    table.move("22-18")
    assert table.state.clock.running is None
    table.feed(Command("clock", {"action": "start"}, table.seconds))
    assert table.state.clock.running is Side.BLACK


def test_a_result_entered_by_hand_stops_the_clock():
    table = timed(Driver.MOVES)
    table.move("11-15")
    assert words(table.feed(Command("result", {"result": "1-0"}, table.seconds))) == ["result 1-0", "clock"]
    assert table.state.clock.running is None
    left = table.state.clock.white
    table.feed(Command("result", {"result": "*"}, table.seconds + 500.0))
    table.feed(Command("clock", {"action": "start"}, table.seconds + 500.0))
    assert table.state.clock.running is Side.WHITE
    assert table.state.clock.left(Side.WHITE, table.seconds + 500.0) == left


@pytest.mark.parametrize("action", ["start", "press"])
def test_the_clock_of_a_game_that_is_over_does_not_start(action):
    table = timed(Driver.MOVES)
    table.feed(Command("resign", {"side": "W"}, table.seconds))
    with pytest.raises(CommandRefused, match="the game is over"):
        table.feed(Command("clock", {"action": action}, table.seconds))
