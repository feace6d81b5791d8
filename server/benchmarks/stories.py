"""Which single mistakes lead from a position to a board, asked of the generator of moves alone."""

from rules.displacement import same_to_the_eye
from rules.faults import FaultKind
from rules.fit import fit_of
from rules.legal_moves import legal_moves, placement_after, play
from rules.placement import Placement
from rules.position import Position
from rules.relaxation import Relaxation, relaxed
from rules.variant import Variant

JUMPS = (
    Relaxation.BACKWARD_CAPTURE,
    Relaxation.TAKE_KINGS,
    Relaxation.LANDING,
    Relaxation.REVERSAL,
    Relaxation.CHAIN,
    Relaxation.REMOVAL,
)
"""The rules of capture that are broken one at a time."""
_LEFT_SO = (FaultKind.CAPTURED_NOT_REMOVED.value, FaultKind.WRONG_REMOVED.value)


def looks_like(after: Placement, others: tuple[Placement, ...]) -> bool:
    return any(same_to_the_eye(other, after) for other in others)


def ends_of(rules: Variant, position: Position, captures: bool | None = None) -> list[Placement]:
    """What the moves lead to: the captures only, the others only, or all."""
    moves = (m for m in legal_moves(rules, position) if captures in (None, m.is_capture))
    return list(dict.fromkeys(placement_after(position.placement, position.to_move, m) for m in moves))


def is_single_mistake(said: str, planted: str, variant: Variant, position: Position, after: Placement) -> bool:
    """Whether `said`, named instead of the mistake `planted`, is a mistake that alone explains the whole board.

    It can be only where both are about a capture, or where a move out of turn may be the answer to a legal one.
    """
    if planted == FaultKind.OUT_OF_TURN and said == FaultKind.BOARD_DISTURBED:
        return in_two_plies(variant, position, after, Relaxation.COMPLETION)
    if planted not in (*_LEFT_SO, *(f"illegal_move ({jump.value})" for jump in JUMPS)):
        return False
    match said:
        case FaultKind.CAPTURED_NOT_REMOVED | FaultKind.WRONG_REMOVED:
            return _is_left_so(said, variant, position, after)
        case FaultKind.CAPTURE_INCOMPLETE | FaultKind.NOT_MAJORITY:
            return looks_like(after, tuple(ends_of(relaxed(variant, Relaxation.COMPLETION), position, captures=True)))
        case FaultKind.ILLEGAL_MOVE:
            return planted in _LEFT_SO and _breaks_one_rule(variant, position, after)
    return False


def in_two_plies(variant: Variant, position: Position, after: Placement, without: Relaxation | None = None) -> bool:
    """Whether a legal move and an answer lead there: a legal answer, or one that only lacks a rule."""
    answers = variant if without is None else relaxed(variant, without)
    replied = (play(variant, position, move) for move in legal_moves(variant, position))
    return any(looks_like(after, tuple(ends_of(answers, reached))) for reached in replied)


def _is_left_so(said: str, variant: Variant, position: Position, after: Placement) -> bool:
    """Whether a legal move explains all but discs it takes that still stand, or all but one disc that is gone."""
    for move in legal_moves(variant, position):
        fit = fit_of(position, after, move)
        if fit.appeared or fit.crowned:
            continue
        if said == FaultKind.CAPTURED_NOT_REMOVED and fit.standing and not fit.astray:
            return True
        if said == FaultKind.WRONG_REMOVED and len(fit.astray) == 1 and not fit.standing:
            return True
    return False


def _breaks_one_rule(variant: Variant, position: Position, after: Placement) -> bool:
    loose = relaxed(variant, Relaxation.COMPLETION)
    rules = (relaxed(loose, jump) for jump in JUMPS)
    return any(r is not loose and looks_like(after, tuple(ends_of(r, position, captures=True))) for r in rules)
