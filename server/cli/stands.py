"""What stands on a board that was found in a photograph, as `kibitz look` tells it."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from calibration.find_lined import LinedBoard
from calibration.found import FoundBoard
from calibration.orientation import orient, orient_lined, play_parity, pose_of, ways_to_lie
from rules.board import Board, BoardKind
from rules.boards.squares import chequered, full
from rules.notation import point_name
from rules.variant import Variant
from server.cli.doubts import MARKS, Doubt, fen_of, perhaps_kings, said_of_kings
from vision.evidence import read_grid
from vision.framings import evidence_of_picture
from vision.pose import BoardPose

SURE = 0.5
"""Probability of the most likely sight below which a square is told as `?`."""
SURE_SIDE = 1.0
"""Margin of the discs' lean to their own sides from which it tells whose side is whose."""


@dataclass(frozen=True, slots=True, eq=False)
class _Cells:
    """A board of squares as the picture shows it: log-likelihoods `scores` (rows * columns, 5) and the lines of marks.

    `parity` of the squares played on; None: all are.
    """

    scores: NDArray[np.float32]
    grid: tuple[str, ...]
    parity: int | None

    @property
    def marks(self) -> str:
        return "".join(self.grid)


def squares_seen(
    path: Path, bgr: NDArray[np.uint8], board: Board, found: FoundBoard, variant: Variant | None, known: bool
) -> dict[str, Any]:
    """A board of squares, as the picture shows it; `known` is whether somebody named the game."""
    cells = _read(bgr, found, None if board.kind is BoardKind.FULL else play_parity(bgr, found))
    text, warnings, names = _position(variant, found, cells, known) if variant else (None, [], {})
    doubts = [
        Doubt(king, cells.marks[cell], names.get(cell), cell // found.columns + 1, cell % found.columns + 1)
        for cell, king in perhaps_kings(cells.scores, cells.marks)
    ]
    kind = "octagon" if found.drawing == "octagons" else board.kind.value
    return {
        "image": str(path),
        "found": True,
        "kind": kind,
        "rows": found.rows,
        "cols": found.columns,
        "corners": np.round(found.corners, 1).tolist(),
        "grid": list(cells.grid),
        "confidence": round(float(found.confidence), 3),
        "fen": text,
        "warnings": [*warnings, *said_of_kings(doubts)],
        "doubtful_kings": [doubt.to_json() for doubt in doubts],
    }


def points_seen(
    path: Path, bgr: NDArray[np.uint8], board: Board, found: LinedBoard, variant: Variant | None, known: bool
) -> dict[str, Any]:
    """A board of points, named with White on the side to which the light discs lean."""

    def look(pose: BoardPose) -> NDArray[np.float32]:
        return evidence_of_picture(bgr, pose, board).log_likelihood

    lies = orient_lined(found.pose, board, look, None, side_known=found.side_known)
    seen = evidence_of_picture(bgr, lies.pose, board)
    marks = ["?" if sure < SURE else MARKS[piece] for sure, piece in zip(seen.sureness(), seen.pieces(), strict=True)]
    warnings: list[str] = (
        [] if lies.margin > SURE_SIDE else ["which side is White's cannot be told by where the discs stand"]
    )
    text, more = fen_of(variant, marks, known) if variant is not None else (None, [])
    doubts = [
        Doubt(king, marks[point], board.names[point]) for point, king in perhaps_kings(seen.log_likelihood, marks)
    ]
    return {
        "image": str(path),
        "found": True,
        "kind": board.kind.value,
        "corners": np.round(lies.pose.corners(board), 1).tolist(),
        "points": dict(zip(board.names, marks, strict=True)),
        "confidence": round(float(found.confidence), 3),
        "fen": text,
        "warnings": [*warnings, *more, *said_of_kings(doubts)],
        "doubtful_kings": [doubt.to_json() for doubt in doubts],
    }


def _read(bgr: NDArray[np.uint8], found: FoundBoard, parity: int | None) -> _Cells:
    """Every cell as the picture shows the board; `parity` of the squares played on, None: all are."""
    if parity is None:
        board = full(found.columns, found.rows)
    else:
        board = chequered(found.columns, found.rows, mirrored=(parity - found.rows + 1) % 2 == 1)
    seen = evidence_of_picture(bgr, pose_of(found, board), board)
    scores = np.full((found.rows * found.columns, 5), np.log(0.001), np.float32)
    scores[:, 0] = np.log(0.996)
    for (x, y), point in zip(board.xy, seen.log_likelihood, strict=True):
        scores[(found.rows - 1 - int(y)) * found.columns + int(x)] = point
    return _Cells(scores, tuple(read_grid(seen, board, SURE)), parity)


def _position(
    variant: Variant, found: FoundBoard, seen: _Cells, known: bool
) -> tuple[str | None, list[str], dict[int, str]]:
    """The position as FEN if it is one, what is doubtful about it, and what the record calls each cell."""
    board, start = variant.board, variant.start

    def cells_of(pose: BoardPose) -> NDArray[np.int64]:
        plane = np.c_[np.array(board.xy), np.ones(board.size)]
        there = plane @ (np.linalg.inv(found.image_from_grid) @ pose.image_from_board).T
        column, row = np.floor(there[:, :2] / there[:, 2:]).astype(np.int64).T
        return np.asarray(row * found.columns + column, np.int64)

    def look(pose: BoardPose) -> NDArray[np.float32]:
        return seen.scores[cells_of(pose)]

    pose, warnings = orient(found, board, look, start, seen.parity).pose, []
    marks = [seen.marks[cell] for cell in cells_of(pose)]
    if "?" not in marks and marks != [MARKS[piece] for piece in start.pieces]:
        lies = orient(found, board, look, None, seen.parity)
        sure = lies.margin > SURE_SIDE
        pose = lies.pose if sure else _white_at_the_bottom(found, variant, seen.parity)
        warnings.append(
            "which side is White's was judged by where the discs stand"
            if sure
            else "which side is White's cannot be told; the side nearest the picture's bottom was taken"
        )
        marks = [seen.marks[cell] for cell in cells_of(pose)]
    text, more = fen_of(variant, marks, known)
    names = {int(cell): point_name(variant, point) for point, cell in enumerate(cells_of(pose))}
    return text, [*warnings, *more], names


def _white_at_the_bottom(found: FoundBoard, variant: Variant, parity: int | None) -> BoardPose:
    """Of the ways the board can lie, the one with White's side lowest in the picture; mirrored only if it must be."""
    board = variant.board
    ways = ways_to_lie(found, board, parity)
    plain = [way for way in ways if not way[1]] or ways
    poses = [pose_of(found, board, turn, mirrored) for turn, mirrored in plain]
    return max(poses, key=lambda pose: float(pose.project([[board.width / 2, 0.0]])[0, 1]))
