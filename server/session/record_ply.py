"""Writing turns into the state: legal moves, displacements that were let stand, and the end of the game."""

import math
from dataclasses import replace

from rules.faults import Fault, FaultKind
from rules.fen import fen
from rules.legal_moves import legal_moves, play
from rules.move import Move
from rules.notation import move_text, point_name
from rules.piece import Piece, Side
from rules.placement import Placement
from rules.position import Position
from server.session.events import Effect, Ended, Moved
from server.session.state import Ply, Standing, State

_TURN_STAYS = (
    FaultKind.PIECE_VANISHED,
    FaultKind.PIECE_APPEARED,
    FaultKind.WRONGLY_CROWNED,
    FaultKind.NOT_CROWNED,
    FaultKind.OFF_SQUARE,
)
"""Irregularities that use up nobody's turn."""


def record_moves(
    state: State, moves: tuple[Move, ...], margin: float, left: Placement | None = None
) -> tuple[State, tuple[Effect, ...]]:
    """The state after legal moves. `left` is the board if captured discs were left standing on it."""
    effects: list[Effect] = []
    for move in moves:
        state, said = _record(state, move, margin, left)
        effects.extend(said)
        if state.result is not None:
            break
    return state, tuple(effects)


def _record(state: State, move: Move, margin: float, left: Placement | None) -> tuple[State, tuple[Effect, ...]]:
    variant, before = state.terms.variant, state.position
    text = move_text(variant, before, move)
    after = play(variant, before, move)
    if left is not None:
        after = replace(after, placement=left)
    promoted = not before.placement[int(move.origin)].is_king and after.placement[int(move.end)].is_king
    state = replace(state, position=after, plies=(*state.plies, Ply(before, after, text, move)), dismissed=())
    if promoted:
        state = replace(state, uncrowned=(*state.uncrowned, (int(move.end), state.ply)))
    moved = Moved(
        ply=state.ply,
        side=state.terms.shade(before.to_move),
        move=text,
        captured=tuple(point_name(variant, int(p)) for p in move.captured),
        promoted=promoted,
        fen=fen(variant, after),
        confidence=round(1.0 - math.exp(-max(0.05, min(margin, 12.0))), 4),
        squares=tuple(point_name(variant, int(p)) for p in move.path),
    )
    state, end = over(state)
    return state, (moved, *end)


def over(state: State) -> tuple[State, tuple[Effect, ...]]:
    """The end of the game where the rules leave the mover no move."""
    variant, position = state.terms.variant, state.position
    if legal_moves(variant, position):
        return state, ()
    loser = position.to_move.opponent if variant.losing else position.to_move
    result = result_for(state, loser.opponent)
    reason = "no legal move" if position.placement.points_of(position.to_move) else "no discs left"
    return replace(state, result=result), (Ended(result, reason),)


def result_for(state: State, winner: Side | None) -> str:
    """PDN result: `2-0` and `0-2` on international scales, `1-0` and `0-1` else, White's score first."""
    full, half = ("1", "1/2") if state.terms.variant.game_type.split(",")[0] in ("21", "") else ("2", "1")
    if winner is None:
        return f"{half}-{half}"
    return f"{full}-0" if winner is Side.WHITE else f"0-{full}"


def goes_on_from(state: State, fault: Fault, seen: Placement) -> tuple[tuple[Position, ...], Move | None]:
    """From where play may go on if an irregular board is let stand, and the legal move it contains, if any."""
    position = state.position
    other = Position(seen, position.to_move.opponent)
    same = Position(seen, position.to_move)
    counted = _counted(state, fault)
    if counted is not None:
        return (other,), counted
    if fault.kind in _TURN_STAYS:
        return (same,), None
    mover = _mover(state, fault)
    if fault.kind is FaultKind.OUT_OF_TURN:
        return (Position(seen, position.to_move), Position(seen, position.to_move.opponent)), None
    if mover is position.to_move:
        return (other,), None
    return (other, same), None


def _counted(state: State, fault: Fault) -> Move | None:
    """The legal move behind a capture whose discs were left standing."""
    if fault.kind not in (FaultKind.CAPTURED_NOT_REMOVED, FaultKind.WRONG_REMOVED) or fault.move is None:
        return None
    for move in legal_moves(state.terms.variant, state.position):
        if move.key == fault.move.key or (move.origin, move.end) == (fault.move.origin, fault.move.end):
            return move
    return None


def _mover(state: State, fault: Fault) -> Side | None:
    if fault.move is None:
        return fault.side
    return state.position.placement[int(fault.move.origin)].side


def after_displacement(state: State, standing: Standing) -> Position:
    return standing.goes_on[0] if standing.goes_on else Position(standing.seen, state.position.to_move.opponent)


def with_displacement(state: State, standing: Standing, start: Position) -> State:
    """The game goes on from the irregular board; a displacement counts as a turn if the turn went over."""
    start = _crowned_on_stopping(state, start)
    counts = standing.fault.kind not in _TURN_STAYS
    text = _displacement_text(state, standing)
    ply = Ply(state.position, start, text, None, standing.fault, counts)
    return replace(state, position=start, plies=(*state.plies, ply))


def _crowned_on_stopping(state: State, position: Position) -> Position:
    return position


def _displacement_text(state: State, standing: Standing) -> str:
    move = standing.fault.move
    if move is None:
        return standing.fault.kind.value
    sign = state.terms.variant.capture_sign if move.captured else "-"
    return sign.join(point_name(state.terms.variant, int(p)) for p in (move.origin, move.end))


def without(placement: Placement, points: tuple[int, ...]) -> Placement:
    return placement.replaced({int(p): Piece.EMPTY for p in points})
