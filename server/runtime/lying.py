"""A calibration as the sides of a game have it: White sits where the discs of the shade that White plays stand."""

from dataclasses import replace

import numpy as np

from calibration.calibrate import Calibration
from rules.board import Board, BoardKind
from rules.piece import Side
from server.session.state import Terms


def lying_for(known: Calibration, terms: Terms) -> Calibration:
    """The same board, seen from its other side if the shades of the discs have changed sides since."""
    dark = terms.light is not Side.WHITE
    if known.white_is_dark == dark:
        return known
    return replace(known, pose=known.pose.turned(2, terms.variant.board), white_is_dark=dark)


def lying_like(new: Calibration, old: Calibration, board: Board) -> Calibration:
    """A board found again, lying as it lay: its corners nearest to where they were, White where White sat.

    Which way a board lies, and which of its squares are played on, is told by its discs, and few discs tell little; but
    nobody turns it round in the middle of a game.
    """
    pose = new.pose
    if new.mirrored != old.mirrored:
        reflect = np.array([[-1.0, 0.0, board.width], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
        pose = replace(pose, image_from_board=pose.image_from_board @ reflect)
    square = board.width == board.height and board.kind is not BoardKind.HEXAGON
    was = old.pose.corners(board)
    lying = (pose.turned(turn, board) for turn in (range(4) if square else (0, 2)))
    nearest = min(lying, key=lambda one: float(np.abs(one.corners(board) - was).sum()))
    return replace(new, pose=nearest, mirrored=old.mirrored, white_is_dark=old.white_is_dark)
