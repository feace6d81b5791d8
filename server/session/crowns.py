"""Crowns that come late: a reminder first, a violation only after the next ply."""

from dataclasses import replace

from rules.faults import FaultKind
from rules.fen import fen
from rules.notation import point_name
from rules.piece import king, man
from server.session.events import Crowned, Effect, Reminder, Violation
from server.session.state import Look, Mode, State

_SURE = 4.0
"""Natural log by which a man must beat a king, or a king a man, before a crown is talked about."""


def look_at_crowns(state: State, look: Look) -> tuple[State, tuple[Effect, ...]]:
    """Follows every king that promoted without being seen crowned."""
    effects: list[Effect] = []
    still: list[tuple[int, int]] = []
    for point, ply in state.uncrowned:
        side = state.position.placement[point].side
        if side is None or not state.position.placement[point].is_king or look.hidden[point]:
            continue
        lead = float(look.evidence[point][king(side)] - look.evidence[point][man(side)])
        age = state.ply - abs(ply)
        reminded = ply < 0
        name = point_name(state.terms.variant, point)
        if lead > 0:
            effects += [Crowned(name)] if reminded else []
        elif lead > -_SURE or age == 0:
            still.append((point, ply))
        elif not reminded:
            effects.append(Reminder(FaultKind.NOT_CROWNED.value, (name,), f"Please crown the disc on {name}."))
            still.append((point, -state.ply))
        elif age >= 1 and state.terms.mode is not Mode.RECORD:
            effects.append(_not_crowned(state, point))
        else:
            still.append((point, ply))
    return replace(state, uncrowned=tuple(still)), tuple(effects)


def _not_crowned(state: State, point: int) -> Violation:
    name = point_name(state.terms.variant, point)
    side = state.position.placement[point].side or state.position.to_move
    message = f"The disc on {name} is a king and still has no crown; please crown it."
    seen = fen(state.terms.variant, state.position)
    return Violation(FaultKind.NOT_CROWNED.value, state.terms.shade(side), (name,), (), message, seen)
