"""Measuring the camera's lens from a few pictures of the board itself, laid down differently in each."""

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.crossings import SeenCrossings, seen_crossings
from calibration.errors import BoardNotFound, CalibrationFile
from calibration.find_board import find_board
from calibration.lens import StoredLens
from vision.pose import Lens

FEWEST_PICTURES = 3
ENOUGH_FOR_CENTRE = 6
"""Pictures from which the middle of the lens is looked for too; with fewer it is the middle of the picture."""
FISHEYE_GAIN = 0.7
"""The fisheye model is taken only if its error is this share of the usual model's, which is known everywhere."""
MOST_ERROR_SHARE = 0.003
"""Error as a share of the picture's width above which the pictures do not fit one lens."""
WELL_COVERED = 0.4
"""Share of the picture that the boards together should lie on."""
FORMAT = "kibitz-lens"
_TILES = 8


@dataclass(frozen=True, slots=True, eq=False)
class MeasuredLens:
    """A lens, from how many pictures, its root mean square error in pixels, and the share of the picture covered."""

    stored: StoredLens
    pictures: int
    error_px: float
    covered: float

    @property
    def advice(self) -> tuple[str, ...]:
        """What would make it better, as sentences."""
        if self.covered >= WELL_COVERED:
            return ()
        return (
            f"the boards cover {self.covered:.0%} of the picture; what lies beyond is a guess: "
            "add pictures with the board near the edges and corners",
        )


def crossings_of(bgr: NDArray[np.uint8], rows: int, columns: int) -> SeenCrossings:
    """The crossings of the one board in a picture (h, w, 3) uint8 BGR. Raises BoardNotFound."""
    return seen_crossings(bgr, find_board(bgr, rows, columns))


def measured(views: Sequence[SeenCrossings], size: tuple[int, int]) -> MeasuredLens:
    """The lens through which all views, of pictures of one `size` (width, height), show a flat board.

    Zhang, "A flexible new technique for camera calibration", 2000, by OpenCV. Raises BoardNotFound.
    """
    if len(views) < FEWEST_PICTURES:
        raise BoardNotFound(
            f"saw the board in {len(views)} pictures; expected at least {FEWEST_PICTURES}, with the board laid down "
            "or the camera turned differently in each: take more"
        )
    usual, fisheye = _usual(views, size), _fisheye(views, size)
    error, lens = fisheye if fisheye[0] < FISHEYE_GAIN * usual[0] else usual
    if not error < MOST_ERROR_SHARE * size[0]:
        raise BoardNotFound(
            f"saw crossings {error:.1f} pixels from where one lens would have them; expected less than "
            f"{MOST_ERROR_SHARE * size[0]:.1f}: lay the board flat and do not zoom or focus in between"
        )
    return MeasuredLens(StoredLens(lens, size), len(views), error, _covered(views, size))


def save_lens(found: MeasuredLens, path: Path) -> None:
    """Writes the lens as `--lens` takes it. Raises CalibrationFile."""
    lens = found.stored.lens
    told = {
        "format": FORMAT,
        "image_size": list(found.stored.image_size),
        "camera_matrix": lens.camera_matrix.tolist(),
        "distortion": lens.distortion.tolist(),
        "fisheye": lens.fisheye,
        "error_px": round(found.error_px, 3),
        "pictures": found.pictures,
    }
    beside = path.with_name(path.name + ".part")
    try:
        beside.write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")
        os.replace(beside, path)
    except OSError as error:
        raise CalibrationFile(f"saw {error.strerror} at {path}; expected to write there: check the folder") from error


def _usual(views: Sequence[SeenCrossings], size: tuple[int, int]) -> tuple[float, Lens]:
    """Error and lens of OpenCV's standard model with three radial terms."""
    flags = cv2.CALIB_ZERO_TANGENT_DIST | cv2.CALIB_FIX_ASPECT_RATIO
    flags |= 0 if len(views) >= ENOUGH_FOR_CENTRE else cv2.CALIB_FIX_PRINCIPAL_POINT
    begin = np.array([[0.8 * size[0], 0, size[0] / 2], [0, 0.8 * size[0], size[1] / 2], [0, 0, 1]], np.float64)
    plane = [np.c_[view.grid, np.zeros(len(view.grid))].astype(np.float32) for view in views]
    pixels = [view.pixels.astype(np.float32) for view in views]
    flags |= cv2.CALIB_USE_INTRINSIC_GUESS
    error, camera, terms, *_ = cv2.calibrateCamera(plane, pixels, size, begin, np.zeros(5), flags=flags)
    return float(error), Lens(np.asarray(camera, np.float64), np.asarray(terms, np.float64).reshape(-1)[:5])


def _fisheye(views: Sequence[SeenCrossings], size: tuple[int, int]) -> tuple[float, Lens]:
    """The same of the fisheye model; an infinite error where it does not fit."""
    focal = size[0] / 2.2
    begin = np.array([[focal, 0, size[0] / 2], [0, focal, size[1] / 2], [0, 0, 1]], np.float64)
    names = ("CALIB_RECOMPUTE_EXTRINSIC", "CALIB_FIX_SKEW", "CALIB_USE_INTRINSIC_GUESS")
    flags = sum(int(getattr(cv2.fisheye, name, None) or getattr(cv2, name)) for name in names)  # moved in OpenCV 5
    plane = [np.c_[view.grid, np.zeros(len(view.grid))].reshape(1, -1, 3) for view in views]
    pixels = [view.pixels.reshape(1, -1, 2) for view in views]
    try:
        error, camera, terms, *_ = cv2.fisheye.calibrate(plane, pixels, size, begin, np.zeros(4), flags=flags)
    except cv2.error:
        return float("inf"), Lens(begin, np.zeros(4), fisheye=True)
    if not np.isfinite(error) or not np.isfinite(terms).all():
        return float("inf"), Lens(begin, np.zeros(4), fisheye=True)
    return float(error), Lens(np.asarray(camera, np.float64), np.asarray(terms, np.float64).reshape(-1), fisheye=True)


def _covered(views: Sequence[SeenCrossings], size: tuple[int, int]) -> float:
    """Share of the picture, in tiles, on which crossings were seen."""
    every = np.concatenate([view.pixels for view in views]) / np.array(size) * _TILES
    tiles = {(int(x), int(y)) for x, y in every.clip(0, _TILES - 1)}
    return len(tiles) / _TILES**2
