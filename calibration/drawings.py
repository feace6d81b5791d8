"""How boards are drawn, and how well a picture's lines agree with a drawing that ends where it should."""

from dataclasses import dataclass
from functools import cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from rules.board import Board, BoardKind
from rules.boards.hexagons import honeycomb, oblique
from rules.boards.squares import full
from vision.line_fit import LineMap, sample_scores, samples_of
from vision.lines import lines_of, octagon_lines
from vision.pose import BoardPose

BEYOND_COST = 2.0
"""Weight of lines that go on beyond the board, half of it for those beyond the worst of its sides: a board looked for
a row too far has them on one side alone."""
FEWEST_BEYOND = 4
"""Segments beyond a side, fewer of which tell less."""
LINE_BEYOND = 0.2
"""Score from which a segment beyond the board speaks for the lines going on."""
GOOD_SCORE = 0.42
"""Mean score of a board's segments that deserves full trust; discs and hands hide some."""
LEAST_OF_ROW = 0.35
"""Score of the lines that lead to a side, as a share of those further inside, below which there is no row there."""
MOST_BETWEEN = 0.55
"""Score of lines through the middles of squares, as a share of the board's own, from which the grid is a finer one."""
CLEAR, LEAST_OF_CLEAR_ROW = 0.5, 0.5
"""Score of lines that are clear, and the same share beside them: there a cloth's pattern makes some of a line."""
LEAST_AREA = 0.015
"""Smallest board, as a share of the picture."""
MOST_OUTSIDE = 0.5
"""How far a corner may be outside the picture, in squares: bent lenses show it inside of where straight ones would."""
LEAST_SQUARE = 75
"""Smallest square, as a part of the picture's width."""


@dataclass(frozen=True, slots=True, eq=False)
class Drawing:
    name: str
    segments: NDArray[np.float64]
    beyond: NDArray[np.float64]
    side: NDArray[np.int64]
    """Beyond which side of the board's outline (m,) each of the segments beyond it lies."""
    samples: NDArray[np.float64]
    """Where both are sampled: (k + m, 5, 3, 2)."""


@cache
def drawings_of(board: Board) -> tuple[Drawing, ...]:
    """How the board may be drawn: a chequered one with plain squares or with octagons."""
    plain = lines_of(board)
    if board.kind is BoardKind.HEXAGON:
        side = board.row_of.count(0) if board.name.startswith("honeycomb") else (max(board.row_of) + 4) // 4
        wide = honeycomb(side + 1) if board.name.startswith("honeycomb") else oblique(side + 1)
        shift = np.array([(board.width - wide.width) / 2, (board.height - wide.height) / 2])
        return (_drawing("cells", plain, _without(lines_of(wide) + shift, plain), board),)
    if not board.rows:
        return (_drawing("lines", plain, _prolonged(plain, board), board),)
    around = lines_of(full(board.columns + 2, board.rows + 2)) - 1.0
    drawings = [_drawing("squares", plain, _without(around, plain), board)]
    if board.kind is BoardKind.CHEQUERED:
        for odd in (0, 1):
            own = octagon_lines(board.columns, board.rows, odd)
            around = octagon_lines(board.columns + 2, board.rows + 2, odd) - 1.0
            drawings.append(_drawing("octagons", own, _without(around, own), board))
    return tuple(drawings)


def _drawing(name: str, segments: NDArray[np.float64], beyond: NDArray[np.float64], board: Board) -> Drawing:
    hull = np.array(board.outline)
    away = _beyond_sides(beyond.mean(axis=1), hull) / np.linalg.norm(np.roll(hull, -1, axis=0) - hull, axis=1)
    return _sampled(name, segments, beyond, away.argmax(axis=1).astype(np.int64))


def _sampled(name: str, segments: NDArray[np.float64], beyond: NDArray[np.float64], side: NDArray[np.int64]) -> Drawing:
    return Drawing(name, segments, beyond, side, samples_of(np.concatenate([segments, beyond])))


def _beyond_sides(points: NDArray[np.float64], hull: NDArray[np.float64]) -> NDArray[np.float64]:
    """How far points (m, 2) lie beyond each side of a hull (k, 2), times the side's length: (m, k)."""
    side = np.roll(hull, -1, axis=0) - hull
    x, y = points[:, 0, None] - hull[None, :, 0], points[:, 1, None] - hull[None, :, 1]
    return np.asarray(side[None, :, 0] * y - side[None, :, 1] * x, np.float64)


@cache
def sparse_drawings(board: Board) -> tuple[Drawing, ...]:
    """The same with every third segment, for a first look at many places."""
    return tuple(thinned(drawing, 3) for drawing in drawings_of(board))


def thinned(drawing: Drawing, every: int) -> Drawing:
    """The drawing with one of `every` so many segments."""
    return _sampled(drawing.name, drawing.segments[::every], drawing.beyond[::every], drawing.side[::every])


def _prolonged(segments: NDArray[np.float64], board: Board) -> NDArray[np.float64]:
    """Where the lines of a lined board would be if they did not end at its edge."""
    along = segments[:, 1] - segments[:, 0]
    further = np.concatenate([segments + along[:, None], segments - along[:, None]])
    away = _beyond_sides(further.mean(axis=1), _hull(board))
    return np.asarray(further[(away > 1e-3).any(axis=1)], np.float64)


def _hull(board: Board) -> NDArray[np.float64]:
    """The convex outline (k, 2) of the board's points, in the sense of its `outline`."""
    around = cv2.convexHull(np.array(board.xy, np.float32), clockwise=False)
    return np.asarray(around, np.float64).reshape(-1, 2)[::-1]


def _without(many: NDArray[np.float64], few: NDArray[np.float64]) -> NDArray[np.float64]:
    """The segments of `many` whose middles are not those of `few`."""
    away = np.linalg.norm(many.mean(axis=1)[:, None] - few.mean(axis=1)[None], axis=2).min(axis=1)
    return np.asarray(many[away > 0.05], np.float64)


def score_of(lines: LineMap, pose: BoardPose, drawing: Drawing) -> float:
    """The share of a good board's line scores, less for lines that go on beyond it: at least 0, above 1 for the best.

    It is not cut at 1, because a board with all lines clear scores high a row too far as well.
    """
    scores, pixels = sample_scores(lines, pose, drawing.samples)
    shown = ((pixels > 0) & (pixels < np.array(pose.image_size))).all(axis=(1, 2))
    return float(scored(drawing, scores[None], np.asarray(shown, np.bool_)[None])[0])


def scored(drawing: Drawing, scores: NDArray[np.float32], shown: NDArray[np.bool_]) -> NDArray[np.float64]:
    """The same (s,) from the scores (s, k + m) of the drawing's segments and of those beyond, as they are seen in each
    of some poses, and which are in the picture."""
    count = len(drawing.segments)
    score = np.clip(scores[:, :count], -0.1, 0.6).mean(axis=1).astype(np.float64)
    seen = shown[:, count:].astype(np.float64)
    on = np.clip(scores[:, count:] - LINE_BEYOND, 0.0, 0.4) * seen
    each = (drawing.side[:, None] == np.arange(drawing.side.max(initial=0) + 1)).astype(np.float64)
    worst = (on @ each / np.maximum(seen @ each, FEWEST_BEYOND)).max(axis=1)
    usual = on.sum(axis=1) / np.maximum(seen.sum(axis=1), 1.0)
    return np.asarray(np.maximum((score - BEYOND_COST * (usual + worst) / 2) / GOOD_SCORE, 0.0), np.float64)


def lacks_a_row(lines: LineMap, pose: BoardPose, drawing: Drawing, board: Board) -> bool:
    """Whether the drawn lines of a board of squares end a row before one of its sides.

    Lines that are clear make up for those that a whole row lacks, so that a grid of 7 by 7 squares passes for 8 by 8.
    """
    inner, outer = _rows_of(board, drawing)
    count = len(drawing.segments)
    scores = np.clip(sample_scores(lines, pose, drawing.samples[:count])[0], -0.1, 0.6)
    usual = float(scores[inner].mean()) if inner.any() else 0.0
    least = LEAST_OF_CLEAR_ROW if usual >= CLEAR else LEAST_OF_ROW
    return min(float(scores[row].mean()) for row in outer) < least * usual


def halves_squares(lines: LineMap, pose: BoardPose, drawing: Drawing, board: Board) -> bool:
    """Whether lines as clear as a board's own run through the middles of its squares: a finer grid has more of them."""
    own = np.clip(sample_scores(lines, pose, drawing.samples[: len(drawing.segments)])[0], -0.1, 0.6)
    between = np.clip(sample_scores(lines, pose, _between(board.columns, board.rows))[0], -0.1, 0.6)
    return float(between.mean()) > MOST_BETWEEN * float(own.mean())


@cache
def _between(columns: int, rows: int) -> NDArray[np.float64]:
    """Samples of segments from the middle of each square to the next."""
    return samples_of(lines_of(full(columns - 1, rows - 1)) + 0.5)


@cache
def _rows_of(board: Board, drawing: Drawing) -> tuple[NDArray[np.bool_], tuple[NDArray[np.bool_], ...]]:
    """Which segments of a drawing lie inside the outermost rows, and which between each side and the next line."""
    x, y = drawing.segments.mean(axis=1).T
    away = np.stack([board.height - y, y, x, board.width - x])
    within = np.asarray((away > 0.05).all(axis=0), np.bool_)
    return np.asarray((away > 1.05).all(axis=0), np.bool_), tuple(within & (side < 0.95) for side in away)


def plausible(pose: BoardPose, board: Board) -> bool:
    """Whether the outline is convex, large enough and mostly in the picture."""
    shape, square_px = pose.corners(board)[None], np.array([pose.square_px(board)])
    return bool(plausible_shapes(shape, square_px, np.array(pose.image_size))[0])


def plausible_shapes(
    corners: NDArray[np.float64], square_px: NDArray[np.float64], image_size: NDArray[Any]
) -> NDArray[np.bool_]:
    """The same for many outlines (s, k, 2) at once, whose squares are `square_px` (s,) wide."""
    side = np.roll(corners, -1, axis=1) - corners
    after = np.roll(side, -1, axis=1)
    turns = side[..., 0] * after[..., 1] - side[..., 1] * after[..., 0]
    width, height = image_size
    slack = np.minimum(0.05 * width, MOST_OUTSIDE * square_px)[:, None, None]
    inside = ((corners > -slack) & (corners < np.array([width, height]) + slack)).all(axis=(1, 2))
    convex = (turns > 0).all(axis=1) | (turns < 0).all(axis=1)
    x, y = corners[..., 0], corners[..., 1]
    area = np.abs((x * np.roll(y, -1, axis=1) - y * np.roll(x, -1, axis=1)).sum(axis=1)) / 2
    large = (area > LEAST_AREA * width * height) & (square_px > width / LEAST_SQUARE)
    return np.asarray(convex & inside & large, np.bool_)


def steps_of(board: Board) -> list[NDArray[np.float64]]:
    """Steps from the middle point of a hexagon, or of the serpents, to its neighbours."""
    middle = board.size // 2
    beside = [table[middle] for table in board.neighbours if table[middle] >= 0]
    return [np.array(board.xy[k]) - np.array(board.xy[middle]) for k in beside]
