"""What Kibitz makes of a picture with known truth: found or not, how far off, and what each point shows."""

import time
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from calibration.errors import CalibrationError
from calibration.find_board import find_board, from_corners
from calibration.found import FoundBoard
from calibration.orientation import play_parity, pose_of
from rules.board import Board, BoardKind
from rules.boards.squares import chequered
from server.benchmarks.truths import Truth
from vision.evidence import evidence
from vision.pose import BoardPose, Lens
from vision.reader import Reader

NEAR_ENOUGH = 0.35
"""How far, in squares, the farthest corner of a board that counts as found may be from the truth."""
_NOT_PLAYED = np.log(np.array([0.996, 0.001, 0.001, 0.001, 0.001], np.float32))


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


def sought(bgr: NDArray[np.uint8], truth: Truth, variant_given: bool, reader: Reader) -> Reading:
    """Finds the board without help and reads it; with the variant given its size and kind are known."""
    began = time.process_time()
    size = truth.board.rows or None if variant_given else None
    try:
        found = find_board(bgr, size, size)
    except CalibrationError:
        return Reading(None, float("inf"), None, None, _ms_since(began))
    chequer = not variant_given or truth.board.kind is BoardKind.CHEQUERED
    cells, hidden = _cells(bgr, found, None if chequer else truth.board, reader)
    spent = _ms_since(began)
    error, cell = _matched(found, truth)
    if error > NEAR_ENOUGH:
        return Reading(found.corners, error, None, None, spent)
    return Reading(found.corners, error, cells[cell[:, 1], cell[:, 0]], hidden[cell[:, 1], cell[:, 0]], spent)


def given(bgr: NDArray[np.uint8], truth: Truth, reader: Reader) -> Reading:
    """Reads the board at its true corners, so that reading is measured apart from finding."""
    began = time.process_time()
    pose = _true_pose(bgr, truth)
    seen = evidence(bgr, pose, truth.board, reader=reader)
    return Reading(truth.corners, 0.0, seen.log_likelihood, seen.hidden, _ms_since(began))


def _cells(
    bgr: NDArray[np.uint8], found: FoundBoard, board: Board | None, reader: Reader
) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
    """Log-likelihoods (rows, columns, 5) and hidden (rows, columns) of every cell as the picture shows the board."""
    if board is None:
        mirrored = (play_parity(bgr, found) - found.rows + 1) % 2 == 1
        board = chequered(found.columns, found.rows, mirrored)
    seen = evidence(bgr, pose_of(found, board), board, reader=reader)
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
    if len(truth.corners) != 4 or (found.rows, found.columns) != (truth.board.rows, truth.board.columns):
        return float("inf"), np.zeros((0, 2), np.int64)
    wide, tall = found.columns, found.rows
    grid = np.array([(0, 0), (wide, 0), (wide, tall), (0, tall)], np.float64)
    orders = [np.roll(np.arange(4)[::sense], turn) for turn, sense in product(range(4), (1, -1))]
    far = [float(np.linalg.norm(found.corners[order] - truth.corners, axis=1).max()) for order in orders]
    order = orders[int(np.argmin(far))]
    lift = np.linalg.lstsq(np.c_[truth.outline, np.ones(4)], grid[order], rcond=None)[0]
    cell = np.floor(np.c_[np.array(truth.board.xy), np.ones(truth.board.size)] @ lift).astype(np.int64)
    return min(far) / truth.square_px, cell


def _true_pose(bgr: NDArray[np.uint8], truth: Truth) -> BoardPose:
    """The pose from the label, through its camera's lens; without one the corners are taken as if given by hand."""
    size, lens = (bgr.shape[1], bgr.shape[0]), _lens(truth.camera)
    if truth.points_px is not None:
        return BoardPose.from_points(truth.board.xy, truth.points_px, size, lens)
    if lens is not None:
        return BoardPose.from_points(truth.outline, truth.corners, size, lens)
    found = from_corners(bgr, truth.corners, truth.board.rows, truth.board.columns)
    poses = [pose_of(found, truth.board, turn) for turn in range(4)]
    return min(poses, key=lambda pose: float(np.abs(pose.project(truth.outline) - truth.corners).max()))


def _lens(camera: Any) -> Lens | None:
    """The lens of a label; its two or three radial terms are OpenCV's."""
    if camera is None or "K" not in camera:
        return None
    k = [float(term) for term in camera["dist"]]
    fisheye = camera.get("model") == "fisheye"
    terms = [*k, 0.0, 0.0, 0.0, 0.0][:4] if fisheye else [k[0], k[1], 0.0, 0.0, k[2] if len(k) > 2 else 0.0]
    return Lens(np.array(camera["K"], np.float64), np.array(terms, np.float64), fisheye)


def _ms_since(began: float) -> float:
    return (time.process_time() - began) * 1000
