"""Calibrations on disk and their quality."""

import json

import cv2
import numpy as np
import pytest

from calibration.calibrate import Calibration
from calibration.errors import CalibrationFile
from calibration.find_board import from_corners
from calibration.orientation import pose_of
from calibration.quality import quality
from calibration.store import load, save, to_json
from rules.boards.squares import chequered

BOARD = chequered(8, 8)


@pytest.fixture
def calibration(drawn):
    seen = drawn(8, tilt=20)
    pose = pose_of(from_corners(seen.bgr, seen.corners, 8, 8), BOARD)
    return Calibration(pose, None, "english", False, True, quality(seen.bgr, pose, BOARD))


def test_a_calibration_comes_back_as_it_was_saved(calibration, tmp_path):
    save(calibration, tmp_path / "a" / "board.json")
    back = load(tmp_path / "a" / "board.json")
    assert np.array_equal(back.pose.image_from_board, calibration.pose.image_from_board)
    assert back.quality == calibration.quality
    assert (back.variant, back.mirrored, back.white_is_dark) == ("english", False, True)
    assert [path.name for path in (tmp_path / "a").iterdir()] == ["board.json"]


@pytest.mark.parametrize(
    ("text", "saw"),
    [
        ("", "no whole JSON"),
        ("[1]", "another kind of file"),
        pytest.param("[" * 100_000, "no whole JSON", id="nested without end"),
        ('{"format": "kibitz-calibration", "version": 99}', "version 99"),
        ('{"format": "kibitz-calibration", "version": 1}', "damaged"),
    ],
)
def test_a_foreign_or_damaged_file_is_refused_with_what_was_seen(text, saw, tmp_path):
    path = tmp_path / "board.json"
    path.write_text(text)
    with pytest.raises(CalibrationFile, match=saw):
        load(path)


@pytest.mark.parametrize("wrong", [pytest.param(10**400, id="huge"), float("inf"), -1, "x", [], None])
@pytest.mark.parametrize("where", ["image_from_board", "error_px", "image_size", "appearance", "quality", "pose"])
def test_a_calibration_with_a_wrong_value_is_refused_or_read_never_a_fault(calibration, where, wrong, tmp_path):
    data = to_json(calibration)
    (data["pose"] if where in data["pose"] else data)[where] = [wrong, 480] if where == "image_size" else wrong
    path = tmp_path / "board.json"
    path.write_text(json.dumps(data))
    if where == "appearance" and wrong is None:
        assert load(path).appearance is None  # not learnt yet
    else:
        with pytest.raises(CalibrationFile, match="damaged"):
            load(path)


def test_a_missing_file_says_so(tmp_path):
    with pytest.raises(CalibrationFile, match="calibrate again"):
        load(tmp_path / "none.json")


def test_a_good_picture_needs_no_advice(calibration):
    assert calibration.quality.advice == ()


def test_blur_and_darkness_are_named(drawn):
    seen = drawn(8, tilt=20)
    pose = pose_of(from_corners(seen.bgr, seen.corners, 8, 8), BOARD)
    blurred = cv2.GaussianBlur(seen.bgr, (0, 0), 9)
    assert "blurred" in " ".join(quality(blurred, pose, BOARD).advice)
    assert "lamp" in " ".join(quality(seen.bgr // 8, pose, BOARD).advice)
