"""Boards whose squares hardly show: four straight lines bound them, and discs stand in the middle of their squares.

Every four lines with every margin between them and the squares are a guess; the discs judge them all together.
"""

from dataclasses import dataclass, replace
from itertools import product

import numpy as np
from numpy.typing import NDArray

from calibration.discs import Discs, seen_discs
from calibration.drawings import drawings_of, plausible, score_of
from calibration.found import FoundBoard, found_by_lines
from calibration.homographies import homographies
from calibration.quads import quads
from calibration.window import USUAL_SIZES
from rules.board import Board
from rules.boards.squares import chequered
from vision.line_fit import LineMap, line_map, refined
from vision.pose import BoardPose

MARGINS = tuple(np.arange(14) / 10)
"""Distances between the squares and the lines around them that are tried, in squares."""
FEWEST = 5
"""Discs on a board, fewer of which tell nothing."""
SMALLEST, LARGEST = 0.15, 0.8
"""Area of a disc in squares; what is smaller or larger is none of this board's."""
STRAYING = 0.13
"""How far off the middle of its square a disc usually stands, in squares."""
IN_PLACE = 2.6
"""What a disc in the very middle of a square speaks for a board of USUAL_SIZE a side: the logarithm of how much more
likely that is on the board than by chance."""
USUAL_SIZE = 10
OFF_PLACE = -1.5
"""What a disc speaks that stands beside the middles, or on the squares that the others leave free."""
AROUND = 2.0
"""How far beyond the squares discs are asked too, in squares: those that stand as on squares speak against the board's
ending there."""
LEAST_EVIDENCE = 16.0
"""What the discs must speak for a board together: there are some ten thousand guesses, and chance has each of them."""
SURE_EVIDENCE = 60.0
BEST_BY = 1.15
"""How many times as much they must speak for it as for a board that lies elsewhere or has other squares."""
FURTHER = 4.0
"""By how much more the discs may speak for a place one square further: one of them beside the board, or badly seen."""
LINE_SEEN, LEAST_OF_SIDE = 0.35, 0.5
"""Strength of lines from which they are seen, and the share of each side on which they must be."""
LEAST_OF_A_SIDE = 0.2
"""The same of a side that a hand may hide; of all four sides together it must be as much as of each otherwise."""
MOST_LOOKED_AT, OF_EACH_MARGIN = 6, 10
ALIKE, ELSEWHERE = 0.2, 0.5
"""Distances of corners in squares below which two guesses are one, and from which they are different boards."""
CATCH = 0.4
"""How far from the middle of its square a disc may stand to move the board, in squares."""
STIFF = np.array([2.0, 1.0, 1.0])
"""How little discs shift a board, and stretch it along and across: being high, they show beside where they stand."""
CLEAR_EDGES = 0.6
"""How well the edges of the squares are seen where no line need be seen on each side: a hand may hide one."""
CLEARLY_ELSEWHERE = 0.15
"""By how much better they must be seen one square further for the board to lie there rather."""
CLEARLY_CLOSER = 0.1
"""By how much better the edges of the squares must be seen for a board to be moved onto them."""
MOST_MOVED = 0.3
"""How far it may be moved there, in squares."""
LEAST_CONFIDENCE, MOST_CONFIDENCE = 0.45, 0.75
_UNIT = np.array([(0, 1), (1, 1), (1, 0), (0, 0)], np.float64)


@dataclass(frozen=True, slots=True, eq=False)
class _Guesses:
    """Four-sided shapes as the unit square: `matrices` (m, 3, 3) take it to pixels; in it lie the discs' middles
    `xy` (2, m, d), and they have `areas` (m, d)."""

    matrices: NDArray[np.float64]
    xy: NDArray[np.float32]
    areas: NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class _Placed:
    evidence: float
    board: Board
    pose: BoardPose
    around: NDArray[np.float64]
    """The four lines' corners (4, 2) in pixels."""


def board_by_discs(bgr: NDArray[np.uint8], board: Board | None = None) -> FoundBoard | None:
    """The chequered board (None: of a usual size) on which the discs of a picture (h, w, 3) uint8 BGR stand.

    None if they stand on none, or as well on a board of another size.
    """
    discs = seen_discs(bgr)
    if len(discs.xy) < FEWEST:
        return None
    lines = line_map(bgr)
    shapes = quads(lines)
    seen = _sides_seen(lines, shapes)
    shapes = shapes[(seen.min(axis=1) >= LEAST_OF_A_SIDE) & (seen.mean(axis=1) >= LEAST_OF_SIDE)]
    if not len(shapes):
        return None
    guesses, size = _laid(shapes, discs), (bgr.shape[1], bgr.shape[0])
    usual = [chequered(n, n) for n in USUAL_SIZES]
    own = usual if board is None else [board]
    others = [one for one in usual if board is not None and (one.rows, one.columns) != (board.rows, board.columns)]
    placed = [one for kind in (*own, *others) for one in _likeliest(guesses, discs, kind, size)]
    best = max(placed, key=lambda one: one.evidence, default=None)
    if best is None or best.board not in own or best.evidence < LEAST_EVIDENCE:
        return None
    if any(other.evidence * BEST_BY > best.evidence and _elsewhere(best, other) for other in placed):
        return None
    best = replace(best, pose=_onto_edges(lines, best))
    if not _holds(lines, discs, best):
        return None
    share = min(1.0, (best.evidence - LEAST_EVIDENCE) / (SURE_EVIDENCE - LEAST_EVIDENCE))
    confidence = LEAST_CONFIDENCE + share * (MOST_CONFIDENCE - LEAST_CONFIDENCE)
    return found_by_lines(best.pose, best.board, confidence, "squares")


def _laid(shapes: NDArray[np.float64], discs: Discs) -> _Guesses:
    matrices = homographies(_UNIT, shapes)
    matrices = matrices[np.abs(np.linalg.det(matrices)) > 1e-9]
    back = np.linalg.inv(matrices).astype(np.float32)
    x, y, depth = (back @ np.c_[discs.xy, np.ones(len(discs.xy))].T.astype(np.float32)).transpose(1, 0, 2)
    depth = np.where(np.abs(depth) < 1e-9, np.float32(1e-9), depth)
    shrunk = np.abs(np.linalg.det(back))[:, None] / np.abs(depth) ** 3
    return _Guesses(matrices, np.stack([x / depth, y / depth]), shrunk * discs.areas.astype(np.float32))


def _likeliest(guesses: _Guesses, discs: Discs, board: Board, size: tuple[int, int]) -> list[_Placed]:
    """A few places of a board, no two nearly alike, moved to where the discs stand best; likeliest first."""
    ranked: list[tuple[float, float, int]] = []
    guesses = _holding(guesses, board)
    for margin in MARGINS if len(guesses.matrices) else ():
        whole = board.width + 2 * margin
        places = guesses.xy * np.float32(whole) - np.float32(margin)
        spoken = _evidence(places, guesses.areas * np.float32(whole**2), board)
        ranked += [(float(spoken[k]), margin, int(k)) for k in np.argsort(-spoken, kind="stable")[:OF_EACH_MARGIN]]
    ranked.sort(key=lambda one: -one[0])
    tried: list[NDArray[np.float64]] = []
    placed: list[_Placed] = []
    for evidence, margin, k in ranked:
        if evidence <= 0 or len(placed) == MOST_LOOKED_AT:
            break
        scale = 1 / (board.width + 2 * margin)
        shift = np.array([[scale, 0, margin * scale], [0, scale, margin * scale], [0, 0, 1]])
        pose = BoardPose(guesses.matrices[k] @ shift, 0.0, None, size)
        corners, near = pose.corners(board), ALIKE * pose.square_px(board)
        if plausible(pose, board) and all(np.linalg.norm(corners - one, axis=1).max() > near for one in tried):
            tried.append(corners)
            placed.append(_moved(_Placed(evidence, board, pose, _corners(guesses.matrices[k])), discs))
    return placed


def _holding(guesses: _Guesses, board: Board) -> _Guesses:
    """Those that have enough discs within their lines of a size that this board's may be of."""
    within = ((guesses.xy > 0) & (guesses.xy < 1)).all(axis=0)
    least, most = SMALLEST / (board.width + 2 * MARGINS[-1]) ** 2, LARGEST / board.width**2
    held = (within & (guesses.areas > least) & (guesses.areas < most)).sum(axis=1) >= FEWEST
    return _Guesses(guesses.matrices[held], guesses.xy[:, held], guesses.areas[held])


def _evidence(places: NDArray[np.float32], areas: NDArray[np.float32], board: Board) -> NDArray[np.float32]:
    """What discs at `places` (2, m, d) on the plane of each of some guesses, of `areas` in squares, speak for it (m,).

    Either colour of squares may be the one that is played on.
    """
    x, y = places
    limit = np.array([board.width, board.height], np.float32)[:, None, None]
    like = (areas > SMALLEST) & (areas < LARGEST)
    inside = like & ((places > 0) & (places < limit)).all(axis=0)
    around = like & ((places > -AROUND) & (places < limit + AROUND)).all(axis=0) & ~inside
    column, row = np.floor(x), np.floor(y)
    off = (x - column - 0.5) ** 2 + (y - row - 0.5) ** 2
    even = (column + row) % 2 == 0
    best = IN_PLACE + 2 * np.log(USUAL_SIZE / board.width)
    speaks = np.maximum(np.float32(best) - off / np.float32(2 * STRAYING**2), np.float32(OFF_PLACE))
    beyond = np.maximum(speaks, 0) * around
    total = [
        (np.where(played, speaks, np.float32(OFF_PLACE)) * inside).sum(axis=1) - (beyond * played).sum(axis=1)
        for played in (even, ~even)
    ]
    return np.where(inside.sum(axis=1) < FEWEST, np.float32(0), np.maximum(*total))


def _moved(placed: _Placed, discs: Discs) -> _Placed:
    """The board stretched and shifted a little so that the discs stand nearer to the middles of squares, if they do."""
    pose, board = placed.pose, placed.board
    places, limit = pose.unproject(discs.xy), np.array([board.width, board.height])
    inside = places[((places > 0) & (places < limit)).all(axis=1)]
    off = np.floor(inside) + 0.5 - inside
    near = np.hypot(*off.T) < CATCH
    design = np.c_[np.ones(near.sum()), 2 * inside[near] / limit - 1]
    change = np.linalg.solve(design.T @ design + np.diag(STIFF), design.T @ off[near])
    there = np.eye(3)
    there[:2, :2] += 2 * change[1:].T / limit
    there[:2, 2] = change[0] - change[1:].sum(axis=0)
    closer = replace(pose, image_from_board=pose.image_from_board @ np.linalg.inv(there))
    before, after = (replace(placed, evidence=_spoken(one, discs, board), pose=one) for one in (pose, closer))
    return after if after.evidence > before.evidence else before


def _spoken(pose: BoardPose, discs: Discs, board: Board) -> float:
    """What the discs speak for one pose."""
    steps = [pose.unproject(discs.xy + step) for step in ((0, 0), (1, 0), (0, 1))]
    across, down = steps[1] - steps[0], steps[2] - steps[0]
    areas = np.abs(across[:, 0] * down[:, 1] - across[:, 1] * down[:, 0]) * discs.areas
    return float(_evidence(steps[0].T[:, None].astype(np.float32), areas[None].astype(np.float32), board)[0])


def _corners(matrix: NDArray[np.float64]) -> NDArray[np.float64]:
    """Where (4, 2) a homography of the unit square has its corners."""
    points = np.c_[_UNIT, np.ones(4)] @ matrix.T
    return np.asarray(points[:, :2] / points[:, 2:], np.float64)


def _sides_seen(lines: LineMap, around: NDArray[np.float64]) -> NDArray[np.float64]:
    """Share (m, 4) of each side of four-sided shapes (m, 4, 2) in pixels on which a line is seen."""
    share = np.linspace(0.03, 0.97, 40)[:, None]
    along = (around[:, :, None] * (1 - share) + np.roll(around, -1, axis=1)[:, :, None] * share) * lines.factor
    at = np.clip(np.rint(along), 0, np.array(lines.wide.shape[::-1]) - 1).astype(np.intp)
    return np.asarray((lines.wide[at[..., 1], at[..., 0]] > LINE_SEEN).mean(axis=2), np.float64)


def _holds(lines: LineMap, discs: Discs, placed: _Placed) -> bool:
    """Whether a line is seen on each side, or all edges, and nothing speaks rather for a place one square further."""
    board, pose, squares = placed.board, placed.pose, drawings_of(placed.board)[0]
    edges, spoken = score_of(lines, pose, squares), _spoken(pose, discs, board)
    if edges < CLEAR_EDGES and _sides_seen(lines, placed.around[None]).min() < LEAST_OF_SIDE:
        return False
    for dx, dy in product((-1, 0, 1), repeat=2):
        by = np.array([[1, 0, dx], [0, 1, dy], [0, 0, 1.0]])
        there = replace(pose, image_from_board=pose.image_from_board @ by)
        if _spoken(there, discs, board) > spoken + FURTHER:
            return False
        if score_of(lines, there, squares) > edges + CLEARLY_ELSEWHERE:
            return False
    return True


def _elsewhere(one: _Placed, other: _Placed) -> bool:
    """Whether the other is a different board rather than nearly the same place."""
    if one.board != other.board:
        return True
    corners = one.pose.corners(one.board)
    turned = [np.roll(way, k, axis=0) for way in (other.pose.corners(one.board),) for k in range(4)]
    turned += [way[::-1] for way in turned]
    away = min(float(np.linalg.norm(corners - way, axis=1).max()) for way in turned)
    return away > ELSEWHERE * one.pose.square_px(one.board)


def _onto_edges(lines: LineMap, placed: _Placed) -> BoardPose:
    """The pose moved onto the edges of the squares, if those are seen better there and near."""
    squares, pose = drawings_of(placed.board)[0], placed.pose
    closer = refined(lines, pose, squares.segments)
    away = np.linalg.norm(closer.corners(placed.board) - pose.corners(placed.board), axis=1).max()
    if not plausible(closer, placed.board) or away > MOST_MOVED * pose.square_px(placed.board):
        return pose
    return closer if score_of(lines, closer, squares) > score_of(lines, pose, squares) + CLEARLY_CLOSER else pose
