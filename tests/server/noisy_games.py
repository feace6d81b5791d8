"""Random legal games seen with noise: chance confidences, misread and hidden squares, late crowns."""

import random
from dataclasses import dataclass, fields

import numpy as np

from rules.legal_moves import legal_moves, play
from rules.move import Move
from rules.notation import move_text
from rules.piece import Piece
from rules.position import Position
from rules.variant import start_position
from rules.variants.catalogue import variant_named
from server.session.state import Look, State, new_state, terms_for
from server.session.step import Lasted, step

PLIES = 50


@dataclass(frozen=True)
class Tally:
    """What came of some games."""

    plies: int = 0
    right: int = 0
    accusations: int = 0
    questions: int = 0
    reminders: int = 0
    repairs: int = 0

    def __add__(self, other: "Tally") -> "Tally":
        return Tally(*(getattr(self, f.name) + getattr(other, f.name) for f in fields(self)))


class NoisyCamera:
    """Looks at a position. `bare` are kings whose crown is still to come."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        self.noise = np.random.default_rng(chance.randrange(2**32))
        self.crowns_show = chance.random() < 0.8

    def look(self, position: Position, bare: set[int], seconds: float, still: float) -> Look:
        pieces = np.frombuffer(position.placement.pieces, np.uint8)
        n = len(pieces)
        evidence = self.noise.normal(-8.0, 1.5, (n, 5)) * self.noise.uniform(0.5, 1.0, (n, 1))
        shown = pieces.copy()
        if self.crowns_show:
            shown[[p for p in bare if pieces[p] >= 3]] -= 2
        evidence[np.arange(n), shown] = self.noise.normal(0.0, 0.4, n)
        kings = np.flatnonzero(pieces >= 3)
        if not self.crowns_show:
            evidence[kings, pieces[kings] - 2] = evidence[kings, pieces[kings]] + self.noise.normal(
                0.5, 1.0, len(kings)
            )
        if self.chance.random() < 0.12:
            point = self.chance.randrange(n)
            evidence[point] = self.noise.normal(-7.0, 1.0, 5)
            evidence[point, self.chance.randrange(5)] = 0.0
        hidden = np.zeros(n, np.bool_)
        if self.chance.random() < 0.25:
            hidden[self.chance.sample(range(n), self.chance.randint(1, 3))] = True
        return Look(evidence.astype(np.float32), hidden, seconds, round(seconds * 5), still)


@dataclass
class Game:
    """A random game under way: the position, the kings still bare and since which ply."""

    variant_name: str
    chance: random.Random
    position: Position
    bare: dict[int, int]
    texts: list[str]

    def move(self) -> bool:
        variant = variant_named(self.variant_name)
        moves = legal_moves(variant, self.position)
        if not moves:
            return False
        move: Move = self.chance.choice(moves)
        self.texts.append(move_text(variant, self.position, move))
        before = self.position
        self.position = play(variant, before, move)
        if move.origin in self.bare:
            del self.bare[move.origin]
        for point in move.captured:
            self.bare.pop(point, None)
        grew = not before.placement[move.origin].is_king and self.position.placement[move.end].is_king
        if grew and self.chance.random() < 0.5:
            self.bare[move.end] = len(self.texts)
        return True

    def crown(self) -> None:
        """Crowns are put on when the opponent has moved, at the latest."""
        for point, ply in list(self.bare.items()):
            if len(self.texts) > ply or self.position.placement[point] in (Piece.EMPTY,):
                del self.bare[point]


def played(name: str, seed: int, plies: int = PLIES) -> Tally:
    """One random game before a noisy camera, compared with what the session made of it."""
    chance = random.Random(seed)
    variant = variant_named(name)
    camera = NoisyCamera(chance)
    game = Game(name, chance, start_position(variant), {}, [])
    state: State = new_state(terms_for(variant))
    effects: list[object] = []
    seconds, left = 0.0, plies
    while True:
        seconds += 3.0
        looks = chance.choice((2, 3, 4)) if left and game.texts else 4
        for k in range(looks):
            if k:
                game.crown()
            look = camera.look(game.position, set(game.bare), seconds + 0.5 * k, 0.5 + 0.5 * k)
            state, said = step(state, look)
            effects += said
        seconds += 0.5 * looks
        state, said = step(state, Lasted(seconds, round(seconds * 5)))
        effects += said
        if not left or not all(game.move() for _ in range(min(left, chance.choice((1, 1, 1, 1, 2))))):
            break
        left = plies - len(game.texts)
    # A last look at the board: the game may have ended in the middle of two plies.
    for k in range(4):
        state, said = step(state, camera.look(game.position, set(), seconds + 3 + 0.5 * k, 0.5 + 0.5 * k))
        effects += said
    return _tally(game, state, effects)


def _tally(game: Game, state: State, effects: list[object]) -> Tally:
    recorded = [ply.text for ply in state.plies]
    same = 0
    for mine, true in zip(recorded, game.texts, strict=False):
        if mine != true:
            break
        same += 1
    kinds = [getattr(e, "type", "") for e in effects]
    extra = len(recorded) > len(game.texts)
    return Tally(
        plies=len(game.texts),
        right=same - int(extra),
        accusations=kinds.count("violation"),
        questions=sum(bool(getattr(e, "candidates", ())) for e in effects),
        reminders=kinds.count("reminder"),
        repairs=kinds.count("takeback"),
    )
