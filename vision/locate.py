"""Is the board still where it was, and if it was nudged, where is it now: from its crossings or its lines."""

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from rules.board import Board, BoardKind
from vision.line_fit import line_map, refined, segment_scores
from vision.lines import lines_of
from vision.pose import BoardPose

WINDOW = 0.22
"""Half width of the window in which a crossing is looked for, in squares; discs stay mostly outside of it."""
SEARCH = 0.45
"""How far a nudged board is searched, in squares: beyond half a square one crossing is like the next."""
SEARCH_STEPS = 9
_BLURRED = 0.3
"""How far away, in squares, a pixel may count for the strength of a saddle."""
FEWEST_CROSSINGS = 8
LEAST_SHARE = 0.35
"""Share of the crossings in view that must agree on the new place."""
TOLERANCE = 0.05
"""How far from its place a crossing may be found, in squares, and still agree."""
UNTOUCHED_PX = 1.5
LINE_STEP = 0.15
"""Distance between the places tried for a nudged board's lines, in squares."""
LEAST_LINE_SCORE = 0.25
"""Mean score of a board's lines below which they are not believed to be there: half of a clear drawing's."""

CLEARER_LINES = 1.2
"""How many times as clear as where they were a board's lines must be where it was moved to; an arm hides some of them.

Off their place by more than their width nothing of the lines is left; what is hidden is hidden in both places.
"""
LINE_WIDTH = 0.06
"""In squares: lines that are off by less show where they were as well."""


@dataclass(frozen=True, slots=True, eq=False)
class Crossings:
    """Crossings found in a picture: plane points (m, 2) and the pixels (m, 2) where they are now."""

    plane: NDArray[np.float64]
    pixels: NDArray[np.float64]


def relocate(bgr: NDArray[np.uint8], pose: BoardPose, board: Board) -> BoardPose | None:
    """The pose refitted to this picture, or None if too few crossings agree (a hand, another place, no crossings).

    Finds nudges of up to nearly half a square and small turns; for more, the board must be found afresh.
    """
    if board.kind is not BoardKind.CHEQUERED:
        return _along_lines(bgr, pose, board)
    grey = np.asarray(cv2.cvtColor(bgr, cv2.COLOR_BGR2GRAY), np.uint8)
    unit = pose.square_px(board)
    best: tuple[int, BoardPose] | None = None
    for start in _starts(grey, pose, board, unit):
        fitted = _fitted(grey, start, board, unit)
        if fitted is not None and (best is None or fitted[0] > best[0]):
            best = fitted
    return None if best is None else best[1]


def _along_lines(bgr: NDArray[np.uint8], pose: BoardPose, board: Board) -> BoardPose | None:
    """The pose of a board without chequers moved onto its drawn lines, or None if too few are seen there."""
    lines, segments = line_map(bgr), lines_of(board)
    steps = np.array((0.0, -1.0, 1.0, -2.0, 2.0)) * LINE_STEP * pose.square_px(board)
    starts = [_shifted(pose, np.array([x, y])) for x in steps for y in steps]
    scores = [float(segment_scores(lines, start, segments).mean()) for start in starts]
    moved = refined(lines, starts[int(np.argmax(scores))], segments)
    seen, before = (float(segment_scores(lines, each, segments).mean()) for each in (moved, pose))
    if seen < LEAST_LINE_SCORE:
        return None
    away = np.linalg.norm(moved.corners(board) - pose.corners(board), axis=1) / pose.square_px(board)
    if float(away.max()) >= 0.6:
        return None
    return moved if float(away.max()) < LINE_WIDTH or seen > CLEARER_LINES * before else pose


def shift_detected(bgr: NDArray[np.uint8], pose: BoardPose, board: Board) -> float | None:
    """How many pixels the board's corners have moved at most, 0 if not noticeably; None if that cannot be told."""
    found = relocate(bgr, pose, board)
    if found is None:
        return None
    moved = float(np.max(np.linalg.norm(found.corners(board) - pose.corners(board), axis=1)))
    return moved if moved > max(UNTOUCHED_PX, 3 * pose.error_px) else 0.0


def moved_squares(new: BoardPose, old: BoardPose, board: Board) -> float:
    """How far the board moved, in squares: what three of its corners did at least.

    Wherever a board is pushed or turned to, three corners move; one or two alone were guessed behind a hand.
    """
    away = np.linalg.norm(new.corners(board) - old.corners(board), axis=1)
    return float(np.sort(away)[-3]) / old.square_px(board)


def crossings_of(board: Board) -> NDArray[np.float64]:
    """Plane points (m, 2) where four squares meet."""
    return np.array([(x, y) for y in range(1, board.rows) for x in range(1, board.columns)], np.float64)


def saddle_strength(grey: NDArray[np.uint8], unit: float) -> NDArray[np.float32]:
    """How much each pixel is like a crossing of light and dark squares: (h, w) float32, zero elsewhere."""
    smooth = cv2.GaussianBlur(np.log(grey.astype(np.float32) + 10.0), (0, 0), max(1.0, 0.06 * unit))
    xx = cv2.Sobel(smooth, cv2.CV_32F, 2, 0)
    yy = cv2.Sobel(smooth, cv2.CV_32F, 0, 2)
    xy = cv2.Sobel(smooth, cv2.CV_32F, 1, 1)
    return np.asarray(np.sqrt(np.maximum(0.0, xy * xy - xx * yy)), np.float32)


def _starts(grey: NDArray[np.uint8], pose: BoardPose, board: Board, unit: float) -> list[BoardPose]:
    """Where to begin: where the board was, and where shifting it puts the crossings on the strongest saddles."""
    expected = pose.project(crossings_of(board))
    part, corner = _around(grey, expected, (SEARCH + _BLURRED) * unit + 3)
    strength = saddle_strength(part, unit)
    steps = np.linspace(-SEARCH, SEARCH, SEARCH_STEPS * 2 + 1) * unit
    shifts = np.stack(np.meshgrid(steps, steps), axis=-1).reshape(-1, 2)
    places = (expected[None] + shifts[:, None] - corner).astype(np.float32)
    values = cv2.remap(strength, places[..., 0], places[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT)
    bounded = np.minimum(values, np.percentile(values, 95))
    return [pose, _shifted(pose, shifts[int(bounded.mean(axis=1).argmax())])]


def _around(
    grey: NDArray[np.uint8], places: NDArray[np.float64], reach: float
) -> tuple[NDArray[np.uint8], NDArray[np.float64]]:
    """The part of a picture (h, w) within `reach` pixels of some places (m, 2), and the pixel (2,) where it begins."""
    size = np.array(grey.shape[::-1])
    left, top = np.clip(np.floor(places.min(axis=0) - reach), 0, size - 1).astype(int)
    right, bottom = np.clip(np.ceil(places.max(axis=0) + reach), 1, size).astype(int)
    right, bottom = max(right, left + 1), max(bottom, top + 1)
    return grey[top:bottom, left:right], np.array([left, top], np.float64)


def _shifted(pose: BoardPose, by: NDArray[np.float64]) -> BoardPose:
    move = np.eye(3)
    move[:2, 2] = by
    return replace(pose, image_from_board=move @ pose.image_from_board)


def _fitted(grey: NDArray[np.uint8], start: BoardPose, board: Board, unit: float) -> tuple[int, BoardPose] | None:
    """The pose that most crossings near `start` agree on, with their number."""
    seen = _crossings_near(grey, start, board, unit)
    if len(seen.plane) < FEWEST_CROSSINGS:
        return None
    straight = seen.pixels if start.lens is None else start.lens.undistort(seen.pixels)
    matrix, agree = cv2.findHomography(seen.plane, straight, cv2.RANSAC, max(1.0, TOLERANCE * unit))
    if matrix is None:
        return None
    inliers = np.asarray(agree).reshape(-1).astype(bool)
    count = int(inliers.sum())
    if count < max(FEWEST_CROSSINGS, LEAST_SHARE * len(crossings_of(board))):
        return None
    fitted = BoardPose.from_points(seen.plane[inliers], seen.pixels[inliers], start.image_size, start.lens)
    moved = np.linalg.norm(fitted.corners(board) - start.corners(board), axis=1)
    return (count, fitted) if float(moved.max()) < 0.6 * unit else None


def _crossings_near(grey: NDArray[np.uint8], pose: BoardPose, board: Board, unit: float) -> Crossings:
    """Refines every crossing in view; those that wander off or are no saddle of the right sense are dropped."""
    plane = crossings_of(board)
    expected = pose.project(plane)
    reach = max(3, round(WINDOW * unit))
    height, width = grey.shape
    inside = ((expected > reach + 2) & (expected < (width - reach - 3, height - reach - 3))).all(axis=1)
    plane, expected = plane[inside], expected[inside]
    if len(plane) == 0:
        return Crossings(plane, expected)
    criteria = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 20, 0.02)
    points = expected.astype(np.float32).reshape(-1, 1, 2).copy()
    found = np.asarray(cv2.cornerSubPix(grey, points, (reach, reach), (-1, -1), criteria), np.float64).reshape(-1, 2)
    near = np.linalg.norm(found - expected, axis=1) < reach
    good = near & _right_saddles(grey, pose, plane, found - expected)
    return Crossings(plane[good], found[good])


def _right_saddles(
    grey: NDArray[np.uint8], pose: BoardPose, plane: NDArray[np.float64], moved: NDArray[np.float64]
) -> NDArray[np.bool_]:
    """Which crossings (m,) have their two dark squares opposite each other, in the sense most crossings have."""
    quarter = 0.14 * np.array([(1, 1), (-1, -1), (-1, 1), (1, -1)])
    places = pose.project((plane[:, None] + quarter[None]).reshape(-1, 2)).reshape(-1, 4, 2) + moved[:, None]
    flat = places.astype(np.float32)
    value = cv2.remap(grey, flat[..., 0], flat[..., 1], cv2.INTER_LINEAR).astype(np.float64)
    pairs = value.reshape(-1, 2, 2)
    sense = (pairs[:, 0].mean(axis=1) - pairs[:, 1].mean(axis=1)) * np.where(plane.sum(axis=1) % 2, 1, -1)
    unlike = np.abs(pairs[:, :, 0] - pairs[:, :, 1]).max(axis=1)
    common = np.sign(np.median(sense))
    return np.asarray((sense * common > 4.0) & (unlike < 1.2 * np.abs(sense)))
