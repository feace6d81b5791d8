"""Finding a chequered board in a picture, occupied or empty, at any turn and tilt."""

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.errors import BoardNotFound
from calibration.grid_model import GridModel, fitted
from calibration.lattice import Lattice, lattices
from calibration.saddles import Saddles, normalised, saddle_points
from calibration.window import Window, best_window
from vision.pose import Lens

WORKING_SIZES_PX = (1100, 620)
"""Longer sides of the pictures searched."""
SIZES = range(6, 13)
SURE = 0.8
"""Confidence at which no further channel or size is tried."""
MIN_CONFIDENCE = 0.3


@dataclass(frozen=True, slots=True, eq=False)
class FoundBoard:
    """A board in a picture.

    `corners` (4, 2) pixels of the playing area, clockwise from the one nearest the picture's top left; `image_from_grid`
    (3, 3) takes (column, row) counted from the first corner to pixels, with a `lens` to those of one without distortion.
    """

    corners: NDArray[np.float64]
    rows: int
    columns: int
    confidence: float
    error_px: float
    image_from_grid: NDArray[np.float64]
    image_size: tuple[int, int]
    lens: Lens | None = None


@dataclass(frozen=True, slots=True, eq=False)
class _Candidate:
    model: GridModel
    window: Window
    confidence: float


def find_board(bgr: NDArray[np.uint8], rows: int | None = None, columns: int | None = None) -> FoundBoard:
    """The board of `rows` by `columns` squares (None: 6 to 12) in a picture (h, w, 3) uint8 BGR.

    Raises BoardNotFound.
    """
    sizes = _sizes(rows, columns)
    best: _Candidate | None = None
    for candidate in _candidates(bgr, sizes):
        if best is None or candidate.confidence > best.confidence:
            best = candidate
        if best.confidence >= SURE:
            break
    if best is None or best.confidence < MIN_CONFIDENCE:
        raise BoardNotFound(_why(best, rows, columns))
    return _found(best, (bgr.shape[1], bgr.shape[0]))


def _sizes(rows: int | None, columns: int | None) -> list[tuple[int, int]]:
    """The sizes (columns, rows) to try; a board that is not square may lie either way."""
    if rows is None and columns is None:
        return [(n, n) for n in SIZES]
    tall, wide = rows or columns or 0, columns or rows or 0
    return [(wide, tall)] if wide == tall else [(wide, tall), (tall, wide)]


def _candidates(bgr: NDArray[np.uint8], sizes: list[tuple[int, int]]) -> Iterator[_Candidate]:
    longest = max(bgr.shape[:2])
    for target in WORKING_SIZES_PX:
        factor = target / longest
        picture = cv2.resize(
            bgr, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA if factor < 1 else cv2.INTER_LINEAR
        )
        lab = cv2.cvtColor(picture.astype(np.float32) / 255, cv2.COLOR_BGR2Lab)
        soft = cv2.GaussianBlur(lab, (0, 0), 1.0)
        for channel, floor in ((0, 1.0), (1, 1.5), (2, 1.5)):
            saddles = saddle_points(normalised(lab[:, :, channel].copy(), floor))
            for lattice in lattices(saddles):
                candidate = _judged(soft, saddles, lattice, sizes)
                if candidate is not None:
                    yield _Candidate(candidate.model.scaled(1 / factor), candidate.window, candidate.confidence)


def _judged(
    lab: NDArray[np.float32], saddles: Saddles, lattice: Lattice, sizes: list[tuple[int, int]]
) -> _Candidate | None:
    """The best board within a lattice, fitted again to the crossings of that board alone."""
    size = (lab.shape[1], lab.shape[0])
    model = fitted(lattice.places, lattice.xy, size)
    if model is None:
        return None
    window = best_window(lab, model, lattice.places, sizes)
    if window is None:
        return None
    x, y = lattice.places[:, 0] - window.column, lattice.places[:, 1] - window.row
    inner = (x > 0) & (y > 0) & (x < window.columns) & (y < window.rows)
    if inner.sum() >= 8:
        closer = fitted(lattice.places[inner], lattice.xy[inner], size)
        if closer is not None:
            model = closer
            window = best_window(lab, model, lattice.places, [(window.columns, window.rows)]) or window
    return _Candidate(model, window, _confidence(window))


def _confidence(window: Window) -> float:
    """From 0 to 1: the window's score as a share of what a fully seen board would have."""
    crossings = (window.columns - 1) * (window.rows - 1)
    ideal = crossings * 0.7
    return float(np.clip(window.score / ideal, 0.0, 1.0))


def _found(candidate: _Candidate, image_size: tuple[int, int]) -> FoundBoard:
    """The candidate with its corners put in order."""
    window, model = candidate.window, candidate.model
    wide, tall = window.columns, window.rows
    box = np.array([(0, 0), (wide, 0), (wide, tall), (0, tall)], np.float64) + (window.column, window.row)
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
        confidence=candidate.confidence,
        error_px=model.error_px,
        image_from_grid=model.straight_from_grid @ lattice_from_grid,
        image_size=image_size,
        lens=model.lens(image_size),
    )


def _why(best: _Candidate | None, rows: int | None, columns: int | None) -> str:
    cure = "check that the whole board is in view, lit and sharp, and that no hand hides it, or give its four corners"
    wanted = f"a board of {columns or rows} by {rows or columns} squares" if rows or columns else "a chequered board"
    if best is None:
        return f"saw no crossings in rows and columns; expected {wanted}; {cure}"
    window = best.window
    crossings = (window.columns - 1) * (window.rows - 1)
    return f"saw {window.seen} of {crossings} inner crossings; expected {wanted}; {cure}"
