"""What is said about an irregularity, and its exits: corrected, accepted, dismissed, huffed."""

from dataclasses import replace

from rules.faults import Fault, FaultKind
from rules.fen import fen
from rules.huffing import huff_text
from rules.move import Move
from rules.notation import move_text, point_name
from rules.position import Position
from server.session.events import Effect, PositionSet, Ready, Resolved, Violation
from server.session.record_ply import (
    Outcome,
    Seen,
    displacement_text,
    record_moves,
    take_back,
    with_displacement,
)
from server.session.state import House, Mode, Standing, State


def accept(state: State, standing: Standing, start: Position) -> Outcome:
    """The game goes on from the irregular board; whoever had not been told is told first, for the record."""
    first = () if standing.told or state.terms.mode is Mode.RECORD else (violation(state, standing),)
    state, said = let_stand(replace(state.settled, question=None), standing, start)
    return state, (*first, *said, resolved(state, "accepted", standing, start))


def let_stand(state: State, standing: Standing, start: Position) -> Outcome:
    """The record goes on from the irregular board."""
    if standing.fault.kind is FaultKind.WRONG_SETUP:
        return begin_from(state, start)
    if standing.back:
        state, effects = take_back(state, standing.back)
        state, said = record_moves(state, standing.instead)
        return state, (*effects, *said)
    if standing.counted is not None:
        return record_moves(state, (standing.counted,), Seen(margin=5.0, left=start.placement))
    return with_displacement(state, standing, start), ()


def begin_from(state: State, start: Position) -> Outcome:
    """The game is one that begins with this position."""
    text = fen(state.terms.variant, start)
    state = replace(state, terms=replace(state.terms, start=start), position=start, started=True)
    return state, (PositionSet(text, 0), Ready(text))


def correct(state: State) -> Outcome:
    """The irregular board is gone; that is said if it had been told."""
    standing = state.standing
    state = replace(state, standing=None, waiting=None)
    if standing is None or not standing.told:
        return state, ()
    return state, (resolved(state, "corrected", standing, state.position),)


def dismiss(state: State, standing: Standing) -> Outcome:
    """It was none. The board as seen may be what the game goes on from, or a misreading: the next move shows."""
    state = state.settled
    if standing.back:
        state, said = let_stand(state, standing, standing.goes_on[0])
        return state, (*said, resolved(state, "dismissed", standing, state.position))
    state = replace(state, dismissed=(*state.dismissed, standing))
    ruled = resolved(state, "dismissed", standing, state.position)
    if standing.fault.kind is FaultKind.WRONG_SETUP:  # the board is ready, then
        return replace(state, started=True), (ruled, Ready(fen(state.terms.variant, state.position)))
    return state, (ruled,)


def huff(state: State, standing: Standing, start: Position) -> Outcome:
    """The opponent has taken off the disc that failed to capture, and it is the opponent's turn."""
    first: tuple[Effect, ...] = (
        () if standing.told or state.terms.mode is Mode.RECORD else (violation(state, standing),)
    )
    state = with_displacement(state.settled, standing, start)
    return state, (*first, resolved(state, "huffed", standing, start))


def violation(state: State, standing: Standing) -> Violation:
    fault, variant = standing.fault, state.terms.variant
    due = tuple(_due_text(state, m) for m in fault.due)
    seen = fen(variant, standing.goes_on[0])
    squares = names_of(state, fault.squares)
    return Violation(fault.kind.value, state.terms.shade(fault.side), squares, due, told(state, fault), seen)


def told(state: State, fault: Fault) -> str:
    """The fault in a sentence; where the house huffs, also which disc may be taken off."""
    if state.terms.house is not House.HUFF or fault.kind is not FaultKind.MISSED_CAPTURE:
        return fault.message
    return f"{fault.message} {huff_text(state.terms.variant, fault.due, fault.move)}"


def _due_text(state: State, move: Move) -> str:
    position = state.position
    if position.placement[move.origin].side is not position.to_move:
        position = Position(position.placement, position.to_move.opponent)
    return move_text(state.terms.variant, position, move)


def resolved(state: State, how: str, standing: Standing, position: Position) -> Resolved:
    text = fen(state.terms.variant, position)
    stands = how in ("accepted", "huffed") and standing.fault.move is not None and standing.counted is None
    move = displacement_text(state, standing.fault) if stands else ""
    return Resolved(how, standing.fault.kind.value, text, state.ply, standing.told, move)


def names_of(state: State, points: tuple[int, ...]) -> tuple[str, ...]:
    return tuple(point_name(state.terms.variant, p) for p in points)
