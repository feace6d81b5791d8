"""What is wrong with the move of one own disc: one rule relaxed after the other until a move explains the board."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

from rules.completion import could_go_on
from rules.displacement import Change
from rules.faults import Fault, FaultKind
from rules.fit import STANDING, Fit, best_fit, disc_moves
from rules.legal_moves import legal_moves
from rules.messages import (
    capture_incomplete,
    captures_due,
    missed_capture,
    not_allowed,
    not_majority,
    squares_text,
    wrongly_crowned,
)
from rules.move import Move
from rules.placement import Placement
from rules.position import Position
from rules.precedence import first_difference
from rules.relaxation import Relaxation, relaxed
from rules.variant import Variant


@dataclass(frozen=True, slots=True)
class Explanation:
    """A move that explains the board but for `fit`, and the rule it breaks (None: it breaks none)."""

    fit: Fit
    kind: FaultKind | None
    broken: Relaxation | None
    rarity: float = 0.0
    """How far-fetched it is, on the scale of the fit's cost."""

    @property
    def cost(self) -> float:
        twofold = _TWOFOLD if self.rarity and self.fit.cost >= STANDING else 0.0
        return self.fit.cost + self.rarity + twofold


_TWOFOLD = 0.75
"""Two mistakes at once, a rule broken and discs amiss as well, are less likely than either alone."""
_WRONG_CAPTURE = 0.1
_STEPS = {
    Relaxation.KING_RUN: 0.5,
    Relaxation.FAR_ROW: 0.5,
    Relaxation.BACKWARD: 0.5,
    Relaxation.KING_FLIES: 0.5,
    Relaxation.ANY_DIRECTION: 2.0,
}
_JUMPS = {
    Relaxation.TAKE_KINGS: 0.5,
    Relaxation.BACKWARD_CAPTURE: 0.5,
    Relaxation.LANDING: 0.5,
    Relaxation.REVERSAL: 0.5,
    Relaxation.KING_FLIES: 0.5,
    Relaxation.CHAIN: 0.5,
    Relaxation.PROMOTION_IN_PASSING: 0.5,
    Relaxation.REMOVAL: 1.5,
    Relaxation.ANY_DIRECTION: 2.5,
}
"""How far-fetched it is that a player broke this rule; captured discs left standing are likelier than the last two."""


def explained(variant: Variant, before: Position, after: Placement, change: Change) -> Explanation | None:
    """The likeliest move behind the board, under the rules or with one of them broken; None if there is none."""
    best: Explanation | None = None
    for rarity, find in _trials(variant, before, after, change):
        if best is not None and best.cost <= rarity:
            break
        found = find()
        if found is not None and (best is None or found.cost < best.cost):
            best = found
    return best


_Find = Callable[[], Explanation | None]


def _trials(variant: Variant, before: Position, after: Placement, change: Change) -> Iterator[tuple[float, _Find]]:
    """Ways to look for a move, by the rules and then with one rule relaxed after the other, the likeliest first.

    Each comes with the least that an explanation found so can cost.
    """
    legal = partial(best_fit, legal_moves(variant, before), before, after)
    yield 0.0, lambda: _explanation(legal(), None, None, 0.0)
    quiet = partial(disc_moves, variant, before, change, captures=False)
    yield 0.0, lambda: _missed(variant, before, best_fit(quiet(), before, after))
    loose = relaxed(variant, Relaxation.COMPLETION)
    capture = partial(disc_moves, loose, before, change, captures=True)
    yield _WRONG_CAPTURE, lambda: _of_capture(variant, before, best_fit(capture(), before, after))
    for relaxation, rarity, rules, captures in _broken_rules(variant, loose):
        moves = partial(disc_moves, rules, before, change, captures=captures)
        yield rarity, partial(_illegal, moves, before, after, relaxation, rarity)


def _broken_rules(variant: Variant, loose: Variant) -> list[tuple[Relaxation, float, Variant, bool]]:
    found = [(r, rarity, relaxed(variant, r), False) for r, rarity in _STEPS.items()]
    found += [(r, rarity, relaxed(loose, r), True) for r, rarity in _JUMPS.items()]
    return sorted((f for f in found if f[2] not in (variant, loose)), key=lambda f: f[1])


def _illegal(
    moves: Callable[[], Iterator[Move]], before: Position, after: Placement, broken: Relaxation, rarity: float
) -> Explanation | None:
    return _explanation(best_fit(moves(), before, after), FaultKind.ILLEGAL_MOVE, broken, rarity)


def _explanation(
    fit: Fit | None, kind: FaultKind | None, broken: Relaxation | None, rarity: float
) -> Explanation | None:
    return None if fit is None else Explanation(fit, kind, broken, rarity)


def _missed(variant: Variant, before: Position, fit: Fit | None) -> Explanation | None:
    """A quiet move although a capture was due."""
    if not captures_due(variant, before):
        return None
    return _explanation(fit, FaultKind.MISSED_CAPTURE, Relaxation.COMPULSION, 0.0)


def _of_capture(variant: Variant, before: Position, fit: Fit | None) -> Explanation | None:
    """A capture that is right but for its rank, its early end or the landing of its king."""
    if fit is None:
        return None
    if could_go_on(variant, before, fit.move):
        return Explanation(fit, FaultKind.CAPTURE_INCOMPLETE, Relaxation.COMPLETION, _WRONG_CAPTURE)
    due = captures_due(variant, before)
    if due and first_difference(variant, before, due[0], fit.move) is not None:
        return Explanation(fit, FaultKind.NOT_MAJORITY, Relaxation.MAJORITY, _WRONG_CAPTURE)
    return Explanation(fit, FaultKind.ILLEGAL_MOVE, Relaxation.LANDING, _WRONG_CAPTURE)


def faults_of(variant: Variant, before: Position, found: Explanation) -> tuple[Fault, ...]:
    """The faults that an explanation amounts to, the gravest first."""
    rule = _rule(variant, before, found)
    return (*((rule,) if rule else ()), *leftovers(variant, before, found.fit))


def _rule(variant: Variant, before: Position, found: Explanation) -> Fault | None:
    move, due = found.fit.move, captures_due(variant, before)
    match found.kind:
        case None:
            return None
        case FaultKind.MISSED_CAPTURE:
            text = missed_capture(variant, before, due, move)
        case FaultKind.NOT_MAJORITY:
            text = not_majority(variant, before, due, move)
        case FaultKind.CAPTURE_INCOMPLETE:
            text = capture_incomplete(variant, before, due, move)
        case _:
            text = not_allowed(variant, before, move, found.broken)
    return Fault(found.kind, before.to_move, (move.origin, move.end), due, text, move)


def leftovers(variant: Variant, before: Position, fit: Fit) -> list[Fault]:
    """What a move leaves unexplained, as faults."""
    told = (
        (FaultKind.WRONG_REMOVED, fit.astray, "The disc on {} was not captured by this move; please put it back."),
        (FaultKind.CAPTURED_NOT_REMOVED, fit.standing, "The captured disc on {} is still there; please take it off."),
        (
            FaultKind.PIECE_APPEARED,
            fit.appeared,
            "The disc on {} came from nowhere; please take it off.",
        ),
        (FaultKind.WRONGLY_CROWNED, fit.crowned, wrongly_crowned(variant, before, fit.crowned, fit.move)),
    )
    return [
        Fault(kind, before.to_move, points, (), text.format(squares_text(variant, points)), fit.move)
        for kind, points, text in told
        if points
    ]
