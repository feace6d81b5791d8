"""Looks at a board of flat greys, with discs half a square in radius and a little noise; and beside another look."""

import numpy as np
from numpy.typing import NDArray

from rules.boards.squares import chequered
from rules.placement import Placement
from vision.change import Reference
from vision.compared import Compared, compared, small_patches
from vision.evidence import BoardEvidence
from vision.patches import BoardPatches
from vision.reader import light_of_board
from vision.rectify import SQUARES_WIDE

BOARD = chequered(8, 8)
GREY = {0: 90, 1: 210, 2: 30, 3: 210, 4: 30}


def look_at(placement: Placement, light: float = 1.0, seed: int = 0) -> BoardPatches:
    rng = np.random.default_rng(seed)
    hearts = np.array([GREY[p] for p in placement.pieces] + [160] * len(BOARD.idle_xy))
    around = np.array([GREY[0]] * BOARD.size + [160] * len(BOARD.idle_xy))
    within = np.hypot(*(np.indices((40, 40)) - 19.5)) < 0.5 / SQUARES_WIDE * 40
    levels = np.where(within, hearts[:, None, None], around[:, None, None])[..., None] * light
    pixels = np.clip(levels + rng.normal(0, 1.5, (len(hearts), 40, 40, 3)), 0, 255).astype(np.uint8)
    lean = np.zeros(len(pixels), np.float32)
    size = BOARD.size
    return BoardPatches(pixels[:size], pixels[size:], light_of_board(pixels), lean[:size], lean[size:])


def small_look(placement: Placement, seed: int = 0) -> NDArray[np.float32]:
    return small_patches(look_at(placement, seed=seed))


def beside_known(patches: BoardPatches, known: Reference) -> Compared:
    return compared(small_patches(patches), known.patches, BOARD)


def start_board() -> Placement:
    return Placement(bytes([2] * 12 + [0] * 8 + [1] * 12))


def hidden_at(point: int) -> BoardEvidence:
    """A look that shows nothing, and of one point not even that."""
    return BoardEvidence(np.full((BOARD.size, 5), np.log(0.2), np.float32), np.arange(BOARD.size) == point)


def king_by(lead: float, point: int) -> BoardEvidence:
    """A look that reads the light disc on a point as a king by so much, and all else as the start has it."""
    table = np.full((BOARD.size, 5), -8.0, np.float32)
    table[np.arange(BOARD.size), list(start_board().pieces)] = 0.0
    table[point, [1, 3]] = [-lead, 0.0]
    return BoardEvidence(table, np.zeros(BOARD.size, bool))
