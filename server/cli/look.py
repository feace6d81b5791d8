"""`kibitz look`: one photograph: where is the board, what stands on it."""

import argparse
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from calibration.corners import HAND_GIVEN, checked
from calibration.errors import BoardNotFound
from calibration.find_any import find_points, find_squares, find_unknown
from calibration.find_board import from_corners
from calibration.find_lined import LinedBoard, onto_lines
from calibration.found import FoundBoard
from calibration.lens import StoredLens, load_lens, straight_picture
from calibration.orientation import orient, orient_lined, play_parity, pose_of, ways_to_lie
from calibration.store import load
from hardware.cameras.recorded import read_picture
from hardware.errors import SourceUnusable
from rules.board import Board, BoardKind
from rules.boards.squares import chequered, full
from rules.errors import FenError
from rules.fen import fen, parse_fen
from rules.piece import Side
from rules.placement import Placement
from rules.position import Position
from rules.variant import Variant
from rules.variants.catalogue import variant_named
from server.cli.arguments import add_view, corners
from server.cli.output import complain, say, say_json
from server.cli.sighting import best_known, sighting
from server.errors import UsageError
from vision.evidence import read_grid
from vision.framings import evidence_of_picture
from vision.pose import BoardPose, pose_from_corners

SURE = 0.5
"""Probability of the most likely sight below which a square is told as `?`."""
SURE_SIDE = 1.0
"""Margin of the discs' lean to their own sides from which it tells whose side is whose."""

_NO_BOARD_THERE = (
    "saw no pattern of squares between the corners that were given; what is read there may be nonsense: check the "
    "corners, or leave --corners away and the board is looked for"
)


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("images", nargs="+", type=Path, metavar="IMAGE")
    parser.add_argument("--variant", help="name of the game: fixes the size of the board")
    add_view(parser)
    parser.add_argument("--json", action="store_true", help="one JSON object per picture")


def run(given: argparse.Namespace) -> int:
    calibration = load(given.calibration) if given.calibration else None
    name = given.variant if given.variant is not None or calibration is None else calibration.variant
    variant = variant_named(name) if name is not None else None
    places: Any = corners(given.corners) if given.corners is not None else None
    if places is None and calibration and variant:
        places = calibration.pose.corners(variant.board)
    lens = load_lens(given.lens) if given.lens else None
    status = 0
    for path in given.images:
        try:
            seen = _seen_through(lens, path, variant, places)
        except SourceUnusable as trouble:
            complain(str(trouble))
            status = 2
            continue
        except BoardNotFound as trouble:
            status = max(status, 1)
            seen = {"image": str(path), "found": False, "fen": None, "warnings": [str(trouble)]}
        _tell(path, seen, given.json)
    return status


def _tell(path: Path, seen: dict[str, Any], as_json: bool) -> None:
    if as_json:
        say_json(seen)
        return
    if not seen["found"]:
        complain(f"{path}: {seen['warnings'][0]}")
        return
    say(f"{path}: " + "\n".join(sighting(seen)))
    for warning in seen["warnings"]:
        complain(f"{path}: {warning}")


def _located(bgr: NDArray[np.uint8], variant: Variant | None, places: Any) -> tuple[Board, FoundBoard | LinedBoard]:
    """The board and where it is, without its orientation."""
    if variant is None:
        if places is not None:
            raise UsageError("saw --corners without --variant; expected the game too, which tells how many squares")
        return find_unknown(bgr)
    board = variant.board
    if board.rows:
        given = places is not None
        return board, (from_corners(bgr, places, board.rows, board.columns) if given else find_squares(bgr, board))
    if places is None:
        return board, find_points(bgr, board)
    size = (bgr.shape[1], bgr.shape[0])
    pose = pose_from_corners(checked(places, size, len(board.outline)), board, size)
    return board, LinedBoard(onto_lines(bgr, pose, board), 1.0, "lines")


def _seen_through(lens: StoredLens | None, path: Path, variant: Variant | None, places: Any) -> dict[str, Any]:
    """What a picture shows; one by a known lens is straightened first."""
    bgr = read_picture(path)
    if lens is None:
        return _seen(path, bgr, variant, places)
    size = (bgr.shape[1], bgr.shape[0])
    view = straight_picture(lens.at(size), size)
    seen = _seen(path, view.of(bgr), variant, None if places is None else view.corners(places))
    return {**seen, "corners": np.round(view.pixels(seen["corners"]), 1).tolist()}


def _seen(path: Path, bgr: NDArray[np.uint8], variant: Variant | None, places: Any) -> dict[str, Any]:
    board, found = _located(bgr, variant, places)
    game = variant or best_known(board)
    unseen = places is not None and found.confidence <= HAND_GIVEN
    if isinstance(found, LinedBoard):
        seen = _points_seen(path, bgr, board, found, game)
    else:
        seen = _squares_seen(path, bgr, board, found, game)
    if unseen:
        seen["warnings"].append(_NO_BOARD_THERE)
    if variant is None:
        seen["warnings"].append(_untold(game, seen["fen"]))
    return {**seen, "variant": None if game is None else game.name}


def _untold(game: Variant | None, text: str | None) -> str:
    """What is to be known of a FEN where nobody said which game is played."""
    if game is None:
        return "no game that Kibitz knows is played on such a board: no FEN is given"
    if text is None:
        return f"no --variant was given: the board was read as one of {game.title}"
    mover = "White" if game.first is Side.WHITE else "Black"
    return (
        f"no --variant was given: the FEN names the squares as {game.title} does, and has {mover} to move, "
        "which no picture shows"
    )


def _squares_seen(
    path: Path, bgr: NDArray[np.uint8], board: Board, found: FoundBoard, variant: Variant | None
) -> dict[str, Any]:
    """A board of squares, as the picture shows it."""
    full_board = board.kind is BoardKind.FULL
    parity = None if full_board else play_parity(bgr, found)
    scores, grid = _read(bgr, found, parity)
    text, warnings = _position(variant, found, grid, scores, parity) if variant else (None, [])
    kind = "octagon" if found.drawing == "octagons" else board.kind.value
    return {
        "image": str(path),
        "found": True,
        "kind": kind,
        "rows": found.rows,
        "cols": found.columns,
        "corners": np.round(found.corners, 1).tolist(),
        "grid": grid,
        "confidence": round(float(found.confidence), 3),
        "fen": text,
        "warnings": warnings,
    }


def _points_seen(
    path: Path, bgr: NDArray[np.uint8], board: Board, found: LinedBoard, variant: Variant | None
) -> dict[str, Any]:
    """A board of points, named with White on the side to which the light discs lean."""

    def look(pose: BoardPose) -> NDArray[np.float32]:
        return evidence_of_picture(bgr, pose, board).log_likelihood

    lies = orient_lined(found.pose, board, look, None, side_known=found.side_known)
    seen = evidence_of_picture(bgr, lies.pose, board)
    marks = np.where(seen.sureness() < SURE, "?", np.array(list(".wbWB"))[seen.pieces()])
    warnings: list[str] = (
        [] if lies.margin > SURE_SIDE else ["which side is White's cannot be told by where the discs stand"]
    )
    text = None
    if variant is not None and "?" not in marks:
        text = fen(variant, Position(Placement(bytes(".wbWB".find(str(mark)) for mark in marks)), variant.first))
        try:
            parse_fen(variant, text)
        except FenError as trouble:
            text, warnings = None, [*warnings, f"the pieces read are no position of {variant.name}: {trouble}"]
    return {
        "image": str(path),
        "found": True,
        "kind": board.kind.value,
        "corners": np.round(lies.pose.corners(board), 1).tolist(),
        "points": {name: str(mark) for name, mark in zip(board.names, marks, strict=True)},
        "confidence": round(float(found.confidence), 3),
        "fen": text,
        "warnings": warnings,
    }


def _read(bgr: NDArray[np.uint8], found: FoundBoard, parity: int | None) -> tuple[NDArray[np.float32], list[str]]:
    """Log-likelihoods (rows * columns, 5) of every cell and the grid, both as the picture shows the board.

    `parity` of the squares played on; None: all are.
    """
    if parity is None:
        board = full(found.columns, found.rows)
    else:
        board = chequered(found.columns, found.rows, mirrored=(parity - found.rows + 1) % 2 == 1)
    seen = evidence_of_picture(bgr, pose_of(found, board), board)
    scores = np.full((found.rows * found.columns, 5), np.log(0.001), np.float32)
    scores[:, 0] = np.log(0.996)
    for (x, y), point in zip(board.xy, seen.log_likelihood, strict=True):
        scores[(found.rows - 1 - int(y)) * found.columns + int(x)] = point
    return scores, read_grid(seen, board, SURE)


def _position(
    variant: Variant, found: FoundBoard, grid: list[str], scores: NDArray[np.float32], parity: int | None
) -> tuple[str | None, list[str]]:
    """The position as FEN, if it is one of the game's, and what is doubtful about it."""
    board = variant.board

    def cells_of(pose: BoardPose) -> NDArray[np.int64]:
        plane = np.c_[np.array(board.xy), np.ones(board.size)]
        there = plane @ (np.linalg.inv(found.image_from_grid) @ pose.image_from_board).T
        return np.asarray(np.floor(there[:, :2] / there[:, 2:]), np.int64)

    def look(pose: BoardPose) -> NDArray[np.float32]:
        cells = cells_of(pose)
        return scores[cells[:, 1] * found.columns + cells[:, 0], :5]

    start = variant.start
    lies = orient(found, board, look, start, parity)
    cells = cells_of(lies.pose)
    marks = [grid[r][c] for c, r in cells]
    told = bytes(max(0, ".wbWB".find(mark)) for mark in marks)
    warnings = []
    if "?" in marks:
        return None, ["saw squares that cannot be told; expected all to be clear: no FEN is given"]
    if told != start.pieces:
        lies = orient(found, board, look, None, parity)
        sure = lies.margin > SURE_SIDE
        pose = lies.pose if sure else _white_at_the_bottom(found, variant, parity)
        warnings.append(
            "which side is White's was judged by where the discs stand"
            if sure
            else "which side is White's cannot be told; the side nearest the picture's bottom was taken"
        )
        marks = [grid[r][c] for c, r in cells_of(pose)]
        told = bytes(".wbWB".find(mark) for mark in marks)
    text = fen(variant, Position(Placement(told), variant.first))
    try:
        parse_fen(variant, text)
    except FenError as trouble:
        return None, [*warnings, f"the pieces read are no position of {variant.name}: {trouble}"]
    return text, warnings


def _white_at_the_bottom(found: FoundBoard, variant: Variant, parity: int | None) -> BoardPose:
    """Of the ways the board can lie, the one with White's side lowest in the picture; mirrored only if it must be."""
    board = variant.board
    ways = ways_to_lie(found, board, parity)
    plain = [way for way in ways if not way[1]] or ways
    poses = [pose_of(found, board, turn, mirrored) for turn, mirrored in plain]
    return max(poses, key=lambda pose: float(pose.project([[board.width / 2, 0.0]])[0, 1]))
