"""A placement together with what the rules need and no camera can see."""

from dataclasses import dataclass

from rules.piece import Side
from rules.placement import Placement


@dataclass(frozen=True, slots=True)
class KingRun:
    """How often in a row one king of a side has moved without capturing (Frisian three-move limit)."""

    point: int
    moves: int


@dataclass(frozen=True, slots=True)
class Position:
    """A placement, whose turn it is, and the counters that decide which moves are legal."""

    placement: Placement
    to_move: Side
    white_run: KingRun | None = None
    black_run: KingRun | None = None
