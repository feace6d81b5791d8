"""`kibitz look`: one photograph: where is the board, what stands on it."""

import argparse
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from calibration.corners import HAND_GIVEN, checked
from calibration.errors import BoardNotFound
from calibration.find_any import SURE_OF_UNKNOWN, find_points, find_squares, find_unknown
from calibration.find_board import from_corners
from calibration.find_lined import LinedBoard, onto_lines
from calibration.found import FoundBoard
from calibration.lens import StoredLens, load_lens, straight_picture
from calibration.store import load
from hardware.cameras.recorded import read_picture
from hardware.errors import SourceUnusable
from rules.board import Board
from rules.piece import Side
from rules.variant import Variant
from rules.variants.catalogue import variant_named
from server.cli.arguments import add_view, corners
from server.cli.other_board import another_board
from server.cli.output import complain, say, say_json
from server.cli.sighting import best_known, sighting
from server.cli.stands import points_seen, squares_seen
from server.errors import UsageError
from vision.pose import pose_from_corners

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
    try:
        board, found = _located(bgr, variant, places)
    except BoardNotFound:
        _refuse_another_board(bgr, variant, places, 0.0)
        raise
    game = variant or best_known(board)
    if isinstance(found, LinedBoard):
        seen = points_seen(path, bgr, board, found, game, variant is not None)
    else:
        seen = squares_seen(path, bgr, board, found, game, variant is not None)
    if found.confidence < SURE_OF_UNKNOWN or seen["fen"] is None:
        _refuse_another_board(bgr, variant, places, found.confidence)
    unseen = places is not None and found.confidence <= HAND_GIVEN
    if unseen:
        seen["warnings"].append(_NO_BOARD_THERE)
    if variant is None:
        seen["warnings"].append(_untold(game, seen["fen"]))
    return {**seen, "variant": None if game is None else game.name}


def _refuse_another_board(bgr: NDArray[np.uint8], variant: Variant | None, places: Any, confidence: float) -> None:
    """Raises BoardNotFound if the picture surely shows another board than that of the game somebody named."""
    said = another_board(bgr, variant, confidence) if variant is not None and places is None else None
    if said is not None:
        raise BoardNotFound(said)


def _untold(game: Variant | None, text: str | None) -> str:
    """What is to be known of a FEN where nobody said which game is played."""
    if game is None:
        return "no game that Kibitz knows is played on such a board: no FEN is given"
    if text is None:
        return (
            "no --variant was given, so there is no FEN, only what stands where; for a FEN say which game is played, "
            f"such as --variant {game.name}"
        )
    mover = "White" if game.first is Side.WHITE else "Black"
    return (
        f"no --variant was given: the FEN names the squares as {game.title} does, and has {mover} to move, "
        "which no picture shows"
    )
