"""Seeded positions to try the rules on: out of random games, and discs thrown on the board."""

from collections.abc import Iterator
from random import Random

from rules.legal_moves import legal_moves, play
from rules.piece import Piece, Side, king, man
from rules.placement import Placement
from rules.position import Position
from rules.variant import Promotion, Variant, start_position


def positions_of_games(variant: Variant, seed: int, most_plies: int = 150) -> Iterator[Position]:
    """Every position of random games, one game after the other, without end."""
    random = Random(seed)
    while True:
        position = start_position(variant)
        for _ in range(most_plies):
            moves = legal_moves(variant, position)
            yield position
            if not moves:
                break
            position = play(variant, position, random.choice(moves))


def thrown_positions(variant: Variant, seed: int, fullest: float = 0.5) -> Iterator[Position]:
    """Discs thrown on the board, many of them kings, men never on the row where they would have been crowned."""
    random = Random(seed)
    size = variant.board.size
    crowns = variant.promotion is not Promotion.NEVER
    while True:
        count = random.randint(2, max(2, int(size * random.uniform(0.1, fullest))))
        share = random.choice((0.0, 0.1, 0.3, 0.7)) if crowns else 0.0
        pieces: dict[int, Piece] = {}
        for point in random.sample(range(size), count):
            side = random.choice((Side.WHITE, Side.BLACK))
            crowned = crowns and (random.random() < share or point in variant.promotion_row(side))
            pieces[point] = king(side) if crowned else man(side)
        yield Position(Placement.empty(size).replaced(pieces), random.choice((Side.WHITE, Side.BLACK)))


def crowded_positions(variant: Variant, seed: int, most: int) -> Iterator[Position]:
    """Three discs of the mover among many of the enemy, half of them kings: captures compete, and are long."""
    random = Random(seed)
    size = variant.board.size
    crowns = variant.promotion is not Promotion.NEVER
    while True:
        side = random.choice((Side.WHITE, Side.BLACK))
        pieces: dict[int, Piece] = {}
        for place, point in enumerate(random.sample(range(size), random.randint(5, most))):
            owner = side if place < 3 else side.opponent
            crowned = crowns and (random.random() < 0.5 or point in variant.promotion_row(owner))
            pieces[point] = king(owner) if crowned else man(owner)
        yield Position(Placement.empty(size).replaced(pieces), side)
