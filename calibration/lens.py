"""The camera's lens from a file, and pictures straightened by it so that boards are found in them as by any lens."""

import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from calibration.errors import CalibrationFile
from rules.board import Board
from vision.pose import BoardPose, Lens

WIDEST = 1.6
"""How many times as wide and tall as the picture the straightened one may be: beyond, a wide lens stretches it much."""
SAME_SHAPE = 0.01
"""Difference of the ratios of width to height from which a lens file belongs to other pictures."""
LARGEST_SIDE = 100_000
"""Pixels along the longer side beyond which no camera's picture is."""
_MOST_BRACKETS = 1000
"""OpenCV reads nested values by recursion and ends the process where the stack does; its calibrations hold few."""
EXPECTED = "expected a lens of Kibitz (JSON), a calibration of Kibitz, or a camera calibration of OpenCV (YAML)"


@dataclass(frozen=True, slots=True, eq=False)
class StoredLens:
    """A lens as measured on pictures of `image_size` (width, height)."""

    lens: Lens
    image_size: tuple[int, int]

    def at(self, size: tuple[int, int]) -> Lens:
        """The lens for pictures of another size of the same camera. Raises CalibrationFile."""
        across, down = size[0] / self.image_size[0], size[1] / self.image_size[1]
        if abs(across / down - 1) > SAME_SHAPE:
            raise CalibrationFile(
                f"saw a lens measured on pictures of {self.image_size[0]}x{self.image_size[1]}; expected pictures of "
                f"the same shape as the camera's {size[0]}x{size[1]}: measure the lens in the size that is used"
            )
        camera = np.diag([across, down, 1.0]) @ self.lens.camera_matrix
        return replace(self.lens, camera_matrix=camera)


def load_lens(path: Path) -> StoredLens:
    """The lens of a file: Kibitz's own, that of a stored calibration, or OpenCV's YAML. Raises CalibrationFile."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise CalibrationFile(f"saw {error.strerror} at {path}; {EXPECTED}: check its name") from error
    except UnicodeDecodeError as error:
        raise CalibrationFile(f"saw bytes that are no text in {path}; {EXPECTED}") from error
    try:
        return _checked(_from_json(json.loads(text)) if text.lstrip().startswith("{") else _from_opencv(text))
    except (
        AttributeError,
        KeyError,
        TypeError,
        ValueError,
        IndexError,
        OverflowError,
        RecursionError,
        SystemError,
        cv2.error,
    ) as error:
        raise CalibrationFile(f"saw no lens in {path} ({_first_line(error)}); {EXPECTED}") from error


def _from_json(data: Any) -> StoredLens:
    if data.get("format") == "kibitz-calibration":
        data = {**(data["pose"]["lens"] or {}), "image_size": data["pose"]["image_size"]}
        if "camera_matrix" not in data:
            raise ValueError("the calibration's lens is straight: none is needed")
    width, height = data["image_size"]
    camera = np.array(data["camera_matrix"], np.float64)
    terms = np.array(data["distortion"], np.float64)
    return StoredLens(Lens(camera, terms, bool(data.get("fisheye", False))), (int(width), int(height)))


def _from_opencv(text: str) -> StoredLens:
    """What OpenCV's calibration sample writes; its fisheye calibrations say so by `fisheye_model: 1`.

    What is no such file makes its constructor raise SystemError.
    """
    if not text.startswith("%YAML"):
        raise ValueError("no line %YAML begins it")
    if sum(text.count(opening) for opening in ("[", "{", "- ", "? ")) > _MOST_BRACKETS:
        raise ValueError("values within values, more than a camera calibration has")
    stored = cv2.FileStorage(text, cv2.FILE_STORAGE_READ | cv2.FILE_STORAGE_MEMORY)
    try:
        camera = stored.getNode("camera_matrix").mat()
        terms = stored.getNode("distortion_coefficients").mat()
        size = (stored.getNode("image_width").real(), stored.getNode("image_height").real())
        fisheye = stored.getNode("fisheye_model").real() == 1.0
    finally:
        stored.release()
    if camera is None or terms is None:
        raise ValueError("camera_matrix or distortion_coefficients is missing")
    return StoredLens(Lens(np.asarray(camera, np.float64), np.asarray(terms, np.float64), fisheye), _whole(size))


def _whole(size: tuple[float, float]) -> tuple[int, int]:
    return int(size[0]), int(size[1])


def _checked(stored: StoredLens) -> StoredLens:
    """The lens in the shapes that OpenCV takes. Raises ValueError."""
    camera, terms = stored.lens.camera_matrix, stored.lens.distortion.reshape(-1)
    if camera.shape != (3, 3) or not np.isfinite(camera).all() or camera[0, 0] <= 0 or camera[1, 1] <= 0:
        raise ValueError(f"camera_matrix {camera.tolist()}")
    if len(terms) not in ((4,) if stored.lens.fisheye else (4, 5, 8, 12, 14)) or not np.isfinite(terms).all():
        raise ValueError(f"{len(terms)} distortion terms")
    if not 1 <= min(stored.image_size) <= max(stored.image_size) <= LARGEST_SIDE:
        raise ValueError(f"image_size, or image_width and image_height, is missing or beyond {LARGEST_SIDE}")
    return replace(stored, lens=Lens(camera, terms, stored.lens.fisheye))


def _first_line(error: Exception) -> str:
    return (str(error) or type(error).__name__).strip().splitlines()[0][:120]


@dataclass(frozen=True, slots=True, eq=False)
class StraightPicture:
    """How pictures of `size` (width, height) by a lens become straight ones of `wide` pixels.

    Pixels of the same camera without distortion, moved by `shift`, are those of the straight picture.
    """

    lens: Lens
    size: tuple[int, int]
    wide: tuple[int, int]
    shift: NDArray[np.float64]

    def of(self, bgr: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """A picture (h, w, 3) uint8 as it would be without distortion, black where the lens saw nothing."""
        moved = self.lens.camera_matrix.copy()
        moved[:2, 2] += self.shift
        terms, eye = self.lens.distortion, np.eye(3)
        how = (self.lens.camera_matrix, terms, eye, moved, self.wide, cv2.CV_16SC2)
        maps = cv2.fisheye.initUndistortRectifyMap(*how) if self.lens.fisheye else cv2.initUndistortRectifyMap(*how)
        return np.asarray(cv2.remap(bgr, maps[0], maps[1], cv2.INTER_LINEAR), np.uint8)

    def corners(self, pixels: ArrayLike) -> NDArray[np.float64]:
        """Where pixels (m, 2) of the picture lie in the straight one."""
        return self.lens.undistort(np.asarray(pixels, np.float64).reshape(-1, 2)) + self.shift

    def pixels(self, corners: ArrayLike) -> NDArray[np.float64]:
        """Where pixels (m, 2) of the straight picture lie in the picture."""
        return self.lens.distort(np.asarray(corners, np.float64).reshape(-1, 2) - self.shift)

    def pose(self, found: BoardPose, board: Board) -> BoardPose:
        """A pose found in the straight picture as one of the picture itself."""
        plane = np.array([*board.xy, *board.outline], np.float64)
        closer = BoardPose.from_points(plane, self.pixels(found.project(plane)), self.size, self.lens)
        return replace(closer, error_px=max(closer.error_px, found.error_px))


def straight_picture(lens: Lens, size: tuple[int, int]) -> StraightPicture:
    """A straight picture with all that the middles of the picture's edges show, if it does not grow too large."""
    width, height = size
    middles = [(0, height / 2), (width, height / 2), (width / 2, 0), (width / 2, height)]
    left, right, top, bottom = lens.undistort(np.array(middles, np.float64))
    spare = (WIDEST - 1) / 2 * np.array([width, height])
    before = np.clip(np.ceil([-left[0], -top[1]]), 0, spare)
    after = np.clip(np.ceil([right[0] - width, bottom[1] - height]), 0, spare)
    grown = before + after
    return StraightPicture(lens, size, (int(width + grown[0]), int(height + grown[1])), np.asarray(before, np.float64))
