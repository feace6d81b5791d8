"""Whole games for the simulated board: legal but for one slip that is put right, not too foolish, one after another."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from hardware.simulator.acts import Act, Ply, Restore, SetUp, Wait
from hardware.simulator.mistakes import plant
from rules.faults import FaultKind
from rules.legal_moves import legal_moves, play
from rules.move import Move
from rules.piece import Piece, Side
from rules.position import Position
from rules.variant import Variant, start_position

LONGEST_GAME = 400
"""Plies after which players shake hands."""

_TIRED = 24
"""Plies without a capture after which the side with fewer discs plays to lose them, so that a game comes to its end."""

_FIRST_SLIP, _LAST_SLIP = 4, 16
"""Plies before the one slip of a game that shows what a referee is for."""
_EXCHANGE = 1.5
"""What offering the first exchange is worth, so that a capture is due soon."""
_SLIP_SECONDS = 6.0
"""How long it takes the players to notice."""


def game(variant: Variant, seed: int, start: Position | None = None, peace: int = LONGEST_GAME) -> Iterator[Move]:
    """The moves of one legal game from the start position, drawn by chance and biased to keep material.

    After `peace` quiet plies the first exchange is sought.
    """
    rng = np.random.default_rng([seed, 0x6A3E])
    position = start or start_position(variant)
    quiet, taken = 0, False
    for number in range(LONGEST_GAME):
        moves = legal_moves(variant, position)
        if not moves:
            return
        sense = -1.0 if quiet >= _TIRED and _is_weaker(position) else 1.0
        eager = _EXCHANGE if number >= peace and not taken else 0.0
        move = max(
            moves,
            key=lambda m: sense * _worth(variant, position, m, eager) + float(rng.uniform(0.0, 0.6)),
        )
        yield move
        taken |= move.is_capture
        quiet = 0 if move.is_capture else quiet + 1
        position = play(variant, position, move)


@dataclass(slots=True)
class Evening:
    """An endless evening: a game from `position`, a pause, the discs set up again, another game that `first` begins."""

    variant: Variant
    seed: int
    position: Position
    """Where the game stands by the rules, as its acts are taken up one by one."""
    first: Side

    def acts(self) -> Iterator[Act]:
        """What the players do; may be asked for once."""
        number = 0
        while True:
            yield Wait(3.0)
            yield from self._played(self.seed + 7919 * number)
            yield Wait(8.0)
            self.position = Position(self.variant.start, self.first)
            yield SetUp(self.variant.start)
            number += 1

    def _played(self, seed: int) -> Iterator[Act]:
        """One game and its slip: a capture overlooked or, where none is due for long, a disc that goes astray."""
        rng = np.random.default_rng([seed, 0x511B])
        slipped = False
        for number, move in enumerate(game(self.variant, seed, self.position, _FIRST_SLIP)):
            wrong = None
            if not slipped and number >= _FIRST_SLIP:
                wrong = plant(FaultKind.MISSED_CAPTURE, self.variant, self.position, rng)
                if wrong is None and number >= _LAST_SLIP:
                    wrong = plant(FaultKind.ILLEGAL_MOVE, self.variant, self.position, rng)
            if wrong is not None:
                slipped = True
                yield from (*wrong.acts, Wait(_SLIP_SECONDS), Restore(self.position.placement), Wait(1.0))
            yield Ply(move)
            self.position = play(self.variant, self.position, move)


def evening(variant: Variant, seed: int, start: Position | None = None, first: Side | None = None) -> Evening:
    """An evening from the game's own start, and begun by the side that its rules say, where nothing else is asked."""
    begins = start_position(variant)
    return Evening(variant, seed, start or begins, first or begins.to_move)


def _is_weaker(position: Position) -> bool:
    """Whether the side to move has less on the board, or no more; a king counts for three men."""
    worth = dict.fromkeys(Side, 0)
    for piece in map(Piece, position.placement.pieces):
        if piece.side is not None:
            worth[piece.side] += 3 if piece.is_king else 1
    return worth[position.to_move] <= worth[position.to_move.opponent]


def _worth(variant: Variant, position: Position, move: Move, eager: float) -> float:
    """Discs won by the move less those the best reply wins; a promotion is worth two, an exchange `eager` more."""
    after = play(variant, position, move)
    replies = legal_moves(variant, after)
    lost = max((len(reply.captured) for reply in replies), default=-3)
    won = len(move.captured) + 2.0 * move.promotes
    return won - lost + (eager if eager and lost == 1 and _is_won_back(variant, after, replies) else 0.0)


def _is_won_back(variant: Variant, position: Position, replies: Sequence[Move]) -> bool:
    """Whether every capture of one disc is answered by one."""
    return all(
        reply.is_capture and any(answer.is_capture for answer in legal_moves(variant, play(variant, position, reply)))
        for reply in replies
    )
