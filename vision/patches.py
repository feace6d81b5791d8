"""Patches of all squares of a board, and from where they were taken."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from rules.board import Board
from vision.crown_reader import CROWN_SIZE
from vision.frame import checked_picture
from vision.pose import BoardPose
from vision.reader import LightOfBoard, light_of_board
from vision.rectify import PatchPlan, square_lean, square_plan, standing_plan


@dataclass(frozen=True, slots=True, eq=False)
class Sight:
    """The picture (h, w, 3) BGR and the plan by which a board's points can be looked at more closely."""

    bgr: NDArray[np.uint8]
    plan: PatchPlan

    def closer(self, points: NDArray[np.int64]) -> NDArray[np.uint8]:
        """Patches (k, 48, 48, 3) BGR of what stands on `points` (k,), for vision/crown_reader.py."""
        return self.plan.taken(self.bgr, points)


@dataclass(frozen=True, slots=True, eq=False)
class BoardPatches:
    """Patches of a board's points (n, 40, 40, 3) and of its idle squares (m, 40, 40, 3), BGR, with their light.

    `lean` (n,) and `idle_lean` (m,) tell how the camera sees heights there (vision/rectify.py). Without `sight` nothing
    can be looked at more closely.
    """

    points: NDArray[np.uint8]
    idle: NDArray[np.uint8]
    light: LightOfBoard
    lean: NDArray[np.float32]
    idle_lean: NDArray[np.float32]
    sight: Sight | None = None


@dataclass(frozen=True, slots=True, eq=False)
class _BoardPlan:
    """The plans of all squares and of closer looks at the points, and the lean (n + m,)."""

    squares: PatchPlan
    closer: PatchPlan
    lean: NDArray[np.float32]


def board_patches(bgr: NDArray[np.uint8], pose: BoardPose, board: Board) -> BoardPatches:
    """Samples every square of the board once."""
    plan, size = _plan(pose, board, checked_picture(bgr).shape[:2]), board.size
    patches, lean = plan.squares.taken(bgr), plan.lean
    sight = Sight(bgr, plan.closer)
    return BoardPatches(patches[:size], patches[size:], light_of_board(patches), lean[:size], lean[size:], sight)


@lru_cache(maxsize=2)
def _plan(pose: BoardPose, board: Board, shape: tuple[int, ...]) -> _BoardPlan:
    """Made once for all looks by one pose."""
    xy = np.array([*board.xy, *board.idle_xy], np.float64)
    closer = standing_plan(pose, xy[: board.size], shape, CROWN_SIZE)
    return _BoardPlan(square_plan(pose, xy, shape), closer, square_lean(pose, xy))
