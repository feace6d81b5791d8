"""The crossings of a board that was found, each where the picture shows it."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.found import FoundBoard
from vision.pose import BoardPose

REACH = 0.3
"""How far a crossing may be from where the board has it, in widths of a square."""
WINDOW = 0.18
"""Half the width of what a crossing is told from, in widths of a square: the widest discs stay out of it."""
LEAST_WINDOW_PX = 3
CLOSER = 0.12
"""The same once most crossings have told how the board is bent."""
STRAYING = 0.05
"""How far a crossing may be from that, in widths of a square: one under a disc or a hand is told by something else."""
LEAST_STRAYING_PX = 0.2
DEGREE = 4
FEWEST = 20
"""Fewer crossings tell nothing of how the board is bent."""


@dataclass(frozen=True, slots=True, eq=False)
class SeenCrossings:
    """Inner crossings by their (column, row) in the board's grid (m, 2), and the pixels (m, 2) where they are seen."""

    grid: NDArray[np.float64]
    pixels: NDArray[np.float64]


def seen_crossings(bgr: NDArray[np.uint8], found: FoundBoard) -> SeenCrossings:
    """The inner crossings of a board in a picture (h, w, 3) uint8 BGR; those that something hides are left out."""
    across, down = np.meshgrid(np.arange(1, found.columns), np.arange(1, found.rows))
    grid = np.stack([across, down], axis=-1).reshape(-1, 2).astype(np.float64)
    pose = BoardPose(found.image_from_grid, found.error_px, found.lens, found.image_size)
    expected = pose.project(grid)
    beside = [np.linalg.norm(pose.project(grid + step) - expected, axis=1) for step in np.eye(2)]
    square = np.minimum(*beside)
    reach = max(LEAST_WINDOW_PX, round(WINDOW * float(np.median(square))))
    inside = ((expected > reach + 1) & (expected < np.array(found.image_size) - reach - 2)).all(axis=1)
    grid, expected, square = grid[inside], expected[inside], square[inside]
    grey = np.asarray(cv2.cvtColor(bgr, cv2.COLOR_BGR2GRAY), np.uint8)
    for closeness in (REACH, CLOSER):
        if len(grid) < FEWEST:
            return SeenCrossings(grid[:0], expected[:0])
        pixels = _refined(grey, expected, reach)
        near = np.linalg.norm(pixels - expected, axis=1) < closeness * square
        if near.sum() < FEWEST:
            return SeenCrossings(grid[:0], expected[:0])
        expected = _smooth(grid[near], pixels[near], grid)
    good = near & (np.linalg.norm(pixels - expected, axis=1) < STRAYING * square)
    return SeenCrossings(grid[good], pixels[good])


def _refined(grey: NDArray[np.uint8], expected: NDArray[np.float64], reach: int) -> NDArray[np.float64]:
    """The crossings (m, 2) found from where they are expected, within `reach` pixels."""
    criteria = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 40, 0.01)
    start = expected.astype(np.float32).reshape(-1, 1, 2).copy()
    return np.asarray(cv2.cornerSubPix(grey, start, (reach, reach), (-1, -1), criteria), np.float64).reshape(-1, 2)


def _smooth(grid: NDArray[np.float64], pixels: NDArray[np.float64], wanted: NDArray[np.float64]) -> NDArray[np.float64]:
    """Where the smooth surface through most crossings (m, 2) has the grid's places `wanted` (k, 2).

    A surface of the fourth degree each way, on which crossings that something hides weigh little.
    """
    middle, span = grid.mean(axis=0), max(float(np.ptp(grid)), 1.0)
    design, there = _powers((grid - middle) / span), _powers((wanted - middle) / span)
    weight = np.ones(len(grid))
    for _ in range(12):
        root = np.sqrt(weight)[:, None]
        surface = np.linalg.lstsq(design * root, pixels * root, rcond=None)[0]
        away = np.linalg.norm(design @ surface - pixels, axis=1)
        usual = max(LEAST_STRAYING_PX, 1.5 * float(np.median(away)))
        weight = 1 / (1 + (away / usual) ** 2) ** 2
    return np.asarray(there @ surface, np.float64)


def _powers(places: NDArray[np.float64]) -> NDArray[np.float64]:
    x, y = places.T
    return np.stack([x**i * y**j for i in range(DEGREE + 1) for j in range(DEGREE + 1 - i)], axis=1)
