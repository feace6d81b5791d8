"""A table at which a game is played by the text of its moves."""

from rules.fen import parse_fen
from rules.legal_moves import play
from rules.notation import parse_move
from rules.variants.catalogue import variant_named
from server.session.state import new_state, terms_for
from tests.server.synthetic import Table


class Played(Table):
    """A table at which moves are made by their text."""

    def move(self, text: str) -> list:
        state = self.state
        move = parse_move(state.terms.variant, state.position, text)
        return self.show(play(state.terms.variant, state.position, move).placement)


def begun(start: str | None = None, name: str = "english") -> Played:
    variant = variant_named(name)
    state = new_state(terms_for(variant, parse_fen(variant, start) if start else None))
    table = Played(state)
    table.show(state.position.placement)
    return table


# Agreement and resignation
