"""Whether the result a record gives agrees with the board its moves end on."""

from rules.draws import ending
from rules.pdn_reader import PdnGame, PdnProblem
from rules.pdn_search import Attempt
from rules.piece import Side, king, man
from rules.position import Position

_WINNER = {"2-0": Side.WHITE, "1-0": Side.WHITE, "0-2": Side.BLACK, "0-1": Side.BLACK, "1-1": None, "1/2-1/2": None}
"""Whom a result names as the winner, White's score standing first; others may score anything.

Where Black begins, some sites put Black's score first: then only a draw is sure to be one.
"""
_MAY_BE_BLOCKED = 6
"""A side with more discs than this has hardly ever lost all its moves; looking would slow down reading."""


def result_against_the_board(game: PdnGame, result: str, attempt: Attempt) -> tuple[PdnProblem, ...]:
    """A note if the last position is won for a side and the result says otherwise; both are kept."""
    if result not in _WINNER or not attempt.is_complete or not _may_be_over(attempt.end):
        return ()
    if _WINNER[result] is not None and attempt.reading.variant.first is Side.BLACK:
        return ()
    end = ending(attempt.reading.variant, [(attempt.end, None)])
    if end is None or end.winner is None or end.winner is _WINNER[result]:
        return ()
    message = f"saw the result {result!r}, but on the board {end.winner.title} has won: {end.text}"
    return (PdnProblem(*game.tag_place("Result"), attempt.plies, "", message),)


def _may_be_over(position: Position) -> bool:
    pieces, mover = position.placement.pieces, position.to_move
    return pieces.count(int(man(mover))) + pieces.count(int(king(mover))) <= _MAY_BE_BLOCKED
