"""What is seen, drawn on the camera picture for whoever looks on, without reading the picture again."""

import numpy as np
from numpy.typing import NDArray

from calibration.calibrate import Calibration
from rules.variants.catalogue import variant_named
from vision.evidence import BoardEvidence, swapped
from vision.overlay import overlay


def drawn_on(bgr: NDArray[np.uint8], calibration: Calibration | None, look: BoardEvidence | None) -> NDArray[np.uint8]:
    """The picture (h, w, 3) uint8 BGR with the board's grid and the newest look, if there is one.

    The look is by the sides of the record; its discs are marked in their own shade. Called by web threads: squares
    are read by the game loop alone, whose networks serve one thread.
    """
    if calibration is None:
        return bgr
    board = variant_named(calibration.variant).board
    if look is None or len(look.hidden) != board.size:  # another game may have begun meanwhile
        return overlay(bgr, calibration.pose, board)
    return overlay(bgr, calibration.pose, board, swapped(look) if calibration.white_is_dark else look)
