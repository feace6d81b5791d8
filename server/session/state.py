"""What a session knows between two events: the game so far and what stands open."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from rules.draws import Refusal
from rules.faults import Fault
from rules.move import Move
from rules.piece import Side
from rules.placement import Placement
from rules.position import Position
from rules.variant import Variant, start_position
from server.session.clock import Clock


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
    touch: bool = False
    """Whether a disc lifted and put back is spoken of (touch-move, advisory)."""
    always_hint: bool = False
    """Whether training hints at every move, unasked."""

    def shade(self, side: Side) -> str:
        """`light` or `dark`: what the players call the discs of a side."""
        return "light" if side is self.light else "dark"


@dataclass(frozen=True, slots=True)
class Line:
    """Moves that a look may also have meant, and by how much (natural log) they fitted it less well."""

    moves: tuple[Move, ...]
    deficit: float


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
    otherwise: tuple[Line, ...] = ()
    """What the look that showed this ply, and those recorded with it, may have meant instead."""
    seconds: float | None = None
    """When it was seen."""


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
    looks: int = 1
    """How many looks have shown it."""
    frail: bool = False
    """One misread point could pretend it, so that a single look is not enough to speak of it."""
    back: int = 0
    """How many plies it takes back."""
    instead: tuple[Move, ...] = ()
    """What was played in place of the plies taken back."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """Something that is believed only once it has stood for a while."""

    what: str
    since: float
    placement: Placement | None = None
    told: bool = False


@dataclass(frozen=True, slots=True)
class Undone:
    """Boards that a press led away from, by a take-back or a huff: until they are put right nothing seen is a move.

    Discs are put right one by one, in any order: meanwhile each square shows what one of the `boards` has there.
    """

    boards: tuple[Placement, ...]
    placement: Placement
    """The one that was seen last."""
    since: float | None = None
    """Since when it was seen to stand."""
    told: bool = False
    reason: str = "taken_back_on_board"
    word: str = "The move was taken back, but its disc still stands there."


@dataclass(frozen=True, slots=True)
class Restoring:
    """The board was disturbed and is being put right disc by disc."""

    said: Placement
    """The board of the last guidance."""
    seen: Placement
    since: float
    """Since when `seen` has stood."""


@dataclass(frozen=True, slots=True)
class Option:
    """A reading that a person may choose."""

    text: str
    moves: tuple[Move, ...]


@dataclass(frozen=True, slots=True)
class Question:
    """Readings that the record would tell apart. `before` is where they begin, `back` the plies recorded for now."""

    before: Position
    options: tuple[Option, ...]
    plies: int = 0
    """How many entries of the record precede them."""
    recorded: int = 0
    """How many entries stand in for them: all readings lead to the same board; 0 if nothing is recorded yet."""


@dataclass(frozen=True, slots=True)
class Uncrowned:
    """A king whose crown has not been seen."""

    point: int
    ply: int
    """At which it promoted."""
    moved: bool = False
    """It has moved since."""
    lacking_since: float | None = None
    """Since when it has clearly looked like a man."""
    reminded: int | None = None
    """The ply at which the players were reminded."""
    told: str = ""
    """The kind of irregularity that they were told of, at `told_ply`."""
    told_ply: int = 0
    as_man: float | None = None
    """How kinglike (see Look) it was as the man that it was; NaN if that was not seen, None if not yet asked."""
    most_kinglike: float = float("-inf")
    """How kinglike it has been at most since it promoted."""


@dataclass(frozen=True, slots=True)
class Stray:
    """A disc off the squares that are played on, on the board plane."""

    place: tuple[float, float]
    since: float
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
    strays: tuple[tuple[float, float], ...] = ()
    """Discs seen off the squares that are played on, on the board plane (rules/board.py)."""
    under: NDArray[np.bool_] | None = None
    """(n,) points hidden by what came to lie over them lately, a hand or a cup; None if nothing did."""
    kinglike: NDArray[np.float64] | None = None
    """(n,) by how much, natural log, each point looks likelier a king than a man or bare, in this look alone,"""
    kinglike_before: NDArray[np.float64] | None = None
    """and how much it did when the board was last in order, NaN where no man stood that was seen."""
    shift: NDArray[np.float32] | None = None
    """(n,) how far, in squares, the picture shifts what stands one square high; None if heights do not matter."""

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
    question: Question | None = None
    restoring: Restoring | None = None
    leaning: tuple[Move, ...] = ()
    """What the last undecided look at a moved board leaned to."""
    uncrowned: tuple[Uncrowned, ...] = ()
    crowns_shown: Mapping[Side, float] = field(default_factory=dict)
    """The least shift (see Look) at which a king of a side was plainly seen to be one, where it is small."""
    result: str | None = None
    by_rule: bool = False
    """The result follows from a draw rule; if the players go on all the same, so does the record."""
    draw_offer: Side | None = None
    refused: tuple[Refusal, ...] = ()
    """Draws that were refused, each after so many entries of the record."""
    tags: dict[str, str] = field(default_factory=dict)
    undone: Undone | None = None
    """What was taken back by a press and still stands on the board."""
    dismissed: tuple[Standing, ...] = ()
    """Irregular boards that the arbiter ruled to be in order: misread, or what the game goes on from."""
    stood_since: float | None = None
    """When `position` was first seen to stand; None until a look has shown it after its ply."""
    confirmed: bool = False
    """`position` has stood long enough that its ply was really made."""
    either_begins: bool = False
    """Whose turn it is shows only with the first move (a game joined in the middle)."""
    mirrored: bool = False
    """The board lies as its mirror image; it was said once."""
    strays: tuple[Stray, ...] = ()
    clock: Clock | None = None
    seconds: float = 0.0
    """The latest time known."""

    @property
    def ply(self) -> int:
        """How many turns have been taken."""
        return sum(p.counts for p in self.plies)

    @property
    def candidates(self) -> tuple[Option, ...]:
        """What a person may choose from."""
        return self.question.options if self.question is not None else ()

    @property
    def settled(self) -> "State":
        """The same game with nothing standing open."""
        return replace(self, standing=None, waiting=None, restoring=None)


def new_state(terms: Terms) -> State:
    return State(terms, terms.start)


def terms_for(variant: Variant, start: Position | None = None, first_is_light: bool | None = None) -> Terms:
    """Terms for a game; `first_is_light` says which shade begins, None leaves it as the game has it."""
    start = start or start_position(variant)
    light = Side.WHITE
    if first_is_light is not None:
        light = variant.first if first_is_light else variant.first.opponent
    return Terms(variant, start, light=light)
