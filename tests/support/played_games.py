"""Games played by chance through the session, with the events they make."""

import random
from typing import Any

from rules.legal_moves import legal_moves
from rules.notation import move_text
from rules.variants.catalogue import variant_named
from server.session.commands import Command, obey
from server.session.events import as_json
from server.session.state import State, new_state, terms_for


def fresh(variant: str = "english") -> State:
    return new_state(terms_for(variant_named(variant)))


def told(state: State, do: str, **fields: Any) -> tuple[State, list[dict[str, Any]]]:
    """The state after a command, and its events."""
    state, effects = obey(state, Command(do, fields))
    return state, [as_json(effect, 1.0, 1) for effect in effects]


def played(plies: int, seed: int = 1, variant: str = "english") -> tuple[State, list[list[dict[str, Any]]]]:
    """A game of chance moves, and the events of each."""
    chance, state, batches = random.Random(seed), fresh(variant), []
    for _ in range(plies):
        moves = legal_moves(state.terms.variant, state.position)
        text = move_text(state.terms.variant, state.position, chance.choice(moves))
        state, events = told(state, "choose", candidate=text)
        batches.append(events)
    return state, batches
