"""Finding boards by their drawn lines: full boards without colouring, octagons, alquerque, serpents, honeycombs."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.drawings import Drawing, drawings_of, plausible, score_of, steps_of
from calibration.errors import BoardNotFound
from calibration.lined_guesses import guesses
from rules.board import Board, BoardKind
from vision.line_fit import LineMap, line_map, refined
from vision.pose import BoardPose

MIN_CONFIDENCE = 0.7
SURE = 0.97
ENOUGH = 0.8
"""Confidence at which edges between colours need not be looked at too."""
MOST_CLIMBS = 5
WORTH_CLIMBING = 0.35
MOST_MOVED = 0.6
"""How far a given pose may be moved, in squares."""


@dataclass(frozen=True, slots=True, eq=False)
class LinedBoard:
    """A board found by its lines: `pose`, `confidence` from 0 to 1, how it is drawn, if White's side is known."""

    pose: BoardPose
    confidence: float
    drawing: str
    side_known: bool = False


def find_lined(bgr: NDArray[np.uint8], board: Board, *, thorough: bool = True) -> LinedBoard:
    """The board in a picture (h, w, 3) uint8 BGR, by its lines; if `thorough`, edges between colours count too.

    Raises BoardNotFound.
    """
    size = (bgr.shape[1], bgr.shape[0])
    best: LinedBoard | None = None
    for edges_too in (False, True) if thorough else (False,):
        lines = line_map(bgr, edges_too=edges_too)
        for guess in guesses(lines, board, size):
            candidate = _judged(lines, guess, board)
            if candidate is not None and (best is None or candidate.confidence > best.confidence):
                best = candidate
            if best is not None and best.confidence > SURE:
                return best
        if best is not None and best.confidence > ENOUGH:
            break
    if best is None or best.confidence < MIN_CONFIDENCE:
        share = 0.0 if best is None else best.confidence
        raise BoardNotFound(
            f"saw lines that fit the board {board.name} by {share:.0%}; expected at least {MIN_CONFIDENCE:.0%}; "
            "check that the whole board is in view, lit and sharp, or give its corners"
        )
    return best


def onto_lines(bgr: NDArray[np.uint8], pose: BoardPose, board: Board) -> BoardPose:
    """A roughly known pose moved onto the board's lines where that makes them fit better and moves it little."""
    return fitted_to_lines(bgr, pose, board)[0]


def fitted_to_lines(bgr: NDArray[np.uint8], pose: BoardPose, board: Board) -> tuple[BoardPose, float]:
    """What `onto_lines` makes of a pose, and how well the lines then fit, from 0 to 1."""
    lines = line_map(bgr)
    drawing = drawings_of(board)[0]
    closer = refined(lines, pose, drawing.segments)
    moved = np.linalg.norm(closer.corners(board) - pose.corners(board), axis=1).max()
    before, after = score_of(lines, pose, drawing), score_of(lines, closer, drawing)
    if after > max(MIN_CONFIDENCE, before) and moved < MOST_MOVED * pose.square_px(board):
        return closer, after
    return pose, before


def _judged(lines: LineMap, guess: BoardPose, board: Board) -> LinedBoard | None:
    """The guess moved onto the lines, and how well it then fits."""
    best: LinedBoard | None = None
    for drawing in drawings_of(board):
        pose = refined(lines, guess, drawing.segments)
        if not plausible(pose, board):
            continue
        score, pose = _climbed(lines, pose, drawing, board)
        if best is None or score > best.confidence:
            best = LinedBoard(pose, score, drawing.name)
    return best


def _climbed(lines: LineMap, pose: BoardPose, drawing: Drawing, board: Board) -> tuple[float, BoardPose]:
    """The pose moved by whole squares, as long as that makes it fit better, and its score."""
    score = score_of(lines, pose, drawing)
    for _ in range(MOST_CLIMBS if score > WORTH_CLIMBING else 0):
        tried = [(score_of(lines, moved, drawing), moved) for moved in _beside(pose, board)]
        best = max(tried, key=lambda one: one[0]) if tried else None
        if best is None or best[0] <= score:
            break
        pose = refined(lines, best[1], drawing.segments)
        score = score_of(lines, pose, drawing)
    return score, pose


def _beside(pose: BoardPose, board: Board) -> list[BoardPose]:
    """The poses a square further in each direction, those that stay in the picture."""
    steps = steps_of(board) if board.kind is BoardKind.HEXAGON else [(dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1)]
    moved = []
    for dx, dy in steps:
        by = np.array([[1, 0, dx], [0, 1, dy], [0, 0, 1.0]])
        there = BoardPose(pose.image_from_board @ by, pose.error_px, pose.lens, pose.image_size)
        if (dx or dy) and plausible(there, board):
            moved.append(there)
    return moved
