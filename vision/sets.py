"""Tells the two sets of discs apart on a board never seen before, all squares deciding together."""

import numpy as np
from numpy.typing import NDArray

from vision.looks import Looks
from vision.reader import COVERED

CLEARLY_APART = 2.6
"""Distance of the two groups' middles in spreads; halves of a single group are about two apart."""
FEWEST = 2
GROUP_BOUND = 7.0
CHROMA_WEIGHT = 1.2
TIE_IN_LIGHTNESS = 4.0


def side_odds(scores: NDArray[np.float32], looks: Looks) -> NDArray[np.float32]:
    """Log-odds (n,) that a disc on each square is of the lighter set.

    `scores` (n, 6) are the network's log-probabilities. The colours of the occupied squares are parted in two groups;
    if these are clearly apart the lighter group is the light set, else the network's own guess stands.
    """
    own = np.logaddexp(scores[:, 1], scores[:, 3]) - np.logaddexp(scores[:, 2], scores[:, 4])
    held = np.exp(scores[:, 1:COVERED]).sum(axis=1) > 0.6
    if held.sum() < 2 * FEWEST:
        return np.asarray(own, np.float32)
    colours = _colours(looks)
    member, middles = two_groups(colours[held], own[held])
    sizes = np.bincount(member, minlength=2)
    spread = _spread(colours[held], member, middles)
    apart = float(np.linalg.norm(middles[0] - middles[1])) / spread
    if min(sizes) < 1 or apart < CLEARLY_APART or _one_set(own[held], member, apart):
        return np.asarray(own, np.float32)
    darker = _darker(middles, own[held], member)
    far = np.linalg.norm(colours[:, None] - middles[None], axis=2)
    lean = (far[:, darker] ** 2 - far[:, 1 - darker] ** 2) / (2 * spread**2)
    return np.asarray(np.clip(lean, -GROUP_BOUND, GROUP_BOUND) + 0.25 * own, np.float32)


def two_groups(
    colours: NDArray[np.float32], guess: NDArray[np.float32]
) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    """Membership (k,) and middles (2, 3) of two groups of colours (k, 3), the best of several beginnings."""
    middle = colours - colours.mean(axis=0)
    _, _, axes = np.linalg.svd(middle, full_matrices=False)
    beginnings = [middle @ axes[0] > 0, guess > np.median(guess), middle[:, 0] > 0]
    best: tuple[float, NDArray[np.int64], NDArray[np.float32]] | None = None
    for beginning in beginnings:
        member = beginning.astype(np.int64)
        for _ in range(10):
            if min(np.bincount(member, minlength=2)) == 0:
                break
            middles = np.stack([np.median(colours[member == group], axis=0) for group in (0, 1)])
            far = np.linalg.norm(colours[:, None] - middles[None], axis=2)
            member = far.argmin(axis=1)
            cost = float(far.min(axis=1).sum())
            if best is None or cost < best[0]:
                best = (cost, member, middles)
    if best is None:
        return np.zeros(len(colours), np.int64), np.stack([colours.mean(axis=0)] * 2)
    return best[1], best[2]


def _colours(looks: Looks) -> NDArray[np.float32]:
    lab = looks.features(np.ones((len(looks.bgr), 3), np.float32))[:, :3]
    return lab * np.array([1.0, CHROMA_WEIGHT, CHROMA_WEIGHT], np.float32)


def _spread(colours: NDArray[np.float32], member: NDArray[np.int64], middles: NDArray[np.float32]) -> float:
    """Typical distance of a disc from its group's middle, with a floor for noise."""
    return max(4.0, float(np.sqrt(np.mean(np.sum((colours - middles[member]) ** 2, axis=1)))))


def _one_set(own: NDArray[np.float32], member: NDArray[np.int64], apart: float) -> bool:
    """Whether the network holds both groups for the same side, and they are not so far apart as to overrule it."""
    leans = [float(np.median(own[member == group])) for group in (0, 1)]
    return bool(leans[0] * leans[1] > 0 and min(abs(leans[0]), abs(leans[1])) > 1.5 and apart < 2 * CLEARLY_APART)


def _darker(middles: NDArray[np.float32], own: NDArray[np.float32], member: NDArray[np.int64]) -> int:
    """Index of the darker group: by lightness, or by the network where lightness hardly differs."""
    difference = float(middles[0, 0] - middles[1, 0])
    if abs(difference) > TIE_IN_LIGHTNESS:
        return int(difference > 0)
    leans = [float(np.median(own[member == group])) for group in (0, 1)]
    return int(leans[0] > leans[1])
