"""A lens measured from pictures of a board, drawn as lenses that are known show it."""

import json
from functools import cache

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.crossings import SeenCrossings
from calibration.errors import BoardNotFound, CalibrationFile
from calibration.lens import load_lens
from calibration.measure_lens import MeasuredLens, crossings_of, measured, save_lens
from server.cli.main import DONE, UNUSABLE, main
from vision.pose import Lens

SIZE = (800, 600)
BROWN = Lens(np.array([[420.0, 0, 400], [0, 420, 300], [0, 0, 1]]), np.array([-0.26, 0.06, 0.0, 0.0, 0.0]))
FISHEYE = Lens(np.array([[330.0, 0, 400], [0, 330, 300], [0, 0, 1]]), np.array([0.05, -0.02, 0.0, 0.0]), fisheye=True)
VIEWS = (
    (0, 0, 0, 0),
    (25, 30, -1.6, 0.8),
    (-40, 25, 1.8, -0.7),
    (70, 38, 0.3, 1.2),
    (10, 20, -1.9, -1.0),
    (130, 35, 1.5, 1.1),
)
"""Turn and tilt in degrees, and how far aside the board lies, in squares."""


def seen_by(lens: Lens, view: tuple[float, float, float, float], discs: bool = False) -> NDArray[np.uint8]:
    """An 8x8 board of unit squares by a lens."""
    turn, tilt = np.deg2rad(view[0]), np.deg2rad(view[1])
    spin = np.array([[np.cos(turn), -np.sin(turn), 0], [np.sin(turn), np.cos(turn), 0], [0, 0, 1]])
    lean = np.array([[1, 0, 0], [0, np.cos(tilt), -np.sin(tilt)], [0, np.sin(tilt), np.cos(tilt)]])
    rotation = lean @ spin
    away = np.array([view[2], view[3], 8.5])
    plane = lens.camera_matrix @ np.column_stack([rotation[:, 0], rotation[:, 1], away])
    x, y = np.meshgrid(np.arange(SIZE[0], dtype=np.float64), np.arange(SIZE[1], dtype=np.float64))
    straight = lens.undistort(np.stack([x, y], axis=-1).reshape(-1, 2))
    board = np.c_[straight, np.ones(len(straight))] @ np.linalg.inv(plane).T
    u, v = board[:, 0] / board[:, 2] + 4, board[:, 1] / board[:, 2] + 4
    on = (u > 0) & (v > 0) & (u < 8) & (v < 8) & (board[:, 2] > 0)
    soft = np.tanh(30 * np.sin(np.pi * u) * np.sin(np.pi * v))  # edges about a pixel wide
    grey = np.where(on, 130 + 60 * soft, 130).astype(np.float32)
    if discs:
        disc = on & (soft < 0) & ((np.floor(v) < 3) | (np.floor(v) > 4)) & (np.hypot(u % 1 - 0.5, v % 1 - 0.5) < 0.4)
        grey[disc] = np.where(v[disc] < 4, 30, 225)
    noisy = cv2.GaussianBlur(grey.reshape(SIZE[::-1]), (0, 0), 0.7)
    noisy += np.random.default_rng(4).normal(0, 2, noisy.shape).astype(np.float32)
    return np.repeat(np.clip(noisy, 0, 255).astype(np.uint8)[..., None], 3, axis=2)


@cache
def crossings(fisheye: bool, view: tuple[float, float, float, float]) -> SeenCrossings:
    return crossings_of(seen_by(FISHEYE if fisheye else BROWN, view), 8, 8)


def through(lens: Lens, views: tuple[tuple[float, float, float, float], ...] = VIEWS) -> MeasuredLens:
    return measured([crossings(lens.fisheye, view) for view in views], SIZE)


@pytest.mark.parametrize("lens", [BROWN, FISHEYE], ids=["brown", "fisheye"])
def test_a_lens_is_measured_from_pictures_of_the_board(lens):
    found = through(lens)
    assert found.error_px < 0.3
    turn = np.linspace(0, 2 * np.pi, 24, endpoint=False)
    pixels = np.array([400, 300]) + 230 * np.stack([np.cos(turn), np.sin(turn)], axis=1)
    truth = lens.undistort(pixels)
    assert np.linalg.norm(truth - pixels, axis=1).min() > 15
    assert np.linalg.norm(found.stored.lens.undistort(pixels) - truth, axis=1).max() < 1.0


def test_discs_on_the_board_do_not_disturb():
    found = measured([crossings_of(seen_by(BROWN, view, discs=True), 8, 8) for view in VIEWS[:4]], SIZE)
    assert found.error_px < 0.4
    assert abs(found.stored.lens.distortion[0] - BROWN.distortion[0]) < 0.03


def test_a_measured_lens_is_written_as_it_is_read(tmp_path):
    found = through(BROWN, VIEWS[:4])
    save_lens(found, tmp_path / "lens.json")
    stored = load_lens(tmp_path / "lens.json")
    assert stored.image_size == SIZE
    assert np.array_equal(stored.lens.camera_matrix, found.stored.lens.camera_matrix)
    assert np.array_equal(stored.lens.distortion, found.stored.lens.distortion)
    with pytest.raises(CalibrationFile, match="expected to write there"):
        save_lens(found, tmp_path / "nowhere" / "lens.json")


def test_two_pictures_are_too_few():
    seen = SeenCrossings(np.zeros((40, 2)), np.zeros((40, 2)))
    with pytest.raises(BoardNotFound, match="saw the board in 2 pictures; expected at least 3"):
        measured([seen, seen], SIZE)


def test_a_board_that_is_not_flat_is_refused():
    rng = np.random.default_rng(6)
    views = [crossings(False, view) for view in VIEWS[:4]]
    bent = [SeenCrossings(view.grid, view.pixels + rng.normal(0, 5, view.pixels.shape)) for view in views]
    with pytest.raises(BoardNotFound, match="from where one lens would have them"):
        measured(bent, SIZE)


def test_boards_in_the_middle_alone_are_told_to_cover_little():
    near = [(turn, tilt, 0.0, 0.0) for turn, tilt in ((0, 30), (60, 35), (140, 25))]
    assert "near the edges" in through(BROWN, tuple(near)).advice[0]
    assert through(BROWN).advice == ()


def test_the_command_measures_a_lens_and_leaves_out_pictures_without_a_board(tmp_path, capsys):
    names = []
    for number, view in enumerate(VIEWS[:4]):
        names.append(str(tmp_path / f"{number}.png"))
        cv2.imwrite(names[-1], seen_by(BROWN, view))
    cv2.imwrite(str(tmp_path / "bare.png"), np.full((SIZE[1], SIZE[0], 3), 128, np.uint8))
    out = tmp_path / "mine" / "lens.json"
    asked = ["lens", *names, str(tmp_path / "bare.png"), "--variant", "english", "--out", str(out)]
    assert main(asked) == DONE
    said = capsys.readouterr()
    assert "from 4 pictures" in said.out
    assert "bare.png is left out" in said.err
    assert json.loads(out.read_text())["format"] == "kibitz-lens"
    assert main(["look", names[1], "--variant", "english", "--lens", str(out), "--json"]) == DONE
    seen = np.array(json.loads(capsys.readouterr().out)["corners"])
    corners = crossings_of(seen_by(BROWN, VIEWS[1]), 8, 8).pixels
    assert cv2.contourArea(cv2.convexHull(corners.astype(np.float32))) < cv2.contourArea(seen.astype(np.float32))
    for pixel in corners:
        assert cv2.pointPolygonTest(seen.astype(np.float32), (float(pixel[0]), float(pixel[1])), False) > 0
    cv2.imwrite(str(tmp_path / "small.png"), np.zeros((60, 80, 3), np.uint8))
    assert main(["lens", names[0], str(tmp_path / "small.png"), "--variant", "english"]) == UNUSABLE
    assert main(["lens", names[0], "--variant", "alquerque"]) == UNUSABLE
