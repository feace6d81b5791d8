"""Moves by the side that is not to move, second moves in one turn, and discs that came or went by themselves."""

from collections.abc import Iterator
from itertools import chain

from rules.displacement import Change, change_between
from rules.faults import Fault, FaultKind
from rules.fit import APPEARED, ASTRAY, CROWNED, Fit, best_fit, disc_moves
from rules.legal_moves import legal_moves, play
from rules.messages import captures_due, disc_moved, moved_again, moved_out_of_turn, squares_text, wrongly_crowned
from rules.move import Move
from rules.own_move import leftovers
from rules.placement import Placement
from rules.position import Position
from rules.relaxation import Relaxation, relaxed
from rules.variant import Variant

Story = tuple[float, tuple[Fault, ...]]
"""What an explanation leaves unexplained, as in rules/fit.py, and the faults it amounts to."""

_OUT_OF_TURN = 0.75
_MOVED_TWICE = 1.0
_ENEMY_DISPLACED = 3.25
LEAST_ROUND = 3
"""A disc that captures its way back to where it started takes at least so many."""


def enemy_stories(variant: Variant, before: Position, after: Placement, change: Change) -> Iterator[Story]:
    """A disc of the side not to move changed place: its owner moved out of turn, or the mover moved it."""
    if len(change.enemy_gained) != 1 or not change.enemy_lost:
        return
    other = Position(before.placement, before.to_move.opponent, before.white_run, before.black_run)
    fit = _any_move(variant, other, after)
    if fit is not None and not fit.appeared:
        move = fit.move
        text = moved_out_of_turn(variant, before, move)
        fault = Fault(FaultKind.OUT_OF_TURN, other.to_move, (move.origin, move.end), (), text, move)
        yield _OUT_OF_TURN + fit.cost, (fault, *leftovers(variant, other, fit))
    origin, end = change.enemy_lost[0], change.enemy_gained[0]
    others = [p for p in change.points if p not in (origin, end)]
    if len(others) > 1 or change.own_gained:
        return
    crowns = crowned_on_the_way(variant, before, after, origin, end)
    cost = _ENEMY_DISPLACED + ASTRAY * len(others) + CROWNED * len(crowns)
    yield cost, (_displaced(variant, before, origin, end), *crowns)


def crowned_on_the_way(
    variant: Variant, before: Position, after: Placement, origin: int, end: int
) -> tuple[Fault, ...]:
    """The fault of a man that was carried against the rules and stands there as a king."""
    if before.placement[origin].is_king or not after[end].is_king:
        return ()
    text = wrongly_crowned(variant, before, (end,), None)
    return (Fault(FaultKind.WRONGLY_CROWNED, before.to_move, (end,), (), text),)


def _any_move(variant: Variant, position: Position, after: Placement) -> Fit | None:
    """The best fit among all that a player may mean by a move: quiet, or a capture complete or not."""
    change = change_between(position, after)
    loose = relaxed(variant, Relaxation.COMPLETION)
    moves = chain(
        disc_moves(variant, position, change, captures=False), disc_moves(loose, position, change, captures=True)
    )
    return best_fit(moves, position, after)


def _displaced(variant: Variant, before: Position, origin: int, end: int) -> Fault:
    text = disc_moved(variant, before, origin, end)
    due = captures_due(variant, before)
    return Fault(FaultKind.OPPONENT_PIECE_MOVED, before.to_move, (origin, end), due, text, Move((origin, end)))


def second_stories(variant: Variant, before: Position, after: Placement, change: Change) -> Iterator[Story]:
    """Two discs of the mover changed place: it moved twice. One may have captured its way back to where it stood."""
    if not _may_be_two_moves(change):
        return
    for move in legal_moves(variant, before):
        went = before.placement[move.origin] is not after[move.origin] and move.end in change.own_gained
        if not went and move.origin != move.end:
            continue
        again = play(variant, before, move)
        own = Position(again.placement, before.to_move, again.white_run, again.black_run)
        fit = _any_move(variant, own, after)
        if fit is not None and fit.move.origin != move.end and not fit.appeared:
            text = moved_again(variant, before, move, fit.move)
            squares = (fit.move.origin, fit.move.end)
            fault = Fault(FaultKind.OUT_OF_TURN, before.to_move, squares, (), text, fit.move)
            yield _MOVED_TWICE + fit.cost, (fault, *leftovers(variant, own, fit))


def _may_be_two_moves(change: Change) -> bool:
    if len(change.own_gained) == 1:
        return bool(change.own_lost) and len(change.enemy_lost) >= LEAST_ROUND
    return len(change.own_gained) == 2 and len(change.own_lost) >= 2


def both_moved(variant: Variant, before: Position, after: Placement, change: Change) -> tuple[Move, Move] | None:
    """A legal move of the mover and a reply that together explain the board: two turns, not one."""
    if not change.own_lost or not (change.enemy_gained or change.enemy_lost or len(change.own_lost) > 1):
        return None
    for move in legal_moves(variant, before):
        if move.origin in change.own_lost:
            reply = _any_move(variant, play(variant, before, move), after)
            if reply is not None and reply.cost == 0:
                return move, reply.move
    return None


def nudged(variant: Variant, before: Position, after: Placement, fit: Fit) -> Fault | None:
    """The enemy disc that stands elsewhere after a legal move of the mover."""
    if len(fit.astray) != 1 or len(fit.appeared) != 1 or fit.standing or fit.crowned:
        return None
    origin, end = fit.astray[0], fit.appeared[0]
    enemy = before.to_move.opponent
    if before.placement[origin].side is not enemy or after[end].side is not enemy:
        return None
    return _displaced(variant, before, origin, end)


def came_and_went(variant: Variant, before: Position, change: Change) -> Story:
    """Discs that left, came or were crowned without any move."""
    told = (
        (
            FaultKind.PIECE_VANISHED,
            change.vanished,
            "The disc on {} is gone, though nobody moved or captured; please put it back.",
        ),
        (FaultKind.PIECE_APPEARED, change.gained, "A disc appeared on {} without a move; please take it off."),
        (FaultKind.WRONGLY_CROWNED, change.crowned, wrongly_crowned(variant, before, change.crowned, None)),
    )
    faults = tuple(
        Fault(kind, before.to_move, points, (), text.format(squares_text(variant, points)))
        for kind, points, text in told
        if points
    )
    cost = ASTRAY * len(change.vanished) + APPEARED * len(change.gained) + CROWNED * len(change.crowned)
    return cost, faults
