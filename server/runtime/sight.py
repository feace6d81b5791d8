"""What is seen, drawn on the camera picture for whoever looks on, without reading the picture again."""

import numpy as np
from numpy.typing import NDArray

from calibration.calibrate import Calibration
from rules.variants.catalogue import variant_named
from vision.evidence import BoardEvidence
from vision.overlay import overlay


def drawn_on(bgr: NDArray[np.uint8], calibration: Calibration | None, look: BoardEvidence | None) -> NDArray[np.uint8]:
    """The picture (h, w, 3) uint8 BGR with the board's grid and the squares of the newest look, if there is one.

    Called by web threads: squares are read by the game loop alone, whose networks serve one thread.
    """
    if calibration is None:
        return bgr
    board = variant_named(calibration.variant).board
    fits = look is not None and len(look.hidden) == board.size  # another game may have begun meanwhile
    return overlay(bgr, calibration.pose, board, look if fits else None)
