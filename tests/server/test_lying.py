"""Who has the light discs: the simulated table and the calibration follow the terms of the game."""

from dataclasses import replace

import numpy as np
import pytest

from calibration.calibrate import Calibration
from calibration.quality import Quality
from rules.fen import parse_fen
from rules.piece import Piece, Side
from rules.variant import start_position
from rules.variants.catalogue import variant_named
from server.runtime.lying import lying_for, lying_like
from server.runtime.wishing import wish_for
from server.session.state import terms_for
from vision.pose import pose_from_corners

ENGLISH = variant_named("english")
CORNERS = ((100, 80), (520, 90), (560, 430), (60, 420))


def calibrated(white_is_dark: bool) -> Calibration:
    pose = pose_from_corners(np.asarray(CORNERS, float), ENGLISH.board, (640, 480))
    return Calibration(pose, None, "english", False, white_is_dark, Quality(0.5, 50.0, 20.0, 0.0, 0.3, 60.0, ()))


@pytest.mark.parametrize("name", ["english", "international", "turkish", "honeycomb"])
def test_the_light_discs_begin_on_the_table_if_the_terms_say_so(name):
    variant = variant_named(name)
    wished = wish_for(terms_for(variant, None, True), 1)
    assert wished.position.placement == variant.start
    assert wished.position.to_move is Side.WHITE
    assert wished.first is Side.WHITE


def test_a_position_whose_white_is_dark_lies_on_the_table_seen_from_the_other_side():
    position = parse_fen(ENGLISH, "W:WK32:B5")
    wished = wish_for(terms_for(ENGLISH, position, True), 1)
    names = {ENGLISH.board.names[p]: Piece(v) for p, v in enumerate(wished.position.placement.pieces) if v}
    corner, edge = (ENGLISH.board.names[ENGLISH.board.half_turn[p]] for p in (31, 4))
    assert names == {corner: Piece.BLACK_KING, edge: Piece.WHITE_MAN}
    assert wished.position.to_move is Side.BLACK


def test_a_calibration_is_turned_round_when_the_shades_have_changed_sides():
    known = calibrated(white_is_dark=False)
    terms = terms_for(ENGLISH, start_position(ENGLISH), True)
    turned = lying_for(known, terms)
    board = ENGLISH.board
    assert turned.white_is_dark
    assert np.allclose(turned.pose.corners(board), np.roll(known.pose.corners(board), 2, axis=0))
    assert lying_for(turned, terms) is turned
    back = lying_for(turned, replace(terms, light=Side.WHITE))
    assert np.allclose(back.pose.corners(board), known.pose.corners(board))


@pytest.mark.parametrize("turns", range(4))
@pytest.mark.parametrize("mirrored", [False, True])
def test_a_board_found_again_turned_or_reflected_lies_as_it_lay(turns, mirrored):
    known, board = calibrated(white_is_dark=False), ENGLISH.board
    pose = known.pose.turned(turns, board)
    if mirrored:
        reflect = np.array([[-1.0, 0, board.width], [0, 1, 0], [0, 0, 1]])
        pose = replace(pose, image_from_board=pose.image_from_board @ reflect)
    again = lying_like(replace(known, pose=pose, mirrored=mirrored), known, board)
    assert np.allclose(again.pose.corners(board), known.pose.corners(board))
    assert not again.mirrored


def test_a_board_that_was_pushed_is_followed_with_white_where_white_sat():
    known, board = calibrated(white_is_dark=False), ENGLISH.board
    pushed = pose_from_corners(np.asarray(CORNERS, float) + np.array((25, -12)), board, (640, 480))
    again = lying_like(replace(known, pose=pushed.turned(1, board)), known, board)
    assert np.allclose(again.pose.corners(board), pushed.corners(board))
