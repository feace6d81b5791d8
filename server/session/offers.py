"""Draw offers and refusals, resignation, results entered by hand, tags."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from rules.draws import Refusal
from rules.piece import Side
from server.errors import CommandRefused
from server.session import clock as clocks
from server.session.events import DrawOffer, Ended, Tagged, clock_changed
from server.session.record_ply import Outcome, ended
from server.session.state import State

RESULTS = ("2-0", "1-1", "0-2", "1-0", "1/2-1/2", "0-1", "0-0", "*")


def enter_result(state: State, fields: Mapping[str, Any]) -> Outcome:
    result = str(fields.get("result", ""))
    if result not in RESULTS:
        raise CommandRefused(f"saw the result {result!r}; expected one of {', '.join(RESULTS)}")
    said = Ended(result, str(fields.get("reason", "entered by hand")))
    state = replace(state.settled, result=None if result == "*" else result, by_rule=False, draw_offer=None)
    if state.clock is None or state.clock.running is None or state.result is None:
        return state, (said,)
    state = replace(state, clock=clocks.paused(state.clock, state.seconds))
    return state, (said, *clock_changed(state.clock))


def resign(state: State, fields: Mapping[str, Any]) -> Outcome:
    refuse_if_over(state)
    side = side_of(state, fields)
    return ended(replace(state, by_rule=False), side.opponent, f"{side.title} resigned")


def offer_draw(state: State, fields: Mapping[str, Any]) -> Outcome:
    """An offer by the side to move unless named; by both it is an agreement."""
    refuse_if_over(state)
    side = side_of(state, fields)
    if state.draw_offer is side.opponent:
        return accept_draw(state, fields)
    if state.draw_offer is side:
        raise CommandRefused("this side has offered a draw already; the other side may accept or refuse it, or play on")
    return replace(state, draw_offer=side), (DrawOffer(side.value),)


def refuse_draw(state: State, fields: Mapping[str, Any]) -> Outcome:
    """The other side plays on; in English draughts its moves are counted from here."""
    offer = state.draw_offer
    if offer is None:
        raise CommandRefused("no draw offer stands, so there is nothing to refuse")
    refused = (*state.refused, Refusal(offer.opponent, len(state.plies)))
    return replace(state, draw_offer=None, refused=refused), (DrawOffer(None, refused=True, ply=state.ply),)


def accept_draw(state: State, fields: Mapping[str, Any]) -> Outcome:
    if state.draw_offer is None:
        raise CommandRefused("no draw offer stands, so there is nothing to agree to")
    return ended(replace(state, by_rule=False), None, "draw agreed")


def edit_tags(state: State, fields: Mapping[str, Any]) -> Outcome:
    tags = {str(k): str(v) for k, v in dict(fields.get("tags", {})).items()}
    merged = {k: v for k, v in {**state.tags, **tags}.items() if v}
    return replace(state, tags=merged), (Tagged(tags),)


def side_of(state: State, fields: Mapping[str, Any]) -> Side:
    """The side that a command names, by its letter or its shade; else the one to move."""
    named = fields.get("side")
    if named in ("light", "dark"):
        return state.terms.light if named == "light" else state.terms.light.opponent
    return Side(named) if named in ("W", "B") else state.position.to_move


def refuse_if_over(state: State) -> None:
    """Raises CommandRefused once there is a result."""
    if state.result is not None:
        raise CommandRefused(f"the game is over ({state.result}); enter the result * first if play goes on")
