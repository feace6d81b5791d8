"""What is wrong with the move of one own piece: one rule relaxed after the other until the move is legal."""

from dataclasses import dataclass

from rules.displacement import Change
from rules.faults import Fault, FaultKind
from rules.legal_moves import legal_moves
from rules.messages import capture_incomplete, captures_due, game_text, missed_capture, not_majority, squares_text
from rules.move import Move
from rules.piece import Piece
from rules.placement import Placement
from rules.position import Position
from rules.variant import Relaxation, Variant, relaxed


@dataclass(frozen=True, slots=True)
class _Fit:
    """A move with the ends seen, the discs it takes that still stand, and the discs gone that it does not take."""

    move: Move
    standing: tuple[int, ...]
    astray: tuple[int, ...]

    @property
    def size(self) -> int:
        return len(self.standing) + 2 * len(self.astray)


def own_move_faults(variant: Variant, before: Position, after: Placement, change: Change) -> tuple[Fault, ...]:
    """The faults of the displacement of one own piece, the gravest first; never empty."""
    compulsion = relaxed(variant, Relaxation.COMPULSION)
    quiet = _fit(compulsion, before, change, captures=False)
    legal = _fit(variant, before, change)
    best = min((f for f in (legal, quiet) if f), key=lambda f: f.size, default=None)
    capture = _relaxed_capture(variant, before, change)
    if capture is not None and (best is None or capture[1].size < best.size):
        kind, fit = capture
        rule = [_capture_fault(variant, before, kind, fit.move)]
    elif best is None:
        return (_illegal(variant, before, change), *_crown(variant, before, after, change, None))
    else:
        fit = best
        missed = legal is None or fit is not legal
        rule = [_missed(variant, before, fit.move)] if missed and captures_due(variant, before) else []
    found = [*rule, *_removal(variant, before, fit), *_crown(variant, before, after, change, fit.move)]
    return tuple(found) or (_illegal(variant, before, change),)


def _fit(rules: Variant, before: Position, change: Change, captures: bool | None = None) -> _Fit | None:
    """The move under these rules that agrees best with what moved and what went."""
    fits = []
    end = change.own_gained[0]
    for move in legal_moves(rules, before):
        if move.end != end or move.origin not in change.own_lost or captures not in (None, move.is_capture):
            continue
        gone = {*change.own_lost, *change.enemy_lost} - {move.origin}
        taken = set(move.captured)
        fits.append(_Fit(move, tuple(sorted(taken - gone)), tuple(sorted(gone - taken))))
    return min(fits, key=lambda f: f.size, default=None)


def _relaxed_capture(variant: Variant, before: Position, change: Change) -> tuple[FaultKind, _Fit] | None:
    """A capture that is wrong by rank, by stopping early or by direction, in this order of preference."""
    trials = (
        (Relaxation.MAJORITY, FaultKind.NOT_MAJORITY),
        (Relaxation.COMPLETION, FaultKind.CAPTURE_INCOMPLETE),
        (Relaxation.BACKWARD_CAPTURE, FaultKind.ILLEGAL_MOVE),
    )
    found = []
    for relaxation, kind in trials:
        fit = _fit(relaxed(variant, relaxation), before, change, captures=True)
        if fit is not None:
            found.append((kind, fit))
    return min(found, key=lambda pair: pair[1].size, default=None)


def _capture_fault(variant: Variant, before: Position, kind: FaultKind, move: Move) -> Fault:
    due = captures_due(variant, before)
    match kind:
        case FaultKind.NOT_MAJORITY:
            text = not_majority(variant, due, move)
        case FaultKind.CAPTURE_INCOMPLETE:
            text = capture_incomplete(variant, due, move)
        case _:
            text = f"In {game_text(variant)} this piece may not capture in that direction."
    return Fault(kind, before.to_move, (move.origin, move.end), due, text, move)


def _missed(variant: Variant, before: Position, move: Move) -> Fault:
    due = captures_due(variant, before)
    text = missed_capture(variant, before, due)
    return Fault(FaultKind.MISSED_CAPTURE, before.to_move, (move.origin, move.end), due, text, move)


def _removal(variant: Variant, before: Position, fit: _Fit) -> list[Fault]:
    faults = []
    side = before.to_move
    if fit.astray:
        text = f"The disc on {squares_text(variant, fit.astray)} was not captured by this move; please put it back."
        faults.append(Fault(FaultKind.WRONG_REMOVED, side, fit.astray, (), text, fit.move))
    if fit.standing:
        text = f"The captured disc on {squares_text(variant, fit.standing)} is still there; please take it off."
        faults.append(Fault(FaultKind.CAPTURED_NOT_REMOVED, side, fit.standing, (), text, fit.move))
    return faults


def _crown(
    variant: Variant, before: Position, after: Placement, change: Change, move: Move | None
) -> tuple[Fault, ...]:
    """Crowns on men that did not promote, the moved one included."""
    wrong = list(change.crowned)
    end = change.own_gained[0]
    if move is not None and after[end].is_king and not before.placement[move.origin].is_king and not move.promotes:
        wrong.append(end)
    if not wrong:
        return ()
    text = f"The man on {squares_text(variant, wrong)} was crowned though it did not promote."
    return (Fault(FaultKind.WRONGLY_CROWNED, before.to_move, tuple(wrong), (), text, move),)


def _illegal(variant: Variant, before: Position, change: Change) -> Fault:
    move = Move((change.own_lost[0], change.own_gained[0]))
    ends = f"{squares_text(variant, [move.origin])} to {squares_text(variant, [move.end])}"
    reason = _reason(variant, before, move)
    text = f"In {game_text(variant)} the move from {ends} is not allowed: {reason}."
    due = captures_due(variant, before)
    return Fault(FaultKind.ILLEGAL_MOVE, before.to_move, (move.origin, move.end), due, text, move)


def _reason(variant: Variant, before: Position, move: Move) -> str:
    if before.placement[move.end] is not Piece.EMPTY:
        return "the square was occupied"
    free = relaxed(variant, Relaxation.COMPULSION)
    trials = (
        (Relaxation.BACKWARD, "a man moves forward only"),
        (Relaxation.KING_FLIES, "a king moves one step only"),
        (Relaxation.KING_RUN, "this king has moved as often in a row as it may"),
    )
    for relaxation, reason in trials:
        moves = legal_moves(relaxed(free, relaxation), before)
        if any((m.origin, m.end) == (move.origin, move.end) for m in moves):
            return reason
    return "a king cannot reach it so" if before.placement[move.origin].is_king else "a man moves one step forward"
