"""Counting plies backward through a history until something that sets a draw rule's count back."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import Enum

from rules.move import Move
from rules.placement import Placement
from rules.position import Position

Entries = Sequence[tuple[Position, Move | None]]


class Stop(Enum):
    """What can set a count back, as people say it."""

    CAPTURE = "a capture"
    MAN_MOVE = "a man's move"
    PROMOTION = "a promotion"


@dataclass(frozen=True, slots=True)
class Count:
    """Plies, and what the count began with."""

    plies: int
    began_with: str


def since(history: Entries, stops: Iterable[Stop]) -> Count:
    """Plies since the last one that was any of `stops`; an irregularity in the record sets every count back."""
    plies = 0
    for position, move in reversed(history[:-1]):
        if move is None:
            return Count(plies, "an irregular move")
        for stop in stops:
            if _is(stop, position, move):
                return Count(plies, stop.value)
        plies += 1
    return Count(plies, "the start of the record")


def _is(stop: Stop, position: Position, move: Move) -> bool:
    match stop:
        case Stop.CAPTURE:
            return move.is_capture
        case Stop.MAN_MOVE:
            return not position.placement[move.origin].is_king
        case Stop.PROMOTION:
            return move.promotes


def while_standing(history: Entries, holds: Callable[[Placement], bool]) -> Count | None:
    """Plies for which `holds` has been true of the board, or None if it is not now.

    The move that creates the balance is not counted (as lidraughts counts).
    """
    plies = -1
    for position, _ in reversed(history):
        if not holds(position.placement):
            return None if plies < 0 else Count(plies, "the move that left these pieces")
        plies += 1
    return Count(plies, "the start of the record")


def same_material(history: Entries) -> Count:
    """Plies for which the board has held the same numbers of men and kings of both sides."""
    now = sorted(history[-1][0].placement.pieces)
    count = while_standing(history, lambda placement: sorted(placement.pieces) == now)
    return count or Count(0, "the start of the record")
