"""How well one move explains what a board shows: what it leaves unexplained, disc by disc."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from rules.displacement import Change
from rules.legal_moves import moves_of_disc, placement_after
from rules.move import Move
from rules.piece import Piece
from rules.placement import Placement
from rules.position import Position
from rules.variant import Variant

STANDING, ASTRAY, APPEARED, CROWNED = 1.0, 2.0, 3.0, 0.25
"""What one unexplained disc of each sort counts; the sum ranks explanations."""
FURTHER_STANDING = 0.25
"""Who forgets one captured disc forgets several."""
_FEW = 6
"""Among so few enemy discs every capture is looked at, whatever is gone."""


@dataclass(frozen=True, slots=True)
class Fit:
    """A move and the points on which the board shows something else than it leads to."""

    move: Move
    standing: tuple[int, ...] = ()
    """Discs it takes that are still there."""
    astray: tuple[int, ...] = ()
    """Discs that are gone though it does not take them."""
    appeared: tuple[int, ...] = ()
    """Discs that came from nowhere or stand in place of another."""
    crowned: tuple[int, ...] = ()
    """Kings that should be men."""

    @property
    def cost(self) -> float:
        several = STANDING + FURTHER_STANDING * (len(self.standing) - 1) if self.standing else 0.0
        return several + ASTRAY * len(self.astray) + APPEARED * len(self.appeared) + CROWNED * len(self.crowned)


def best_fit(moves: Iterable[Move], before: Position, after: Placement) -> Fit | None:
    """The move that leaves least unexplained, among those whose disc left its origin and stands at the end.

    A king that shows no crown is explained.
    """
    side = before.to_move
    own = [Piece(value).side is side for value in after.pieces]
    fitting = (m for m in moves if own[m.end] and (m.end == m.origin or not own[m.origin]))
    return min((fit_of(before, after, m) for m in fitting), key=lambda fit: fit.cost, default=None)


def disc_moves(rules: Variant, before: Position, change: Change, captures: bool) -> Iterator[Move]:
    """The quiet moves or the captures of the discs of the mover that left their places.

    Captures take only what is gone, what stands between the ends of the move, or anything if little is left.
    """
    own_gained, own_lost, enemy_lost = change.of(before.to_move)
    enemies = before.placement.points_of(before.to_move.opponent)
    origins = own_lost if own_gained else before.placement.points_of(before.to_move)
    for origin in origins:
        prey: frozenset[int] = frozenset()
        if captures:
            near = enemies if len(enemies) <= _FEW else _between(rules, before, origin, own_gained)
            prey = frozenset((*enemy_lost, *near))
        yield from (m for m in moves_of_disc(rules, before, origin, prey) if m.is_capture == captures)


def _between(rules: Variant, before: Position, origin: int, ends: Iterable[int]) -> list[int]:
    """The enemy discs on the straight lines from `origin` to `ends`."""
    enemy = before.to_move.opponent
    lines = (rules.board.between(origin, end) for end in ends)
    return [p for line in lines for p in line if before.placement[p].side is enemy]


def fit_of(before: Position, after: Placement, move: Move) -> Fit:
    """What `move` leaves unexplained of a placement."""
    expected = placement_after(before.placement, before.to_move, move)
    standing, astray, appeared, crowned = [], [], [], []
    for point in expected.difference(after):
        due, seen = expected[point], after[point]
        if due.side is seen.side:
            if seen.is_king:
                crowned.append(point)
        elif seen is Piece.EMPTY:
            astray.append(point)
        elif point in move.captured and seen.side is before.to_move.opponent:
            standing.append(point)
        else:
            appeared.append(point)
    return Fit(move, tuple(standing), tuple(astray), tuple(appeared), tuple(crowned))
