"""A game as it was when the power went: events of the journal replayed into a state."""

from dataclasses import replace
from enum import StrEnum
from typing import Any

from rules.faults import Fault, FaultKind
from server.session.state import Ply, Standing, State, Uncrowned
from server.store.chronicle import Chronicle, Ruled, chronicle

_PLAYED = ("move", "displaced", "violation", "resolved", "takeback", "position_set", "draw_offer", "result", "tags")
"""Events after which a game is more than a board that nobody came to."""
_SETTING_UP = (FaultKind.WRONG_ORIENTATION, FaultKind.WRONG_SETUP, FaultKind.OFF_SQUARE)


class Begun(StrEnum):
    """Who began a game."""

    BY_ITSELF = "by_itself"
    ASKED = "asked"
    """Somebody asked for it."""
    SIMULATED = "simulated"
    """The simulated board plays it: no real board can go on with it."""


def is_empty(game: dict[str, Any]) -> bool:
    """Whether a game of the journal began by itself and nothing was played, ruled or written down in it since."""
    terms = game["terms"]
    if terms.get("begun") == Begun.ASKED or terms.get("tags"):
        return False
    return not any(event.get("type") in _PLAYED and not _sets_up(event) for event in game.get("events", ()))


def _sets_up(event: dict[str, Any]) -> bool:
    """Whether an event tells of a board before the game that was not as it should be, or is now."""
    return event.get("kind") in _SETTING_UP and event.get("how") in (None, "corrected")


def resumed(game: dict[str, Any]) -> State:
    """The state after the events of a game of the journal."""
    return state_of(chronicle(game))


def state_of(told: Chronicle) -> State:
    """The session's state where a chronicle stands: its turns since the board was put up last."""
    anew = max((k for k, line in enumerate(told.lines, 1) if line.put_up), default=0)
    start = told.lines[anew - 1].after if anew else told.terms.start
    plies = tuple(
        Ply(line.before, line.after, line.text or "...", line.move, None, line.counts) for line in told.lines[anew:]
    )
    return State(
        replace(told.terms, start=start),
        told.position,
        told.started,
        plies,
        uncrowned=tuple(Uncrowned(point, ply) for point, ply in told.uncrowned),
        result=told.result,
        draw_offer=told.offer,
        tags=dict(told.tags),
        dismissed=tuple(_let_pass(ruled) for ruled in told.dismissed),
        refused=tuple(replace(r, ply=r.ply - anew) for r in told.refused if anew <= r.ply <= len(told.lines)),
        clock=told.clock,
    )


def _let_pass(ruled: Ruled) -> Standing:
    """A board that the arbiter ruled to be in order."""
    fault = Fault(ruled.kind, ruled.position.to_move.opponent, (), (), "")
    return Standing(fault, ruled.position.placement, (ruled.position,), None, 0.0, told=True)
