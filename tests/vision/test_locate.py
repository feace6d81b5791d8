from dataclasses import replace

import numpy as np

from tests.vision.drawn_board import BOARD, CORNERS, SIZE, drawn, pose_of, start
from vision import locate
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


def test_only_the_part_of_a_picture_that_shows_the_board_is_searched_with_the_same_outcome(monkeypatch) -> None:
    wide = np.full((960, 1280, 3), 120, np.uint8)
    wide[300:780, 400:1040] = drawn(start(), pose_of((14.0, -9.0)))
    pose = replace(
        pose_of(), image_from_board=np.array([[1, 0, 400], [0, 1, 300], [0, 0, 1]]) @ pose_of().image_from_board
    )
    sizes, strength = [], locate.saddle_strength
    monkeypatch.setattr(
        locate, "saddle_strength", lambda part, unit: (sizes.append(part.size), strength(part, unit))[1]
    )
    found = relocate(wide, pose, BOARD)
    monkeypatch.setattr(locate, "_around", lambda grey, places, reach: (grey, np.zeros(2)))
    whole = relocate(wide, pose, BOARD)
    assert found is not None
    assert whole is not None
    assert np.allclose(found.corners(BOARD), whole.corners(BOARD))
    assert sizes[0] < sizes[1] / 2
