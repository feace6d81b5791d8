"""Discs beside the squares that are played on, in drawn pictures."""

import cv2
import numpy as np
import pytest

from tests.vision.drawn_board import BOARD, COLOURS, RING, drawn, pose_of, start
from vision import off_square
from vision.evidence import evidence
from vision.off_square import InOrder, board_picture, candidates, discs_off_square, near_strays
from vision.patches import board_patches

POSE = pose_of()
PIECES = np.array([start().get(point, 0) for point in range(BOARD.size)], np.uint8)
MAN = 22
"""A man of the front row."""


def with_disc(picture, place, colour=COLOURS[1]):
    """A disc drawn at a place of the plane."""
    foot, top = (POSE.project(np.array(place) + 0.38 * RING, height) for height in (0.0, 0.15))
    hull = cv2.convexHull(np.vstack([foot, top]).astype(np.float32)).reshape(-1, 2)
    done = picture.copy()
    for outline, shade in ((hull, tuple(int(0.7 * v) for v in colour)), (top, colour)):
        cv2.fillPoly(done, [np.rint(outline * 8).astype(np.int32)], shade, cv2.LINE_AA, 3)
    return done


def strays_in(picture):
    """What is seen off its square in a picture, after the start position was in order."""
    then = InOrder(board_picture(drawn(start()), POSE, BOARD), PIECES)
    seen = evidence(picture, POSE, BOARD)
    tried = candidates(board_picture(picture, POSE, BOARD), then, seen, BOARD)
    return discs_off_square(picture, POSE, board_patches(picture, POSE, BOARD), tried)


def lacking(*points):
    return drawn({point: piece for point, piece in start().items() if point not in points}, gain=0.93, seed=2)


@pytest.mark.parametrize("away", [(0.5, 0.5), (0.5, 0.0), (0.0, 1.0), (-0.5, 0.4)])
def test_a_disc_that_left_its_square_is_seen_where_it_stands(away):
    place = np.add(BOARD.xy[MAN], away)
    found = strays_in(with_disc(lacking(MAN), place))
    assert len(found) == 1
    assert np.linalg.norm(np.array(found[0]) - place) < 0.2


def test_distances_on_the_straightened_board_are_those_of_the_plane():
    plane = board_picture(drawn(start()), POSE, BOARD).plane
    places = np.array(BOARD.xy)[3:20]
    due = np.min([np.linalg.norm(plane - place, axis=2) for place in places], axis=0)
    assert np.allclose(off_square._distance(plane, places), due, atol=1e-4)
    assert np.isinf(off_square._distance(plane, places[:0])).all()
    values = np.arange(plane[..., 0].size, dtype=float).reshape(plane.shape[:2])
    at = [np.linalg.norm(plane - place, axis=2).argmin() for place in BOARD.xy]
    assert off_square._at_points(values, plane, BOARD).tolist() == at


def test_where_no_disc_is_lacking_none_is_looked_for(monkeypatch):
    monkeypatch.setattr(off_square, "_disc_like", lambda *_: pytest.fail("looked for one"))
    strays_in(drawn(start()))


def test_a_disc_taken_off_the_board_leaves_none_behind():
    assert strays_in(lacking(MAN)) == ()


def test_a_board_that_lacks_no_disc_has_none_off_its_square():
    place = np.add(BOARD.xy[MAN], (0.0, 1.0))
    assert strays_in(with_disc(drawn(start()), place)) == ()


def test_a_move_is_no_disc_off_its_square():
    to = next(
        k for k in range(BOARD.size) if PIECES[k] == 0 and np.abs(np.subtract(BOARD.xy[k], BOARD.xy[MAN])).max() < 2
    )
    assert strays_in(drawn({**{p: k for p, k in start().items() if p != MAN}, to: 1})) == ()


def test_a_hand_on_the_board_is_no_disc():
    picture = lacking(MAN)
    x, y = POSE.project([np.add(BOARD.xy[MAN], (0.0, 1.0))])[0]
    cv2.line(picture, (639, int(y) + 40), (int(x), int(y)), (120, 150, 205), 44, cv2.LINE_AA)
    assert strays_in(picture) == ()


def test_a_disc_that_the_record_no_longer_has_is_not_looked_for():
    place = np.add(BOARD.xy[MAN], (0.5, 0.5))
    then = InOrder(board_picture(drawn(start()), POSE, BOARD), PIECES)
    picture = with_disc(lacking(MAN), place)
    seen, now = evidence(picture, POSE, BOARD), board_picture(picture, POSE, BOARD)
    captured = np.where(np.arange(BOARD.size) == MAN, 0, PIECES).astype(np.uint8)
    assert len(candidates(now, then, seen, BOARD, PIECES).places) == 1
    assert candidates(now, then, seen, BOARD, captured).places == ()


@pytest.mark.parametrize("off", [(0.42, 0.0), (-0.3, 0.3), (0.0, 0.45)])
def test_what_a_disc_bares_that_stood_off_its_middle_is_no_disc(off):
    place = np.add(BOARD.xy[MAN], off)
    then = InOrder(board_picture(with_disc(lacking(MAN), place), POSE, BOARD), PIECES)
    picture = lacking(MAN)
    seen = evidence(picture, POSE, BOARD)
    assert candidates(board_picture(picture, POSE, BOARD), then, seen, BOARD).places == ()


def test_a_shadow_is_no_disc():
    picture = lacking(MAN)
    place = np.add(BOARD.xy[MAN], (0.0, 1.0))
    dark = np.zeros(picture.shape[:2], np.uint8)
    cv2.fillPoly(dark, [np.rint(POSE.project(place + 0.38 * RING)).astype(np.int32)], 255)
    picture[dark > 0] = (picture[dark > 0] * 0.7).astype(np.uint8)
    assert strays_in(picture) == ()


def test_the_points_beside_a_stray_are_in_doubt():
    place = tuple(np.add(BOARD.xy[MAN], (0.5, 0.5)))
    near = near_strays([place], BOARD)
    assert near[MAN]
    assert 2 <= near.sum() <= 4
    assert not near_strays((), BOARD).any()
