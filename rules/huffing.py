"""Huffing: the opponent of a player who forgot a capture takes off a disc that could have made it.

Text 000 (alquerque): he may take it, need not, and moves as well; text 001 (English draughts, historic): he takes it
before his own move ("huff and blow").
"""

from collections.abc import Sequence

from rules.messages import game_text, squares_text
from rules.move import Move
from rules.variant import Variant


def discs_to_huff(due: Sequence[Move], made: Move | None) -> tuple[int, ...]:
    """Where the discs stand now of which the opponent may take one, after `made` with the captures `due`.

    A disc that could have captured but moved quietly is found where it went.
    """
    origins = {move.origin for move in due}
    if made is not None and made.origin in origins:
        origins = (origins - {made.origin}) | {made.end}
    return tuple(sorted(origins))


def huff_text(variant: Variant, due: Sequence[Move], made: Move | None) -> str:
    """What the opponent may do, where the house huffs."""
    points = discs_to_huff(due, made)
    which = "the disc" if len(points) == 1 else "one of the discs"
    house = "In" if variant.huff_allowed else "By the rule of this house, in"
    return (
        f"{house} {game_text(variant)} {which} on {squares_text(variant, points)} may be huffed before the next move."
    )
