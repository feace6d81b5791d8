import numpy as np

from tests.vision.drawn_board import BOARD, CORNERS, SIZE, drawn, pose_of, start
from vision.locate import moved_squares, relocate, shift_detected
from vision.pose import pose_from_corners


def test_a_board_that_has_not_moved_is_not_said_to_have() -> None:
    assert shift_detected(drawn(start()), pose_of(), BOARD) == 0.0


def test_a_nudged_board_is_found_again() -> None:
    nudged = drawn(start(), pose_of((14.0, -9.0)))
    found = relocate(nudged, pose_of(), BOARD)
    assert found is not None
    assert np.allclose(found.corners(BOARD), np.add(CORNERS, (14.0, -9.0)), atol=1.5)


def test_a_picture_without_the_board_gives_no_pose() -> None:
    empty = np.full((480, 640, 3), 120, np.uint8)
    assert relocate(empty, pose_of(), BOARD) is None
    assert shift_detected(empty, pose_of(), BOARD) is None


def test_one_corner_guessed_behind_a_hand_is_no_board_that_moved() -> None:
    bent = np.array(CORNERS)
    bent[1] += (9.0, -6.0)
    assert moved_squares(pose_from_corners(bent, BOARD, SIZE), pose_of(), BOARD) < 0.02


def test_a_board_pushed_or_turned_about_one_corner_moved() -> None:
    turned = (np.array(CORNERS) - CORNERS[0]) @ np.array([[0.995, 0.0998], [-0.0998, 0.995]]) + CORNERS[0]
    assert moved_squares(pose_of((14.0, -9.0)), pose_of(), BOARD) > 0.3
    assert moved_squares(pose_from_corners(turned, BOARD, SIZE), pose_of(), BOARD) > 0.3
