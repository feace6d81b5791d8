"""A board found in a picture, before anyone knows which side is whose."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.grid_model import GridModel
from calibration.window import Window
from rules.board import Board
from vision.pose import BoardPose, Lens

OCTAGON_RIM = 0.207
"""How far octagons of equal sides reach beyond the outermost squares of their grid: (sqrt 2 - 1) / 2."""


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
    drawing: str = "squares"
    """`octagons` where octagons with small squares between them are drawn; the corners are then the octagons' edge."""
    turns: int | None = None
    """Quarter turns by which the light discs' player sits from the grid's last row, where markers tell."""


def found(model: GridModel, window: Window, confidence: float, image_size: tuple[int, int]) -> FoundBoard:
    """The window of a grid as a board, its corners put in order."""
    wide, tall = window.columns, window.rows
    box = np.array([(0, 0), (wide, 0), (wide, tall), (0, tall)], np.float64)
    box = box + np.array([window.column, window.row])
    box, corners = _in_order(box, model.project(box))
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


def found_by_lines(pose: BoardPose, board: Board, confidence: float, drawing: str) -> FoundBoard:
    """A board of squares whose pose is known from its lines, its corners put in order."""
    box = np.array([(0, board.height), (board.width, board.height), (board.width, 0), (0, 0)], np.float64)
    box, corners = _in_order(box, pose.project(box))
    across, down = box[1] - box[0], box[3] - box[0]
    columns, rows = round(float(np.linalg.norm(across))), round(float(np.linalg.norm(down)))
    right, below = across / columns, down / rows
    plane_from_grid = np.array([[right[0], below[0], box[0, 0]], [right[1], below[1], box[0, 1]], [0, 0, 1]])
    if drawing == "octagons":
        corners = pose.project(box + OCTAGON_RIM * (np.sign(box - box.mean(axis=0))))
    return FoundBoard(
        corners=np.ascontiguousarray(corners),
        rows=rows,
        columns=columns,
        confidence=confidence,
        error_px=pose.error_px,
        image_from_grid=pose.image_from_board @ plane_from_grid,
        image_size=pose.image_size,
        lens=pose.lens,
        drawing=drawing,
    )


def _in_order(
    box: NDArray[np.float64], corners: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Both (4, 2) clockwise as the picture shows the corners, from the one nearest its top left."""
    shifted = np.roll(corners, -1, axis=0)
    if float(np.sum(corners[:, 0] * shifted[:, 1] - shifted[:, 0] * corners[:, 1])) < 0:  # anticlockwise on screen
        box, corners = box[::-1], corners[::-1]
    first = int(np.argmin(corners.sum(axis=1)))
    return np.roll(box, -first, axis=0), np.roll(corners, -first, axis=0)
