"""What may have happened since a position, each with what the board then shows."""

from dataclasses import dataclass

from rules.faults import Fault
from rules.move import Move
from rules.placement import Placement
from rules.position import Position


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


@dataclass(frozen=True, slots=True)
class Ground:
    """A position that stories may begin from, and what (natural log) it costs to believe in it."""

    position: Position
    label: str = "record"
    cost: float = 0.0
    deepest: int = 3
    """Most plies that are tried from here."""
    fault_cost: float | None = 0.0
    """Added to the cost of every irregularity from here; None tries none."""
    quiet: bool = True
    """Whether nothing more may have happened from here."""
    same_side_cost: float = 0.0
    """Added where an irregularity from here more simply means that the same player tried something else."""
    crowned: frozenset[int] = frozenset()
    """Points whose crowns must be seen: men that were crowned wrongly."""
    stands: Irregularity | None = None
    """The irregularity that an unchanged board is, seen before."""
    last_resort: bool = False
    """Looked at only if no lawful story from the grounds before it fits well."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A hypothesis and how well it fits: natural log, priors included."""

    hypothesis: Hypothesis
    score: float
    ground: Ground

    @property
    def moves(self) -> tuple[Move, ...]:
        return self.hypothesis.moves if isinstance(self.hypothesis, Plies) else ()

    @property
    def irregularity(self) -> Irregularity | None:
        """What is wrong in it, or still is."""
        if isinstance(self.hypothesis, NothingHappened):
            return self.ground.stands
        return self.hypothesis if isinstance(self.hypothesis, Irregularity) else None

    @property
    def lawful(self) -> bool:
        """Nothing is wrong in it."""
        return isinstance(self.hypothesis, NothingHappened | Plies)


@dataclass(frozen=True, slots=True)
class Interpretation:
    """The best hypothesis, how far it leads, and what else it may have been."""

    hypothesis: Hypothesis
    margin: float
    """Lead in natural log over the best rival that means something else."""
    runners_up: tuple[Candidate, ...]
    sure: bool
    ground: Ground
    score: float = 0.0
    hangs_on_one: bool = False
    """Without its most telling point a lawful rival would be as good: one misread point could pretend it."""
    alike: tuple[Candidate, ...] = ()
    """Other orders of the same plies: the record tells them apart, the board does not."""

    @property
    def best(self) -> Candidate:
        return Candidate(self.hypothesis, self.score, self.ground)
