"""Where a lined board may lie: its cells laid on cells seen in rows, its outline on straight lines."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

from calibration.drawings import GOOD_SCORE
from calibration.drawn_lines import DrawnLines, has_cells, has_outline
from calibration.homographies import homographies
from calibration.laid_cells import laid_best
from rules.board import Board, BoardKind
from vision.line_fit import BESIDE, LineMap
from vision.lines import lines_of
from vision.pose import BoardPose

MARGINS = (0.0, 0.15, 0.3, 0.45, 0.6, 0.8, 1.0)
"""Distances between a board's outermost lines and its edge that are tried, in units."""
TRIED_QUADS, TRIED_CELLS = 40, 8
LEAST_LAID = 0.25
"""Score of a third of the lines of cells laid somewhere below which they are not looked at closely."""
LEAST_BESIDE_BEST = 0.5
"""Score of cells laid somewhere, as a share of the best, below which they are not looked at closely."""
ALIKE = 0.3
"""Distance of corners in squares below which two guesses are one: both would be moved to the same lines."""
GLANCE = 14
"""Points on the board's lines at which every outline is looked at first."""
AFTER_GLANCE = 250
"""Outlines that are looked at more closely."""


@dataclass(frozen=True, slots=True, eq=False)
class Guess:
    """A pose to be moved onto the lines and judged; `seen` is how much stronger lines are on the board's than beside
    them, as far as a glance tells."""

    seen: float
    pose: BoardPose


def guesses(drawn: DrawnLines, board: Board) -> Iterator[Guess]:
    """Where the board may lie, likeliest first of each sort."""
    yield from laid_guesses(drawn, board)
    yield from outlined_guesses(drawn, board)


def laid_guesses(drawn: DrawnLines, board: Board) -> Iterator[Guess]:
    """Those for which its cells lie on cells that are seen, likeliest first."""
    laid = [one for rows in drawn.cells if has_cells(board) for one in laid_best(drawn.lines, rows, board)]
    laid.sort(key=lambda one: -one[0])
    worth = [one for one in laid[:TRIED_CELLS] if one[0] >= max(LEAST_LAID, LEAST_BESIDE_BEST * laid[0][0])]
    yield from (Guess(score * GOOD_SCORE, pose) for score, pose in worth)


def outlined_guesses(drawn: DrawnLines, board: Board) -> Iterator[Guess]:
    """Those for which straight lines bound it."""
    if has_outline(board):
        yield from _from_quads(drawn, board)


def _from_quads(drawn: DrawnLines, board: Board) -> Iterator[Guess]:
    """Guesses for which four straight lines are the board's outermost lines or its edges, no two nearly alike."""
    if not len(drawn.outlines):
        return
    ranked: list[tuple[float, NDArray[np.float64]]] = []
    for turn in (0,) if board.width == board.height else (0, 1):  # square boards' rectangles hold their own turns
        shapes = np.roll(drawn.outlines, turn, axis=1)
        for rectangle in _rectangles(board):
            ranked.extend(_likeliest(drawn.lines, board, rectangle, shapes))
    ranked.sort(key=lambda one: -one[0])
    tried: list[NDArray[np.float64]] = []
    for seen, matrix in ranked:
        if len(tried) == TRIED_QUADS:
            return
        if not np.isfinite(matrix).all() or abs(np.linalg.det(matrix)) < 1e-9:
            continue
        pose = BoardPose(matrix, 0.0, None, drawn.size)
        corners, near = pose.corners(board), ALIKE * pose.square_px(board)
        if all(float(np.linalg.norm(corners - other, axis=1).max()) > near for other in tried):
            tried.append(corners)
            yield Guess(seen, pose)


def _likeliest(
    lines: LineMap, board: Board, rectangle: NDArray[np.float64], shapes: NDArray[np.float64]
) -> list[tuple[float, NDArray[np.float64]]]:
    """The homographies of a few of the shapes (m, 4, 2) with how well the board's lines are seen, first by a glance."""
    on, off = _sparse(board)
    matrices = homographies(rectangle, shapes)
    if len(matrices) > AFTER_GLANCE:
        few = len(on) // GLANCE
        glance = _seen(lines, matrices, on[::few]) - _seen(lines, matrices, off[:: 2 * few])
        matrices = matrices[np.argpartition(-glance, AFTER_GLANCE)[:AFTER_GLANCE]]
    seen = _seen(lines, matrices, on) - _seen(lines, matrices, off)
    return [(float(seen[k]), matrices[k]) for k in np.argsort(-seen)[:4]]


def _rectangles(board: Board) -> list[NDArray[np.float64]]:
    """Corners (4, 2) on the plane of the rectangles whose sides may be straight lines in the picture."""
    pairs = [(margin, margin) for margin in MARGINS]
    if board.kind is BoardKind.SERPENTS:
        pairs = [(x, y) for x in (0.0, 0.2, 0.4, 0.6, 0.8, 1.0, 1.2) for y in (0.0, 0.3, 0.5, 0.7, 0.9)]
    found = []
    for x, y in pairs:
        wide, tall = board.width + x, board.height + y
        found.append(np.array([(-x, tall), (wide, tall), (wide, -y), (-x, -y)]))
    if board.kind is BoardKind.ALQUERQUE:
        spans = [(low, high) for low in range(3) for high in range(low + 2, 5)]
        for (x0, x1), (y0, y1) in product(spans, spans):  # any of its lines may be hidden by discs
            found.append(np.array([(x0, y1), (x1, y1), (x1, y0), (x0, y0)], np.float64))
    return found


def _sparse(board: Board) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """A few dozen points (m, 2) on the board's lines, and points beside them."""
    segments = lines_of(board)
    few = segments[:: max(1, len(segments) // 40)]
    along = few[:, 1] - few[:, 0]
    normal = np.stack([-along[:, 1], along[:, 0]], axis=1) / np.linalg.norm(along, axis=1, keepdims=True)
    middles = few.mean(axis=1)
    return middles, np.concatenate([middles + BESIDE * normal, middles - BESIDE * normal])


def _seen(lines: LineMap, matrices: NDArray[np.float64], points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Mean strength (m,) of the picture's lines at the points under each homography."""
    homogeneous = np.concatenate([points, np.ones((len(points), 1))], axis=1).T.astype(np.float32)
    x, y, depth = (matrices[:, k].astype(np.float32) @ homogeneous for k in range(3))
    scale = lines.factor / np.where(np.abs(depth) < 1e-9, np.float32(1e-9), depth)
    height, width = lines.strength.shape
    column, row = np.rint(x * scale), np.rint(y * scale)
    inside = (column >= 0) & (row >= 0) & (column < width) & (row < height)
    at = np.where(inside, row * width + column, 0).astype(np.intp)  # whole below 2 ** 24: exact
    return np.asarray((lines.strength.reshape(-1)[at] * inside).mean(axis=1), np.float64)
