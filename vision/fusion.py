"""Several looks at the same still board made one."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from vision.errors import VisionError
from vision.evidence import BoardEvidence

ALIKE = 0.6
"""How much the errors of looks a moment apart are the same: light, glare and disc do not change in between."""


def fused(looks: Sequence[BoardEvidence], alike: float = ALIKE) -> BoardEvidence:
    """One evidence from several of the same placement.

    The mean of the log-likelihoods over the looks in which a square is not hidden, made surer by the number of looks
    that would be independent: n / (1 + (n - 1) * alike). A square is hidden only if no look shows it.
    """
    if not looks:
        raise VisionError("saw no look to put together; expected at least one settled frame")
    values = np.stack([look.log_likelihood for look in looks]).astype(np.float64)
    shown = np.stack([~look.hidden for look in looks])
    count = shown.sum(axis=0)
    weight = np.where(count > 0, shown, True)[..., None]
    mean = (values * weight).sum(axis=0) / weight.sum(axis=0)
    independent = np.maximum(count, 1) / (1 + (np.maximum(count, 1) - 1) * alike)
    sharper = mean * independent[:, None]
    normal = sharper - np.logaddexp.reduce(sharper, axis=1, keepdims=True)
    return BoardEvidence(normal.astype(np.float32), count == 0)


def covered(seen: BoardEvidence, points: NDArray[np.bool_]) -> BoardEvidence:
    """The same evidence where `points` (n,) lie under a thing: they are hidden and say nothing."""
    if not points.any():
        return seen
    nothing = np.float32(-np.log(seen.log_likelihood.shape[1]))
    return BoardEvidence(np.where(points[:, None], nothing, seen.log_likelihood), seen.hidden | points)
