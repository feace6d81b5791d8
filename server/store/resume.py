"""A game as it was when the power went: events of the journal replayed into a state."""

from dataclasses import replace
from typing import Any

from rules.faults import Fault
from server.session.state import Ply, Standing, State, Uncrowned
from server.store.chronicle import Chronicle, Ruled, chronicle


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
