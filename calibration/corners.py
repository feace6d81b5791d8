"""Corners given by hand, moved onto the true grid where that lies near."""

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from calibration.errors import CornersUnusable
from calibration.found import FoundBoard, found
from calibration.grid_model import GridModel, fitted
from calibration.saddles import normalised, saddle_points
from calibration.window import Window

WORKING_SIZE_PX = 1100
REACH = 0.35
"""How far hand-given corners may be from the grid, in widths of a square."""
ENOUGH = 0.4
"""Share of inner crossings that must be seen before the corners are moved."""
FARTHEST = 10
"""How far away a corner may be, in sides of the picture: the board must be partly in view."""
LEAST_TURN = 100.0
"""Square pixels of the parallelogram between two neighbouring sides below which a corner is none."""
HAND_GIVEN = 0.3
"""Confidence of a board of which nothing was seen but the corners that somebody gave."""
HAND_ERROR = 0.05
"""Assumed error of corners that could not be refined, in widths of a square."""


def from_corners(bgr: NDArray[np.uint8], corners: ArrayLike, rows: int, columns: int) -> FoundBoard:
    """The board with hand-given corners (4, 2) pixels; the first two bound a row of `columns` squares.

    Raises CornersUnusable.
    """
    given = checked(corners, (bgr.shape[1], bgr.shape[0]), 4)
    size = (bgr.shape[1], bgr.shape[0])
    box = np.array([(0, 0), (columns, 0), (columns, rows), (0, rows)], np.float32)
    matrix = np.asarray(cv2.getPerspectiveTransform(box, given.astype(np.float32)), np.float64)
    step = float(np.sqrt(abs(cv2.contourArea(given.astype(np.float32))) / (rows * columns)))
    centre = np.array(size, np.float64) / 2
    model = GridModel(matrix, 0.0, centre, float(np.hypot(*size) / 2), HAND_ERROR * step)
    refined, share = _refined(bgr, model, rows, columns)
    if refined is not None:
        away = np.linalg.norm(refined.project(box) - given, axis=1).max()
        if away < REACH * step:
            model = refined
    window = Window(0, 0, columns, rows, 0.0, 0.0, round(share * (rows - 1) * (columns - 1)))
    return found(model, window, max(share, HAND_GIVEN), size)


def checked(corners: ArrayLike, size: tuple[int, int], count: int) -> NDArray[np.float64]:
    """The corners as (count, 2), if they bound a convex area with its middle in a picture of `size` (width, height).

    Raises CornersUnusable.
    """
    given = np.asarray(corners, np.float64)
    many = {4: "four", 6: "six"}.get(count, str(count))
    cure = f"give the playing area's {many} outer corners in order around the board"
    if given.size != 2 * count or not np.isfinite(given).all():
        raise CornersUnusable(f"saw {given.size} numbers; expected {2 * count} (x and y of {many} corners); {cure}")
    if np.abs(given).max() > FARTHEST * max(size):
        raise CornersUnusable(f"saw a corner {np.abs(given).max():.0g} pixels away; expected them near {size}; {cure}")
    given = given.reshape(count, 2)
    sides = np.roll(given, -1, axis=0) - given
    after = np.roll(sides, -1, axis=0)
    turns = sides[:, 0] * after[:, 1] - sides[:, 1] * after[:, 0]
    ahead = (sides * after).sum(axis=1)
    once = abs(np.arctan2(turns, ahead).sum()) < 3 * np.pi  # else the corners go around more than once
    if not (once and ((turns > LEAST_TURN).all() or (turns < -LEAST_TURN).all())):
        raise CornersUnusable(
            f"saw corners {given.round().tolist()}; expected a convex area, ten pixels wide at least; {cure}"
        )
    middle = given.mean(axis=0)
    if (middle < 0).any() or (middle > np.array(size)).any():
        raise CornersUnusable(f"saw corners around {middle.round().tolist()}; expected them within {size}; {cure}")
    return given


def _refined(bgr: NDArray[np.uint8], model: GridModel, rows: int, columns: int) -> tuple[GridModel | None, float]:
    """The grid through the crossings seen near the model's, and their share; None if too few are."""
    factor = WORKING_SIZE_PX / max(bgr.shape[:2])
    picture = cv2.resize(bgr, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
    lab = np.asarray(cv2.cvtColor(picture.astype(np.float32) / 255, cv2.COLOR_BGR2Lab), np.float32)
    grid = np.stack(np.meshgrid(np.arange(1, columns), np.arange(1, rows)), axis=-1).reshape(-1, 2).astype(np.int64)
    best: GridModel | None = None
    share = 0.0
    for channel, floor in ((0, 1.0), (1, 1.5), (2, 1.5)):
        saddles = saddle_points(normalised(lab[:, :, channel].copy(), floor))
        current = model.scaled(factor)
        for _ in range(2):
            near, member = _near(saddles.xy, saddles.phase, current, grid)
            again = (
                fitted(grid[near], saddles.xy[member[near]], (lab.shape[1], lab.shape[0])) if near.sum() > 8 else None
            )
            if again is None:
                break
            current = again
        else:
            if near.mean() > max(share, ENOUGH):
                best, share = current.scaled(1 / factor), float(near.mean())
        if share > 0.8:
            break
    return best, share


def _near(
    xy: NDArray[np.float64], phase: NDArray[np.float64], model: GridModel, grid: NDArray[np.int64]
) -> tuple[NDArray[np.bool_], NDArray[np.intp]]:
    """Which grid places (m, 2) have a saddle nearby whose polarity alternates as the others' do, and which saddle."""
    if len(xy) == 0:
        return np.zeros(len(grid), bool), np.zeros(len(grid), np.intp)
    expected = model.project(grid)
    beside = np.linalg.norm(model.project(grid + np.array([1, 0])) - expected, axis=1)
    below = np.linalg.norm(model.project(grid + np.array([0, 1])) - expected, axis=1)
    away = np.linalg.norm(xy[None] - expected[:, None], axis=2)
    member = np.argmin(away, axis=1)
    close = away[np.arange(len(grid)), member] < REACH * np.minimum(beside, below)
    turned = np.exp(1j * phase[member]) * (1 - 2 * (grid.sum(axis=1) % 2))
    common = turned[close].sum() if close.any() else 1.0
    return close & ((turned * np.conj(common)).real > 0), member
