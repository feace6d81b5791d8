"""Boards that end elsewhere than a board of the size would: of other sizes, or not wholly in the picture."""

import cv2
import numpy as np
import pytest

from calibration.errors import BoardNotFound
from calibration.find_any import find_squares, find_unknown
from calibration.find_board import find_board
from rules.boards.squares import chequered, full
from tests.support.drawn_lines import drawing, on_cloth
from vision.lines import lines_of


@pytest.mark.parametrize("n", [7, 9, 11, 14])
@pytest.mark.parametrize("told", [8, 10, None])
def test_a_board_of_a_size_that_is_not_made_is_none(drawn, n, told):
    picture = drawn(n, turn=15, tilt=30, rows_of_discs=2).bgr
    with pytest.raises(BoardNotFound, match="corners"):
        find_unknown(picture) if told is None else find_squares(picture, chequered(told, told))


@pytest.mark.parametrize("told", [8, None])
@pytest.mark.parametrize("lost", [1.2, 2.5, 4])
@pytest.mark.parametrize("quarter", [0, 1, 2, 3])
def test_a_board_that_reaches_outside_the_picture_is_none(drawn, told, lost, quarter):
    seen = drawn(8, tilt=20, rows_of_discs=3)
    square = np.ptp(seen.corners[:, 0]) / 8
    cut = seen.bgr[:, int(seen.corners[:, 0].min() + lost * square) :]
    turned = np.ascontiguousarray(np.rot90(cut, quarter))
    with pytest.raises(BoardNotFound, match="check that the whole board is in view"):
        find_unknown(turned) if told is None else find_squares(turned, chequered(told, told))


@pytest.mark.parametrize("n", [7, 9, 11])
@pytest.mark.parametrize("told", [8, 10, None])
def test_an_empty_grid_of_a_size_that_is_not_made_is_no_board(n, told):
    grid = full(n, n)
    bgr, _ = drawing(grid, lines_of(grid))
    with pytest.raises(BoardNotFound, match="corners"):
        find_unknown(bgr) if told is None else find_squares(bgr, full(told, told))


def test_what_goes_on_beyond_the_board_is_said(drawn):
    picture = drawn(14, turn=5, tilt=20).bgr
    with pytest.raises(BoardNotFound, match="saw squares that go on beyond a board of 8x8"):
        find_board(picture, 8, 8)


def test_what_is_missing_on_a_side_is_said(drawn):
    with pytest.raises(BoardNotFound, match="saw no squares along one side of a board of 8x8"):
        find_board(drawn(7, turn=5, tilt=20).bgr, 8, 8)


def test_a_hand_over_half_of_one_side_hides_no_board(drawn):
    seen = drawn(8, tilt=20, rows_of_discs=3)
    low, square = seen.corners[3], np.ptp(seen.corners[:, 0]) / 8
    at = (low + np.array([2.2 * square, 0])).astype(int).tolist()
    hidden = cv2.circle(seen.bgr.copy(), at, int(2 * square), (90, 120, 180), -1)
    found = find_board(hidden, 8, 8)
    assert np.linalg.norm(found.corners - seen.corners, axis=1).max() < 0.2 * square


@pytest.mark.parametrize("told", [8, None])
@pytest.mark.parametrize("quarter", [0, 1, 2, 3])
def test_a_board_of_which_one_corner_is_outside_the_picture_is_none(drawn, told, quarter):
    seen = drawn(8, turn=45, tilt=0, rows_of_discs=3)
    square = np.linalg.norm(seen.corners[1] - seen.corners[0]) / 8
    cut = seen.bgr[:, int(seen.corners[:, 0].min() + 0.9 * square) :]
    turned = np.ascontiguousarray(np.rot90(cut, quarter))
    with pytest.raises(BoardNotFound):
        find_unknown(turned) if told is None else find_squares(turned, chequered(told, told))


@pytest.mark.parametrize("n", [8, 10])
def test_every_second_line_of_a_finer_grid_bounds_no_squares(n):
    fine = full(2 * n, 2 * n)
    bgr, _ = drawing(fine, lines_of(fine))
    with pytest.raises(BoardNotFound):
        find_squares(bgr, full(n, n))


@pytest.mark.parametrize("check", [13, 25])
def test_a_cloth_beside_a_grid_makes_no_further_row_of_it(check):
    grid = full(7, 7)
    bgr, pose = drawing(grid, lines_of(grid))
    with pytest.raises(BoardNotFound):
        find_squares(on_cloth(bgr, pose, grid, margin=(0.05, 0.05), check=check), full(8, 8))
