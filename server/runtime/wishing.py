"""What the simulated board is to play, so that it shows the game of the dashboard."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from calibration.orientation import SWAPPED
from hardware.cameras.simulated import Wish
from rules.piece import Side
from rules.placement import Placement
from rules.position import Position
from rules.variant import Variant
from server.session.state import State, Terms

LEADS_ELSEWHERE = ("take_back", "replace_move", "accept", "huff")
"""Orders after which the record goes on from a board that the simulated players may not have."""


@dataclass(slots=True)
class Players:
    """What the simulated players know of the dashboard: its game, and from where somebody had it go on."""

    session: Callable[[], State]
    game: Callable[[], int]
    _on_from: Position | None = None
    _in_game: int = 0
    _turns: int = 0

    def lead(self, order: str, before: State, after: State) -> None:
        """Takes in an order that was carried out."""
        if order in LEADS_ELSEWHERE and before.position != after.position:
            self._on_from, self._in_game, self._turns = after.position, self.game(), self._turns + 1

    def wish(self) -> Wish:
        """What to play; asked before every picture."""
        terms, game = self.session().terms, self.game()
        wish = wish_for(terms, game)
        if self._on_from is None or game != self._in_game:
            return wish
        lies = self._on_from if terms.light is Side.WHITE else _from_the_other_side(terms.variant, self._on_from)
        return replace(wish, on_from=lies, turns=self._turns)


def wish_for(terms: Terms, game: int) -> Wish:
    """The start of a game as it lies on the table, where the light discs always are White.

    Where the dark discs play White of the record, the same start is seen from the other side.
    """
    name, start, first = terms.variant.name, terms.start, terms.variant.first
    if terms.light is Side.WHITE:
        return Wish(name, start, game, first)
    return Wish(name, _from_the_other_side(terms.variant, start), game, first.opponent)


def _from_the_other_side(variant: Variant, position: Position) -> Position:
    """The position with the board turned round and the shades changed over."""
    pieces = position.placement.pieces
    turned = bytes(SWAPPED[pieces[point]] for point in variant.board.half_turn)
    return Position(Placement(turned), position.to_move.opponent)
