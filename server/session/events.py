"""What a session says: values that are one to one the events of the record and of `replay --events`."""

from dataclasses import asdict, dataclass
from typing import Any, ClassVar

from server.session.clock import Clock


@dataclass(frozen=True, slots=True)
class Ready:
    """The board is found and set up as the game begins."""

    type: ClassVar[str] = "ready"
    fen: str


@dataclass(frozen=True, slots=True)
class Moved:
    """A legal ply. `side` is the shade of its discs, `squares` its path for the dashboard."""

    type: ClassVar[str] = "move"
    ply: int
    side: str
    move: str
    captured: tuple[str, ...]
    promoted: bool
    fen: str
    confidence: float
    squares: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Violation:
    """An irregularity, said once. `fen` is the board as seen."""

    type: ClassVar[str] = "violation"
    kind: str
    side: str
    squares: tuple[str, ...]
    due: tuple[str, ...]
    message: str
    fen: str


@dataclass(frozen=True, slots=True)
class Resolved:
    """The standing irregularity was `corrected`, `accepted`, `dismissed` or `huffed`; `fen` is where play goes on."""

    type: ClassVar[str] = "resolved"
    how: str
    kind: str
    fen: str
    ply: int
    reported: bool = True
    move: str = ""
    """The displacement that was let stand, as a move would be written."""


@dataclass(frozen=True, slots=True)
class Reminder:
    """A calm word that is no irregularity: a crown still missing, in training a capture that is due."""

    type: ClassVar[str] = "reminder"
    kind: str
    squares: tuple[str, ...]
    message: str


@dataclass(frozen=True, slots=True)
class TakenBack:
    """The last `plies` were taken back; `fen` is the position that stands again."""

    type: ClassVar[str] = "takeback"
    plies: int
    ply: int
    fen: str
    why: str = ""
    """`reading` if an earlier look was misread, `choice` if a person chose otherwise, `correction` if one replaced the
    move; else the players took it back."""
    moves: tuple[str, ...] = ()
    """What was taken back, as it was written."""


@dataclass(frozen=True, slots=True)
class Crowned:
    """A king whose crown was missing has got it."""

    type: ClassVar[str] = "crowned"
    square: str


@dataclass(frozen=True, slots=True)
class DrawCounter:
    """A draw rule is under way: `count` of `limit` plies."""

    type: ClassVar[str] = "draw_counter"
    rule: str
    count: int
    limit: int


@dataclass(frozen=True, slots=True)
class Ended:
    """The game is over; `result` as in PDN, seen from the side that began."""

    type: ClassVar[str] = "result"
    result: str
    reason: str


@dataclass(frozen=True, slots=True)
class BoardMoved:
    """The camera or the board shifted and was found again."""

    type: ClassVar[str] = "board_moved"
    message: str


@dataclass(frozen=True, slots=True)
class Attention:
    """Something cannot be told from the pictures; `candidates` are moves a person may choose from."""

    type: ClassVar[str] = "attention"
    reason: str
    message: str
    candidates: tuple[str, ...] = ()
    squares: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PositionSet:
    """The arbiter put up a position, or began anew; the record goes on from `fen`."""

    type: ClassVar[str] = "position_set"
    fen: str
    plies: int


@dataclass(frozen=True, slots=True)
class Tagged:
    """Tags of the game were edited."""

    type: ClassVar[str] = "tags"
    tags: dict[str, str]


@dataclass(frozen=True, slots=True)
class DrawOffer:
    """A draw was offered (`side` stands), or refused or withdrawn (`side` is None)."""

    type: ClassVar[str] = "draw_offer"
    side: str | None
    refused: bool = False
    ply: int = 0


@dataclass(frozen=True, slots=True)
class SidesLearnt:
    """Which shade begins was learnt from the first move: `light` is the side of the record that light discs play."""

    type: ClassVar[str] = "sides"
    light: str


@dataclass(frozen=True, slots=True)
class ClockChanged:
    """The chess clock: seconds left at time `since`, and which side's time runs (`W`, `B` or None)."""

    type: ClassVar[str] = "clock"
    white: float
    black: float
    running: str | None
    since: float
    control: dict[str, Any]


Effect = (
    Ready
    | Moved
    | Violation
    | Resolved
    | Reminder
    | TakenBack
    | Crowned
    | DrawCounter
    | Ended
    | BoardMoved
    | Attention
    | PositionSet
    | Tagged
    | DrawOffer
    | SidesLearnt
    | ClockChanged
)


def as_json(effect: Effect, seconds: float, frame: int) -> dict[str, Any]:
    """The event as it is written: `t`, `frame` and `type` first."""
    return {"t": round(seconds, 3), "frame": frame, "type": effect.type, **asdict(effect)}


def clock_changed(clock: Clock | None) -> tuple[ClockChanged, ...]:
    """The event of a clock that was set, turned over or stopped; none where no clock is used."""
    if clock is None:
        return ()
    running = clock.running.value if clock.running else None
    return (ClockChanged(clock.white, clock.black, running, clock.since, asdict(clock.control)),)
