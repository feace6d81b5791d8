"""Discs off the squares that are played on: advisory, once they stand still."""

from dataclasses import replace

from rules.faults import FaultKind
from rules.notation import point_name
from server.session.events import Effect, Reminder
from server.session.record_ply import Outcome
from server.session.state import Look, Mode, State
from server.session.takebacks import waited

_SAME_PLACE = 0.35
"""Of a square: a disc that has not gone farther is the same disc."""


def look_at_strays(state: State, look: Look) -> Outcome:
    """Speaks once of every disc that lies on an idle square or between two."""
    still = tuple(s for s in state.stray if _among(s, look.strays))
    state = replace(state, stray=still)
    fresh = tuple(s for s in look.strays if not _among(s, still))
    if not fresh:
        if state.waiting is not None and state.waiting.what == "stray":
            state = replace(state, waiting=None)
        return state, ()
    if state.terms.mode is Mode.RECORD:
        return state, ()
    state, ripe = waited(state, "stray", None, look.seconds, 2 * state.terms.fault_seconds)
    if not ripe:
        return state, ()
    told: list[Effect] = [_word(state, place) for place in fresh]
    return replace(state, stray=(*still, *fresh), waiting=None), tuple(told)


def _word(state: State, place: tuple[float, float]) -> Reminder:
    board, x, y = state.terms.variant.board, *place
    near = sorted(range(board.size), key=lambda p: (board.xy[p][0] - x) ** 2 + (board.xy[p][1] - y) ** 2)[:2]
    names = tuple(point_name(state.terms.variant, p) for p in near)
    text = f"A disc lies off its square, near {' and '.join(names)}; please put it on one."
    return Reminder(FaultKind.OFF_SQUARE.value, names, text)


def _among(place: tuple[float, float], others: tuple[tuple[float, float], ...]) -> bool:
    return any(abs(place[0] - x) <= _SAME_PLACE and abs(place[1] - y) <= _SAME_PLACE for x, y in others)
