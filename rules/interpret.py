"""Which whole story explains what the board shows: nothing, moves, an irregularity, or disorder."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from rules.displacement import same_discs
from rules.faults import Fault, FaultKind
from rules.hypotheses import (
    Candidate,
    CannotSee,
    Disturbed,
    Ground,
    Hypothesis,
    Interpretation,
    Irregularity,
    NothingHappened,
    Plies,
)
from rules.judge import Irregular, judge
from rules.legal_moves import legal_moves, play
from rules.move import Move
from rules.placement import Placement
from rules.position import Position
from rules.readings import likely_readings
from rules.scoring import FLOOR, Scores, scores
from rules.variant import Variant

__all__ = [
    "Candidate",
    "CannotSee",
    "Disturbed",
    "Ground",
    "Hypothesis",
    "Interpretation",
    "Irregularity",
    "NothingHappened",
    "Plies",
    "interpret",
    "interpret_from",
    "told_alike",
]

_COST_OF_PLIES = (0.0, 0.3, 2.0, 3.0)
"""Natural log that zero, one, two and three plies cost."""
_COST_OF_FAULT = 4.0
_COST_OF_NO_MOVE = 6.0
"""A displacement that is no move at all is more often the sum of three fast plies."""
_COST_OF_CAUSELESS = 5.5
"""An irregularity that one misread point could pretend costs more."""
_COST_OF_APPEARING = 6.5
"""Sleeves sweep discs off the board; hardly anything puts one there."""
_COST_OF_FURTHER_FAULT = 1.5
_COST_OF_FURTHER_WONDER = 4.0
"""Two discs that come, go or are crowned by themselves are two misread points rather."""
_COST_OF_DISORDER = 9.0
_COST_PER_DISORDERED_POINT = 0.8
_ODD = -1.0
"""A point that fits the position before less well than this may have changed."""
_POOR = -8.0
"""Three plies are tried only if no shorter story fits better than this."""
_CLEAR = -0.5
"""A lawful story that fits so well leaves no room for irregularities or for grounds of the last resort."""
_RUNNERS_UP = 6
_NO_MOVE = (FaultKind.ILLEGAL_MOVE, FaultKind.OPPONENT_PIECE_MOVED)
CAUSELESS = (
    FaultKind.PIECE_VANISHED,
    FaultKind.PIECE_APPEARED,
    FaultKind.WRONGLY_CROWNED,
    FaultKind.WRONG_REMOVED,
    FaultKind.CAPTURED_NOT_REMOVED,
)
"""Kinds that one misread point could pretend."""
SAME_SIDE_AGAIN = (FaultKind.OUT_OF_TURN, FaultKind.OPPONENT_PIECE_MOVED, FaultKind.TAKEN_BACK)
"""Faults that, seen from an irregular board, more simply mean that the same player tried something else."""


def interpret(
    variant: Variant,
    position: Position,
    evidence: NDArray[np.floating],
    hidden: NDArray[np.bool_],
    *,
    min_margin: float,
) -> Interpretation:
    """The best story since `position`; evidence (n, 5) log-likelihoods in Piece order, hidden (n,) bool."""
    return interpret_from(variant, (Ground(position),), scores(evidence, hidden), min_margin=min_margin)


def interpret_from(variant: Variant, grounds: Sequence[Ground], seen: Scores, *, min_margin: float) -> Interpretation:
    """The best story from any of the grounds; the first is the one that disorder is measured by."""
    first = grounds[0]
    if seen.blind:
        return Interpretation(CannotSee(first.position.placement), 0.0, (), sure=False, ground=first)
    found: list[Candidate] = []
    for ground in grounds:
        if not ground.last_resort or _best(found) < _CLEAR:
            found += _lawful(variant, ground, seen)
    clear = _best(found)
    if clear < _CLEAR:
        found += [
            c for g in grounds if g.fault_cost is not None for c in _irregularities(variant, g, g.fault_cost, seen)
        ]
    found.append(_disorder(first, seen))
    reading = _decided(found, seen, min_margin)
    unlooked = clear + _COST_OF_FAULT + min((g.cost + (g.fault_cost or 0.0) for g in grounds), default=0.0)
    return replace(reading, margin=min(reading.margin, unlooked)) if clear >= _CLEAR else reading


def _best(found: Sequence[Candidate]) -> float:
    return max((c.score for c in found), default=-np.inf)


def _lawful(variant: Variant, ground: Ground, seen: Scores) -> list[Candidate]:
    """Nothing, or one to three legal plies."""
    position = ground.position
    found = []
    if ground.quiet:
        fit = seen.of(position.placement, ground.crowned)
        found.append(Candidate(NothingHappened(position.placement), fit - ground.cost, ground))
    found += _plies(variant, ground, seen, min(2, ground.deepest))
    if ground.deepest >= 3 and _best(found) < _POOR:
        found += [c for c in _plies(variant, ground, seen, 3) if len(c.moves) == 3]
    return found


def _plies(variant: Variant, ground: Ground, seen: Scores, depth: int) -> list[Candidate]:
    """Every line of legal plies of which each touches a point that looks changed."""
    position = ground.position
    odd = set(np.flatnonzero((seen.per_point(position.placement) < _ODD) | seen.hidden).tolist())
    found: list[Candidate] = []
    lines: list[tuple[tuple[Move, ...], Position]] = [((), position)]
    for ply in range(1, depth + 1):
        longer = []
        for moves, reached in lines:
            for move in legal_moves(variant, reached):
                if ply > 1 and odd.isdisjoint((*move.path, *move.captured)):
                    continue
                after = play(variant, reached, move)
                line = (*moves, move)
                score = seen.of(after.placement, _crowned(ground, line)) - _COST_OF_PLIES[ply] - ground.cost
                found.append(Candidate(Plies(line, after.placement), score, ground))
                if not odd.isdisjoint((move.origin, move.end, *move.captured)):
                    longer.append((line, after))
        lines = longer
    return found


def _crowned(ground: Ground, line: tuple[Move, ...]) -> frozenset[int]:
    """Where the crowns of the ground that must be seen are after a line of moves."""
    points = ground.crowned
    for move in line if points else ():
        points = (points - {move.origin, *move.captured}) | ({move.end} if move.origin in points else set())
    return points


def _irregularities(variant: Variant, ground: Ground, cost: float, seen: Scores) -> list[Candidate]:
    found = []
    for reading in likely_readings(seen, ground.position.placement):
        verdict = judge(variant, ground.position, reading)
        if not isinstance(verdict, Irregular) or verdict.faults[0].kind is FaultKind.BOARD_DISTURBED:
            continue
        first, *others = verdict.faults
        score = seen.of(reading) - cost_of(first) - sum(_further(fault) for fault in others) - cost - ground.cost
        if first.kind in SAME_SIDE_AGAIN:
            score -= ground.same_side_cost
        found.append(Candidate(Irregularity(first, reading, tuple(others)), score, ground))
    return found


def cost_of(fault: Fault) -> float:
    """What (natural log) an irregularity costs for being rare, more where a misread point could pretend it."""
    if fault.kind in CAUSELESS:
        further = _COST_OF_FURTHER_FAULT if fault.move is not None else _COST_OF_FURTHER_WONDER
        first = _COST_OF_APPEARING if fault.kind is FaultKind.PIECE_APPEARED else _COST_OF_CAUSELESS
        return first + further * (len(fault.squares) - 1)
    return _COST_OF_NO_MOVE if fault.kind in _NO_MOVE else _COST_OF_FAULT


def _further(fault: Fault) -> float:
    """What it costs that something else is wrong as well: least where it belongs to a move that was made.

    Who leaves one captured disc standing leaves several; what else there is goes wrong disc by disc.
    """
    if fault.kind is FaultKind.CAPTURED_NOT_REMOVED:
        return _COST_OF_FURTHER_FAULT
    wonder = fault.kind in CAUSELESS and fault.move is None
    return (_COST_OF_FURTHER_WONDER if wonder else _COST_OF_FURTHER_FAULT) * len(fault.squares)


def _disorder(ground: Ground, seen: Scores) -> Candidate:
    reading = likely_readings(seen, ground.position.placement)[0]
    changed = len(reading.difference(ground.position.placement))
    score = seen.of(reading) - _COST_OF_DISORDER - _COST_PER_DISORDERED_POINT * changed
    return Candidate(Disturbed(reading), score, ground)


def _decided(found: Sequence[Candidate], seen: Scores, min_margin: float) -> Interpretation:
    ranked = sorted(found, key=lambda c: c.score, reverse=True)
    best = ranked[0]
    rivals = [c for c in ranked[1:] if _differs(best, c, seen)]
    margin = best.score - rivals[0].score if rivals else float("inf")
    return Interpretation(
        best.hypothesis,
        margin,
        _distinct(rivals),
        margin >= min_margin,
        best.ground,
        best.score,
        any(_one_point_decides(best, rival, seen) for rival in rivals if rival.lawful),
        tuple(c for c in ranked[1:] if _alike(best, c)),
    )


def _from_one_place(best: Candidate, rival: Candidate) -> bool:
    """Whether both begin alike: an irregularity that stands began where a new one would."""
    return best.ground is rival.ground or (best.ground.stands is None) != (rival.ground.stands is None)


def told_alike(one: Irregularity | None, other: Irregularity | None) -> bool:
    """Whether both are the same irregularity, at most a crown apart: what is said of it is the same."""
    if one is None or other is None:
        return False
    same = (one.fault.kind, one.fault.squares) == (other.fault.kind, other.fault.squares)
    return same and same_discs(one.placement, other.placement)


def _alike(best: Candidate, rival: Candidate) -> bool:
    """Whether another order of as many plies leads to the same board: no later look can tell them apart."""
    same = best.hypothesis.placement == rival.hypothesis.placement and best.ground is rival.ground
    return same and bool(best.moves) and len(best.moves) == len(rival.moves)


def _one_point_decides(best: Candidate, rival: Candidate, seen: Scores) -> bool:
    """Whether the rival would win if the point that speaks most against it were left out."""
    if best.score - rival.score > -FLOOR:
        return False
    gains = seen.per_point(best.hypothesis.placement) - seen.per_point(rival.hypothesis.placement)
    return best.score - float(gains.max()) < rival.score


def _differs(best: Candidate, rival: Candidate, seen: Scores) -> bool:
    """Whether it matters which of the two is true: other visible points, or another meaning for the record.

    A line that only goes on where nothing is visible is no rival: a later look will show it. Nor is the same turn with
    a crown put on a man besides: whether that is there can be told later, and play need not wait for it.
    """
    if told_alike(best.irregularity, rival.irregularity) and _from_one_place(best, rival):
        return False
    if best.lawful and _only_crowns_more(best, rival):
        return False
    points = best.hypothesis.placement.difference(rival.hypothesis.placement)
    if any(not seen.hidden[p] for p in points):
        return True
    if isinstance(best.hypothesis, Disturbed) or isinstance(rival.hypothesis, Disturbed):
        return False
    if best.ground is not rival.ground or _alike(best, rival):
        return False
    if isinstance(rival.hypothesis, Plies) and rival.moves[: len(best.moves)] == best.moves:
        return False
    return best.hypothesis != rival.hypothesis


def _only_crowns_more(best: Candidate, rival: Candidate) -> bool:
    """Whether the rival is what the best one is, and a man was crowned wrongly besides."""
    found = rival.hypothesis
    if not isinstance(found, Irregularity) or found.fault.kind is not FaultKind.WRONGLY_CROWNED:
        return False
    return best.ground is rival.ground and same_discs(best.hypothesis.placement, found.placement)


def _distinct(rivals: Iterable[Candidate]) -> tuple[Candidate, ...]:
    """The best few, each placement once."""
    kept: dict[tuple[Placement, tuple[Move, ...]], Candidate] = {}
    for candidate in rivals:
        kept.setdefault((candidate.hypothesis.placement, candidate.moves), candidate)
        if len(kept) == _RUNNERS_UP:
            break
    return tuple(kept.values())
