"""What the simulated board is to play, so that it shows the game of the dashboard."""

from calibration.orientation import SWAPPED
from hardware.cameras.simulated import Wish
from rules.piece import Side
from rules.placement import Placement
from rules.position import Position
from rules.variant import Variant
from server.session.state import Terms


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
