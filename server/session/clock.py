"""A chess clock as a value: time left per side, increment or delay, driven by presses or by the moves themselves."""

from dataclasses import dataclass, replace
from enum import StrEnum

from rules.piece import Side


class Bonus(StrEnum):
    """What a player gets for each move."""

    INCREMENT = "increment"
    """Added when the move is made (Fischer)."""
    DELAY = "delay"
    """Waited before time runs (Bronstein)."""


class Driver(StrEnum):
    """What turns the clock over."""

    PRESSES = "presses"
    """Buttons or keys."""
    MOVES = "moves"
    """The moves as they are recorded."""


@dataclass(frozen=True, slots=True)
class TimeControl:
    """The time each side has, in seconds; sides may differ."""

    white: float
    black: float
    bonus_seconds: float = 0.0
    bonus: Bonus = Bonus.INCREMENT
    driver: Driver = Driver.MOVES


@dataclass(frozen=True, slots=True)
class Clock:
    """Time left in seconds when the running side's turn began (`since`); nobody runs while paused."""

    control: TimeControl
    white: float
    black: float
    running: Side | None = None
    since: float = 0.0
    turn: Side | None = None
    """Whose turn it is while the clock is paused."""

    def left(self, side: Side, seconds: float) -> float:
        """What `side` has at a time; never above what it began its turn with, below zero when it has overstepped."""
        kept = self.white if side is Side.WHITE else self.black
        if side is not self.running:
            return kept
        spent = max(0.0, seconds - self.since)
        if self.control.bonus is Bonus.DELAY:
            spent = max(0.0, spent - self.control.bonus_seconds)
        return kept - spent

    def fallen(self, seconds: float) -> Side | None:
        """The side whose time is over."""
        if self.running is not None and self.left(self.running, seconds) <= 0.0:
            return self.running
        return None


def new_clock(control: TimeControl) -> Clock:
    return Clock(control, control.white, control.black)


def started(clock: Clock, side: Side, seconds: float) -> Clock:
    """`side`'s time runs from now. A clock set back (a computer's time jumping) takes nothing from anybody."""
    return replace(clock, running=side, turn=side, since=seconds)


def paused(clock: Clock, seconds: float) -> Clock:
    """Nobody's time runs; what was used is kept."""
    if clock.running is None:
        return clock
    return replace(_with_left(clock, clock.running, seconds, 0.0), running=None, turn=clock.running)


def pressed(clock: Clock, side: Side, seconds: float) -> Clock:
    """`side` has moved: the other side's time runs. A press out of turn changes nothing."""
    if clock.running is not side:
        return clock
    gained = clock.control.bonus_seconds if clock.control.bonus is Bonus.INCREMENT else 0.0
    return started(_with_left(clock, side, seconds, gained), side.opponent, seconds)


def handed_to(clock: Clock, side: Side, seconds: float) -> Clock:
    """It is `side`'s turn though the other side has not moved: what was used is kept, and a paused clock stays so."""
    if clock.running is None:
        return replace(clock, turn=side)
    return started(_with_left(clock, clock.running, seconds, 0.0), side, seconds)


def adjusted(clock: Clock, side: Side, left: float, seconds: float) -> Clock:
    """The arbiter gives `side` so much time."""
    if clock.running is side:
        clock = replace(clock, since=seconds)
    return replace(clock, white=left) if side is Side.WHITE else replace(clock, black=left)


def _with_left(clock: Clock, side: Side, seconds: float, gained: float) -> Clock:
    left = clock.left(side, seconds) + gained
    return replace(clock, white=left) if side is Side.WHITE else replace(clock, black=left)
