"""A board found in a picture, before anyone knows which side is whose."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.grid_model import GridModel
from calibration.window import Window
from vision.pose import Lens


@dataclass(frozen=True, slots=True, eq=False)
class FoundBoard:
    """A board in a picture.

    `corners` (4, 2) pixels of the playing area, clockwise from the one nearest the picture's top left.
    `image_from_grid` (3, 3) takes (column, row) counted from the first corner to pixels, with a `lens` to those of the
    same camera without distortion.
    """

    corners: NDArray[np.float64]
    rows: int
    columns: int
    confidence: float
    error_px: float
    image_from_grid: NDArray[np.float64]
    image_size: tuple[int, int]
    lens: Lens | None = None


def found(model: GridModel, window: Window, confidence: float, image_size: tuple[int, int]) -> FoundBoard:
    """The window of a grid as a board, its corners put in order."""
    wide, tall = window.columns, window.rows
    box = np.array([(0, 0), (wide, 0), (wide, tall), (0, tall)], np.float64)
    box = box + np.array([window.column, window.row])
    corners = model.project(box)
    shifted = np.roll(corners, -1, axis=0)
    if float(np.sum(corners[:, 0] * shifted[:, 1] - shifted[:, 0] * corners[:, 1])) < 0:  # anticlockwise on screen
        box, corners = box[::-1], corners[::-1]
    first = int(np.argmin(corners.sum(axis=1)))
    box, corners = np.roll(box, -first, axis=0), np.roll(corners, -first, axis=0)
    columns = round(float(np.linalg.norm(box[1] - box[0])))
    rows = round(float(np.linalg.norm(box[3] - box[0])))
    right, down = (box[1] - box[0]) / columns, (box[3] - box[0]) / rows
    lattice_from_grid = np.array([[right[0], down[0], box[0, 0]], [right[1], down[1], box[0, 1]], [0, 0, 1]])
    return FoundBoard(
        corners=np.ascontiguousarray(corners),
        rows=rows,
        columns=columns,
        confidence=confidence,
        error_px=model.error_px,
        image_from_grid=model.straight_from_grid @ lattice_from_grid,
        image_size=image_size,
        lens=model.lens(image_size),
    )
