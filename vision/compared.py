"""The squares of a look, small, beside those of a look that is remembered: worked out once for each look."""

from dataclasses import dataclass
from functools import cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from rules.board import Board
from vision.patches import BoardPatches, board_patches
from vision.pose import BoardPose
from vision.rectify import SQUARES_WIDE

SIDE = 14
"""Width in pixels at which patches are compared: wood grain and noise average out, discs do not."""
HEART_RADIUS = 0.45
"""In widths of a square: of a disc put down off its middle most is seen within, of a tall one next to it nothing."""
ACROSS = ((np.arange(SIDE) + 0.5) / SIDE - 0.5) * SQUARES_WIDE
HEART = ACROSS[:, None] ** 2 + ACROSS[None, :] ** 2 < HEART_RADIUS**2
LEAST_NOISE = 1.5
_NEIGHBOURS = 9


@dataclass(frozen=True, slots=True, eq=False)
class Sampled:
    """The patches of one look, from which squares are read, and all of them small, in which changes are seen."""

    patches: BoardPatches
    small: NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class Compared:
    """A look of a board of n points and m idle squares beside an earlier one.

    `now` and `then` (n + m, s, s, 3) float32 BGR are the small patches of both, `gain` (n + m, 3) how much brighter
    each channel is around each square now. `away` (n + m, s, s, 3) is what is left between them under the light of now,
    `apart` (n + m,) its mean at the hearts and `noise` the usual one, in grey levels.
    """

    now: NDArray[np.float32]
    then: NDArray[np.float32]
    gain: NDArray[np.float32]
    away: NDArray[np.float32]
    apart: NDArray[np.float32]
    noise: float


def sampled(bgr: NDArray[np.uint8], pose: BoardPose, board: Board) -> Sampled:
    """Samples every square of the board in a picture (h, w, 3) BGR once."""
    patches = board_patches(bgr, pose, board)
    return Sampled(patches, small_patches(patches))


def small_patches(patches: BoardPatches) -> NDArray[np.float32]:
    """The patches of all points and idle squares (n + m, s, s, 3) float32 BGR."""
    every = np.concatenate([patches.points, patches.idle])  # one below the other: one call reduces all
    tall = every.reshape(-1, *every.shape[2:])
    small = cv2.resize(tall, (SIDE, SIDE * len(every)), interpolation=cv2.INTER_AREA)
    return small.reshape(len(every), SIDE, SIDE, 3).astype(np.float32)


def compared(now: NDArray[np.float32], then: NDArray[np.float32], board: Board) -> Compared:
    """Small patches (n + m, s, s, 3) of now beside earlier ones of the same board."""
    gain = local_gain_of(now, then, board)
    away = np.abs(now - then * gain[:, None, None, :])
    apart = at_hearts(away)
    return Compared(now, then, gain, away, apart, max(LEAST_NOISE, float(np.median(apart))))


def at_hearts(away: NDArray[np.float32]) -> NDArray[np.float32]:
    """Mean in grey levels (n,) at the hearts of differences (n, s, s, 3)."""
    mean: NDArray[np.float32] = away[:, HEART].mean(axis=(1, 2))
    return mean


def local_gain_of(now: NDArray[np.float32], before: NDArray[np.float32], board: Board) -> NDArray[np.float32]:
    """How much brighter each channel is around each square (n + m, 3): the median of the squares nearby."""
    ratio = (_usual(now) + 4.0) / (_usual(before) + 4.0)
    local: NDArray[np.float32] = np.median(ratio[_nearest(board)], axis=1).astype(np.float32)
    return local


def _usual(small: NDArray[np.float32]) -> NDArray[np.float32]:
    """Mean colour (n, 3) at the hearts of patches (n, s, s, 3): what is around them are the discs of the next squares.

    Summed pixel by pixel over all patches at once, which is quicker.
    """
    hearts = small[:, HEART]
    count, pixels = hearts.shape[:2]
    by_pixel = hearts.transpose(1, 0, 2).reshape(pixels, count * 3)
    return np.asarray(by_pixel.sum(axis=0).reshape(count, 3) / np.float32(pixels), np.float32)


def over_channels(values: NDArray[Any]) -> NDArray[Any]:
    """Mean over the last axis, of three: much quicker than numpy's own for so few."""
    return np.asarray((values[..., 0] + values[..., 1] + values[..., 2]) / 3)


@cache
def _nearest(board: Board) -> NDArray[np.intp]:
    """Of each point and idle square (n + m, 9) those nearest to it, itself first."""
    places = np.array([*board.xy, *board.idle_xy], np.float64)
    distance = np.linalg.norm(places[:, None] - places[None], axis=2)
    return np.argsort(distance, axis=1, kind="stable")[:, :_NEIGHBOURS]
