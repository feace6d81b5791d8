"""Draw rules under way, as counters to show before they bite."""

from rules.draws import DrawCounter as Running
from rules.draws import History, draw_counters
from server.session.events import DrawCounter
from server.session.state import State

_SHORT_COUNT = 32
"""Counts of so few plies are told from their beginning, longer ones from the half on."""


def history(state: State) -> History:
    """The game as rules/draws.py wants it; what was taken back or put up does not count."""
    return [*((ply.before, ply.move) for ply in state.plies), (state.position, None)]


def running_counters(state: State) -> tuple[Running, ...]:
    """Every count of the game's own rules that runs now, one begun by a refused offer included."""
    refusal = state.refused[-1] if state.refused else None
    return draw_counters(state.terms.variant, history(state), refusal)


def counters_near(state: State) -> tuple[DrawCounter, ...]:
    """The draw rules that have come near, or that are short."""
    near = [c for c in running_counters(state) if c.value * 2 >= c.limit or c.limit <= _SHORT_COUNT]
    return tuple(DrawCounter(c.due_to, c.value, c.limit) for c in near)
