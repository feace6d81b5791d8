"""Whole games for the simulated board: legal, not too foolish, and one after another."""

from collections.abc import Iterator

import numpy as np

from hardware.simulator.acts import Act, Ply, SetUp, Wait
from rules.legal_moves import legal_moves, play
from rules.move import Move
from rules.position import Position
from rules.variant import Variant, start_position

LONGEST_GAME = 200
"""Plies after which players shake hands."""

_QUIET_END = 50
"""Plies without a capture after which they do so earlier."""


def game(variant: Variant, seed: int, start: Position | None = None) -> Iterator[Move]:
    """The moves of one legal game from the start position, drawn by chance and biased to keep material."""
    rng = np.random.default_rng([seed, 0x6A3E])
    position = start or start_position(variant)
    quiet = 0
    for _ in range(LONGEST_GAME):
        moves = legal_moves(variant, position)
        if not moves or quiet >= _QUIET_END:
            return
        move = max(moves, key=lambda m: _worth(variant, position, m) + float(rng.uniform(0.0, 0.6)))
        yield move
        quiet = 0 if move.is_capture else quiet + 1
        position = play(variant, position, move)


def games(variant: Variant, seed: int) -> Iterator[Act]:
    """An endless evening: a game, a pause, the discs set up again, another game."""
    number = 0
    while True:
        yield Wait(3.0)
        for move in game(variant, seed + 7919 * number):
            yield Ply(move)
        yield Wait(8.0)
        yield SetUp(variant.start)
        number += 1


def _worth(variant: Variant, position: Position, move: Move) -> float:
    """Discs won by the move less those the best reply wins; a promotion is worth two."""
    after = play(variant, position, move)
    replies = legal_moves(variant, after)
    lost = max((len(reply.captured) for reply in replies), default=-3)
    return len(move.captured) + 2.0 * move.promotes - lost
