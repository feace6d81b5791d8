"""Chequers that leave doubt, decided by the edges of their squares."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from calibration.agreement import agreed
from calibration.errors import BoardNotFound
from calibration.find_any import find_squares, find_unknown
from calibration.find_board import find_board, likely_boards
from calibration.found import FoundBoard, found_by_lines
from rules.boards.squares import chequered
from tests.support.drawn_lines import drawing
from vision.lines import octagon_lines


def off(found: FoundBoard, truth: np.ndarray) -> float:
    """Farthest corner from the truth in widths of a square, whichever corner comes first."""
    square = np.sqrt(cv2.contourArea(truth.astype(np.float32)) / (found.rows * found.columns))
    turned = [np.roll(way, k, axis=0) for way in (found.corners, found.corners[::-1]) for k in range(4)]
    return float(min(np.linalg.norm(way - truth, axis=1).max() for way in turned) / square)


def under_glare(bgr: np.ndarray) -> np.ndarray:
    """The picture with a lamp's reflection over half of the board, under which little contrast is left."""
    y, x = np.mgrid[: bgr.shape[0], : bgr.shape[1]]
    glare = 0.9 * np.clip(1.4 - ((x - 430) / 190) ** 2 - ((y - 330) / 142) ** 2, 0, 1)[..., None]
    noise = np.random.default_rng(1).normal(0, 2, bgr.shape)
    return np.clip(bgr * (1 - glare) + 250 * glare + noise, 0, 255).astype(np.uint8)


def test_a_board_half_under_glare_is_found_by_chequers_and_edges_together(drawn):
    seen = drawn(8, turn=10, tilt=35, rows_of_discs=2)
    bgr = under_glare(seen.bgr)
    with pytest.raises(BoardNotFound):
        find_board(bgr)
    board, found = find_unknown(bgr)
    assert (board.rows, board.columns) == (8, 8)
    assert isinstance(found, FoundBoard)
    assert off(found, seen.corners) < 0.1


def test_of_two_boards_the_one_whose_edges_are_seen_is_believed_though_its_chequers_fit_less(drawn):
    seen = drawn(8, turn=10, tilt=30, rows_of_discs=3)
    right = replace(find_board(seen.bgr, 8, 8), confidence=0.6)
    a_square_off = np.array([[1.0, 0, 1], [0, 1, 0], [0, 0, 1]])
    wrong = replace(right, image_from_grid=right.image_from_grid @ a_square_off, confidence=0.75)
    believed = agreed(seen.bgr, [wrong, right])
    assert believed is not None
    assert off(believed, seen.corners) < 0.1


def test_chequers_seen_far_better_are_not_given_up_for_lines_seen_better(drawn):
    seen = drawn(8, turn=10, tilt=30, rows_of_discs=3)
    right = find_board(seen.bgr, 8, 8)
    a_square_off = np.array([[1.0, 0, 1], [0, 1, 0], [0, 0, 1]])
    misled = replace(right, image_from_grid=right.image_from_grid @ a_square_off, confidence=0.79)
    believed = agreed(seen.bgr, [misled, replace(right, confidence=0.45)])
    assert believed is None or off(believed, seen.corners) > 0.9


def test_squares_are_not_seen_where_octagons_are_drawn():
    board = chequered(10, 10)
    bgr, truth = drawing(board, octagon_lines(10, 10, 1))
    assert agreed(bgr, [found_by_lines(truth, board, 0.9, "squares")]) is None


def test_nothing_is_agreed_on_where_the_squares_go_on_beyond_the_board():
    x, y = np.meshgrid(np.arange(960), np.arange(720))
    grey = np.where((x // 40 + y // 40) % 2 == 1, 60, 190)
    cloth = cv2.GaussianBlur(np.repeat(grey[..., None], 3, axis=2).astype(np.uint8), (0, 0), 1.0)
    corners = np.array([[200.0, 160], [520, 160], [520, 480], [200, 480]])
    grid = np.array([[40.0, 0, 200], [0, 40, 160], [0, 0, 1]])
    assert agreed(cloth, [FoundBoard(corners, 8, 8, 0.7, 0.1, grid, (960, 720))]) is None


def test_a_board_of_another_size_than_the_one_told_is_not_made_of_its_frame_by_lines(drawn):
    with pytest.raises(BoardNotFound, match="saw no board of 12x12 squares; it looks like 10x10"):
        find_squares(drawn(10, turn=10, tilt=30, rows_of_discs=3).bgr, chequered(12, 12))


def test_every_size_that_doubtful_chequers_may_be_is_considered(drawn):
    likely = likely_boards(under_glare(drawn(10, turn=10, tilt=35, rows_of_discs=2).bgr))
    assert not likely.sure
    assert {(board.rows, board.columns) for board in likely.boards} >= {(8, 8), (10, 10)}
