"""A plain board drawn in perspective for the tests of the vision."""

from collections.abc import Mapping

import cv2
import numpy as np
from numpy.typing import NDArray

from rules.board import Board
from rules.boards.squares import chequered
from vision.pose import BoardPose, pose_from_corners

BOARD: Board = chequered(8, 8)
SIZE = (640, 480)
CORNERS = ((150.0, 60.0), (490.0, 60.0), (560.0, 420.0), (80.0, 420.0))
COLOURS = {1: (205, 230, 240), 2: (35, 30, 60)}
RING = np.stack([np.cos(np.linspace(0, 2 * np.pi, 40)), np.sin(np.linspace(0, 2 * np.pi, 40))], axis=1)


def pose_of(shift: tuple[float, float] = (0.0, 0.0)) -> BoardPose:
    return pose_from_corners(np.array(CORNERS) + shift, BOARD, SIZE)


def drawn(
    pieces: Mapping[int, int], pose: BoardPose | None = None, gain: float = 1.0, seed: int = 0
) -> NDArray[np.uint8]:
    """The board with discs (1 light, 2 dark) on some points, a little noise and any brightness."""
    seen = pose or pose_of()
    picture = np.full((SIZE[1], SIZE[0], 3), (90, 110, 120), np.uint8)
    for centres, colour in ((BOARD.idle_xy, (170, 205, 225)), (BOARD.xy, (60, 95, 70))):
        for x, y in centres:
            square = [(x - 0.5, y - 0.5), (x + 0.5, y - 0.5), (x + 0.5, y + 0.5), (x - 0.5, y + 0.5)]
            _fill(picture, seen.project(square), colour)
    for point, piece in sorted(pieces.items()):
        foot, top = (seen.project(np.array(BOARD.xy[point]) + 0.38 * RING, height) for height in (0.0, 0.15))
        wall = tuple(int(0.7 * v) for v in COLOURS[piece])
        _fill(picture, cv2.convexHull(np.vstack([foot, top]).astype(np.float32)).reshape(-1, 2), wall)
        _fill(picture, top, COLOURS[piece])
    noise = np.random.default_rng(seed).normal(0, 2, picture.shape)
    return np.clip(picture * gain + noise, 0, 255).astype(np.uint8)


def with_arm(picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The same with an arm reaching in from the right as far as the middle."""
    reached = picture.copy()
    cv2.line(reached, (639, 330), (330, 240), (120, 150, 205), 60, cv2.LINE_AA)
    return reached


def start() -> dict[int, int]:
    return dict.fromkeys(range(12), 2) | dict.fromkeys(range(20, 32), 1)


def _fill(picture: NDArray[np.uint8], outline: NDArray[np.float64], colour: tuple[int, ...]) -> None:
    cv2.fillPoly(picture, [np.rint(np.asarray(outline) * 8).astype(np.int32)], colour, cv2.LINE_AA, 3)
