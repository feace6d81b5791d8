"""The ruling on going from one position to a placement: legal, ambiguous, or which rules were broken."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from rules.displacement import Change, change_between, same_to_the_eye
from rules.faults import Fault, FaultKind
from rules.fit import ASTRAY, CROWNED
from rules.foreign_move import (
    LEAST_ROUND,
    Story,
    both_moved,
    came_and_went,
    crowned_on_the_way,
    enemy_stories,
    nudged,
    second_stories,
)
from rules.legal_moves import all_found, legal_moves, moves_of_disc, placement_after
from rules.messages import captures_due, not_allowed, squares_text
from rules.move import Move
from rules.notation import full_text
from rules.own_move import explained, faults_of
from rules.placement import Placement
from rules.position import Position
from rules.relaxation import Relaxation, relaxed
from rules.variant import Variant

_UNEXPLAINED_MOVE = 3.0
_NUDGED = 3.25
_DISORDER = 8.5
"""A board that leaves more than this unexplained (see rules/fit.py) is disturbed, not a list of faults."""


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
    if not all_found(variant, before):
        return _among_too_many(variant, before, after, change)
    return Irregular(_faults(variant, before, after, change))


def _fitting(variant: Variant, before: Position, after: Placement) -> tuple[Move, ...]:
    """The legal moves that look like `after`; exact looks go before those with a crown missing."""
    shown = [(m, placement_after(before.placement, before.to_move, m)) for m in legal_moves(variant, before)]
    exact = tuple(m for m, placement in shown if placement == after)
    return exact or tuple(m for m, placement in shown if same_to_the_eye(placement, after))


def _among_too_many(variant: Variant, before: Position, after: Placement, change: Change) -> Verdict:
    """Where captures are too many to be known: a capture that explains the board is believed, nothing is accused."""
    free = relaxed(variant, Relaxation.MAJORITY)
    gone = frozenset(change.of(before.to_move)[2])
    for origin in before.placement.points_of(before.to_move):
        for move in moves_of_disc(free, before, origin, gone):
            if move.is_capture and same_to_the_eye(placement_after(before.placement, before.to_move, move), after):
                return Legal((move,))
    return Unreadable(
        "saw a capture with too many ways to try them all; expected one that can be checked: judge it by eye"
    )


def _faults(variant: Variant, before: Position, after: Placement, change: Change) -> tuple[Fault, ...]:
    """The faults of the story that leaves least unexplained; disorder if every story leaves too much."""
    turns = both_moved(variant, before, after, change)
    if turns is not None:
        return (_two_turns(variant, before, change, turns),)
    stories = [
        *_own_stories(variant, before, after, change),
        *enemy_stories(variant, before, after, change),
        *second_stories(variant, before, after, change),
        came_and_went(variant, before, change),
    ]
    cost, faults = min(stories, key=lambda story: story[0])
    return faults if cost <= _DISORDER else (_disturbed(before, change),)


def _own_stories(variant: Variant, before: Position, after: Placement, change: Change) -> Iterator[Story]:
    """The mover made one move, by the rules or against them; at most a disc or two more is amiss."""
    if change.own_gained or len(change.enemy_lost) >= LEAST_ROUND:
        found = explained(variant, before, after, change)
        if found is not None and not change.enemy_gained:
            yield found.cost, faults_of(variant, before, found)
        elif found is not None and found.kind is None:
            disc = nudged(variant, before, after, found.fit)
            if disc is not None:
                yield _NUDGED, (disc,)
    if len(change.own_gained) == 1 and change.own_lost and not change.enemy_gained:
        yield _unexplained(variant, before, after, change)


def _unexplained(variant: Variant, before: Position, after: Placement, change: Change) -> Story:
    """A displacement that no rule explains, whatever is relaxed."""
    end = change.own_gained[0]
    xy = variant.board.xy
    origin = min(change.own_lost, key=lambda p: (xy[p][0] - xy[end][0]) ** 2 + (xy[p][1] - xy[end][1]) ** 2)
    move = Move((origin, end))
    text = not_allowed(variant, before, move, None)
    due = captures_due(variant, before)
    fault = Fault(FaultKind.ILLEGAL_MOVE, before.to_move, (origin, end), due, text, move)
    gone = tuple(p for p in change.vanished if p != origin)
    others = () if not gone else (_gone_too(variant, before, gone, move),)
    crowns = crowned_on_the_way(variant, before, after, origin, end)
    return _UNEXPLAINED_MOVE + ASTRAY * len(gone) + CROWNED * len(crowns), (fault, *others, *crowns)


def _gone_too(variant: Variant, before: Position, gone: tuple[int, ...], move: Move) -> Fault:
    text = f"The disc on {squares_text(variant, gone)} was not captured; please put it back."
    return Fault(FaultKind.WRONG_REMOVED, before.to_move, gone, (), text, move)


def _two_turns(variant: Variant, before: Position, change: Change, turns: tuple[Move, Move]) -> Fault:
    texts = " and ".join(full_text(variant, move) for move in turns)
    text = f"Both sides seem to have moved, {texts}; this is more than one turn."
    return Fault(FaultKind.BOARD_DISTURBED, before.to_move, change.points, (), text)


def _disturbed(before: Position, change: Change) -> Fault:
    text = f"{change.size} squares changed at once; please restore the board."
    return Fault(FaultKind.BOARD_DISTURBED, before.to_move, change.points, (), text)
