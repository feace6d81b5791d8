"""What Kibitz makes of a picture with known truth: found or not, how far off, and what each point shows."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

from calibration.errors import CalibrationError
from calibration.find_any import find_points, find_squares, find_unknown
from calibration.find_board import from_corners
from calibration.find_lined import LinedBoard
from calibration.found import OCTAGON_RIM, FoundBoard
from calibration.orientation import play_parity, pose_of
from rules.board import Board, BoardKind
from rules.boards.squares import chequered
from server.benchmarks.truths import Truth, lens_of
from vision.evidence import BoardEvidence
from vision.pose import BoardPose

NEAR_ENOUGH = 0.35
"""How far, in squares, the farthest corner of a board that counts as found may be from the truth."""
_NOT_PLAYED = np.log(np.array([0.996, 0.001, 0.001, 0.001, 0.001], np.float32))

PictureReader = Callable[[NDArray[np.uint8], BoardPose, Board], BoardEvidence]
"""Reads a board in one picture: bgr (h, w, 3), where it lies, which board it is."""


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """`corners` (4, 2) pixels if any were found, their greatest `error` in squares (infinite: none, or another grid).

    `scores` (n, 5) log-likelihoods in the order of the truth's points and `hidden` (n,); None if not found.
    """

    corners: NDArray[np.float64] | None
    error: float
    scores: NDArray[np.float32] | None
    hidden: NDArray[np.bool_] | None
    cpu_ms: float

    @property
    def found(self) -> bool:
        return self.scores is not None


NOT_READ = Reading(None, float("inf"), None, None, 0.0)
"""Of a picture that is damaged or missing."""


def sought(bgr: NDArray[np.uint8], truth: Truth, variant_given: bool, read: PictureReader) -> Reading:
    """Finds the board as `kibitz look` does and reads it; with the variant given its size and kind are known."""
    began = time.process_time()
    try:
        board, found = _found(bgr, truth.board if variant_given else None)
    except CalibrationError:
        return Reading(None, float("inf"), None, None, _ms_since(began))
    if isinstance(found, LinedBoard):
        return _points_read(bgr, board, found, truth, read, began)
    cells, hidden = _cells(bgr, found, None if board.kind is BoardKind.CHEQUERED else board, read)
    spent = _ms_since(began)
    error, cell = _matched(found, truth)
    if error > NEAR_ENOUGH:
        return Reading(found.corners, error, None, None, spent)
    return Reading(found.corners, error, cells[cell[:, 1], cell[:, 0]], hidden[cell[:, 1], cell[:, 0]], spent)


def _found(bgr: NDArray[np.uint8], board: Board | None) -> tuple[Board, FoundBoard | LinedBoard]:
    """The board and where it is. Raises CalibrationError."""
    if board is None:
        return find_unknown(bgr)
    return board, (find_squares(bgr, board) if board.rows else find_points(bgr, board))


def _points_read(
    bgr: NDArray[np.uint8], board: Board, found: LinedBoard, truth: Truth, read: PictureReader, began: float
) -> Reading:
    """What is read of a board of points; however it was named and turned, if each point lies at one of the truth."""
    seen = read(bgr, found.pose, board)
    spent, corners = _ms_since(began), found.pose.corners(board)
    if truth.points_px is None or len(truth.points_px) != board.size:
        return Reading(corners, float("inf"), None, None, spent)
    points = found.pose.project(board.xy)
    at = np.linalg.norm(truth.points_px[:, None] - points[None], axis=2).argmin(axis=1)
    if len(set(at.tolist())) < board.size:
        return Reading(corners, float("inf"), None, None, spent)
    named = BoardPose.from_points(truth.board.xy, points[at], found.pose.image_size, found.pose.lens)
    error = float(np.linalg.norm(named.project(truth.outline) - truth.corners, axis=1).max()) / truth.square_px
    if error > NEAR_ENOUGH:
        return Reading(corners, error, None, None, spent)
    return Reading(corners, error, seen.log_likelihood[at], seen.hidden[at], spent)


def given(bgr: NDArray[np.uint8], truth: Truth, read: PictureReader) -> Reading:
    """Reads the board at its true corners, so that reading is measured apart from finding."""
    began = time.process_time()
    pose = _true_pose(bgr, truth)
    seen = read(bgr, pose, truth.board)
    return Reading(truth.corners, 0.0, seen.log_likelihood, seen.hidden, _ms_since(began))


def _cells(
    bgr: NDArray[np.uint8], found: FoundBoard, board: Board | None, read: PictureReader
) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
    """Log-likelihoods (rows, columns, 5) and hidden (rows, columns) of every cell as the picture shows the board."""
    if board is None:
        mirrored = (play_parity(bgr, found) - found.rows + 1) % 2 == 1
        board = chequered(found.columns, found.rows, mirrored)
    seen = read(bgr, pose_of(found, board), board)
    scores = np.broadcast_to(_NOT_PLAYED, (found.rows, found.columns, 5)).copy()
    hidden = np.zeros((found.rows, found.columns), bool)
    for point, (x, y) in enumerate(board.xy):
        place = (found.rows - 1 - int(y), int(x))
        scores[place], hidden[place] = seen.log_likelihood[point], seen.hidden[point]
    return scores, hidden


def _matched(found: FoundBoard, truth: Truth) -> tuple[float, NDArray[np.int64]]:
    """The corners' greatest error in squares, and the cell (n, 2) (column, row) in which each true point lies.

    Corners may be named from any side and in either sense, as long as they bound the same grid.
    """
    size = (truth.board.rows, truth.board.columns)
    if (found.rows, found.columns) not in (size, size[::-1]):
        return float("inf"), np.zeros((0, 2), np.int64)
    wide, tall = found.columns, found.rows
    grid = np.array([(0, 0), (wide, 0), (wide, tall), (0, tall)], np.float64)
    if found.drawing == "octagons":
        grid += OCTAGON_RIM * np.sign(grid - grid.mean(axis=0))
    orders = [np.roll(np.arange(4)[::sense], turn) for turn, sense in product(range(4), (1, -1))]
    far = [float(np.linalg.norm(found.corners[order] - truth.corners, axis=1).max()) for order in orders]
    order = orders[int(np.argmin(far))]
    lift = np.linalg.lstsq(np.c_[truth.outline, np.ones(4)], grid[order], rcond=None)[0]
    cell = np.floor(np.c_[np.array(truth.board.xy), np.ones(truth.board.size)] @ lift).astype(np.int64)
    return min(far) / truth.square_px, cell


def _true_pose(bgr: NDArray[np.uint8], truth: Truth) -> BoardPose:
    """The pose from the label, through its camera's lens; without one the corners are taken as if given by hand."""
    size, lens = (bgr.shape[1], bgr.shape[0]), lens_of(truth.camera)
    if truth.points_px is not None:
        return BoardPose.from_points(truth.board.xy, truth.points_px, size, lens)
    if lens is not None:
        return BoardPose.from_points(truth.outline, truth.corners, size, lens)
    found = from_corners(bgr, truth.corners, truth.board.rows, truth.board.columns)
    poses = [pose_of(found, truth.board, turn) for turn in range(4)]
    return min(poses, key=lambda pose: float(np.abs(pose.project(truth.outline) - truth.corners).max()))


def _ms_since(began: float) -> float:
    return (time.process_time() - began) * 1000
