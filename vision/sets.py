"""Tells the two sets of discs apart on a board never seen before, all squares deciding together."""

import numpy as np
from numpy.typing import NDArray

from vision.looks import Looks
from vision.reader import COVERED

CLEARLY_APART = 2.6
"""Distance of the two groups' middles in spreads; halves of a single group are about two apart."""
FEWEST = 2
GROUP_BOUND = 2.5
"""Most that a group's colour may say against the reader, which sees more than colour."""
ONE_SET_WEIGHT = 3.0
"""How much the mean of all discs counts where only one set stands on the board."""
CHROMA_WEIGHT = 1.2
TIE_IN_LIGHTNESS = 4.0


def side_odds(scores: NDArray[np.float32], looks: Looks) -> NDArray[np.float32]:
    """Log-odds (n,) that a disc on each square is of the lighter set.

    `scores` (n, 6) are the reader's log-probabilities. The colours of the occupied squares are parted in two groups. If
    these are clearly apart each square leans by a bounded amount to its group, which helps where the reader hardly
    tells the sides (a dim room, sets of equal lightness); if not, all discs are of one set and lean to it together.
    """
    own = np.logaddexp(scores[:, 1], scores[:, 3]) - np.logaddexp(scores[:, 2], scores[:, 4])
    held = np.exp(scores[:, 1:COVERED]).sum(axis=1) > 0.6
    if held.sum() < 2 * FEWEST:
        return np.asarray(own, np.float32)
    colours = _colours(looks)
    member, middles = two_groups(colours[held], own[held])
    spread = _spread(colours[held], member, middles)
    if float(np.linalg.norm(middles[0] - middles[1])) / spread < CLEARLY_APART:
        return np.asarray(own + ONE_SET_WEIGHT * own[held].mean(), np.float32)
    darker = _darker(middles, own[held], member)
    far = np.linalg.norm(colours[:, None] - middles[None], axis=2)
    lean = (far[:, darker] ** 2 - far[:, 1 - darker] ** 2) / (2 * spread**2)
    return np.asarray(own + np.clip(lean, -GROUP_BOUND, GROUP_BOUND), np.float32)


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
            before, member = member, far.argmin(axis=1)
            cost = float(far.min(axis=1).sum())
            if best is None or cost < best[0]:
                best = (cost, member, middles)
            if np.array_equal(member, before):
                break
    if best is None:
        return np.zeros(len(colours), np.int64), np.stack([colours.mean(axis=0)] * 2)
    return best[1], best[2]


def _colours(looks: Looks) -> NDArray[np.float32]:
    lab = looks.features(np.ones((len(looks.bgr), 3), np.float32))[:, :3]
    return lab * np.array([1.0, CHROMA_WEIGHT, CHROMA_WEIGHT], np.float32)


def _spread(colours: NDArray[np.float32], member: NDArray[np.int64], middles: NDArray[np.float32]) -> float:
    """Typical distance of a disc from its group's middle, with a floor for noise."""
    return max(4.0, float(np.sqrt(np.mean(np.sum((colours - middles[member]) ** 2, axis=1)))))


def _darker(middles: NDArray[np.float32], own: NDArray[np.float32], member: NDArray[np.int64]) -> int:
    """Index of the darker group: by lightness, or by the network where lightness hardly differs."""
    difference = float(middles[0, 0] - middles[1, 0])
    if abs(difference) > TIE_IN_LIGHTNESS:
        return int(difference > 0)
    leans = [float(np.median(own[member == group])) for group in (0, 1)]
    return int(leans[0] > leans[1])
