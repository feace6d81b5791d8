"""How right the judge is, over every family of games: legal moves left in peace, planted mistakes named rightly.

Two boards do not always tell which mistake was made: a king that passed over a disc already taken may stand where a
legal capture ends with one of its discs forgotten. Where the judge names another kind than was planted, and that kind
alone explains the whole board as well, nobody can know better: such a turn is counted apart, neither right nor wrong.
Whether it does is asked of the generator of moves, not of the judge (server/benchmarks/stories.py).
"""

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from hardware.simulator.mistakes import PLANTED, plant
from rules.faults import FaultKind
from rules.fen import fen
from rules.judge import Ambiguous, Irregular, Legal, Verdict, judge
from rules.legal_moves import legal_moves, placement_after, play
from rules.piece import Piece, Side, king, man
from rules.placement import Placement
from rules.position import Position
from rules.relaxation import Relaxation, relaxed
from rules.variant import Promotion, Variant, start_position
from server.benchmarks.stories import JUMPS, ends_of, in_two_plies, is_single_mistake, looks_like

LEGAL = "legal moves"
AGAIN = "out_of_turn (two in a row)"
_KINDS = tuple(kind for kind in PLANTED if kind not in (FaultKind.OFF_SQUARE, FaultKind.NOT_CROWNED))
_STEPS = (Relaxation.BACKWARD, Relaxation.FAR_ROW, Relaxation.KING_RUN, Relaxation.KING_FLIES)
_LEGAL_A_POSITION = 4
_LEGAL_FOR_EACH = 10
POSITIONS = 12
"""So many positions are looked at for each mistake wanted; kinds that are still too few then hardly occur."""
_LONGEST = 120
_FULLEST = 45


@dataclass(frozen=True, slots=True)
class Wrong:
    """A ruling that was not what was planted, with the positions by which to look at it again."""

    variant: str
    planted: str
    said: str
    before: str
    after: str


@dataclass(slots=True)
class Tally:
    """What the judge said of one sort of turn."""

    planted: int = 0
    right: int = 0
    either: int = 0
    """Told as another mistake that explains the board just as well."""
    said: Counter[str] = field(default_factory=Counter)
    """What it said where it was wrong."""


@dataclass(frozen=True, slots=True)
class Rulings:
    """The table of one family: by kind, `LEGAL` first, and some of the rulings that were wrong."""

    family: str
    tallies: dict[str, Tally]
    wrong: tuple[Wrong, ...]

    @property
    def accused(self) -> int:
        """Legal moves that were not taken for what they were."""
        return self.tallies[LEGAL].planted - self.tallies[LEGAL].right


def rulings(family: str, variants: tuple[Variant, ...], each: int, seed: int, positions: int = POSITIONS) -> Rulings:
    """Judges legal moves and `each` planted mistakes of every kind, as far as the games give room for it."""
    tallies: dict[str, Tally] = {LEGAL: Tally()}
    wrong: list[Wrong] = []
    generators = [_positions(variant, seed) for variant in variants]
    for number in range(positions * each):
        full = {name for name, tally in tallies.items() if tally.planted >= _wanted(name, each)}
        if number > each and len(full) == len(tallies):
            break
        variant = variants[number % len(variants)]
        position = next(generators[number % len(variants)])
        rng = np.random.default_rng((seed, number))
        for name, kind, after in _turns(variant, position, rng, full):
            tally = tallies.setdefault(name, Tally())
            said = _said(judge(variant, position, after))
            tally.planted += 1
            tally.right += said == kind
            if said == kind:
                continue
            if is_single_mistake(said, name, variant, position, after):
                tally.either += 1
            else:
                tally.said[said] += 1
                shown = fen(variant, Position(after, position.to_move.opponent))
                wrong.append(Wrong(variant.name, name, said, fen(variant, position), shown))
    return Rulings(family, tallies, tuple(wrong))


def _wanted(name: str, each: int) -> int:
    return _LEGAL_FOR_EACH * each if name == LEGAL else each


def _said(verdict: Verdict) -> str:
    match verdict:
        case Irregular(faults):
            return faults[0].kind.value
        case Legal() | Ambiguous():
            return "legal"
        case _:
            return type(verdict).__name__.lower()


def _turns(
    variant: Variant, position: Position, rng: np.random.Generator, full: set[str]
) -> Iterator[tuple[str, str, Placement]]:
    """Under which name a turn is counted, what the judge is to say, and what stands on the board after it."""
    legal = [placement_after(position.placement, position.to_move, m) for m in legal_moves(variant, position)]
    if LEGAL not in full:
        for number in rng.permutation(len(legal))[:_LEGAL_A_POSITION]:
            if legal[number] != position.placement:
                yield LEGAL, "legal", legal[number]
    for kind in _KINDS:
        mistake = None if kind.value in full else plant(kind, variant, position, rng)
        if mistake is None or looks_like(mistake.board, (position.placement, *legal)):
            continue
        if kind is not FaultKind.OUT_OF_TURN or not in_two_plies(variant, position, mistake.board):
            yield kind.value, kind.value, mistake.board
    if AGAIN not in full and (again := _second_turn(variant, position, rng)) is not None:
        yield AGAIN, FaultKind.OUT_OF_TURN.value, again
    for name, after in _against_one_rule(variant, position, rng, full):
        yield name, FaultKind.ILLEGAL_MOVE.value, after


def _second_turn(variant: Variant, position: Position, rng: np.random.Generator) -> Placement | None:
    """The board after a legal move and a second one by another disc of the same side."""
    moves = legal_moves(variant, position)
    first = moves[int(rng.integers(len(moves)))]
    between = Position(play(variant, position, first).placement, position.to_move)
    others = [m for m in legal_moves(variant, between) if m.origin != first.end and m.end != first.origin]
    if not others:
        return None
    second = others[int(rng.integers(len(others)))]
    return placement_after(between.placement, between.to_move, second)


def _against_one_rule(
    variant: Variant, position: Position, rng: np.random.Generator, full: set[str]
) -> Iterator[tuple[str, Placement]]:
    """Moves that only the relaxation of one rule about how discs move allows."""
    free, loose = relaxed(variant, Relaxation.COMPULSION), relaxed(variant, Relaxation.COMPLETION)
    milder = (position.placement, *ends_of(free, position), *ends_of(loose, position))
    for relaxation in (*_STEPS, *JUMPS):
        name, captures = f"illegal_move ({relaxation.value})", relaxation in JUMPS
        base = loose if captures else free
        rules = relaxed(base, relaxation)
        if name in full or rules is base:
            continue
        found = [after for after in ends_of(rules, position, captures) if not looks_like(after, milder)]
        if found:
            yield name, found[int(rng.integers(len(found)))]


def _positions(variant: Variant, seed: int) -> Iterator[Position]:
    """Positions with a move to make, by turns out of random games and thrown on the board at random, without end."""
    rng = random.Random(f"{variant.name} {seed}")
    while True:
        for position in (_played(variant, rng), _thrown(variant, rng)):
            if legal_moves(variant, position):
                yield position


def _played(variant: Variant, rng: random.Random) -> Position:
    position = start_position(variant)
    for _ in range(rng.randrange(4, _LONGEST)):
        moves = legal_moves(variant, position)
        if not moves:
            break
        last, position = position, play(variant, position, rng.choice(moves))
    return position if legal_moves(variant, position) else last


def _thrown(variant: Variant, rng: random.Random) -> Position:
    size, crowns = variant.board.size, variant.promotion is not Promotion.NEVER
    most = size * _FULLEST // 100 if size <= 100 else size // 8
    share = rng.choice((0.0, 0.1, 0.3, 0.6)) if crowns else 0.0
    pieces: dict[int, Piece] = {}
    for point in rng.sample(range(size), rng.randrange(3, most)):
        side = rng.choice(tuple(Side))
        crowned = crowns and (rng.random() < share or point in variant.promotion_row(side))
        pieces[point] = king(side) if crowned else man(side)
    return Position(Placement.empty(size).replaced(pieces), rng.choice(tuple(Side)))
