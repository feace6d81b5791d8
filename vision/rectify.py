"""Small straightened pictures of squares, sampled one by one at the height of a disc's top."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from vision.pose import BoardPose

PATCH_SIZE = 40
SQUARES_WIDE = 1.7
"""Wide enough for the top of a tall stack seen from the side."""
DISC_WIDE = 1.24
"""Wide enough for a disc that touches the next square."""
RISE = 0.6
"""How much farther up a patch reaches for what stands there, times the lean: a tall stack above a man's top."""
TOP_HEIGHT = 0.15
"""Height of a disc's top in widths of a square: 6 to 9 mm on squares of 45 to 57 mm."""
LEAN_HEIGHT = 0.2
"""Height in squares at which the lean is measured."""
HARDLY_SHIFTED = 0.15
"""Shift in squares of a thing one square high below which the picture's own upright counts for more."""
FINER = 1.6
"""How much finer than the patches the picture stays when it is reduced: one sample is then about as wide as a pixel."""
TWO_SAMPLES_FROM = 1.5
"""Pixels of the picture to a patch's pixel from which one sample flickers where the picture is not reduced."""
FARTHEST_PIXEL = 30000.0
ROWS_AT_ONCE = 30000
"""cv2.remap takes fewer than 32768 rows."""


@dataclass(frozen=True, slots=True, eq=False)
class PatchPlan:
    """From where in pictures of one size, seen by one pose, the pixels of n patches are taken.

    The part of the picture that begins at `left`, `top` is first made `times` smaller, to `columns` by `rows`, unless
    `times` is 1; `whole` and `parts` are what cv2.remap takes for n patches of `size` times `samples` pixels.
    """

    size: int
    samples: int
    times: int
    left: int
    top: int
    columns: int
    rows: int
    whole: NDArray[np.int16]
    parts: NDArray[np.uint16]

    def taken(self, bgr: NDArray[np.uint8], which: NDArray[np.int64] | None = None) -> NDArray[np.uint8]:
        """The patches (n, size, size, 3) uint8 BGR of a picture (h, w, 3), or those of some numbers `which` (k,)."""
        whole, parts = (self.whole, self.parts) if which is None else (self.whole[which], self.parts[which])
        count, fine = len(whole), self.size * self.samples
        if count == 0:
            return np.zeros((0, self.size, self.size, 3), np.uint8)
        source = self._reduced(bgr)
        tall = np.empty((count * fine, fine, 3), np.uint8)
        at_once = max(1, ROWS_AT_ONCE // fine)
        for first in range(0, count, at_once):
            maps = [each[first : first + at_once].reshape(-1, *each.shape[2:]) for each in (whole, parts)]
            into = tall[first * fine : first * fine + len(maps[0])]
            cv2.remap(source, maps[0], maps[1], cv2.INTER_LINEAR, into, cv2.BORDER_REPLICATE)
        if self.samples > 1:
            tall = np.asarray(cv2.resize(tall, (self.size, count * self.size), interpolation=cv2.INTER_AREA), np.uint8)
        return tall.reshape(count, self.size, self.size, 3)

    def _reduced(self, bgr: NDArray[np.uint8]) -> NDArray[np.uint8]:
        if self.times == 1:
            return bgr
        high, wide = self.rows * self.times, self.columns * self.times
        part = bgr[self.top : self.top + high, self.left : self.left + wide]
        return np.asarray(cv2.resize(part, (self.columns, self.rows), interpolation=cv2.INTER_AREA), np.uint8)


def square_patches(
    bgr: NDArray[np.uint8],
    pose: BoardPose,
    xy: ArrayLike,
    size: int = PATCH_SIZE,
    squares_wide: float = SQUARES_WIDE,
    height: float = TOP_HEIGHT,
) -> NDArray[np.uint8]:
    """Patches (n, size, size, 3) uint8 BGR centred on plane points (n, 2), each `squares_wide` units wide.

    Each is turned about its centre as square_axes says, so that what stands higher appears further up in it.
    """
    return square_plan(pose, xy, bgr.shape[:2], size, squares_wide, height).taken(bgr)


def square_plan(
    pose: BoardPose,
    xy: ArrayLike,
    shape: tuple[int, ...],
    size: int = PATCH_SIZE,
    squares_wide: float = SQUARES_WIDE,
    height: float = TOP_HEIGHT,
) -> PatchPlan:
    """The plan of square_patches for pictures of `shape` (h, w)."""
    centres = np.asarray(xy, np.float64).reshape(-1, 2)
    right, down = square_axes(pose, centres)
    return _planned(pose, _Squares(centres, right, down, size, squares_wide, height), shape)


def standing_patches(
    bgr: NDArray[np.uint8], pose: BoardPose, xy: ArrayLike, size: int, wider: float = 1.0, height: float = TOP_HEIGHT
) -> NDArray[np.uint8]:
    """Patches (n, size, size, 3) uint8 BGR of what stands on plane points (n, 2), turned as square_patches turns them.

    Each is DISC_WIDE * `wider` squares wide and, the more the camera leans, the taller: it holds a stack from its foot
    to its top. So a leaning camera's foreshortening is left as it is.
    """
    return standing_plan(pose, xy, bgr.shape[:2], size, wider, height).taken(bgr)


def standing_plan(
    pose: BoardPose, xy: ArrayLike, shape: tuple[int, ...], size: int, wider: float = 1.0, height: float = TOP_HEIGHT
) -> PatchPlan:
    """The plan of standing_patches for pictures of `shape` (h, w)."""
    centres = np.asarray(xy, np.float64).reshape(-1, 2)
    right, down = square_axes(pose, centres)
    above = DISC_WIDE / 2 + RISE * square_lean(pose, centres).astype(np.float64)[:, None]
    middles = centres - down * (above - DISC_WIDE / 2) / 2 * wider
    stretched = down * (above + DISC_WIDE / 2) / DISC_WIDE
    return _planned(pose, _Squares(middles, right, stretched, size, DISC_WIDE * wider, height), shape)


def plane_picture(
    bgr: NDArray[np.uint8], pose: BoardPose, middle: tuple[float, float], size: int, wide: float
) -> tuple[NDArray[np.uint8], NDArray[np.float64]]:
    """A straightened picture (size, size, 3) uint8 BGR, `wide` units across, and the plane points of its pixels.

    White is below, whichever way the camera looks; it is sampled at the height of a disc's top.
    """
    right, down = np.array([[1.0, 0.0]]), np.array([[0.0, -1.0]])
    squares = _Squares(np.array([middle], np.float64), right, down, size, wide, TOP_HEIGHT)
    steps = squares.steps(1)
    plane = np.array(middle) + steps[None, :, None] * right[0] + steps[:, None, None] * down[0]
    return _planned(pose, squares, bgr.shape[:2]).taken(bgr)[0], plane


@dataclass(frozen=True, slots=True, eq=False)
class _Squares:
    """What is sampled: squares around `centres` (n, 2) along the unit steps `right` and `down` (n, 2)."""

    centres: NDArray[np.float64]
    right: NDArray[np.float64]
    down: NDArray[np.float64]
    size: int
    wide: float
    height: float

    def steps(self, samples: int) -> NDArray[np.float64]:
        """Offsets of the samples from the middle, so many to a pixel."""
        fine = self.size * samples
        return np.asarray(((np.arange(fine) + 0.5) / fine - 0.5) * self.wide, np.float64)


def _planned(pose: BoardPose, squares: _Squares, shape: tuple[int, ...]) -> PatchPlan:
    """Where the pixels of the squares are taken from in pictures of `shape` (h, w)."""
    size, count = squares.size, len(squares.centres)
    if count == 0:
        none = np.zeros((0, size, size, 2), np.int16)
        return PatchPlan(size, 1, 1, 0, 0, 0, 0, none, np.zeros((0, size, size), np.uint16))
    coarseness = _coarseness(pose, squares.centres, squares.wide / size)
    times = max(1, round(coarseness / FINER))
    samples = 2 if times == 1 and coarseness >= TWO_SAMPLES_FROM else 1
    x, y = _pixels(pose, squares, squares.steps(samples))
    left, columns, top, rows = 0, shape[1], 0, shape[0]
    if times > 1:
        left, columns = _span(x, shape[1], times)
        top, rows = _span(y, shape[0], times)
        scale, half = np.float32(1 / times), (times - 1) / 2
        x, y = (x - np.float32(left + half)) * scale, (y - np.float32(top + half)) * scale
    whole, parts = cv2.convertMaps(_bounded(x), _bounded(y), cv2.CV_16SC2)
    fine = size * samples
    maps = (
        np.asarray(whole, np.int16).reshape(count, fine, fine, 2),
        np.asarray(parts, np.uint16).reshape(-1, fine, fine),
    )
    return PatchPlan(size, samples, times, left, top, columns, rows, *maps)


def _bounded(along: NDArray[np.float32]) -> NDArray[np.float32]:
    """Pixels that fit in 16 bits: what lies so far out shows the picture's rim anyway."""
    return np.clip(along, -FARTHEST_PIXEL, FARTHEST_PIXEL)


def _span(along: NDArray[np.float32], length: int, times: int) -> tuple[int, int]:
    """Where the part that holds pixels `along` one side of `length` begins, and its length, `times` smaller."""
    times = min(times, length)
    first = int(np.clip(along.min() - times, 0, length - times))
    wanted = int(np.clip((along.max() - first) / times + 2, 1, length))
    return first, min(wanted, (length - first) // times)


def square_lean(pose: BoardPose, xy: ArrayLike) -> NDArray[np.float32]:
    """How far up in its patch (squares) a thing one square high appears at plane points (n, 2): (n,).

    Straight below the camera nothing is shifted; a camera that looks down at 45 degrees shifts it by one square.
    """
    centres = np.asarray(xy, np.float64).reshape(-1, 2)
    if len(centres) == 0:
        return np.zeros(0, np.float32)
    outward, lean = _outward(pose, centres)
    return np.asarray((outward * lean).sum(axis=1), np.float32)


def square_axes(pose: BoardPose, centres: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The plane's unit steps (n, 2), (n, 2) that are right and down in the patches at plane points (n, 2).

    Up is away from the camera's foot, whither the tops of standing things are shifted; near that foot, where hardly
    anything is shifted, up is upward in the picture. Right is on the right hand of up as the picture shows it.
    """
    outward, _ = _outward(pose, centres)
    right = np.stack([outward[:, 1], -outward[:, 0]], axis=1)
    seen = pose.project(np.vstack([centres, centres + 0.05 * outward, centres + 0.05 * right]))
    foot, up, aside = seen.reshape(3, -1, 2)
    turn = (aside - foot)[:, 0] * (up - foot)[:, 1] - (aside - foot)[:, 1] * (up - foot)[:, 0]
    return np.where(turn[:, None] < 0, right, -right), -outward


def _outward(pose: BoardPose, centres: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Unit steps (n, 2) away from the camera's foot, and the shift (n, 2) of a thing one square high, on the plane."""
    foot = pose.project(centres)
    steps = np.stack([pose.project(centres + 0.1 * axis) - foot for axis in np.eye(2)], axis=2) / 0.1
    raised = (pose.project(centres, LEAN_HEIGHT) - foot) / LEAN_HEIGHT
    lean = np.linalg.solve(steps, raised[..., None])[..., 0]
    upward = np.linalg.solve(steps, np.broadcast_to(np.array([[0.0], [-1.0]]), (len(centres), 2, 1)))[..., 0]
    upward /= np.maximum(np.linalg.norm(upward, axis=1, keepdims=True), 1e-9)
    outward = lean + HARDLY_SHIFTED * upward
    outward /= np.maximum(np.linalg.norm(outward, axis=1, keepdims=True), 1e-9)
    return np.asarray(outward, np.float64), np.asarray(lean, np.float64)


def _pixels(
    pose: BoardPose, squares: _Squares, steps: NDArray[np.float64]
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Pixels x and y, each (n * size, size), of all patches; without a lens by sums of the plane's linear terms."""
    size, centres, right, down, height = len(steps), squares.centres, squares.right, squares.down, squares.height
    if pose.lens is not None:
        across, along = np.multiply.outer(steps, right), np.multiply.outer(steps, down)
        places = (centres + across[None, :] + along[:, None]).transpose(2, 0, 1, 3)
        bent = pose.project(places.reshape(-1, 2), height).astype(np.float32)
        return bent[:, 0].reshape(-1, size), bent[:, 1].reshape(-1, size)
    matrix = pose.image_from_plane(height)
    starts = (centres @ matrix[:, :2].T + matrix[:, 2]).T[:, :, None, None]
    across = np.multiply.outer(matrix[:, :2] @ right.T, steps)[:, :, None, :]
    along = np.multiply.outer(matrix[:, :2] @ down.T, steps)[:, :, :, None]
    x, y, depth = ((starts[k] + along[k]).astype(np.float32) + across[k].astype(np.float32) for k in range(3))
    depth = np.where(np.abs(depth) < 1e-9, np.float32(1e-9), depth)
    return (x / depth).reshape(-1, size), (y / depth).reshape(-1, size)


def _coarseness(pose: BoardPose, centres: NDArray[np.float64], step: float) -> float:
    """How many pixels of the picture a patch's pixel of `step` squares is wide at the middle of the board."""
    middle = centres.mean(axis=0)
    ends = pose.project(middle + np.array([[0, 0], [step, 0], [0, step]]))
    return float(np.max(np.linalg.norm(ends[1:] - ends[0], axis=1)))
