"""Other programs as referees of our moves, each in an environment of its own.

The two libraries share the package name `draughts`, so that neither can live in Kibitz's environment:

    python3 -m venv py && py/bin/pip install py-draughts==1.10.1
    python3 -m venv old && old/bin/pip install pydraughts==0.6.7
    python -m tests.support.cross_check.referees py/bin/python old/bin/python 20000

py-draughts' American board has optional captures, so there is no referee for English here. pydraughts 0.6.7 lets a
Turkish king fly over discs without taking them, its own included (Piece.get_directional_orthogonal_multiple_squares_
adjacent_positions does not stop at one); a Turkish king moves as a rook (TUDAF; kish; Wikipedia). A difference is
explained only if its moves are of that sort, every one of them, and all others agree: of 20,000 positions (seed 1)
3,087 differ, and 3,087 are explained. The status is 1 if any is not.
"""

import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path

from rules.board import NOWHERE, Direction
from rules.fen import parse_fen
from rules.legal_moves import legal_moves
from rules.piece import Piece, Side
from rules.position import Position
from rules.variant import Variant
from rules.variants.catalogue import variant_named
from tests.support.positions import positions_of_games, thrown_positions

HERE = Path(__file__).resolve().parent
REFEREES = {
    "py-draughts": (HERE / "py_draughts_referee.py", ("international", "russian", "brazilian", "frisian")),
    "pydraughts": (HERE / "pydraughts_referee.py", ("italian", "turkish")),
}

# Long captures, windmills, kings among kings, men in passing: what random games seldom show.
HAND_MADE = {
    "international": (
        "W:WK4:B13,20,32,37",
        "W:WK23:B28,17,10,20,29,39,40,38,31,8,9",
        "W:W12:B8,9,30",
        "W:WK2:B7,8,17,18",
        "B:BK17,K24:W6,9,10,11,20,21,22,23,30,K31,33,37,41,42,43,44,46",
        "W:WK46,K5:B41,37,28,19,10,14,23,32",
    ),
    "brazilian": ("W:WK29:B25,18,11,7,14,22", "W:WK4:B8,11,18,22,23", "W:W9:B5,6,14,K32"),
    "russian": (
        "W:WK29:B25,18,11,7,14,22",
        "W:W10:B6,7,15,23",
        "B:W12,17,19,23,25,27,29:B1,3,4,7,8,10,11,K13,14",
    ),
    "frisian": ("W:WK50:B3,K7,21,23,41,K47", "W:W28,K33:B22,K23,19,K39,14", "B:W31,32,38,K43:BK27,22,K16"),
    "italian": ("W:WK27,K28,17,20,9,K12,8:B21,24,K19,K13,14,K11,4", "B:W30,21,22,17,20,K6:B25,28,9,5,1,3"),
    "turkish": ("W:WK39:B34,37", "W:WK1:B3,5,21,35,K49,51", "W:W18,K64:B10,11,12,20,28,K36,44"),
}


Numbered = tuple[int, int, tuple[int, ...]]
"""A move as origin, end and what it takes, points counted from 1."""


@dataclass(frozen=True, slots=True)
class Difference:
    """A position on which the referee and we do not agree."""

    fen: str
    ours_only: frozenset[Numbered]
    theirs_only: frozenset[Numbered]
    explained: bool = False
    """Whether all of it is the known fault of the referee."""


def numbered(position: Position) -> str:
    """FEN with every point by its place in the board's order, from 1, as both libraries count."""
    lists = []
    for side in Side:
        points = position.placement.points_of(side)
        marks = [("K" if Piece(position.placement.pieces[p]).is_king else "") + str(p + 1) for p in points]
        lists.append(side.value + ",".join(marks))
    return ":".join((position.to_move.value, *lists))


def positions(variant: Variant, count: int, seed: int) -> Iterator[Position]:
    """Hand-made ones, then two thirds out of random games and one third thrown; king runs are forgotten."""
    made = [parse_fen(variant, text) for text in HAND_MADE[variant.name]]
    seen: set[Position] = set()
    played = (Position(p.placement, p.to_move) for p in positions_of_games(variant, seed))
    thrown = thrown_positions(variant, seed, fullest=0.35)
    mixed = chain.from_iterable((next(played), next(played), next(thrown)) for _ in iter(int, 1))
    for position in chain(made, mixed):
        if position not in seen and len(seen) < count:
            seen.add(position)
            yield position
        if len(seen) >= count:
            return


def flies_over(variant: Variant, position: Position, origin: int, end: int) -> bool:
    """Whether a king stands on `origin` and something between it and `end` on one line, both counted from 1."""
    if not position.placement[origin - 1].is_king:
        return False
    for direction in Direction:
        table = variant.board.neighbours[direction]
        between: list[int] = []
        at = table[origin - 1]
        while at != NOWHERE and at != end - 1:
            between.append(at)
            at = table[at]
        if at == end - 1:
            return any(position.placement[p] is not Piece.EMPTY for p in between)
    return False


def compared(variant: Variant, position: Position, theirs: set[Numbered]) -> Difference | None:
    ours = {
        (move.origin + 1, move.end + 1, tuple(sorted(p + 1 for p in move.captured)))
        for move in legal_moves(variant, position)
    }
    if ours == theirs:
        return None
    faults = {
        (origin, end, taken)
        for origin, end, taken in theirs - ours
        if variant.name == "turkish" and not taken and flies_over(variant, position, origin, end)
    }
    known = ours == theirs - faults
    return Difference(numbered(position), frozenset(ours - theirs), frozenset(theirs - ours), known)


def differences(python: str, referee: str, name: str, count: int, seed: int = 1) -> Iterator[Difference]:
    """Those of `count` distinct seeded positions on which `referee`, run by the interpreter `python`, disagrees."""
    variant = variant_named(name)
    program = [python, str(REFEREES[referee][0])]
    with subprocess.Popen(program, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as asked:
        assert asked.stdin is not None
        assert asked.stdout is not None
        for position in positions(variant, count, seed):
            asked.stdin.write(json.dumps([name, numbered(position)]) + "\n")
            asked.stdin.flush()
            answer = json.loads(asked.stdout.readline())
            theirs = {(origin, end, tuple(taken)) for origin, end, taken in answer}
            difference = compared(variant, position, theirs)
            if difference is not None:
                yield difference
        asked.stdin.close()


def main(py_draughts: str, pydraughts: str, count: str = "20000", seed: str = "1") -> int:
    unexplained = 0
    for referee, python in (("py-draughts", py_draughts), ("pydraughts", pydraughts)):
        for name in REFEREES[referee][1]:
            found = list(differences(python, referee, name, int(count), int(seed)))
            faults = sum(difference.explained for difference in found)
            unexplained += len(found) - faults
            said = f"{len(found)} different, {faults} of them by the referee's known fault"
            sys.stdout.write(f"{name} against {referee}: {count} positions, {said}\n")
            for difference in islice((d for d in found if not d.explained), 5):
                sys.stdout.write(f"  {difference}\n")
            sys.stdout.flush()
    return 1 if unexplained else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
