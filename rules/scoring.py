"""How well placements fit the evidence: clipped, normalised log-likelihoods, the rules of unseen crowns included."""

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rules.placement import Placement

FLOOR = -9.0
"""No single point counts more than this against a hypothesis (natural log below the point's best reading)."""
CROWN_UNSEEN = 0.7
"""What it costs a king to look like a man."""
_CANNOT_SEE_SHARE = 0.5
_CANNOT_SEE_LEAD = 0.7


@dataclass(frozen=True, slots=True, eq=False)
class Scores:
    """Natural log per point and piece, 0 for the best reading; hidden points are all zero."""

    plain: NDArray[np.float64]
    """(n, 5) as seen."""
    fitting: NDArray[np.float64]
    """(n, 5) with the columns of kings as good as those of men, less a small cost."""
    hidden: NDArray[np.bool_]
    """(n,) true where nothing is known."""

    def of(self, placement: Placement, crowned: Collection[int] = ()) -> float:
        """How well a whole placement fits; the crowns on the points `crowned` must be seen."""
        pieces = np.frombuffer(placement.pieces, dtype=np.uint8)
        fit = float(self.fitting[np.arange(len(pieces)), pieces].sum())
        return fit + sum(float(self.plain[p, pieces[p]] - self.fitting[p, pieces[p]]) for p in crowned)

    def per_point(self, placement: Placement) -> NDArray[np.float64]:
        """(n,) what each point adds."""
        pieces = np.frombuffer(placement.pieces, dtype=np.uint8)
        out: NDArray[np.float64] = self.fitting[np.arange(len(pieces)), pieces]
        return out

    @property
    def lead(self) -> NDArray[np.float64]:
        """(n,) by how much the best reading of each point leads the second best."""
        ranked = np.sort(self.plain, axis=1)
        out: NDArray[np.float64] = ranked[:, -1] - ranked[:, -2]
        return out

    @property
    def blind(self) -> bool:
        """Whether too little is visible, or nothing of it is clear."""
        seen = ~self.hidden
        if seen.mean() < _CANNOT_SEE_SHARE:
            return True
        return bool(np.median(self.lead[seen]) < _CANNOT_SEE_LEAD)


def scores(evidence: NDArray[np.floating], hidden: NDArray[np.bool_]) -> Scores:
    """From log-likelihoods (n, 5) in the order of Piece and a mask (n,) of points that cannot be seen."""
    plain = np.nan_to_num(np.asarray(evidence, dtype=np.float64), nan=0.0, posinf=0.0, neginf=-1e6)
    plain = np.maximum(plain - plain.max(axis=1, keepdims=True), FLOOR)
    plain[hidden] = 0.0
    fitting = plain.copy()
    for man, king in ((1, 3), (2, 4)):
        fitting[:, king] = np.minimum(np.logaddexp(plain[:, king], plain[:, man] - CROWN_UNSEEN), 0.0)
    fitting[hidden] = 0.0
    return Scores(plain, fitting, np.asarray(hidden, dtype=np.bool_))
