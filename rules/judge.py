"""The ruling on going from one position to a placement: legal, ambiguous, or which rules were broken."""

from dataclasses import dataclass
from functools import lru_cache

from rules.displacement import Change, change_between, same_to_the_eye
from rules.faults import Fault, FaultKind
from rules.legal_moves import legal_moves, placement_after, play
from rules.messages import captures_due, side_text, squares_text
from rules.move import Move
from rules.own_move import own_move_faults
from rules.placement import Placement
from rules.position import Position
from rules.variant import Relaxation, Variant, relaxed

_MANY_SQUARES = 5
"""So many changed points without an explanation are a disturbed board, not a list of faults."""


@dataclass(frozen=True, slots=True)
class Unchanged:
    """The board shows the position before."""


@dataclass(frozen=True, slots=True)
class Legal:
    """One legal move explains the board; `moves` holds it alone."""

    moves: tuple[Move, ...]


@dataclass(frozen=True, slots=True)
class Ambiguous:
    """Several legal moves look like this."""

    moves: tuple[Move, ...]


@dataclass(frozen=True, slots=True)
class Irregular:
    """No legal move explains the board; the first fault is the one to speak of."""

    faults: tuple[Fault, ...]


@dataclass(frozen=True, slots=True)
class Unreadable:
    """The two cannot be compared."""

    reason: str


Verdict = Unchanged | Legal | Ambiguous | Irregular | Unreadable


@lru_cache(maxsize=1024)
def judge(variant: Variant, before: Position, after: Placement) -> Verdict:
    """The ruling on one turn. A crown missing on a king is never a fault here: it may come late."""
    if len(after) != len(before.placement):
        return Unreadable(f"saw {len(after)} points; expected the {len(before.placement)} of {variant.name}")
    fitting = _fitting(variant, before, after)
    if fitting:
        return Legal(fitting) if len(fitting) == 1 else Ambiguous(fitting)
    change = change_between(before, after)
    if not change.size:
        return Unchanged()
    return Irregular(_faults(variant, before, after, change))


def _fitting(variant: Variant, before: Position, after: Placement) -> tuple[Move, ...]:
    """The legal moves that look like `after`; exact looks go before those with a crown missing."""
    shown = [(m, placement_after(before.placement, before.to_move, m)) for m in legal_moves(variant, before)]
    exact = tuple(m for m, placement in shown if placement == after)
    return exact or tuple(m for m, placement in shown if same_to_the_eye(placement, after))


def _faults(variant: Variant, before: Position, after: Placement, change: Change) -> tuple[Fault, ...]:
    if len(change.own_gained) == 1 and change.own_lost and not change.enemy_gained:
        return own_move_faults(variant, before, after, change)
    if len(change.enemy_gained) == 1 and change.enemy_lost and not change.own_gained:
        return (_enemy_moved(variant, before, after, change),)
    if len(change.own_gained) == 2 and len(change.own_lost) == 2:
        again = _moved_twice(variant, before, after)
        if again is not None:
            return (again,)
    if change.size >= _MANY_SQUARES or (change.size > 3 and (change.own_gained or change.enemy_gained)):
        return (_disturbed(before, change),)
    return _came_and_went(variant, before, change)


def _enemy_moved(variant: Variant, before: Position, after: Placement, change: Change) -> Fault:
    """A disc of the side not to move changed place: its owner moved out of turn, or the mover touched it."""
    other = Position(before.placement, before.to_move.opponent, before.white_run, before.black_run)
    for rules in (variant, relaxed(variant, Relaxation.COMPULSION), relaxed(variant, Relaxation.COMPLETION)):
        for move in _fitting(rules, other, after):
            text = (
                f"{side_text(other.to_move)} moved from {squares_text(variant, [move.origin])} to "
                f"{squares_text(variant, [move.end])}, but it is {side_text(before.to_move)}'s turn."
            )
            return Fault(FaultKind.OUT_OF_TURN, other.to_move, (move.origin, move.end), (), text, move)
    squares = (change.enemy_lost[0], change.enemy_gained[0])
    where = " to ".join(squares_text(variant, [p]) for p in squares)
    text = (
        f"A disc of {side_text(other.to_move)} changed place, {where}, though it is {side_text(before.to_move)}'s turn."
    )
    kind = FaultKind.OPPONENT_PIECE_MOVED
    return Fault(kind, before.to_move, squares, captures_due(variant, before), text, Move(squares))


def _moved_twice(variant: Variant, before: Position, after: Placement) -> Fault | None:
    """The same side made two moves in a row."""
    for move in legal_moves(variant, before):
        if before.placement[move.origin] is after[move.origin]:
            continue
        again = play(variant, before, move)
        own = Position(again.placement, before.to_move, again.white_run, again.black_run)
        second = _fitting(relaxed(variant, Relaxation.COMPULSION), own, after)
        if second:
            squares = (second[0].origin, second[0].end)
            text = f"{side_text(before.to_move)} moved twice; it was {side_text(again.to_move)}'s turn."
            return Fault(FaultKind.OUT_OF_TURN, before.to_move, squares, (), text, second[0])
    return None


def _disturbed(before: Position, change: Change) -> Fault:
    text = f"{change.size} squares changed at once; please restore the board."
    return Fault(FaultKind.BOARD_DISTURBED, before.to_move, change.points, (), text)


def _came_and_went(variant: Variant, before: Position, change: Change) -> tuple[Fault, ...]:
    """Discs that left, came or were crowned without any move."""
    gone = (*change.own_lost, *change.enemy_lost)
    come = (*change.own_gained, *change.enemy_gained)
    gone = tuple(p for p in gone if p not in come)
    told = (
        (
            FaultKind.PIECE_VANISHED,
            gone,
            "The disc on {} is gone, though nobody moved or captured; please put it back.",
        ),
        (FaultKind.PIECE_APPEARED, come, "A disc appeared on {} without a move; please take it off."),
        (FaultKind.WRONGLY_CROWNED, change.crowned, "The man on {} was crowned though it did not promote."),
    )
    return tuple(
        Fault(kind, before.to_move, points, (), text.format(squares_text(variant, points)))
        for kind, points, text in told
        if points
    )
