"""What changed between a position and a placement, told by sides."""

from dataclasses import dataclass

from rules.piece import Side, king, man
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
    own, enemy = before.to_move, before.to_move.opponent
    old, new = before.placement.pieces, after.pieces
    changed = [p for p in range(len(old)) if old[p] != new[p]]

    def lost(side: Side) -> tuple[int, ...]:
        return tuple(p for p in changed if _is_of(side, old[p]) and not _is_of(side, new[p]))

    def gained(side: Side) -> tuple[int, ...]:
        return tuple(p for p in changed if _is_of(side, new[p]) and not _is_of(side, old[p]))

    crowns = tuple(p for p in changed if any(old[p] == man(side) and new[p] == king(side) for side in Side))
    return Change(own, lost(own), gained(own), lost(enemy), gained(enemy), crowns)


def _is_of(side: Side, value: int) -> bool:
    return value in (man(side), king(side))


def same_to_the_eye(expected: Placement, seen: Placement) -> bool:
    """Whether they agree but for kings that show no crown."""
    changed = expected.difference(seen)
    return all(expected[p].is_king and expected[p].side is seen[p].side for p in changed)


def same_discs(one: Placement, other: Placement) -> bool:
    """Whether discs of the same sides stand on the same points, whatever their crowns."""
    return all(one[p].side is other[p].side for p in one.difference(other))
