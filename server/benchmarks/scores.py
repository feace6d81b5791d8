"""How right readings are: boards found, squares, whole boards, kings, and whether confidence is deserved."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from server.benchmarks.readings import Reading
from server.benchmarks.truths import UNKNOWN, Truth

LEAST_SURE = 0.5
"""Probability below which a square is answered with `?`, as `kibitz look` does; that counts as wrong."""
BINS = (0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99, 1.0)
SURE = 0.99
_SWAPPED = np.array([0, 2, 1, 4, 3, UNKNOWN])


@dataclass(frozen=True, slots=True, eq=False)
class Judged:
    """One picture's answers (n,) in the order of the truth's points, -1 for `?`; empty where no board was found."""

    truth: Truth
    reading: Reading
    answers: NDArray[np.int64]
    confidence: NDArray[np.float32]

    @property
    def counted(self) -> NDArray[np.bool_]:
        """Points (n,) whose content is known."""
        return np.asarray(self.truth.pieces != UNKNOWN)

    @property
    def wrong(self) -> NDArray[np.int64]:
        """Points whose answer is not the truth; none where no board was found."""
        if not self.reading.found:
            return np.zeros(0, np.int64)
        return np.flatnonzero(self.counted & (self.answers != self.truth.pieces))


@dataclass(frozen=True, slots=True)
class Reliability:
    """Answers given with a confidence from `low` up to `high`: how many, their mean confidence, the share right."""

    low: float
    high: float
    answers: int
    confidence: float
    right: float


@dataclass(frozen=True, slots=True)
class Score:
    """The figures of one group of pictures. Squares and kings are counted on the boards found."""

    group: str
    pictures: int
    boards_found: int
    corner_error_median: float
    corner_error_most: float
    """In squares, of the boards found."""
    squares: int
    squares_right: int
    boards_right: int
    """Found, and every square right."""
    kings: int
    kings_said: int
    kings_right: int
    sure_answers: int
    """Answers given with at least 99 %."""
    sure_right: int
    reliability: tuple[Reliability, ...]
    cpu_ms: float
    """Mean processor time per picture, the reading of the file left out."""

    @property
    def king_precision(self) -> float:
        return _share(self.kings_right, self.kings_said)

    @property
    def king_recall(self) -> float:
        return _share(self.kings_right, self.kings)

    @property
    def squares_share(self) -> float:
        return _share(self.squares_right, self.squares)

    @property
    def sure_share(self) -> float:
        return _share(self.sure_right, self.sure_answers)

    def to_json(self) -> dict[str, Any]:
        shares = ("squares_share", "king_precision", "king_recall", "sure_share")
        figures = asdict(self) | {name: getattr(self, name) for name in shares}
        return {name: _rounded(value) for name, value in figures.items()}


def judged(truth: Truth, reading: Reading) -> Judged:
    """The reading's answers; where either set may be called light, under the naming that fits better."""
    if reading.scores is None or reading.hidden is None:
        return Judged(truth, reading, np.zeros(0, np.int64), np.zeros(0, np.float32))
    confidence = np.exp(reading.scores.max(axis=1)).astype(np.float32)
    told = ~reading.hidden & (confidence >= LEAST_SURE)
    answers = np.where(told, reading.scores.argmax(axis=1), UNKNOWN).astype(np.int64)
    other = _SWAPPED[answers]
    if truth.free_naming and (other == truth.pieces).sum() > (answers == truth.pieces).sum():
        answers = other
    return Judged(truth, reading, answers, np.where(reading.hidden, 0.0, confidence).astype(np.float32))


def score(group: str, pictures: Sequence[Judged]) -> Score:
    """The figures of a group (at least one picture)."""
    found = [one for one in pictures if one.reading.found]
    held = _joined([one.truth.pieces[one.counted] for one in found])
    said = _joined([one.answers[one.counted] for one in found])
    sure = np.concatenate([np.zeros(0, np.float32), *(one.confidence[one.counted] for one in found)])
    errors = np.array([one.reading.error for one in found] or [np.nan])
    right = held == said
    answered = said != UNKNOWN
    return Score(
        group=group,
        pictures=len(pictures),
        boards_found=len(found),
        corner_error_median=float(np.median(errors)),
        corner_error_most=float(errors.max()),
        squares=len(held),
        squares_right=int(right.sum()),
        boards_right=sum(len(one.wrong) == 0 for one in found),
        kings=int((held >= 3).sum()),
        kings_said=int((said >= 3).sum()),
        kings_right=int(((held >= 3) & (said >= 3)).sum()),
        sure_answers=int((answered & (sure >= SURE)).sum()),
        sure_right=int((right & answered & (sure >= SURE)).sum()),
        reliability=_reliability(sure[answered], right[answered]),
        cpu_ms=float(np.mean([one.reading.cpu_ms for one in pictures])),
    )


def _reliability(sure: NDArray[np.float32], right: NDArray[np.bool_]) -> tuple[Reliability, ...]:
    rows = []
    for low, high in pairwise(BINS):
        within = (sure >= low) & ((sure < high) | (high == BINS[-1]))
        if within.any():
            mean, share = float(sure[within].mean()), float(right[within].mean())
            rows.append(Reliability(low, high, int(within.sum()), mean, share))
    return tuple(rows)


def _joined(parts: list[NDArray[np.int64]]) -> NDArray[np.int64]:
    return np.concatenate([np.zeros(0, np.int64), *parts])


def _share(part: int, whole: int) -> float:
    return part / whole if whole else float("nan")


def _rounded(value: Any) -> Any:
    """Numbers short enough to read, and None where there is none."""
    if isinstance(value, float):
        return None if np.isnan(value) else round(value, 5)
    if isinstance(value, dict):
        return {name: _rounded(part) for name, part in value.items()}
    return [_rounded(part) for part in value] if isinstance(value, list | tuple) else value
