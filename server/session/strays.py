"""Discs off the squares that are played on: advisory, once they stand still."""

from dataclasses import replace

from rules.faults import FaultKind
from rules.notation import point_name
from server.session.events import Effect, Reminder
from server.session.record_ply import Outcome
from server.session.state import Look, Mode, State, Stray

_STOOD = 2.0
"""Times the patience with faults."""
_SAME_PLACE = 0.35
"""Of a square: a disc that has not gone farther is the same disc."""


def look_at_strays(state: State, look: Look) -> Outcome:
    """Speaks once of every disc that lies on an idle square or between two."""
    strays = tuple(_followed(state, place, look.still_since) for place in look.strays)
    ripe = tuple(s for s in strays if not s.told and look.seconds - s.since >= _STOOD * state.terms.fault_seconds)
    if state.terms.mode is Mode.RECORD:
        ripe = ()
    told: list[Effect] = [_word(state, stray.place) for stray in ripe]
    return replace(state, strays=tuple(replace(s, told=s.told or s in ripe) for s in strays)), tuple(told)


def _followed(state: State, place: tuple[float, float], since: float) -> Stray:
    """The stray known at that place, or a new one."""
    known = (s for s in state.strays if max(abs(s.place[0] - place[0]), abs(s.place[1] - place[1])) <= _SAME_PLACE)
    return next(known, Stray(place, since))


def _word(state: State, place: tuple[float, float]) -> Reminder:
    board, x, y = state.terms.variant.board, *place
    near = sorted(range(board.size), key=lambda p: (board.xy[p][0] - x) ** 2 + (board.xy[p][1] - y) ** 2)[:2]
    names = tuple(point_name(state.terms.variant, p) for p in near)
    text = f"A disc lies off its square, near {' and '.join(names)}; please put it on one."
    return Reminder(FaultKind.OFF_SQUARE.value, names, text)
