"""The clock in the game: time passing, presses and settings from people, forfeits."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from rules.piece import Side
from server.errors import CommandRefused
from server.session import clock as clocks
from server.session.clock import Bonus, Clock, Driver, TimeControl
from server.session.events import clock_changed
from server.session.offers import refuse_if_over
from server.session.record_ply import Outcome, ended
from server.session.state import State

_LONGEST = 24 * 3600.0


def time_passed(state: State, seconds: float) -> Outcome:
    """Later now. A side whose time is over loses; a time that jumps back is not followed."""
    state = replace(state, seconds=max(state.seconds, seconds))
    clock = state.clock
    if clock is None or state.result is not None:
        return state, ()
    loser = clock.fallen(state.seconds)
    if loser is None:
        return state, ()
    state, said = ended(state, loser.opponent, f"time forfeit: {loser.title}'s time is over")
    return state, (*clock_changed(state.clock), *said)


def handed_over(before: State, outcome: Outcome) -> Outcome:
    """A clock that moves drive stands for the side whose turn it is, however the turn went over.

    A move turns it; so must a take-back, a board that was let stand and one that was put up. Nobody gains a bonus.
    """
    state, effects = outcome
    clock, mover = state.clock, state.position.to_move
    if clock is None or clock.control.driver is not Driver.MOVES or mover is before.position.to_move:
        return outcome
    if clock.turn in (None, mover):
        return outcome
    state = replace(state, clock=clocks.handed_to(clock, mover, state.seconds))
    return state, (*effects, *clock_changed(state.clock))


def clock_command(state: State, fields: Mapping[str, Any]) -> Outcome:
    """`action`: set, start, press, pause, give, off."""
    action = str(fields.get("action", "press"))
    if action == "set":
        return _shown(replace(state, clock=clocks.new_clock(_control(fields))))
    clock = state.clock
    if clock is None:
        raise CommandRefused("no clock is set; expected one: set it with the minutes of both sides first")
    if action in ("start", "press"):
        refuse_if_over(state)
    if action == "off":
        return replace(state, clock=None), ()
    side = _side(state, fields)
    match action:
        case "start":
            begun = clocks.started(clock, side or clock.turn or state.position.to_move, state.seconds)
        case "press":
            begun = _pressed(state, clock, side)
        case "pause":
            begun = clocks.paused(clock, state.seconds)
        case "give":
            wanted = _number(fields, "seconds_left")
            begun = clocks.adjusted(clock, side or state.position.to_move, wanted, state.seconds)
        case _:
            raise CommandRefused(f"saw the action {action!r}; expected set, start, press, pause, give or off")
    return _shown(replace(state, clock=begun))


def _pressed(state: State, clock: Clock, side: Side | None) -> Clock:
    """The first press starts the other side's time; later ones turn the clock over."""
    if clock.running is None:
        mover = side or clock.turn or state.position.to_move
        return clocks.started(clock, mover.opponent, state.seconds)
    return clocks.pressed(clock, side or clock.running, state.seconds)


def _control(fields: Mapping[str, Any]) -> TimeControl:
    both = fields.get("minutes")
    white = _number(fields, "white_minutes", both) * 60
    black = _number(fields, "black_minutes", both) * 60
    try:
        bonus, driver = Bonus(fields.get("bonus", "increment")), Driver(fields.get("driver", "moves"))
    except ValueError as error:
        raise CommandRefused(f"{error}; expected increment or delay, and presses or moves") from error
    if min(white, black) <= 0.0:
        raise CommandRefused("saw a clock without time; expected more than 0 minutes for each side")
    return TimeControl(white, black, _number(fields, "bonus_seconds", 0.0), bonus, driver)


def _number(fields: Mapping[str, Any], name: str, default: Any = None) -> float:
    value = fields.get(name, default)
    good = isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= _LONGEST
    if not good:
        raise CommandRefused(f"{name}: saw {value!r}; expected a number from 0 to {_LONGEST:g}")
    return float(value)


def _side(state: State, fields: Mapping[str, Any]) -> Side | None:
    named = fields.get("side")
    if named in ("light", "dark"):
        return state.terms.light if named == "light" else state.terms.light.opponent
    return Side(named) if named in ("W", "B") else None


def _shown(state: State) -> Outcome:
    return state, clock_changed(state.clock)
