"""A calibration as a JSON file, written whole or not at all."""

import json
import os
from pathlib import Path
from typing import Any

import numpy as np

from calibration.calibrate import Calibration
from calibration.errors import CalibrationFile
from calibration.lens import LARGEST_SIDE
from calibration.quality import Quality
from vision.appearance import Appearance
from vision.errors import VisionError
from vision.pose import BoardPose, Lens

FORMAT = "kibitz-calibration"
VERSION = 1
CURE = "calibrate again"


def save(calibration: Calibration, path: Path) -> None:
    """Writes the file beside its place and moves it there. Raises CalibrationFile."""
    text = json.dumps(to_json(calibration), indent=1, allow_nan=False)
    beside = path.with_name(path.name + ".new")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with beside.open("w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.replace(beside, path)
    except OSError as error:
        raise CalibrationFile(
            f"saw {error.strerror} while writing {path}; expected a folder that may be written to: choose another"
        ) from error


def load(path: Path) -> Calibration:
    """Reads what `save` wrote. Raises CalibrationFile."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise CalibrationFile(f"saw {error.strerror} at {path}; expected a stored calibration: {CURE}") from error
    except UnicodeDecodeError as error:
        raise CalibrationFile(f"saw bytes that are no text in {path}; expected a calibration: {CURE}") from error
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise CalibrationFile(f"saw no whole JSON in {path} ({error}); expected a calibration: {CURE}") from error
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise CalibrationFile(f"saw another kind of file at {path}; expected a calibration of Kibitz: {CURE}")
    if data.get("version") != VERSION:
        raise CalibrationFile(f"saw version {data.get('version')} in {path}; expected {VERSION}: {CURE}")
    try:
        return from_json(data)
    except (LookupError, TypeError, ValueError, ArithmeticError, AttributeError, VisionError) as error:
        raise CalibrationFile(f"saw a damaged calibration in {path} ({error}); expected a whole one: {CURE}") from error


def to_json(calibration: Calibration) -> dict[str, Any]:
    """Plain numbers, lists and strings."""
    appearance = calibration.appearance
    return {
        "format": FORMAT,
        "version": VERSION,
        "variant": calibration.variant,
        "mirrored": calibration.mirrored,
        "white_is_dark": calibration.white_is_dark,
        "pose": pose_to_json(calibration.pose),
        "appearance": None if appearance is None else appearance.to_json(),
        "quality": calibration.quality.to_json(),
    }


def from_json(data: dict[str, Any]) -> Calibration:
    """The calibration of which to_json made `data`; built-in errors or a VisionError if it is not whole."""
    appearance = data["appearance"]
    return Calibration(
        pose_from_json(data["pose"]),
        None if appearance is None else Appearance.from_json(appearance),
        str(data["variant"]),
        bool(data["mirrored"]),
        bool(data["white_is_dark"]),
        Quality.from_json(data["quality"]),
    )


def pose_to_json(pose: BoardPose) -> dict[str, Any]:
    lens = None
    if pose.lens is not None:
        lens = {
            "camera_matrix": pose.lens.camera_matrix.tolist(),
            "distortion": pose.lens.distortion.tolist(),
            "fisheye": pose.lens.fisheye,
        }
    return {
        "image_from_board": pose.image_from_board.tolist(),
        "error_px": pose.error_px,
        "lens": lens,
        "image_size": list(pose.image_size),
    }


def pose_from_json(data: dict[str, Any]) -> BoardPose:
    lens = None
    if data["lens"] is not None:
        camera = np.array(data["lens"]["camera_matrix"], np.float64).reshape(3, 3)
        distortion = np.array(data["lens"]["distortion"], np.float64)
        lens = Lens(camera, distortion, bool(data["lens"]["fisheye"]))
    width, height = (int(side) for side in data["image_size"])
    error_px = float(data["error_px"])
    if not (min(width, height) >= 1 and max(width, height) <= LARGEST_SIDE and 0 <= error_px <= LARGEST_SIDE):
        raise ValueError(f"image_size {data['image_size']!r:.40}, error_px {error_px:g}")
    return BoardPose(np.array(data["image_from_board"], np.float64), error_px, lens, (width, height))
