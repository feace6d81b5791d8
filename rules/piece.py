"""Sides and pieces: what may stand on a point of the board."""

from enum import Enum, IntEnum


class Side(Enum):
    """A side of the record; White sits at the bottom of the board, whatever its discs look like."""

    WHITE = "W"
    BLACK = "B"

    @property
    def title(self) -> str:
        """Its name in a sentence."""
        return self.name.capitalize()

    @property
    def opponent(self) -> "Side":
        return Side.BLACK if self is Side.WHITE else Side.WHITE


class Piece(IntEnum):
    """What stands on one point. The values are the columns of every evidence array."""

    EMPTY = 0
    WHITE_MAN = 1
    BLACK_MAN = 2
    WHITE_KING = 3
    BLACK_KING = 4

    @property
    def side(self) -> Side | None:
        return _SIDES[self]

    @property
    def is_king(self) -> bool:
        return self >= Piece.WHITE_KING


_SIDES = (None, Side.WHITE, Side.BLACK, Side.WHITE, Side.BLACK)
"""Of each piece by its value."""
SIDE_OF = (0, 1, 2, 1, 2)
"""The same for arrays: 0 for none, 1 for White (in pictures the light discs), 2 for Black; the values of the men."""


def man(side: Side) -> Piece:
    return Piece.WHITE_MAN if side is Side.WHITE else Piece.BLACK_MAN


def king(side: Side) -> Piece:
    return Piece.WHITE_KING if side is Side.WHITE else Piece.BLACK_KING
