"""Boards at their corner markers, moved onto their true grid or lines where these are seen near."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from calibration.corners import from_corners
from calibration.errors import CornersUnusable
from calibration.find_lined import MIN_CONFIDENCE, LinedBoard, fitted_to_lines
from calibration.found import FoundBoard, found_by_lines
from calibration.markers import MarkedBoard
from calibration.orientation import pose_of
from rules.board import Board, BoardKind
from vision.pose import BoardPose

CONFIRMED = 0.5
"""Share of inner crossings seen where markers have them, from which the picture confirms the markers."""
UNMOVED_PX = 0.01
"""Corners that moved no further were not moved onto crossings."""
SURE_BY_MARKERS = 0.95
SAME_BOARD = 0.5
"""How far corners may lie apart, in squares, to be those of one board."""


def squares_at(bgr: NDArray[np.uint8], marked: MarkedBoard, board: Board) -> tuple[FoundBoard, bool]:
    """The board of squares between the markers, and whether its own grid confirms it."""
    if board.kind is BoardKind.FULL:
        lined, confirmed = lines_at(bgr, marked, board)
        seen = found_by_lines(lined.pose, board, lined.confidence, lined.drawing)
        return turned_as(seen, marked.pose, board), confirmed
    corners = marked.pose.corners(board)
    try:
        seen = from_corners(bgr, corners, board.rows, board.columns)
    except CornersUnusable:
        seen = found_by_lines(marked.pose, board, 0.0, "squares")
    moved = np.linalg.norm(seen.corners[:, None] - corners[None], axis=2).min(axis=1).max()
    confirmed = bool(seen.confidence >= CONFIRMED and moved > UNMOVED_PX)
    return turned_as(replace(seen, confidence=SURE_BY_MARKERS), marked.pose, board), confirmed


def lines_at(bgr: NDArray[np.uint8], marked: MarkedBoard, board: Board) -> tuple[LinedBoard, bool]:
    """The lined board between the markers, and whether its lines confirm it."""
    pose, share = fitted_to_lines(bgr, marked.pose, board)
    drawing = "squares" if board.rows else "lines"
    return LinedBoard(pose, SURE_BY_MARKERS, drawing, side_known=True), share >= MIN_CONFIDENCE


def turned_as(seen: FoundBoard, pose: BoardPose, board: Board) -> FoundBoard:
    """A board found anyhow, with the side of the light discs' player as the markers have it.

    Unchanged if its corners are not those of the markers' board.
    """
    true = pose.corners(board)
    turns = (0, 1, 2, 3) if board.width == board.height else (0, 2)
    away = [np.linalg.norm(pose_of(seen, board, turn).corners(board) - true, axis=1).max() for turn in turns]
    best = int(np.argmin(away))
    return replace(seen, turns=turns[best]) if away[best] < SAME_BOARD * pose.square_px(board) else seen
