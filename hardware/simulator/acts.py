"""What people do at a simulated table, one act at a time: moves, mistakes, corrections, disturbances."""

from dataclasses import dataclass

import numpy as np

from hardware.simulator.render import Bump
from rules.move import Move
from rules.piece import Piece
from rules.placement import Placement


@dataclass(frozen=True, slots=True)
class Ply:
    """A whole move: carried along its path, captured discs taken off one by one, crowned if it promotes."""

    move: Move
    crown: bool | None = None
    """True or False: a crown is put on, or left off, whatever the rules say; None: as they say."""
    leaving: tuple[int, ...] = ()
    """Captured discs that stay on the board."""
    also: tuple[int, ...] = ()
    """Discs taken off though the move does not capture them."""


@dataclass(frozen=True, slots=True)
class Fast:
    """Plies played so fast that the next hand is over the board before the last one has gone."""

    plies: tuple[Ply, ...]


@dataclass(frozen=True, slots=True)
class Displace:
    """A disc carried from one point to another, whatever the rules say."""

    start: int
    end: int
    taking: tuple[int, ...] = ()
    crown: bool = False


@dataclass(frozen=True, slots=True)
class Touch:
    """A disc lifted and put back where it was."""

    point: int


@dataclass(frozen=True, slots=True)
class Shift:
    """The disc on a point pushed so that it lies (dx, dy) squares off the point's middle."""

    point: int
    dx: float
    dy: float


@dataclass(frozen=True, slots=True)
class Remove:
    """The disc on a point taken off the board."""

    point: int


@dataclass(frozen=True, slots=True)
class Place:
    """A piece put on a point (a crown, a disc given back)."""

    point: int
    piece: Piece


@dataclass(frozen=True, slots=True)
class Drop:
    """A piece laid anywhere on the board's plane, in squares: between points or where nobody plays."""

    piece: Piece
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class PickUp:
    """Every disc that was dropped taken off again."""


@dataclass(frozen=True, slots=True)
class Restore:
    """One hand puts the board as given, disc by disc: those that strayed carried back, others taken or given."""

    placement: Placement


@dataclass(frozen=True, slots=True)
class HandOver:
    """A hand over the middle of the board that touches nothing."""

    seconds: float


@dataclass(frozen=True, slots=True)
class LightChange:
    """The room becomes brighter or darker by a factor within a second."""

    factor: float


@dataclass(frozen=True, slots=True)
class Wait:
    """Nothing happens."""

    seconds: float


@dataclass(frozen=True, slots=True)
class SetUp:
    """Both hands busy until another placement stands."""

    placement: Placement
    seconds: float = 6.0


Act = (
    Ply
    | Fast
    | Displace
    | Touch
    | Shift
    | Remove
    | Place
    | Drop
    | PickUp
    | Restore
    | HandOver
    | LightChange
    | Bump
    | Wait
    | SetUp
)


@dataclass(frozen=True, slots=True)
class Pace:
    """Seconds that each part of an act takes; a quiet move is about four seconds in all."""

    think: float = 1.0
    reach: float = 0.5
    carry: float = 0.55
    take: float = 0.4
    crown: float = 0.5
    settle: float = 1.5
    variety: float = 0.0
    """Spread of the times from one act to the next, in natural logarithm."""

    def at(self, rng: np.random.Generator) -> "Pace":
        """The pace of one act."""
        if self.variety == 0.0:
            return self
        slow = [float(f) for f in np.exp(np.clip(rng.standard_normal(6), -1.5, 1.5) * self.variety)]
        own = (self.think, self.reach, self.carry, self.take, self.crown)
        think, reach, carry, take, crown = (a * b for a, b in zip(own, slow, strict=False))
        return Pace(think, reach, carry, take, crown, self.settle * max(1.0, slow[5]), self.variety)


USUAL = Pace()
HASTE = Pace(think=0.0, reach=0.3, carry=0.35, take=0.25, crown=0.3, settle=0.0)
"""Time trouble: nothing is still between two plies."""
