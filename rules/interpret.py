"""Which whole story explains what the board shows: nothing, moves, an irregularity, or disorder."""

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from rules.faults import Fault, FaultKind
from rules.hypotheses import (
    Base,
    Candidate,
    CannotSee,
    Disturbed,
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
from rules.scoring import Scores, scores
from rules.variant import Variant

__all__ = [
    "Base",
    "Candidate",
    "CannotSee",
    "Disturbed",
    "Hypothesis",
    "Interpretation",
    "Irregularity",
    "NothingHappened",
    "Plies",
    "interpret",
    "interpret_standing",
]

_COST_OF_PLIES = (0.0, 0.3, 2.0, 3.0)
"""Natural log that zero, one, two and three plies cost."""
_COST_OF_FAULT = 4.0
_COST_OF_NO_MOVE = 6.0
"""A displacement that is no move at all is more often the sum of three fast plies."""
_COST_OF_CAUSELESS = 5.5
"""An irregularity that one misread point could pretend costs more."""
_COST_OF_FURTHER_FAULT = 1.5
_COST_OF_ANOTHER_TRY = 3.0
"""A second irregularity in place of one that stands."""
_COST_OF_DISORDER = 9.0
_COST_PER_DISORDERED_POINT = 0.8
_ODD = -1.0
"""A point that fits the position before less well than this may have changed."""
_POOR = -8.0
"""Three plies are tried only if no shorter story fits better than this."""
_RUNNERS_UP = 4
_NO_MOVE = (FaultKind.ILLEGAL_MOVE, FaultKind.OPPONENT_PIECE_MOVED)
_CAUSELESS = (
    FaultKind.PIECE_VANISHED,
    FaultKind.PIECE_APPEARED,
    FaultKind.WRONGLY_CROWNED,
    FaultKind.WRONG_REMOVED,
    FaultKind.CAPTURED_NOT_REMOVED,
)


def interpret(
    variant: Variant,
    position: Position,
    evidence: NDArray[np.floating],
    hidden: NDArray[np.bool_],
    *,
    min_margin: float,
) -> Interpretation:
    """The best story since `position`; evidence (n, 5) log-likelihoods in Piece order, hidden (n,) bool."""
    seen = scores(evidence, hidden)
    if seen.blind:
        return Interpretation(CannotSee(position.placement), 0.0, (), sure=False)
    return _decided(_candidates(variant, position, seen), seen, min_margin)


def interpret_standing(
    variant: Variant,
    before: Position,
    accepted: Position,
    evidence: NDArray[np.floating],
    hidden: NDArray[np.bool_],
    *,
    min_margin: float,
) -> Interpretation:
    """The same while an irregularity stands: put right from `before`, or played on from `accepted`.

    A second irregularity in place of the first costs more than one that follows it.
    """
    seen = scores(evidence, hidden)
    if seen.blind:
        return Interpretation(CannotSee(accepted.placement), 0.0, (), sure=False, base=Base.ACCEPTED)
    found = [_based(c, Base.ACCEPTED) for c in _candidates(variant, accepted, seen)]
    found += [
        _based(c, Base.BEFORE)
        for c in _candidates(variant, before, seen)
        if not isinstance(c.hypothesis, Disturbed) and c.hypothesis.placement != accepted.placement
    ]
    return _decided(found, seen, min_margin)


def _based(candidate: Candidate, base: Base) -> Candidate:
    again = base is Base.BEFORE and isinstance(candidate.hypothesis, Irregularity)
    return Candidate(candidate.hypothesis, candidate.score - (_COST_OF_ANOTHER_TRY if again else 0.0), base)


def _candidates(variant: Variant, position: Position, seen: Scores) -> list[Candidate]:
    found = [Candidate(NothingHappened(position.placement), seen.of(position.placement))]
    found += _plies(variant, position, seen, 2)
    if max(c.score for c in found) < _POOR:
        found += [c for c in _plies(variant, position, seen, 3) if len(_moves(c)) == 3]
    found += _irregularities(variant, position, seen)
    found.append(_disorder(position, seen))
    return found


def _plies(variant: Variant, position: Position, seen: Scores, depth: int) -> list[Candidate]:
    """Every line of legal plies of which each touches a point that looks changed."""
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
                found.append(Candidate(Plies(line, after.placement), seen.of(after.placement) - _COST_OF_PLIES[ply]))
                if not odd.isdisjoint((move.origin, move.end, *move.captured)):
                    longer.append((line, after))
        lines = longer
    return found


def _irregularities(variant: Variant, position: Position, seen: Scores) -> list[Candidate]:
    found = []
    for reading in likely_readings(seen, position.placement):
        verdict = judge(variant, position, reading)
        if not isinstance(verdict, Irregular) or verdict.faults[0].kind is FaultKind.BOARD_DISTURBED:
            continue
        first, *others = verdict.faults
        score = seen.of(reading) - _cost_of(first) - _COST_OF_FURTHER_FAULT * len(others)
        found.append(Candidate(Irregularity(first, reading, tuple(others)), score))
    return found


def _cost_of(fault: Fault) -> float:
    if fault.kind in _CAUSELESS:
        return _COST_OF_CAUSELESS + _COST_OF_FURTHER_FAULT * (len(fault.squares) - 1)
    return _COST_OF_NO_MOVE if fault.kind in _NO_MOVE else _COST_OF_FAULT


def _disorder(position: Position, seen: Scores) -> Candidate:
    reading = likely_readings(seen, position.placement)[0]
    changed = len(reading.difference(position.placement))
    return Candidate(Disturbed(reading), seen.of(reading) - _COST_OF_DISORDER - _COST_PER_DISORDERED_POINT * changed)


def _decided(found: Sequence[Candidate], seen: Scores, min_margin: float) -> Interpretation:
    ranked = sorted(found, key=lambda c: c.score, reverse=True)
    best = ranked[0]
    rivals = [c for c in ranked[1:] if _differs(best, c, seen)]
    margin = best.score - rivals[0].score if rivals else float("inf")
    return Interpretation(best.hypothesis, margin, _distinct(rivals), margin >= min_margin, best.base)


def _differs(best: Candidate, rival: Candidate, seen: Scores) -> bool:
    """Whether it matters which of the two is true: other visible points, or another meaning for the record.

    A line that only goes on where nothing is visible is no rival: a later look will show it.
    """
    points = best.hypothesis.placement.difference(rival.hypothesis.placement)
    if any(not seen.hidden[p] for p in points):
        return True
    if isinstance(best.hypothesis, Disturbed) or isinstance(rival.hypothesis, Disturbed):
        return False
    mine, other = _moves(best), _moves(rival)
    if best.base is rival.base and isinstance(rival.hypothesis, Plies) and other[: len(mine)] == mine:
        return False
    return best.hypothesis != rival.hypothesis


def _moves(candidate: Candidate) -> tuple[Move, ...]:
    return candidate.hypothesis.moves if isinstance(candidate.hypothesis, Plies) else ()


def _distinct(rivals: Iterable[Candidate]) -> tuple[Candidate, ...]:
    """The best few, each placement once."""
    kept: dict[tuple[Placement, tuple[Move, ...]], Candidate] = {}
    for candidate in rivals:
        kept.setdefault((candidate.hypothesis.placement, _moves(candidate)), candidate)
        if len(kept) == _RUNNERS_UP:
            break
    return tuple(kept.values())
