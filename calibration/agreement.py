"""Chequers that leave doubt: the picture's lines and edges decide between the boards they may show."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from calibration.drawings import drawings_of, lacks_a_row, plausible, score_of, sparse_drawings
from calibration.found import FoundBoard, found_by_lines
from calibration.orientation import pose_of
from rules.boards.squares import chequered
from vision.line_fit import LineMap, line_map, refined

LEAST_LINES = 0.35
"""How well the edges of the squares, and the end of them at the board's edge, must be seen at least."""
MOST_MOVED = 4
"""Boards that are looked at closely."""
AGREED = 1.0
"""What that and the confidence of the chequers must come to together."""
WELL_SEEN, MUCH_LESS = 0.7, 0.3
"""Confidence of the best chequers at which boards with so much less of it are left out: a frame's lines fit them."""
WELL_ENOUGH = 0.4
"""Confidence of chequers from which no line of edges need be seen in each of the board's rows."""
CLEARLY_CLOSER = 0.05
"""By how much better the edges must be seen for a board to be moved onto them."""


def agreed(bgr: NDArray[np.uint8], boards: Sequence[FoundBoard]) -> FoundBoard | None:
    """The one of some boards seen by their chequers whose squares' edges are seen best, too; None if of none enough.

    `bgr` (h, w, 3) uint8.
    """
    if not boards:
        return None
    best = max(seen.confidence for seen in boards)
    if best >= WELL_SEEN:
        boards = [seen for seen in boards if seen.confidence >= best - MUCH_LESS]
    lines = line_map(bgr, edges_too=True)
    glanced = [(seen.confidence + _edges_seen(lines, seen), seen) for seen in boards]
    glanced.sort(key=lambda one: -one[0])
    likely = [one for _, seen in glanced[:MOST_MOVED] if (one := _agreeing(lines, seen)) is not None]
    return max(likely, key=lambda one: one.confidence, default=None)


def _edges_seen(lines: LineMap, seen: FoundBoard) -> float:
    """How well the edges of the squares, thinned out, are seen where the chequers have them."""
    board = chequered(seen.columns, seen.rows)
    return min(score_of(lines, pose_of(seen, board), sparse_drawings(board)[0]), 1.0)


def _agreeing(lines: LineMap, seen: FoundBoard) -> FoundBoard | None:
    """The board, moved onto its edges if that shows them better, with the mean of both confidences."""
    board = chequered(seen.columns, seen.rows)
    squares, *octagons = drawings_of(board)
    pose = pose_of(seen, board)
    closer = refined(lines, pose, squares.segments)
    before, after = score_of(lines, pose, squares), score_of(lines, closer, squares)
    moves = after > before + CLEARLY_CLOSER and plausible(closer, board)
    pose, score = (closer, after) if moves else (pose, before)
    if any(score_of(lines, pose, drawing) > score for drawing in octagons):
        return None
    if seen.confidence < WELL_ENOUGH and lacks_a_row(lines, pose, squares, board):
        return None
    if score < LEAST_LINES or seen.confidence + min(score, 1.0) < AGREED:
        return None
    return found_by_lines(pose, board, (seen.confidence + min(score, 1.0)) / 2, squares.name)
