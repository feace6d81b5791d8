"""Boards whose squares do not show: known by four lines around them and the discs in the middle of their squares."""

import json

import cv2
import numpy as np
import pytest

from calibration.by_discs import board_by_discs
from calibration.discs import seen_discs
from calibration.errors import BoardNotFound
from calibration.find_any import find_squares, find_unknown
from rules.boards.squares import chequered
from tests.calibration.test_find_board import FRAMES, off


@pytest.mark.parametrize("n", [8, 10])
@pytest.mark.parametrize("told", [True, False])
@pytest.mark.parametrize(("turn", "tilt"), [(0, 0), (20, 35), (130, 40)])
def test_a_board_whose_squares_do_not_show_is_found_by_its_discs(drawn, n, told, turn, tilt):
    seen = drawn(n, turn=turn, tilt=tilt, rows_of_discs=3, contrast=0)
    found = find_squares(seen.bgr, chequered(n, n)) if told else find_unknown(seen.bgr)[1]
    assert (found.rows, found.columns) == (n, n)
    assert off(found, seen.corners, n) < 0.3


def test_a_bare_plate_is_no_board(drawn):
    with pytest.raises(BoardNotFound):
        find_squares(drawn(8, turn=15, tilt=30, contrast=0).bgr, chequered(8, 8))


@pytest.mark.parametrize("seed", range(6))
def test_discs_strewn_over_a_plate_are_no_board(drawn, seed):
    seen = drawn(8, contrast=0)
    low, high = seen.corners.min(axis=0) + 25, seen.corners.max(axis=0) - 25
    strewn = seen.bgr.copy()
    for x, y in np.random.default_rng(seed).uniform(low, high, (16, 2)):
        cv2.circle(strewn, (int(x), int(y)), 17, (30, 30, 160), -1, cv2.LINE_AA)
    assert board_by_discs(strewn, chequered(8, 8)) is None
    assert board_by_discs(strewn) is None


def test_a_board_of_another_size_than_the_one_told_is_not_forced_upon_the_discs(drawn):
    seen = drawn(10, turn=10, tilt=20, rows_of_discs=3, contrast=0)
    assert board_by_discs(seen.bgr, chequered(8, 8)) is None


def test_discs_are_seen_where_they_stand(drawn):
    seen = drawn(8, tilt=30, rows_of_discs=2, contrast=60)
    pixels = seen_discs(seen.bgr).xy
    box = np.array([(0, 0), (8, 0), (8, 8), (0, 8)], np.float32)
    matrix = cv2.getPerspectiveTransform(seen.corners.astype(np.float32), box)
    grid = cv2.perspectiveTransform(pixels[:, None], matrix).reshape(-1, 2)
    grid = grid[((grid > 0) & (grid < 8)).all(axis=1)]
    near = np.hypot(*(grid - np.floor(grid) - 0.5).T) < 0.15
    squares = {tuple(square) for square in np.floor(grid[near]).astype(int).tolist()}
    assert len(squares) == 16
    assert all((row + column) % 2 == 1 for column, row in squares)


@pytest.mark.parametrize("image", ["r100068.jpg", "r100123.jpg", "r100166.jpg", "r100245.jpg", "r100255.jpg"])
@pytest.mark.parametrize("told", [True, False])
def test_faint_boards_and_one_half_under_a_hand_are_found_in_labelled_pictures(image, told):
    labels = FRAMES / "train" / "labels.json"
    if not labels.exists():
        pytest.skip(f"the labelled pictures are not at {labels}")
    label = next(entry for entry in json.loads(labels.read_text()) if entry["image"] == image)
    n, bgr = label["n"], cv2.imread(str(labels.parent / image))
    found = find_squares(bgr, chequered(n, n)) if told else find_unknown(bgr)[1]
    assert found.rows == n
    assert off(found, label["corners"], n) < 0.35
