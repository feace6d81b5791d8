"""Which side is White's and which squares are played on."""

import numpy as np
import pytest

from calibration.find_board import from_corners
from calibration.orientation import orient, play_parity, pose_of, ways_to_lie
from rules.boards.squares import chequered
from rules.placement import Placement
from vision.pose import BoardPose

BOARD = chequered(8, 8)
START = Placement(bytes(2 if y > 5 else 1 if y < 3 else 0 for _, y in BOARD.xy))


def found_in(drawn):
    seen = drawn(8, rows_of_discs=3)
    return seen.bgr, from_corners(seen.bgr, seen.corners, 8, 8)


def look_at(lies, found, flipped):
    """Evidence of a start position that truly lies as `lies` says, read under any other pose."""
    true_pose = pose_of(found, BOARD, *lies)

    def look(pose):
        places = true_pose.unproject(pose.project(BOARD.xy))
        away = np.round(places[:, 1] - 0.5)
        on_play = np.round(places.sum(axis=1) - 1) % 2 == 0
        piece = np.where(~on_play, 0, np.where(away > 4, 2, np.where(away < 3, 1, 0)))
        piece = np.where(flipped & (piece > 0), 3 - piece, piece)
        scores = np.full((BOARD.size, 5), -5.0, np.float32)
        scores[np.arange(BOARD.size), piece] = -0.03
        return scores

    return look


@pytest.mark.parametrize("lies", [(0, False), (2, False), (1, True), (3, True)])
def test_the_start_position_tells_the_turn_and_the_reflection(drawn, lies):
    bgr, found = found_in(drawn)
    told = orient(found, BOARD, look_at(lies, found, False), START, play_parity(bgr, found))
    assert lies in ways_to_lie(found, BOARD, play_parity(bgr, found))
    assert (told.quarter_turns, told.mirrored) == lies
    assert told.margin > 0


def test_discs_tell_the_squares_that_are_played_on(drawn):
    bgr, found = found_in(drawn)
    assert play_parity(bgr, found) == 1


def test_on_an_empty_board_the_dark_squares_are_played_on(drawn):
    seen = drawn(8)
    assert play_parity(seen.bgr, from_corners(seen.bgr, seen.corners, 8, 8)) == 1


def test_without_a_position_light_discs_are_on_whites_side(drawn):
    _, found = found_in(drawn)
    told = orient(found, BOARD, look_at((2, False), found, False), None, 1)
    assert told.quarter_turns == 2


def test_dark_discs_are_whites_only_when_told(drawn):
    _, found = found_in(drawn)
    look = look_at((0, False), found, True)
    assert orient(found, BOARD, look, START, 1).quarter_turns == 2
    told = orient(found, BOARD, look, START, 1, white_is_dark=True)
    assert (told.quarter_turns, told.white_is_dark) == (0, True)


LONG = chequered(10, 8)


def lying(angle: int, mirrored: bool) -> BoardPose:
    """A board of 10 by 8 squares seen from above, turned by `angle` degrees; mirrored as if in a mirror."""
    a = np.deg2rad(angle)
    spin = np.array([[np.cos(a), -np.sin(a), 300], [np.sin(a), np.cos(a), 300], [0, 0, 1]])
    across = -40.0 if mirrored else 40.0
    centred = np.array([[across, 0, -across * LONG.width / 2], [0, -40, 40 * LONG.height / 2], [0, 0, 1]])
    return BoardPose(spin @ centred, 0.0, None, (600, 600))


@pytest.mark.parametrize("mirrored", [False, True])
@pytest.mark.parametrize("angle", [0, 90, 180, 270])
def test_a_board_longer_than_wide_may_lie_any_way_round(angle, mirrored):
    truth = lying(angle, mirrored)
    found = from_corners(np.full((600, 600, 3), 90, np.uint8), truth.corners(LONG), LONG.rows, LONG.columns)
    across = angle in (90, 270)
    assert (found.columns, found.rows) == ((8, 10) if across else (10, 8))
    grid = np.linalg.inv(found.image_from_grid) @ np.array([*truth.project([LONG.xy[0]])[0], 1.0])
    parity = int(np.floor(grid[:2] / grid[2]).sum()) % 2
    places = [pose_of(found, LONG, *way).project(LONG.xy) for way in ways_to_lie(found, LONG, parity)]
    assert sum(np.allclose(place, truth.project(LONG.xy), atol=1e-3) for place in places) == 1
