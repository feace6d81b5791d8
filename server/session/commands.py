"""What people tell the session from the dashboard: pure, refusing with a sentence what the state does not allow."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from rules.errors import RulesError
from rules.faults import FaultKind
from rules.fen import fen, parse_fen
from rules.legal_moves import legal_moves
from rules.move import Move
from rules.notation import parse_move
from rules.piece import Piece, Side
from rules.position import Position
from server.errors import CommandRefused
from server.session.events import DrawOffer, Effect, Ended, PositionSet, Tagged, TakenBack
from server.session.record_ply import record_moves, result_for, with_displacement
from server.session.rulings import accept, resolved
from server.session.state import State, new_state

RESULTS = ("2-0", "1-1", "0-2", "1-0", "1/2-1/2", "0-1", "0-0", "*")


@dataclass(frozen=True, slots=True)
class Command:
    """`do` of contract.md with its fields."""

    do: str
    fields: Mapping[str, Any] = field(default_factory=dict)


Outcome = tuple[State, tuple[Effect, ...]]


def obey(state: State, command: Command) -> Outcome:
    """The state after a command; raises CommandRefused with what is the matter."""
    handler = _HANDLERS.get(command.do)
    if handler is None:
        raise CommandRefused(f"saw the command {command.do!r}; expected one of {', '.join(sorted(_HANDLERS))}")
    try:
        return handler(state, command.fields)
    except RulesError as error:
        raise CommandRefused(str(error)) from error


def _accept(state: State, fields: Mapping[str, Any]) -> Outcome:
    standing = state.standing
    if standing is None or not standing.told:
        raise CommandRefused("no irregularity stands, so there is nothing to accept")
    start = standing.goes_on[0] if standing.goes_on else Position(standing.seen, state.position.to_move.opponent)
    return accept(state, standing, start)


def _dismiss(state: State, fields: Mapping[str, Any]) -> Outcome:
    standing = state.standing
    if standing is None or not standing.told:
        raise CommandRefused("no irregularity stands, so there is nothing to dismiss")
    kept = replace(state, standing=None, waiting=None, dismissed=(*state.dismissed, standing.seen))
    return kept, (resolved(state, "dismissed", standing, state.position),)


def _huff(state: State, fields: Mapping[str, Any]) -> Outcome:
    """The opponent takes off the disc that failed to capture; the board will show it."""
    standing = state.standing
    if standing is None or not standing.told or standing.fault.kind is not FaultKind.MISSED_CAPTURE:
        raise CommandRefused("no missed capture stands, so there is no disc to huff")
    moved = standing.fault.move
    lazy = {int(m.origin) for m in standing.fault.due}
    point = min(lazy) if moved is None or int(moved.origin) not in lazy else int(moved.end)
    position = Position(standing.seen.replaced({point: Piece.EMPTY}), standing.fault.side.opponent)
    after = replace(with_displacement(state, standing, position), standing=None, waiting=None)
    return after, (resolved(after, "huffed", standing, position),)


def _choose(state: State, fields: Mapping[str, Any]) -> Outcome:
    move = _move(state, str(fields.get("candidate", "")))
    state, effects = record_moves(replace(state, standing=None, waiting=None, candidates=()), (move,), 12.0)
    return state, effects


def _take_back(state: State, fields: Mapping[str, Any]) -> Outcome:
    count = int(fields.get("plies", 1))
    if not 1 <= count <= len(state.plies):
        raise CommandRefused(f"saw {count} plies to take back; the record has {len(state.plies)}")
    start = state.plies[-count].before
    state = replace(
        state, position=start, plies=state.plies[:-count], standing=None, waiting=None, uncrowned=(), result=None
    )
    return state, (TakenBack(count, state.ply, fen(state.terms.variant, start)),)


def _replace_move(state: State, fields: Mapping[str, Any]) -> Outcome:
    ply = int(fields.get("ply", state.ply))
    count = len(state.plies) - ply + 1
    state, effects = _take_back(state, {"plies": count})
    move = _move(state, str(fields.get("move", "")))
    state, said = record_moves(state, (move,), 12.0)
    return state, (*effects, *said)


def _set_position(state: State, fields: Mapping[str, Any]) -> Outcome:
    position = parse_fen(state.terms.variant, str(fields.get("fen", "")))
    fresh = new_state(replace(state.terms, start=position))
    return replace(fresh, tags=state.tags), (PositionSet(fen(state.terms.variant, position), state.ply),)


def _result(state: State, fields: Mapping[str, Any]) -> Outcome:
    result = str(fields.get("result", ""))
    if result not in RESULTS:
        raise CommandRefused(f"saw the result {result!r}; expected one of {', '.join(RESULTS)}")
    ended = None if result == "*" else result
    return replace(state, result=ended), (Ended(result, str(fields.get("reason", "entered by hand"))),)


def _resign(state: State, fields: Mapping[str, Any]) -> Outcome:
    side = _side(state, fields)
    result = result_for(state, side.opponent)
    return replace(state, result=result), (Ended(result, "resignation"),)


def _offer_draw(state: State, fields: Mapping[str, Any]) -> Outcome:
    side = _side(state, fields)
    if state.draw_offer is side.opponent:
        return _accept_draw(state, fields)
    return replace(state, draw_offer=side), (DrawOffer(side.value),)


def _refuse_draw(state: State, fields: Mapping[str, Any]) -> Outcome:
    if state.draw_offer is None:
        raise CommandRefused("no draw offer stands, so there is nothing to refuse")
    return replace(state, draw_offer=None), (DrawOffer(None),)


def _accept_draw(state: State, fields: Mapping[str, Any]) -> Outcome:
    if state.draw_offer is None:
        raise CommandRefused("no draw offer stands, so there is nothing to agree to")
    result = result_for(state, None)
    return replace(state, draw_offer=None, result=result), (Ended(result, "draw agreed"),)


def _tags(state: State, fields: Mapping[str, Any]) -> Outcome:
    tags = {str(k): str(v) for k, v in dict(fields.get("tags", {})).items()}
    merged = {k: v for k, v in {**state.tags, **tags}.items() if v}
    return replace(state, tags=merged), (Tagged(tags),)


def _side(state: State, fields: Mapping[str, Any]) -> Side:
    named = fields.get("side")
    if named in ("light", "dark"):
        return state.terms.light if named == "light" else state.terms.light.opponent
    return Side(named) if named in ("W", "B") else state.position.to_move


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
    "result": _result,
    "resign": _resign,
    "offer_draw": _offer_draw,
    "refuse_draw": _refuse_draw,
    "accept_draw": _accept_draw,
    "tags": _tags,
}
