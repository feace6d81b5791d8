"""A single picture is read in several framings, whose readings are put together.

In a game many looks at one board agree or do not. Where there is one picture only, the same squares are framed anew,
wider and narrower, sampled higher and lower and mirrored: what was seen by accident is seldom seen twice.
"""

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from rules.board import Board
from vision.crown_reader import CROWN_SIZE, beside, crown_planes, installed_crown_reader
from vision.evidence import BoardEvidence, evidence_from
from vision.kings import NONE_YET, light_sided, maybe_discs, no_disc_has_left, weighed
from vision.patches import BoardPatches, board_patches
from vision.pose import BoardPose
from vision.reader import installed_reader, log_softmax
from vision.rectify import SQUARES_WIDE, TOP_HEIGHT, square_patches, standing_patches


@dataclass(frozen=True, slots=True)
class Framing:
    """How much `wider` than usual patches are, at which `height` (squares) they are sampled, and whether `mirrored`."""

    wider: float
    height: float
    mirrored: bool

    def turned(self, patches: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """Patches (n, p, p, 3) as this framing shows them."""
        return np.ascontiguousarray(patches[:, :, ::-1]) if self.mirrored else patches


OF_SQUARES = (
    Framing(1.0, TOP_HEIGHT, False),
    Framing(1.0, TOP_HEIGHT, True),
    Framing(1.05, 0.2, False),
    Framing(0.96, 0.1, True),
)
OF_DISCS = (
    Framing(1.0, TOP_HEIGHT, False),
    Framing(1.0, TOP_HEIGHT, True),
    Framing(1.0, 0.05, False),
    Framing(1.15, TOP_HEIGHT, False),
)


def evidence_of_picture(bgr: NDArray[np.uint8], pose: BoardPose, board: Board) -> BoardEvidence:
    """What each square shows in one picture (h, w, 3) BGR of a board of which nothing is known yet."""
    patches = board_patches(bgr, pose, board)
    scores = _read(bgr, pose, board, patches)
    if no_disc_has_left(scores, board):
        kings = np.full(len(scores), NONE_YET, np.float32)
    else:
        kings = _kings(bgr, pose, board, patches, scores)
    return evidence_from(scores, kings, patches, board, None)


def _read(bgr: NDArray[np.uint8], pose: BoardPose, board: Board, patches: BoardPatches) -> NDArray[np.float32]:
    """Log-probabilities (n, 6) in the order of the reader's classes."""

    @cache
    def sampled(wider: float, height: float) -> NDArray[np.uint8]:
        return square_patches(bgr, pose, board.xy, squares_wide=SQUARES_WIDE * wider, height=height)

    reader, framed = installed_reader(), [one.turned(sampled(one.wider, one.height)) for one in OF_SQUARES]
    return log_softmax(np.mean([reader.read(each, patches.light, patches.lean) for each in framed], axis=0))


def _kings(
    bgr: NDArray[np.uint8], pose: BoardPose, board: Board, patches: BoardPatches, scores: NDArray[np.float32]
) -> NDArray[np.float32]:
    """Log-odds (n,) of king over man."""
    points = maybe_discs(scores)
    places, told = np.array(board.xy)[points], beside(patches.lean[points], light_sided(scores[points]))

    @cache
    def sampled(wider: float, height: float) -> NDArray[np.uint8]:
        return standing_patches(bgr, pose, places, CROWN_SIZE, wider, height)

    reader, framed = installed_crown_reader(), [one.turned(sampled(one.wider, one.height)) for one in OF_DISCS]
    odds = [reader.odds_of(reader.features_of(crown_planes(each, patches.light)), told) for each in framed]
    return weighed(scores, points, np.asarray(np.mean(odds, axis=0), np.float32))
