"""Lenses from files, and boards found through them."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.calibrate import Known, calibrate
from calibration.errors import CalibrationFile
from calibration.lens import StoredLens, load_lens, straight_picture
from rules.variant import start_position
from rules.variants.catalogue import variant_named
from server.cli.main import DONE, main
from tests.vision.drawn_board import BOARD, CORNERS, SIZE, drawn, start
from vision.frame import Frame
from vision.pose import Lens, pose_from_corners

BROWN = Lens(np.array([[330.0, 0, 320], [0, 330, 240], [0, 0, 1]]), np.array([-0.22, 0.03, 0.0, 0.0, 0.0]))
FISHEYE = Lens(np.array([[280.0, 0, 320], [0, 280, 240], [0, 0, 1]]), np.array([0.04, -0.02, 0.0, 0.0]), fisheye=True)
YAML = """%YAML:1.0
---
image_width: 640
image_height: 480
camera_matrix: !!opencv-matrix
   rows: 3
   cols: 3
   dt: d
   data: [ 330., 0., 320., 0., 330., 240., 0., 0., 1. ]
distortion_coefficients: !!opencv-matrix
   rows: 5
   cols: 1
   dt: d
   data: [ -0.22, 0.03, 0., 0., 0. ]
"""


def bent(lens: Lens) -> tuple[np.ndarray, np.ndarray]:
    """The drawn start position as this lens shows it, and where its corners then are."""
    across, down = np.meshgrid(np.arange(SIZE[0]), np.arange(SIZE[1]))
    pixels = np.stack([across, down], axis=-1).reshape(-1, 2).astype(np.float64)
    places = lens.undistort(pixels).astype(np.float32).reshape(SIZE[1], SIZE[0], 2)
    plain = drawn(start())
    seen = cv2.remap(plain, places[..., 0].copy(), places[..., 1].copy(), cv2.INTER_LINEAR, borderMode=1)
    return seen, lens.distort(np.array(CORNERS))


def as_json(lens: Lens) -> str:
    told = {"image_size": SIZE, "camera_matrix": lens.camera_matrix.tolist(), "distortion": lens.distortion.tolist()}
    return json.dumps({**told, "fisheye": lens.fisheye})


def written(folder: Path, text: str) -> Path:
    path = folder / "lens.file"
    path.write_text(text)
    return path


@pytest.mark.parametrize("lens", [BROWN, FISHEYE], ids=["brown", "fisheye"])
def test_the_squares_of_a_board_are_known_exactly_through_a_lens_from_a_file(lens, tmp_path):
    bgr, _ = bent(lens)
    english = variant_named("english")
    known = Known(lens=load_lens(written(tmp_path, as_json(lens))))
    found = calibrate([Frame(bgr, 0.0, 0)], english, start_position(english), known, white_is_dark=None)
    assert found.pose.lens is not None
    assert found.pose.lens.fisheye == lens.fisheye
    truth = lens.distort(pose_from_corners(CORNERS, BOARD, SIZE).project(BOARD.xy))
    away = np.linalg.norm(found.pose.project(BOARD.xy)[:, None] - truth[None], axis=2).min(axis=1)
    assert away.max() < 0.06 * found.pose.square_px(BOARD)


def test_corners_marked_in_the_picture_are_those_of_the_straight_one(tmp_path):
    bgr, corners = bent(BROWN)
    english = variant_named("english")
    known = Known(corners, load_lens(written(tmp_path, as_json(BROWN))))
    found = calibrate([Frame(bgr, 0.0, 0)], english, start_position(english), known, white_is_dark=None)
    away = np.linalg.norm(found.pose.corners(BOARD)[:, None] - corners[None], axis=2).min(axis=1)
    assert away.max() < 0.06 * found.pose.square_px(BOARD)


def test_what_opencv_writes_is_read(tmp_path):
    stored = load_lens(written(tmp_path, YAML))
    assert stored.image_size == (640, 480)
    assert np.allclose(stored.lens.camera_matrix, BROWN.camera_matrix)
    assert np.allclose(stored.lens.distortion, BROWN.distortion)
    assert not stored.lens.fisheye


def test_a_lens_fits_pictures_of_another_size_but_not_of_another_shape():
    stored = StoredLens(BROWN, SIZE)
    assert stored.at((1280, 960)).camera_matrix[0].tolist() == [660.0, 0.0, 640.0]
    with pytest.raises(CalibrationFile, match=r"640x480.*1280x720"):
        stored.at((1280, 720))


def test_a_pixel_of_the_straight_picture_is_that_of_the_picture_and_back():
    view = straight_picture(FISHEYE, SIZE)
    there = view.corners([(30, 40), (600, 400)])
    assert np.abs(there - [(30, 40), (600, 400)]).max() > 10
    assert np.allclose(view.pixels(there), [(30, 40), (600, 400)], atol=0.05)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "no lens",
        "{}",
        '{"format": "kibitz-calibration"}',
        YAML.replace("camera_matrix", "camera"),
        YAML.replace("image_width: 640", ""),
        YAML.replace("[ -0.22, 0.03, 0., 0., 0. ]", "[ -0.22 ]"),
        as_json(BROWN).replace("330.0", "NaN"),
        as_json(BROWN).replace("[640, 480]", "[0, 0]"),
        pytest.param(as_json(BROWN).replace("480]", "1" + 400 * "0" + "]"), id="higher than any picture"),
        "[1]",
        pytest.param(YAML + "more: " + 100_000 * "[", id="lists in lists"),
        pytest.param(YAML + "more:\n   " + 100_000 * "- ", id="dashes in dashes"),
        pytest.param('<?xml version="1.0"?>\n<opencv_storage>' + 100_000 * "<a>", id="nested XML"),
        as_json(FISHEYE).replace(", 0.0, 0.0]", "]"),
    ],
)
def test_a_file_that_holds_no_lens_is_refused_in_one_sentence(tmp_path, text):
    with pytest.raises(CalibrationFile, match=r"saw no lens in .*expected a lens of Kibitz"):
        load_lens(written(tmp_path, text))


def test_a_byte_order_mark_before_a_lens_is_no_obstacle(tmp_path):
    for text in (YAML, as_json(BROWN)):
        assert load_lens(written(tmp_path, "\ufeff" + text)).image_size == (640, 480)


def test_a_lens_file_that_is_not_there_is_named(tmp_path):
    with pytest.raises(CalibrationFile, match="nowhere"):
        load_lens(tmp_path / "nowhere")


def test_the_commands_take_a_lens_file(tmp_path, capsys):
    bgr, corners = bent(BROWN)
    picture, lens = tmp_path / "a.png", written(tmp_path, as_json(BROWN))
    cv2.imwrite(str(picture), bgr)
    assert main(["look", str(picture), "--variant", "english", "--lens", str(lens), "--json"]) == DONE
    seen = np.array(json.loads(capsys.readouterr().out)["corners"])
    assert np.linalg.norm(seen[:, None] - corners[None], axis=2).min(axis=1).max() < 3.0
    (tmp_path / "pictures").mkdir()
    cv2.imwrite(str(tmp_path / "pictures" / "a.png"), bgr)
    asked = ["calibrate", "--camera", str(tmp_path / "pictures"), "--variant", "english", "--lens", str(lens)]
    assert main([*asked, "--output", str(tmp_path / "board.json")]) == DONE
    known = load_lens(tmp_path / "board.json")
    assert np.allclose(known.lens.distortion, BROWN.distortion)


def test_a_calibration_without_a_bent_lens_holds_none(tmp_path):
    path = written(tmp_path, json.dumps({"format": "kibitz-calibration", "pose": {"lens": None, "image_size": [8, 6]}}))
    with pytest.raises(CalibrationFile, match="straight"):
        load_lens(path)
