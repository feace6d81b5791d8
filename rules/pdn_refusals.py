"""What is wrong where the reading of a game stops, in words for its reader."""

from collections.abc import Iterator, Sequence
from typing import Protocol

from rules.fen import fen
from rules.legal_moves import all_found, legal_moves
from rules.move import Move
from rules.notation import move_text, point_name
from rules.pdn_reader import PdnProblem
from rules.pdn_search import Attempt
from rules.pdn_tokens import Token, TokenKind
from rules.position import Position

_SHOWN = 8


class _Played(Protocol):
    @property
    def move(self) -> Move | None: ...
    @property
    def text(self) -> str: ...
    @property
    def position(self) -> Position: ...
    @property
    def line(self) -> int: ...
    @property
    def column(self) -> int: ...
    @property
    def is_setup(self) -> bool: ...


def mended(plies: Sequence[_Played]) -> Iterator[PdnProblem]:
    """Illegal moves that the record mends by a set-up."""
    for number, ply in enumerate(plies, start=1):
        if ply.move is None and not ply.is_setup:
            message = f"saw {ply.text!r}, which is not legal; the set-up after it counts"
            yield PdnProblem(ply.line, ply.column, number, "", message)


def refused(attempt: Attempt, words: Sequence[Token], plies: int) -> PdnProblem:
    """Why the word after the last one read cannot be played."""
    variant, position = attempt.reading.variant, attempt.end
    word = words[attempt.reached]
    moves = legal_moves(variant, position)
    side = position.to_move.title
    if word.kind is TokenKind.UNKNOWN:
        expected = "a move that was not written down; expected a move"
    elif word.kind is TokenKind.SETUP:
        expected = f"which is no position of {variant.name}"
    elif not moves:
        expected = f"but {side} has no legal move: the game is over"
    else:
        due = ", ".join(move_text(variant, position, move) for move in moves[:_SHOWN])
        more = f" and {len(moves) - _SHOWN} others" if len(moves) > _SHOWN else ""
        duty = "must capture" if moves[0].is_capture and variant.compulsory else "may play"
        expected = f"{_reason(attempt, word)}; {side} {duty} {due}{more}"
    left = len(words) - attempt.reached - 1
    tail = f"; {left} more after it not read" if left else ""
    message = f"saw {word.text!r}, {expected}{tail}"
    return PdnProblem(word.line, word.column, plies + 1, fen(variant, position), message)


def _reason(attempt: Attempt, word: Token) -> str:
    """Why no legal move fits, as far as the squares alone tell."""
    variant, position = attempt.reading.variant, attempt.end
    points = attempt.reading.points(word.text)
    plain = f"which is not legal in {variant.name}"
    if not all_found(variant, position):
        plain = "which is not among the captures found before they became too many to try"
    if not points:
        return f"which names a square that is not on the board of {variant.name}"
    name, piece = point_name(variant, points[0]), position.placement[points[0]]
    if piece.side is None:
        return f"{plain}: no disc stands on {name}"
    if piece.side is not position.to_move:
        return f"{plain}: {name} holds a disc of {piece.side.title}, whose turn it is not"
    return plain
