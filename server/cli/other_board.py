"""Another board before the camera than the game that was named is played on."""

import numpy as np
from numpy.typing import NDArray

from calibration.errors import BoardNotFound
from calibration.find_any import SURE_OF_UNKNOWN, find_unknown
from rules.board import Board
from rules.variant import Variant
from server.cli.sighting import best_known, board_words


def another_board(bgr: NDArray[np.uint8], variant: Variant, confidence: float) -> str | None:
    """What is to be said if a picture (h, w, 3) BGR surely shows another board than that of `variant`; else None.

    `confidence` is that of the board that was looked for, 0 if it was not found. Whether squares are coloured makes
    no other board: games on plain squares are played on chequers as well.
    """
    try:
        board, found = find_unknown(bgr)
    except BoardNotFound:
        return None
    if found.confidence < max(SURE_OF_UNKNOWN, confidence) or _is_alike(board, variant.board):
        return None
    played = best_known(board)
    cure = f"say which game is played on it, such as --variant {played.name}" if played else "put the other board there"
    return (
        f"saw another board: {board_words(board)}; expected that of {variant.title}: {board_words(variant.board)}; "
        f"{cure}, or give the corners if it is the right one after all"
    )


def _is_alike(seen: Board, wanted: Board) -> bool:
    if seen.rows and wanted.rows:
        return sorted((seen.rows, seen.columns)) == sorted((wanted.rows, wanted.columns))
    return seen.kind is wanted.kind and seen.size == wanted.size
