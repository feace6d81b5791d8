"""What people tell the session from the dashboard: pure, refusing with a sentence what the state does not allow."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from rules.errors import RulesError
from rules.faults import Fault, FaultKind
from rules.fen import fen, parse_fen
from rules.legal_moves import legal_moves
from rules.move import Move
from rules.notation import parse_move, point_named
from rules.piece import Side
from rules.position import Position
from rules.variant import Variant
from server.errors import CommandRefused
from server.session.crowns import let_pass
from server.session.events import PositionSet
from server.session.offers import (
    accept_draw,
    edit_tags,
    enter_result,
    offer_draw,
    refuse_draw,
    refuse_if_over,
    resign,
)
from server.session.questions import choose
from server.session.record_ply import Outcome, record_moves, take_back
from server.session.rulings import accept, dismiss, huff, names_of, resolved
from server.session.state import Restoring, Standing, State, Undone, new_state
from server.session.stories import huffed
from server.session.timekeeping import clock_command, time_passed


@dataclass(frozen=True, slots=True)
class Command:
    """`do` of contract.md with its fields; `seconds` is when it came, on the clock of the looks."""

    do: str
    fields: Mapping[str, Any] = field(default_factory=dict)
    seconds: float | None = None


def obey(state: State, command: Command) -> Outcome:
    """The state after a command; raises CommandRefused with what is the matter."""
    handler = _HANDLERS.get(command.do)
    if handler is None:
        raise CommandRefused(f"saw the command {command.do!r}; expected one of {', '.join(sorted(_HANDLERS))}")
    state, fallen = (state, ()) if command.seconds is None else time_passed(state, command.seconds)
    try:
        state, effects = handler(state, command.fields)
    except RulesError as error:
        raise CommandRefused(str(error)) from error
    return state, (*fallen, *effects)


def _accept(state: State, fields: Mapping[str, Any]) -> Outcome:
    refuse_if_over(state)
    if state.restoring is not None:
        return _as_it_stands(state)
    standing = state.standing
    if standing is None or not standing.told:
        return _crowns_pass(state, "accepted")
    return accept(state, standing, standing.goes_on[0])


def _as_it_stands(state: State) -> Outcome:
    """A disturbed board is not put right: the game goes on from what stands there."""
    restoring = state.restoring
    assert restoring is not None
    text = fen(state.terms.variant, Position(restoring.seen, state.position.to_move))
    return _set_position(state, {"fen": text})


def _dismiss(state: State, fields: Mapping[str, Any]) -> Outcome:
    refuse_if_over(state)
    if state.restoring is not None:
        return _right_already(state, state.restoring)
    standing = state.standing
    if standing is None or not standing.told:
        return _crowns_pass(state, "dismissed")
    return dismiss(state, standing)


def _right_already(state: State, restoring: Restoring) -> Outcome:
    """The disturbed board is in order: it is not spoken of again, and what is played on it counts."""
    seen = restoring.seen
    wrong = seen.difference(state.position.placement)
    fault = Fault(FaultKind.BOARD_DISTURBED, state.position.to_move, wrong, (), "The board was disturbed.")
    let = Standing(fault, seen, (Position(seen, state.position.to_move),), None, state.seconds, told=True)
    state = replace(state, restoring=None, waiting=None, dismissed=(*state.dismissed, let))
    return state, (resolved(state, "dismissed", let, state.position),)


def _crowns_pass(state: State, how: str) -> Outcome:
    if not any(bare.told for bare in state.uncrowned):
        raise CommandRefused(f"no irregularity stands, so none can be {how}")
    return let_pass(state, how)


def _huff(state: State, fields: Mapping[str, Any]) -> Outcome:
    """The opponent takes off the disc that failed to capture; the board may show it only later."""
    refuse_if_over(state)
    standing = state.standing
    if standing is None or not standing.told or standing.fault.kind is not FaultKind.MISSED_CAPTURE:
        raise CommandRefused("no missed capture stands, so there is no disc to huff")
    seen = standing.seen
    state, effects = huff(state, standing, _huffed_at(state, standing, fields.get("square")))
    gone = ", ".join(names_of(state, seen.difference(state.position.placement)))
    word = f"The disc on {gone} was huffed, but it still stands there."
    return replace(state, undone=Undone((seen,), seen, reason="huffed_on_board", word=word)), effects


def _huffed_at(state: State, standing: Standing, square: Any) -> Position:
    """The position after huffing: the disc on `square`, or the one that moved, or the first that could capture."""
    choices = huffed(standing)
    if square is not None:
        point = point_named(state.terms.variant, str(square))
        choices = tuple(p for p in choices if p.placement[point] != standing.seen[point])
    if not choices:
        raise CommandRefused(f"saw {square!r}; expected the square of a disc that failed to capture")
    moved = standing.fault.move
    ended = [p for p in choices if moved is not None and p.placement[moved.end] != standing.seen[moved.end]]
    return (*ended, *choices)[0]


def _choose(state: State, fields: Mapping[str, Any]) -> Outcome:
    text = str(fields.get("candidate", ""))
    if state.question is None:
        state, effects = record_moves(state.settled, (_move(state, text),))
        return state, effects
    return choose(state, text)


def _take_back(state: State, fields: Mapping[str, Any]) -> Outcome:
    count = int(fields.get("plies", 1))
    if not 1 <= count <= len(state.plies):
        written = f"the record has {len(state.plies)}" if state.plies else "no move is written yet"
        raise CommandRefused(f"saw {count} plies to take back, but {written}")
    stands = state.position.placement if state.standing is None else state.standing.seen
    boards = (stands, state.position.placement, *(ply.before.placement for ply in state.plies[-count:]))
    state, effects = take_back(state, count)
    return replace(state, undone=Undone(boards, stands)), effects


def _replace_move(state: State, fields: Mapping[str, Any]) -> Outcome:
    ply = int(fields.get("ply", state.ply))
    index = next((k for k, p in enumerate(state.plies) if p.counts and _number(state, k) == ply), None)
    if index is None:
        written = f"the record has plies 1 to {state.ply}" if state.ply else "no move is written yet"
        raise CommandRefused(f"saw ply {ply} to be corrected, but {written}; choose a move of the record")
    recorded = state.plies[index]
    state, effects = take_back(state, len(state.plies) - index, "correction")
    move = _move(state, str(fields.get("move", "")))
    if move == recorded.move:
        raise CommandRefused(
            f"the record has {recorded.text} already, and nothing was changed; choose the move that was played instead"
        )
    state, said = record_moves(state, (move,))
    return state, (*effects, *said)


def _number(state: State, index: int) -> int:
    """The number of the turn that an entry of the record is."""
    return sum(p.counts for p in state.plies[: index + 1])


def playable_position(variant: Variant, text: str) -> Position:
    """The position that a FEN gives, if a game can go on from it."""
    position = parse_fen(variant, text)
    for side in Side:
        if not position.placement.points_of(side):
            raise CommandRefused(f"saw no disc of {side.title}; expected at least one of each side")
    return position


def _set_position(state: State, fields: Mapping[str, Any]) -> Outcome:
    position = playable_position(state.terms.variant, str(fields.get("fen", "")))
    fresh = new_state(replace(state.terms, start=position))
    kept = replace(fresh, tags=state.tags, clock=state.clock, seconds=state.seconds, mirrored=state.mirrored)
    return kept, (PositionSet(fen(state.terms.variant, position), 0),)


def _move(state: State, text: str) -> Move:
    if not legal_moves(state.terms.variant, state.position):
        raise CommandRefused("the game is over; no move can be played")
    return parse_move(state.terms.variant, state.position, text)


_HANDLERS: dict[str, Callable[[State, Mapping[str, Any]], Outcome]] = {
    "accept": _accept,
    "dismiss": _dismiss,
    "choose": _choose,
    "huff": _huff,
    "take_back": _take_back,
    "replace_move": _replace_move,
    "set_position": _set_position,
    "result": enter_result,
    "resign": resign,
    "offer_draw": offer_draw,
    "refuse_draw": refuse_draw,
    "accept_draw": accept_draw,
    "tags": edit_tags,
    "clock": clock_command,
}
