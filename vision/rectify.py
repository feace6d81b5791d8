"""Small straightened pictures of squares, sampled one by one at the height of a disc's top."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from vision.pose import BoardPose

PATCH_SIZE = 40
SQUARES_WIDE = 1.7
"""Wide enough for the top of a tall stack seen from the side."""
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
ROWS_AT_ONCE = 30000
"""cv2.remap takes fewer than 32768 rows."""


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
    centres = np.asarray(xy, np.float64).reshape(-1, 2)
    if len(centres) == 0:
        return np.zeros((0, size, size, 3), np.uint8)
    right, down = square_axes(pose, centres)
    return _sampled(bgr, pose, _Squares(centres, right, down, size, squares_wide, height))


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
    return _sampled(bgr, pose, squares)[0], plane


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


def _sampled(bgr: NDArray[np.uint8], pose: BoardPose, squares: _Squares) -> NDArray[np.uint8]:
    """Patches (n, size, size, 3)."""
    size, count = squares.size, len(squares.centres)
    coarseness = _coarseness(pose, squares.centres, squares.wide / size)
    times = max(1, round(coarseness / FINER))
    samples = 2 if times == 1 and coarseness >= TWO_SAMPLES_FROM else 1
    x, y = _pixels(pose, squares, squares.steps(samples))
    source, x, y = _reduced(bgr, x, y, times)
    parts = -(-len(x) // ROWS_AT_ONCE)
    strips = [
        cv2.remap(source, columns, rows, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        for columns, rows in zip(np.array_split(x, parts), np.array_split(y, parts), strict=True)
    ]
    tall = np.concatenate(strips)
    if samples > 1:
        tall = cv2.resize(tall, (size, count * size), interpolation=cv2.INTER_AREA)
    return np.asarray(tall.reshape(count, size, size, 3), np.uint8)


def _reduced(
    bgr: NDArray[np.uint8], x: NDArray[np.float32], y: NDArray[np.float32], times: int
) -> tuple[NDArray[np.uint8], NDArray[np.float32], NDArray[np.float32]]:
    """The part of the picture in which pixels `x`, `y` lie, `times` smaller, and where they lie in it."""
    if times == 1:
        return bgr, x, y
    left, columns = _span(x, bgr.shape[1], times)
    top, rows = _span(y, bgr.shape[0], times)
    part = bgr[top : top + rows * times, left : left + columns * times]
    small = cv2.resize(part, (columns, rows), interpolation=cv2.INTER_AREA)
    scale, half = np.float32(1 / times), (times - 1) / 2
    return np.asarray(small, np.uint8), (x - np.float32(left + half)) * scale, (y - np.float32(top + half)) * scale


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
