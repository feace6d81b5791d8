"""What can be wrong at the board: the kinds of irregularity and one of them as seen."""

from dataclasses import dataclass
from enum import StrEnum

from rules.move import Move
from rules.piece import Side


class FaultKind(StrEnum):
    """The word used in events, in the record and in the tests for each irregularity."""

    WRONG_ORIENTATION = "wrong_orientation"
    WRONG_SETUP = "wrong_setup"
    OFF_SQUARE = "off_square"
    OUT_OF_TURN = "out_of_turn"
    OPPONENT_PIECE_MOVED = "opponent_piece_moved"
    ILLEGAL_MOVE = "illegal_move"
    MISSED_CAPTURE = "missed_capture"
    NOT_MAJORITY = "not_majority"
    CAPTURE_INCOMPLETE = "capture_incomplete"
    CAPTURED_NOT_REMOVED = "captured_not_removed"
    WRONG_REMOVED = "wrong_removed"
    NOT_CROWNED = "not_crowned"
    WRONGLY_CROWNED = "wrongly_crowned"
    UNCROWNED_KING_MOVED = "uncrowned_king_moved"
    PIECE_APPEARED = "piece_appeared"
    PIECE_VANISHED = "piece_vanished"
    TAKEN_BACK = "taken_back"
    BOARD_DISTURBED = "board_disturbed"
    TOUCHED = "touched"


@dataclass(frozen=True, slots=True)
class Fault:
    """One irregularity, with what a player needs to see why."""

    kind: FaultKind
    side: Side
    """Who is answerable for it."""
    squares: tuple[int, ...]
    """The points it is about."""
    due: tuple[Move, ...]
    """Every capture that was due, if any."""
    message: str
    """One sentence for the players, naming the game and the rule."""
    move: Move | None = None
    """The displacement seen, if one piece moved."""
