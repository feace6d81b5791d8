"""What stands where: all that a camera can see of a game."""

from collections.abc import Mapping
from dataclasses import dataclass

from rules.piece import Piece, Side

_PIECES = tuple(Piece)


@dataclass(frozen=True, slots=True)
class Placement:
    """The pieces on the board, one byte per point in the board's order, each the value of a Piece."""

    pieces: bytes

    @classmethod
    def empty(cls, size: int) -> "Placement":
        return cls(bytes(size))

    def __getitem__(self, point: int) -> Piece:
        return _PIECES[self.pieces[point]]

    def __len__(self) -> int:
        return len(self.pieces)

    def replaced(self, changes: Mapping[int, Piece]) -> "Placement":
        """This placement with other pieces on some points."""
        pieces = bytearray(self.pieces)
        for point, piece in changes.items():
            pieces[point] = piece
        return Placement(bytes(pieces))

    def points_of(self, side: Side) -> tuple[int, ...]:
        return tuple(p for p, value in enumerate(self.pieces) if _PIECES[value].side is side)

    def difference(self, other: "Placement") -> tuple[int, ...]:
        """The points on which the two differ, in order."""
        if self.pieces == other.pieces:
            return ()
        return tuple([p for p, (a, b) in enumerate(zip(self.pieces, other.pieces, strict=True)) if a != b])
