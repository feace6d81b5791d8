"""A calibration as the sides of a game have it: White sits where the discs of the shade that White plays stand."""

from dataclasses import replace

from calibration.calibrate import Calibration
from rules.piece import Side
from server.session.state import Terms


def lying_for(known: Calibration, terms: Terms) -> Calibration:
    """The same board, seen from its other side if the shades of the discs have changed sides since."""
    dark = terms.light is not Side.WHITE
    if known.white_is_dark == dark:
        return known
    return replace(known, pose=known.pose.turned(2, terms.variant.board), white_is_dark=dark)
