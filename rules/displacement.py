"""What changed between a position and a placement, told by sides."""

from dataclasses import dataclass

from rules.piece import Piece, Side
from rules.placement import Placement
from rules.position import Position


@dataclass(frozen=True, slots=True)
class Change:
    """Points that changed; `own` is the side to move. A point may be lost by one side and gained by the other."""

    side: Side
    own_lost: tuple[int, ...]
    own_gained: tuple[int, ...]
    enemy_lost: tuple[int, ...]
    enemy_gained: tuple[int, ...]
    crowned: tuple[int, ...]

    @property
    def points(self) -> tuple[int, ...]:
        lists = (self.own_lost, self.own_gained, self.enemy_lost, self.enemy_gained, self.crowned)
        return tuple(sorted({point for points in lists for point in points}))

    @property
    def size(self) -> int:
        return len(self.points)

    @property
    def gained(self) -> tuple[int, ...]:
        return (*self.own_gained, *self.enemy_gained)

    def of(self, side: Side) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
        """What a side gained and lost, and what its enemy lost."""
        if side is self.side:
            return self.own_gained, self.own_lost, self.enemy_lost
        return self.enemy_gained, self.enemy_lost, self.own_lost

    @property
    def vanished(self) -> tuple[int, ...]:
        """Points that lost a disc and hold none now."""
        return tuple(p for p in (*self.own_lost, *self.enemy_lost) if p not in self.gained)


def change_between(before: Position, after: Placement) -> Change:
    """The change; a king that looks like a man has not changed."""
    own = before.to_move
    old = [Piece(value) for value in before.placement.pieces]
    new = [Piece(value) for value in after.pieces]

    def lost(side: Side) -> tuple[int, ...]:
        return tuple(p for p, piece in enumerate(old) if piece.side is side and new[p].side is not side)

    def gained(side: Side) -> tuple[int, ...]:
        return tuple(p for p, piece in enumerate(new) if piece.side is side and old[p].side is not side)

    crowned = (p for p, piece in enumerate(old) if piece.side and piece.side is new[p].side)
    crowns = tuple(p for p in crowned if new[p].is_king and not old[p].is_king)
    return Change(own, lost(own), gained(own), lost(own.opponent), gained(own.opponent), crowns)


def same_to_the_eye(expected: Placement, seen: Placement) -> bool:
    """Whether they agree but for kings that show no crown."""
    changed = expected.difference(seen)
    return all(expected[p].is_king and expected[p].side is seen[p].side for p in changed)
