"""Whole games for the simulated board: legal, not too foolish, and one after another."""

from collections.abc import Iterator

import numpy as np

from hardware.simulator.acts import Act, Ply, SetUp, Wait
from rules.legal_moves import legal_moves, play
from rules.move import Move
from rules.piece import Piece, Side
from rules.position import Position
from rules.variant import Variant, start_position

LONGEST_GAME = 400
"""Plies after which players shake hands."""

_TIRED = 24
"""Plies without a capture after which the side with fewer discs plays to lose them, so that a game comes to its end."""


def game(variant: Variant, seed: int, start: Position | None = None) -> Iterator[Move]:
    """The moves of one legal game from the start position, drawn by chance and biased to keep material."""
    rng = np.random.default_rng([seed, 0x6A3E])
    position = start or start_position(variant)
    quiet = 0
    for _ in range(LONGEST_GAME):
        moves = legal_moves(variant, position)
        if not moves:
            return
        sense = -1.0 if quiet >= _TIRED and _is_weaker(position) else 1.0
        move = max(moves, key=lambda m: sense * _worth(variant, position, m) + float(rng.uniform(0.0, 0.6)))
        yield move
        quiet = 0 if move.is_capture else quiet + 1
        position = play(variant, position, move)


def games(variant: Variant, seed: int, start: Position | None = None) -> Iterator[Act]:
    """An endless evening: a game, from `start` if given, a pause, the discs set up again, another game."""
    number = 0
    while True:
        yield Wait(3.0)
        for move in game(variant, seed + 7919 * number, start if number == 0 else None):
            yield Ply(move)
        yield Wait(8.0)
        yield SetUp(variant.start)
        number += 1


def _is_weaker(position: Position) -> bool:
    """Whether the side to move has less on the board, or no more; a king counts for three men."""
    worth = dict.fromkeys(Side, 0)
    for piece in map(Piece, position.placement.pieces):
        if piece.side is not None:
            worth[piece.side] += 3 if piece.is_king else 1
    return worth[position.to_move] <= worth[position.to_move.opponent]


def _worth(variant: Variant, position: Position, move: Move) -> float:
    """Discs won by the move less those the best reply wins; a promotion is worth two."""
    after = play(variant, position, move)
    replies = legal_moves(variant, after)
    lost = max((len(reply.captured) for reply in replies), default=-3)
    return len(move.captured) + 2.0 * move.promotes - lost
