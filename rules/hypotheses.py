"""What may have happened since the last position, each with what the board then shows."""

from dataclasses import dataclass
from enum import Enum, auto

from rules.faults import Fault
from rules.move import Move
from rules.placement import Placement


@dataclass(frozen=True, slots=True)
class NothingHappened:
    """The board is as it was."""

    placement: Placement


@dataclass(frozen=True, slots=True)
class Plies:
    """One to three legal moves, by turns."""

    moves: tuple[Move, ...]
    placement: Placement


@dataclass(frozen=True, slots=True)
class Irregularity:
    """Something against the rules."""

    fault: Fault
    placement: Placement
    others: tuple[Fault, ...] = ()
    """Further faults of the same turn."""


@dataclass(frozen=True, slots=True)
class Disturbed:
    """Too much changed for any story; the placement is read square by square."""

    placement: Placement


@dataclass(frozen=True, slots=True)
class CannotSee:
    """Too little is visible to tell; the placement is the one before."""

    placement: Placement


Hypothesis = NothingHappened | Plies | Irregularity | Disturbed | CannotSee


class Base(Enum):
    """Where a hypothesis starts while an irregularity stands."""

    BEFORE = auto()
    """From the position before the irregularity: put back, or another move made instead."""
    ACCEPTED = auto()
    """From the board as it stands, the opponent playing on."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A hypothesis and how well it fits: natural log, priors included."""

    hypothesis: Hypothesis
    score: float
    base: Base | None = None


@dataclass(frozen=True, slots=True)
class Interpretation:
    """The best hypothesis, how far it leads, and what else it may have been."""

    hypothesis: Hypothesis
    margin: float
    """Lead in natural log over the best rival that means something else."""
    runners_up: tuple[Candidate, ...]
    sure: bool
    base: Base | None = None
