"""What a session knows between two events: the game so far and what stands open."""

from dataclasses import dataclass, field
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from rules.faults import Fault
from rules.move import Move
from rules.piece import Side
from rules.placement import Placement
from rules.position import Position
from rules.variant import Variant, start_position


class Mode(StrEnum):
    """How much is said to the players."""

    REFEREE = "referee"
    TRAINING = "training"
    RECORD = "record"


class House(StrEnum):
    """What the house does about an irregularity."""

    CORRECT = "correct"
    HUFF = "huff"


@dataclass(frozen=True, slots=True)
class Terms:
    """What stays the same through a game."""

    variant: Variant
    start: Position
    mode: Mode = Mode.REFEREE
    house: House = House.CORRECT
    light: Side = Side.WHITE
    """The side of the record that the lighter discs play."""
    least_margin: float = 2.5
    """By how much (natural log) the best explanation of a look must win to be believed."""
    fault_seconds: float = 0.9
    """How long an irregular board must have stood before anybody is told."""
    doubt_seconds: float = 4.0
    """How long a look may stay undecided before a person is asked."""

    def shade(self, side: Side) -> str:
        """`light` or `dark`: what the players call the discs of a side."""
        return "light" if side is self.light else "dark"


@dataclass(frozen=True, slots=True)
class Ply:
    """One turn of the record: a legal `move`, or an irregular displacement that was let stand."""

    before: Position
    after: Position
    text: str
    move: Move | None = None
    fault: Fault | None = None
    counts: bool = True
    """False for what changed the board without using up a turn (a disc that fell off)."""


@dataclass(frozen=True, slots=True)
class Standing:
    """An irregular board: seen, perhaps told, and not yet put right, accepted or dismissed."""

    fault: Fault
    seen: Placement
    goes_on: tuple[Position, ...]
    """Positions from which play may go on if it is accepted, the likeliest first."""
    counted: Move | None
    """The legal move that is recorded if it is accepted (a capture whose disc was left standing)."""
    since: float
    told: bool = False


@dataclass(frozen=True, slots=True)
class Waiting:
    """Something that is believed only once it has stood for a while."""

    what: str
    since: float
    placement: Placement | None = None
    told: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Look:
    """A settled look at the board. `evidence` (n, 5) float32 log-likelihoods by record side, `hidden` (n,) bool."""

    evidence: NDArray[np.float32]
    hidden: NDArray[np.bool_]
    seconds: float
    frame: int
    still_seconds: float = 0.0
    """For how long the board had been still by then."""

    @property
    def still_since(self) -> float:
        return self.seconds - self.still_seconds


@dataclass(frozen=True, slots=True)
class State:
    """A session at one moment. `position` is the last one that the record stands by."""

    terms: Terms
    position: Position
    started: bool = False
    plies: tuple[Ply, ...] = ()
    standing: Standing | None = None
    waiting: Waiting | None = None
    candidates: tuple[Move, ...] = ()
    uncrowned: tuple[tuple[int, int], ...] = ()
    """Kings without a crown: (point, ply at which it promoted)."""
    result: str | None = None
    draw_offer: Side | None = None
    tags: dict[str, str] = field(default_factory=dict)
    dismissed: tuple[Placement, ...] = ()
    """Irregular boards that the arbiter ruled to be in order."""

    @property
    def ply(self) -> int:
        """How many turns have been taken."""
        return sum(p.counts for p in self.plies)


def new_state(terms: Terms) -> State:
    return State(terms, terms.start)


def terms_for(variant: Variant, start: Position | None = None, first_is_light: bool | None = None) -> Terms:
    """Terms for a game; `first_is_light` says which shade begins, None leaves it as the game has it."""
    start = start or start_position(variant)
    light = Side.WHITE
    if first_is_light is not None:
        light = variant.first if first_is_light else variant.first.opponent
    return Terms(variant, start, light=light)
