"""Games and mistakes by chance: random legal play at a natural pace, with what may happen at any table."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from hardware.simulator.acts import Act, Fast, HandOver, LightChange, Pace, Place, Ply, Restore, Touch, Wait
from hardware.simulator.mistakes import Mistake, plant
from rules.faults import FaultKind
from rules.legal_moves import legal_moves, play
from rules.move import Move
from rules.notation import move_text
from rules.position import Position
from rules.variant import Variant, start_position

_LONGEST_OPENING = 90
_GAMES = 5
_STANDS_SECONDS = 3.0
_TURN_STAYS = (FaultKind.PIECE_VANISHED, FaultKind.PIECE_APPEARED, FaultKind.WRONGLY_CROWNED)
"""Kinds that use up nobody's turn."""
_NEVER_PLAYED_ON = (
    FaultKind.NOT_CROWNED,
    FaultKind.CAPTURED_NOT_REMOVED,
    FaultKind.WRONG_REMOVED,
    FaultKind.OFF_SQUARE,
)
"""Kinds after which playing on means something else: the capture counts, the crown comes later."""
_INCIDENTS = ((0.05, "fast"), (0.04, "hand"), (0.04, "touch"), (0.02, "light"))
"""How often each happens before a ply."""


@dataclass(frozen=True, slots=True)
class ChanceGame:
    """What is played and what of it belongs in the record."""

    start: Position
    acts: tuple[Act, ...]
    moves: tuple[str, ...]


def natural_pace(rng: np.random.Generator) -> Pace:
    """Players of different tempers, each ply a little different."""
    haste = float(rng.uniform(0.75, 1.2))
    return Pace(0.5 * haste, 0.45 * haste, 0.5 * haste, 0.35 * haste, 0.5 * haste, 0.9, variety=0.25)


def chance_start(variant: Variant, rng: np.random.Generator) -> Position:
    """The game's start, or as often a position that random play from it leads to."""
    start = start_position(variant)
    if rng.random() < 0.5:
        return start
    positions = list(positions_by_chance(variant, start, rng, int(rng.integers(10, _LONGEST_OPENING))))
    going_on = [p for p in positions if legal_moves(variant, p)]
    return going_on[-1] if going_on else start


def positions_by_chance(variant: Variant, start: Position, rng: np.random.Generator, plies: int) -> Iterator[Position]:
    """The positions of random play after each ply."""
    position = start
    for _ in range(plies):
        moves = legal_moves(variant, position)
        if not moves:
            return
        position = play(variant, position, moves[int(rng.integers(len(moves)))])
        yield position


def chance_game(variant: Variant, seed: int, plies: int) -> ChanceGame:
    """Up to so many plies with their incidents; the same seed gives the same game."""
    rng = np.random.default_rng([seed, 0xC4A2CE])
    start = position = chance_start(variant, rng)
    acts: list[Act] = [Wait(1.2)]
    texts: list[str] = []
    while len(texts) < plies:
        line = _line(variant, position, 2 if rng.random() < _INCIDENTS[0][0] else 1, rng)
        if not line:
            break
        acts += _incidents(position, line[0], rng)
        acts.append(Ply(line[0]) if len(line) == 1 else Fast(tuple(Ply(m) for m in line)))
        for move in line:
            texts.append(move_text(variant, position, move))
            position = play(variant, position, move)
    acts.append(Wait(1.5))
    return ChanceGame(start, tuple(acts), tuple(texts))


@dataclass(frozen=True, slots=True)
class ChanceMistake:
    """A mistake and what became of it."""

    start: Position
    acts: tuple[Act, ...]
    mistake: Mistake
    corrected: bool
    """Put right by hand; otherwise the opponent plays on."""
    moves: tuple[str, ...]
    """The legal moves that belong in the record."""


def chance_mistake(kind: FaultKind, variant: Variant, seed: int) -> ChanceMistake | None:
    """A position by chance, the mistake in it, its exit and one more move; None where the game has no such mistake."""
    rng = np.random.default_rng([seed, 0xFA17])
    for start in _positions(variant, rng):
        mistake = plant(kind, variant, start, rng)
        if mistake is None:
            continue
        exits = [_corrected, _played_on] if rng.random() < 0.5 else [_played_on, _corrected]
        for way_out in exits:
            found = way_out(variant, start, mistake, rng)
            if found is not None:
                return found
    return None


def _positions(variant: Variant, rng: np.random.Generator) -> Iterator[Position]:
    """Positions of several random games, in any order."""
    for _ in range(_GAMES):
        start = start_position(variant)
        positions = [start, *positions_by_chance(variant, start, rng, _LONGEST_OPENING)]
        yield from (positions[int(i)] for i in rng.permutation(len(positions)))


def _corrected(variant: Variant, start: Position, mistake: Mistake, rng: np.random.Generator) -> ChanceMistake | None:
    """The board as it was, then a right move; a disc left standing or a crown left off is seen to instead."""
    done = mistake.acts[0]
    if mistake.kind is FaultKind.NOT_CROWNED and isinstance(done, Ply):
        after = play(variant, start, done.move)
        replies = [m for m in legal_moves(variant, after) if done.move.end not in m.captured]
        if not replies:
            return None
        reply = replies[int(rng.integers(len(replies)))]
        crowned = Place(done.move.end, after.placement[done.move.end])
        acts = (*mistake.acts, Wait(1.0), Ply(reply), Wait(3.0), crowned, Wait(1.5))
        texts = (move_text(variant, start, done.move), move_text(variant, after, reply))
        return ChanceMistake(start, (Wait(1.2), *acts), mistake, True, texts)
    line = _line(variant, start, 1, rng)
    if not line:
        return None
    right: tuple[Act, ...] = (Restore(start.placement), Wait(1.0), Ply(line[0]))
    if mistake.kind is FaultKind.CAPTURED_NOT_REMOVED and isinstance(done, Ply):
        line, right = [done.move], (Restore(play(variant, start, done.move).placement),)
    acts = (*mistake.acts, Wait(_STANDS_SECONDS), *right, Wait(1.5))
    return ChanceMistake(start, (Wait(1.2), *acts), mistake, True, (move_text(variant, start, line[0]),))


def _played_on(variant: Variant, start: Position, mistake: Mistake, rng: np.random.Generator) -> ChanceMistake | None:
    """The opponent of whoever erred lets it stand and moves."""
    if mistake.kind in _NEVER_PLAYED_ON:
        return None
    turn = start.to_move if mistake.kind is FaultKind.OUT_OF_TURN else start.to_move.opponent
    if mistake.kind in _TURN_STAYS:
        turn = start.to_move
    goes_on = Position(mistake.board, turn)
    line = _line(variant, goes_on, 1, rng)
    if not line:
        return None
    acts = (*mistake.acts, Wait(_STANDS_SECONDS), Ply(line[0]), Wait(1.5))
    return ChanceMistake(start, (Wait(1.2), *acts), mistake, False, (move_text(variant, goes_on, line[0]),))


def _line(variant: Variant, position: Position, plies: int, rng: np.random.Generator) -> list[Move]:
    line: list[Move] = []
    for _ in range(plies):
        moves = legal_moves(variant, position)
        if not moves:
            break
        line.append(moves[int(rng.integers(len(moves)))])
        position = play(variant, position, line[-1])
    return line


def _incidents(position: Position, move: Move, rng: np.random.Generator) -> list[Act]:
    """What may come before a ply, none of it against the rules."""
    found: list[Act] = []
    for share, what in _INCIDENTS[1:]:
        if rng.random() >= share:
            continue
        match what:
            case "hand":
                found.append(HandOver(float(rng.uniform(0.3, 2.0))))
            case "touch":
                found.append(Touch(move.origin))
            case "light":
                found.append(LightChange(float(rng.uniform(0.75, 1.25))))
    return found
