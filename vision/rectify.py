"""Small straightened pictures of squares, sampled one by one at the height of a disc's top."""

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

    They are upright as the picture is: the patch's upper side is the side of the square that is uppermost in the
    picture, so the near walls of discs are always low in the patch, wherever White sits.
    """
    centres = np.asarray(xy, np.float64).reshape(-1, 2)
    if len(centres) == 0:
        return np.zeros((0, size, size, 3), np.uint8)
    right, down = upright_axes(pose, centres.mean(axis=0))
    coarseness = _coarseness(pose, centres, squares_wide / size)
    times = max(1, round(coarseness / FINER))
    samples = 2 if times == 1 and coarseness >= TWO_SAMPLES_FROM else 1
    fine = size * samples
    steps = ((np.arange(fine) + 0.5) / fine - 0.5) * squares_wide
    x, y = _pixels(pose, centres, steps, right, down, height)
    source, x, y = _reduced(bgr, x, y, times)
    parts = -(-len(x) // ROWS_AT_ONCE)
    strips = [
        cv2.remap(source, columns, rows, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        for columns, rows in zip(np.array_split(x, parts), np.array_split(y, parts), strict=True)
    ]
    tall = np.concatenate(strips)
    if samples > 1:
        tall = cv2.resize(tall, (size, len(centres) * size), interpolation=cv2.INTER_AREA)
    return np.asarray(tall.reshape(len(centres), size, size, 3), np.uint8)


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
    """How far (squares) the camera sees a thing one square high shifted at plane points (n, 2): (n, 2), right and down.

    The axes are those of square_patches; straight below the camera the shift is 0.
    """
    centres = np.asarray(xy, np.float64).reshape(-1, 2)
    if len(centres) == 0:
        return np.zeros((0, 2), np.float32)
    right, down = upright_axes(pose, centres.mean(axis=0))
    foot = pose.project(centres)
    raised = pose.project(centres, LEAN_HEIGHT) - foot
    across, along = pose.project(centres + 0.1 * right) - foot, pose.project(centres + 0.1 * down) - foot
    steps = np.stack([across, along], axis=2) / 0.1
    return np.asarray(np.linalg.solve(steps, raised[..., None])[..., 0] / LEAN_HEIGHT, np.float32)


def _pixels(
    pose: BoardPose,
    centres: NDArray[np.float64],
    steps: NDArray[np.float64],
    right: NDArray[np.float64],
    down: NDArray[np.float64],
    height: float,
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Pixels x and y, each (n * size, size), of all patches; without a lens by sums of the plane's linear terms."""
    size = len(steps)
    if pose.lens is not None:
        offsets = steps[None, :, None] * right + steps[:, None, None] * down
        places = centres[:, None, None, :] + offsets[None]
        bent = pose.project(places.reshape(-1, 2), height).astype(np.float32)
        return bent[:, 0].reshape(-1, size), bent[:, 1].reshape(-1, size)
    matrix = pose.image_from_plane(height)
    starts = (centres @ matrix[:, :2].T + matrix[:, 2]).T[:, :, None, None]
    across = np.outer(matrix[:, :2] @ right, steps)[:, None, None, :]
    along = np.outer(matrix[:, :2] @ down, steps)[:, None, :, None]
    x, y, depth = ((starts[k] + along[k]).astype(np.float32) + across[k].astype(np.float32) for k in range(3))
    depth = np.where(np.abs(depth) < 1e-9, np.float32(1e-9), depth)
    return (x / depth).reshape(-1, size), (y / depth).reshape(-1, size)


def upright_axes(pose: BoardPose, middle: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The plane's unit steps (2,), (2,) that point most nearly right and down in the picture around `middle`."""
    axes = np.array([[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]])
    ends = pose.project(np.vstack([middle + 0.1 * axes, middle[None]]))
    drawn = ends[:4] - ends[4]
    drawn /= np.maximum(np.linalg.norm(drawn, axis=1, keepdims=True), 1e-9)
    best = max(range(4), key=lambda k: drawn[k, 1] + _rightness(drawn, k))
    return axes[_right_of(drawn, best)], axes[best]


def _right_of(drawn: NDArray[np.float64], down: int) -> int:
    """Which of the axes at right angles to axis `down` points more to the right."""
    return max((down + 1) % 4, (down + 3) % 4, key=lambda k: float(drawn[k, 0]))


def _rightness(drawn: NDArray[np.float64], down: int) -> float:
    return float(drawn[_right_of(drawn, down), 0])


def _coarseness(pose: BoardPose, centres: NDArray[np.float64], step: float) -> float:
    """How many pixels of the picture a patch's pixel of `step` squares is wide at the middle of the board."""
    middle = centres.mean(axis=0)
    ends = pose.project(middle + np.array([[0, 0], [step, 0], [0, step]]))
    return float(np.max(np.linalg.norm(ends[1:] - ends[0], axis=1)))
