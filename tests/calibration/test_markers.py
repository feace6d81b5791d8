"""Corner markers laid beside simulated boards: where the board is, which side is whose, and what goes wrong."""

import cv2
import numpy as np
import pytest

from calibration.calibrate import calibrate
from calibration.errors import BoardNotFound
from calibration.find_any import find_points, find_squares, find_unknown
from calibration.found import FoundBoard
from calibration.marker_shape import Corner
from calibration.markers import marked_board, seen_markers
from calibration.orientation import pose_of
from hardware.simulator.textures import Surface
from rules.placement import Placement
from rules.variant import start_position
from rules.variants.catalogue import variant_named
from tests.support.marked_scene import Laying, View, marked, off_by
from vision.frame import Frame

pytestmark = pytest.mark.skipif(not hasattr(cv2, "aruco"), reason="this OpenCV was built without aruco")

SMALL = (960, 540)
TURKISH, ENGLISH, HONEYCOMB = (variant_named(name) for name in ("turkish", "english", "honeycomb"))
USUAL, AS_SHOWN = View(25, 30, SMALL), Laying()
GREY = {"light": (120.0, 120.0, 120.0), "dark": (118.0, 118.0, 118.0), "surface": Surface.PLAIN, "labels": False}


def scene(monkeypatch, variant=ENGLISH, view=USUAL, laying=AS_SHOWN, **others):
    return marked(monkeypatch, variant.board, variant.start, view=view, laying=laying, **others)


@pytest.mark.parametrize(
    ("name", "view", "size"),
    [
        ("international", View(0, 0, SMALL), 0.9),
        ("english", View(60, 200, SMALL), 0.7),
        ("english", View(40, 290, SMALL, light=0.25), 0.8),
        ("turkish", View(45, 110, SMALL, light=0.5), 0.6),
        ("honeycomb", View(30, 70, (1280, 720)), 0.9),
        ("hexdame", View(50, 250, SMALL), 1.2),
        ("alquerque", View(15, 10, SMALL), 0.8),
        ("fighting-serpents", View(20, 5, (1280, 720)), 1.5),
    ],
)
def test_four_markers_tell_where_the_board_lies_and_whose_side_is_whose(monkeypatch, name, view, size):
    variant = variant_named(name)
    seen = scene(monkeypatch, variant, view, Laying(size))
    found = marked_board(seen.bgr, variant.board)
    assert found is not None
    assert found.whole
    assert off_by(found.pose, seen.truth, variant.board) < 0.1


def test_a_board_all_of_one_grey_is_found_by_its_markers_alone(monkeypatch):
    seen = scene(monkeypatch, look=GREY)
    found = find_squares(seen.bgr, ENGLISH.board)
    assert found.turns is not None
    assert off_by(pose_of(found, ENGLISH.board, found.turns), seen.truth, ENGLISH.board) < 0.1


def test_markers_laid_carelessly_are_mended_by_the_squares_themselves(monkeypatch):
    off = {Corner.NEAR_LEFT: (-0.15, 0.1), Corner.FAR_RIGHT: (0.12, 0.14)}
    seen = scene(monkeypatch, laying=Laying(turned={Corner.FAR_LEFT: 12.0, Corner.NEAR_RIGHT: -9.0}, off=off))
    by_markers = marked_board(seen.bgr, ENGLISH.board)
    assert by_markers is not None
    found = find_squares(seen.bgr, ENGLISH.board)
    assert found.turns is not None
    assert off_by(by_markers.pose, seen.truth, ENGLISH.board) < 0.25
    assert off_by(pose_of(found, ENGLISH.board, found.turns), seen.truth, ENGLISH.board) < 0.06


@pytest.mark.parametrize("missing", [Corner.NEAR_LEFT, Corner.FAR_RIGHT])
def test_three_markers_and_the_lattice_do(monkeypatch, missing):
    seen = scene(monkeypatch, view=View(35, 160, SMALL), laying=Laying(0.8, left_out=(missing,)))
    three = marked_board(seen.bgr, ENGLISH.board)
    assert three is not None
    assert three.markers == 3
    assert off_by(three.pose, seen.truth, ENGLISH.board) < 0.3
    found = find_squares(seen.bgr, ENGLISH.board)
    assert found.turns is not None
    assert off_by(pose_of(found, ENGLISH.board, found.turns), seen.truth, ENGLISH.board) < 0.06


def test_three_markers_beside_an_empty_board_that_shows_nothing_are_not_enough(monkeypatch):
    bare = Placement(bytes(ENGLISH.board.size))
    seen = marked(monkeypatch, ENGLISH.board, bare, view=USUAL, laying=Laying(left_out=(Corner.FAR_LEFT,)), look=GREY)
    with pytest.raises(BoardNotFound):
        find_squares(np.asarray(cv2.GaussianBlur(seen.bgr, (0, 0), 1.2), np.uint8), ENGLISH.board)


@pytest.mark.parametrize("degrees", [90.0, 180.0])
def test_a_marker_laid_the_wrong_way_round_is_left_out(monkeypatch, degrees):
    seen = scene(monkeypatch, laying=Laying(0.6, turned={Corner.NEAR_LEFT: degrees}))
    assert len(seen_markers(seen.bgr)) >= 3
    found = marked_board(seen.bgr, ENGLISH.board)
    assert found is not None
    assert found.markers == 3
    assert off_by(found.pose, seen.truth, ENGLISH.board) < 0.3


def test_two_markers_swapped_say_nothing_and_the_squares_are_found_as_without(monkeypatch):
    swapped = {Corner.NEAR_LEFT: Corner.FAR_LEFT, Corner.FAR_LEFT: Corner.NEAR_LEFT}
    seen = scene(monkeypatch, laying=Laying(printed=swapped))
    assert len(seen_markers(seen.bgr)) == 4
    assert marked_board(seen.bgr, ENGLISH.board) is None
    assert find_squares(seen.bgr, ENGLISH.board).turns is None


def test_markers_laid_round_the_frame_do_not_beat_squares_that_are_seen(monkeypatch):
    off = {corner: tuple(0.9 * corner.outward) for corner in Corner}
    seen = scene(monkeypatch, laying=Laying(0.6, off=off))
    found = find_squares(seen.bgr, ENGLISH.board)
    away = np.linalg.norm(found.corners[:, None] - seen.truth.corners(ENGLISH.board)[None], axis=2).min(axis=1)
    assert away.max() < 0.1 * seen.truth.square_px(ENGLISH.board)


def test_without_markers_nothing_changes(monkeypatch):
    seen = scene(monkeypatch, laying=Laying(left_out=tuple(Corner)))
    assert seen_markers(seen.bgr) == {}
    found = find_squares(seen.bgr, ENGLISH.board)
    assert found.turns is None
    away = np.linalg.norm(found.corners[:, None] - seen.truth.corners(ENGLISH.board)[None], axis=2).min(axis=1)
    assert away.max() < 0.1 * seen.truth.square_px(ENGLISH.board)


def test_a_marker_seen_twice_is_not_believed(monkeypatch):
    seen = scene(monkeypatch, laying=Laying(printed={Corner.NEAR_LEFT: Corner.FAR_LEFT}))
    assert set(seen_markers(seen.bgr)) == {Corner.NEAR_RIGHT, Corner.FAR_RIGHT}


def test_a_honeycomb_is_moved_onto_its_lines_and_keeps_the_markers_sides(monkeypatch):
    seen = scene(monkeypatch, HONEYCOMB, View(30, 190, (1280, 720)), Laying(0.9))
    found = find_points(seen.bgr, HONEYCOMB.board)
    assert found.side_known
    assert off_by(found.pose, seen.truth, HONEYCOMB.board) < 0.1


@pytest.mark.parametrize("variant", [ENGLISH, TURKISH], ids=lambda variant: variant.name)
def test_calibration_takes_the_sides_from_the_markers(monkeypatch, variant):
    seen = scene(monkeypatch, variant, View(30, 120, SMALL))
    done = calibrate([Frame(seen.bgr, 0.0, 0)], variant, start_position(variant))
    assert off_by(done.pose, seen.truth, variant.board) < 0.1
    assert not done.white_is_dark


def test_markers_laid_for_the_other_side_give_way_to_the_start_position(monkeypatch):
    round_about = {corner: Corner((corner + 2) % 4) for corner in Corner}
    laying = Laying(printed=round_about, turned=dict.fromkeys(Corner, 180.0))
    seen = scene(monkeypatch, laying=laying)
    by_markers = marked_board(seen.bgr, ENGLISH.board)
    assert by_markers is not None
    assert off_by(by_markers.pose, seen.truth, ENGLISH.board) > 5
    done = calibrate([Frame(seen.bgr, 0.0, 0)], ENGLISH, start_position(ENGLISH))
    assert off_by(done.pose, seen.truth, ENGLISH.board) < 0.1


@pytest.mark.parametrize("variant", [ENGLISH, HONEYCOMB], ids=lambda v: v.name)
def test_markers_find_a_board_of_which_nobody_said_what_is_played(monkeypatch, variant):
    seen = scene(monkeypatch, variant, View(30, 70, (1280, 720)), Laying(0.9))
    board, found = find_unknown(seen.bgr)
    assert board == variant.board
    pose = pose_of(found, board, found.turns) if isinstance(found, FoundBoard) else found.pose
    assert off_by(pose, seen.truth, board) < 0.1
