"""What is said about an irregularity, and what becomes of the game when it is let stand."""

from dataclasses import replace

from rules.fen import fen
from rules.move import Move
from rules.notation import move_text, point_name
from rules.position import Position
from server.session.events import Effect, Resolved, Violation
from server.session.record_ply import after_displacement, record_moves, with_displacement
from server.session.state import Mode, Standing, State


def accept(state: State, standing: Standing, start: Position) -> tuple[State, tuple[Effect, ...]]:
    """The game goes on from the irregular board; whoever had not been told is told first, for the record."""
    effects: list[Effect] = []
    if not standing.told and state.terms.mode is not Mode.RECORD:
        effects.append(violation(state, standing))
    state = replace(state, standing=None, waiting=None, candidates=())
    if standing.counted is not None:
        state, said = record_moves(state, (standing.counted,), 5.0, left=start.placement)
        effects.extend(said)
    else:
        state = with_displacement(state, standing, start)
    if state.terms.mode is not Mode.RECORD:
        effects.append(resolved(state, "accepted", standing, start))
    return state, tuple(effects)


def violation(state: State, standing: Standing) -> Violation:
    fault, variant = standing.fault, state.terms.variant
    due = tuple(_due_text(state, m) for m in fault.due)
    seen = fen(variant, standing.goes_on[0] if standing.goes_on else after_displacement(state, standing))
    return Violation(
        fault.kind.value, state.terms.shade(fault.side), names_of(state, fault.squares), due, fault.message, seen
    )


def _due_text(state: State, move: Move) -> str:
    position = state.position
    if position.placement[int(move.origin)].side is not position.to_move:
        position = Position(position.placement, position.to_move.opponent)
    return move_text(state.terms.variant, position, move)


def resolved(state: State, how: str, standing: Standing, position: Position) -> Resolved:
    return Resolved(how, standing.fault.kind.value, fen(state.terms.variant, position), state.ply, standing.told)


def names_of(state: State, points: tuple[int, ...]) -> tuple[str, ...]:
    return tuple(point_name(state.terms.variant, int(p)) for p in points)
