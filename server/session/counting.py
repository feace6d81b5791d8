"""Draw rules under way, as counters to show before they bite."""

from rules.draws import DrawCounter as Running
from rules.draws import History, draw_counters
from rules.variant import Variant
from server.session.events import DrawCounter
from server.session.state import State

_SHORT_COUNT = 32
"""Counts of so few plies are told from their beginning, longer ones from the half on."""
_WITHOUT = {
    "king moves": "of kings alone without a capture",
    "no capture": "without a capture or a crowning",
    "no taking": "without a capture",
    "no progress": "without a capture or a move of a man",
}


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


def counters_shown(state: State) -> tuple[Running, ...]:
    """What players are to see: short counts of few pieces, those that somebody began, others in their last fifth."""
    return tuple(c for c in running_counters(state) if _is_of_the_moment(c) or c.value * 5 >= c.limit * 4)


def _is_of_the_moment(counter: Running) -> bool:
    """Whether it began with something that players did, rather than with quiet play."""
    return counter.name == "refused draw" or (counter.name not in _WITHOUT and counter.limit <= _SHORT_COUNT)


def counter_text(variant: Variant, counter: Running) -> str:
    """`Draw at 50 moves without a capture, both sides counted: 42 so far`."""
    limit, value = counter.limit, counter.value
    end = "The game ends" if variant.draws.more_discs_win else "Draw"
    if counter.claim:
        end = "A draw may be claimed now" if counter.is_full else "A draw may be claimed"
    if counter.name == "repetition":
        return f"{end} when the same position stands {limit} times: {value} so far"
    if counter.name == "refused draw":
        return f"{end} at {limit} {counter.due_to}: {value} so far"
    what = _WITHOUT.get(counter.name, f"with {counter.due_to}")
    return f"{end} at {limit} moves {what}, both sides counted: {value} so far"
