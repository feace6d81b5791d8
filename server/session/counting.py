"""Draw rules under way, as counters to show before they bite."""

from rules.draws import History, draw_counters
from server.session.events import DrawCounter
from server.session.state import State

MOVES_AFTER_REFUSAL = 40
"""Own moves within which a player who refused a draw must show a decided advantage (English)."""
_COUNTED_AFTER_REFUSAL = ("english",)
_SHORT_COUNT = 32
"""Counts of so few plies are told from their beginning, longer ones from the half on."""


def history(state: State) -> History:
    """The game as rules/draws.py wants it; what was taken back or put up does not count."""
    return [*((ply.before, ply.move) for ply in state.plies), (state.position, None)]


def counters_near(state: State) -> tuple[DrawCounter, ...]:
    """The draw rules that have come near, or that are short."""
    running = draw_counters(state.terms.variant, history(state))
    near = [c for c in running if c.value * 2 >= c.limit or c.limit <= _SHORT_COUNT]
    return (*(DrawCounter(c.due_to, c.value, c.limit) for c in near), *count_after_refusal(state))


def count_after_refusal(state: State) -> tuple[DrawCounter, ...]:
    """Own moves of the side that refused the newest draw offer, where the game counts them."""
    if not state.refused or state.terms.variant.name.split("+")[0] not in _COUNTED_AFTER_REFUSAL:
        return ()
    newest = state.refused[-1]
    turns = [p for p in state.plies if p.counts][newest.ply :]
    made = sum(p.before.to_move is newest.side for p in turns)
    name = state.terms.shade(newest.side)
    return (DrawCounter(f"moves of {name} since it refused a draw", made, MOVES_AFTER_REFUSAL),)
