"""Finding boards that were drawn, and boards that were photographed."""

import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from calibration.errors import BoardNotFound, CornersUnusable
from calibration.find_board import find_board, from_corners
from calibration.grid_model import GridModel
from calibration.lattice import lattices
from calibration.saddles import Saddles

FRAMES = Path(__file__).resolve().parents[3] / "shared" / "frames"


def off(found: Any, truth: Any, n: int) -> float:
    """Farthest corner from the truth in widths of a square, whichever corner comes first."""
    truth = np.asarray(truth, np.float64)
    square = np.sqrt(cv2.contourArea(truth.astype(np.float32))) / n
    turned = [np.roll(way, k, axis=0) for way in (found.corners, found.corners[::-1]) for k in range(4)]
    return float(min(np.linalg.norm(way - truth, axis=1).max() for way in turned) / square)


@pytest.mark.parametrize("turn", [0, 20, 45, 130])
@pytest.mark.parametrize("tilt", [0, 35, 55])
def test_an_occupied_board_is_found_at_any_turn_and_tilt(drawn, turn, tilt):
    seen = drawn(8, turn=turn, tilt=tilt, rows_of_discs=3)
    found = find_board(seen.bgr, 8, 8)
    assert off(found, seen.corners, 8) < 0.15
    assert found.confidence > 0.5


@pytest.mark.parametrize("n", [6, 8, 10, 12])
def test_the_size_is_told_by_the_board_itself(drawn, n):
    seen = drawn(n, turn=10, tilt=30, rows_of_discs=2)
    found = find_board(seen.bgr)
    assert (found.rows, found.columns) == (n, n)
    assert off(found, seen.corners, n) < 0.15


@pytest.mark.parametrize("told", [8, None])
def test_squares_in_other_colours_along_an_edge_are_no_row_of_the_board(drawn, told):
    seen = drawn(8, turn=15, tilt=30, rows_of_discs=3, around="edge")
    found = find_board(seen.bgr, told, told)
    assert (found.rows, found.columns) == (8, 8)
    assert off(found, seen.corners, 8) < 0.15


def test_a_dozen_crossings_are_too_few_for_a_lattice():
    """As many as a crossing has neighbours looked at: it used to end in a traceback."""
    xy = np.random.default_rng(3).uniform(0, 500, (12, 2))
    assert lattices(Saddles(xy, np.zeros(12), np.ones(12))) == []


def test_a_board_seen_from_near_and_low_is_one_lattice_though_its_squares_shrink_fast():
    places = np.stack(np.meshgrid(np.arange(1, 8), np.arange(1, 8)), axis=-1).reshape(-1, 2)
    leaning = GridModel(np.array([[164.0, 0, 300], [0, 137.0, 90], [0, 0.16, 1]]), 0.0, np.zeros(2), 1.0, 0.0)
    noise = np.random.default_rng(4).normal(0, 0.4, (49, 2))
    grown = lattices(Saddles(leaning.project(places) + noise, np.pi * (places.sum(axis=1) % 2.0), np.ones(49)))
    assert max(len(lattice.places) for lattice in grown) == 49


def test_a_chequered_cloth_is_not_taken_for_the_board(drawn):
    seen = drawn(8, turn=15, tilt=30, rows_of_discs=3, around="cloth")
    assert off(find_board(seen.bgr, 8, 8), seen.corners, 8) < 0.15


def test_low_contrast_is_enough(drawn):
    seen = drawn(8, tilt=30, contrast=25)
    assert off(find_board(seen.bgr, 8, 8), seen.corners, 8) < 0.2


def test_noise_as_strong_as_the_contrast_hides_no_board_that_fills_the_picture(drawn):
    seen = drawn(8, contrast=60)
    low, high = np.floor(seen.corners.min(axis=0) - 9).astype(int), np.ceil(seen.corners.max(axis=0) + 9).astype(int)
    large = cv2.resize(seen.bgr[low[1] : high[1], low[0] : high[0]], None, fx=2, fy=2)
    noise = np.random.default_rng(5).normal(0, 70, large.shape)
    noisy = np.clip(large + noise, 0, 255).astype(np.uint8)
    assert off(find_board(noisy, 8, 8), (seen.corners - low) * 2, 8) < 0.15


def test_corners_run_clockwise_from_the_one_nearest_the_top_left(drawn):
    seen = drawn(8, turn=100, tilt=20)
    corners = find_board(seen.bgr, 8, 8).corners
    assert corners.sum(axis=1).argmin() == 0
    assert cv2.contourArea(corners.astype(np.float32), oriented=True) > 0


def test_a_blurred_board_is_not_found_and_the_message_says_what_to_do(drawn):
    blurred = cv2.GaussianBlur(drawn(8, tilt=30).bgr, (0, 0), 25)
    with pytest.raises(BoardNotFound, match="expected a board of 8 by 8 squares; check"):
        find_board(blurred, 8, 8)


def test_a_board_of_another_size_than_the_one_told_is_named(drawn):
    with pytest.raises(BoardNotFound, match="saw no board of 10x10 squares; it looks like 8x8; check"):
        find_board(drawn(8, turn=10, tilt=30, rows_of_discs=3).bgr, 10, 10)


def test_an_empty_table_holds_no_board():
    table = np.full((480, 640, 3), 128, np.uint8)
    with pytest.raises(BoardNotFound, match="saw no crossings"):
        find_board(table)


@pytest.mark.parametrize("square", [24, 40])
def test_a_chequered_cloth_alone_is_no_board(square):
    x, y = np.meshgrid(np.arange(960), np.arange(540))
    deep = 1 + 0.0005 * y
    turned = (0.966 * x - 0.259 * y) / deep // square + (0.259 * x + 0.966 * y) / deep // square
    grey = cv2.GaussianBlur(60 + 130 * (turned % 2), (0, 0), 1.2)[..., None]
    noisy = grey + np.random.default_rng(2).normal(0, 4, (540, 960, 3))
    with pytest.raises(BoardNotFound, match="give its four corners"):
        find_board(np.clip(noisy, 0, 255).astype(np.uint8))


def test_corners_given_roughly_are_moved_onto_the_grid(drawn):
    seen = drawn(8, turn=10, tilt=30, rows_of_discs=3)
    rough = seen.corners + np.array([[6, -5], [-6, 4], [5, 6], [-4, -6]])
    assert off(from_corners(seen.bgr, rough, 8, 8), seen.corners, 8) < 0.08


def test_corners_given_where_no_grid_is_seen_are_kept():
    corners = np.array([[100, 100], [400, 110], [390, 400], [90, 380]], np.float64)
    found = from_corners(np.full((480, 640, 3), 90, np.uint8), corners, 8, 8)
    assert np.allclose(found.corners, corners, atol=1e-3)


@pytest.mark.parametrize(
    "corners",
    [
        [[0, 0], [10, 10], [20, 20], [30, 30]],
        [[0, 0], [1, 1]],
        [[0, 0], [1e300, 0], [1e300, 1e300], [0, 1e300]],
    ],
)
def test_corners_that_bound_nothing_are_refused(corners):
    with pytest.raises(CornersUnusable, match="four outer corners"):
        from_corners(np.zeros((480, 640, 3), np.uint8), corners, 8, 8)


@pytest.mark.parametrize(
    ("folder", "image"),
    [
        ("real", "ens10_12.jpg"),
        ("real", "ens10_25.jpg"),
        ("real", "misc_initialization.jpg"),
        ("real", "ric_24.jpg"),
        ("stills", "s31_eng_chips_check.jpg"),
    ],
)
@pytest.mark.parametrize("told", [True, False])
def test_boards_in_labelled_pictures_are_found(folder, image, told):
    labels = FRAMES / folder / "labels.json"
    if not labels.exists():
        pytest.skip(f"the labelled pictures are not at {labels}")
    label = next(entry for entry in json.loads(labels.read_text()) if entry["image"] == image)
    n = label["n"]
    found = find_board(cv2.imread(str(FRAMES / folder / image)), n if told else None, n if told else None)
    assert found.rows == n
    assert off(found, label["corners"], n) < 0.35
