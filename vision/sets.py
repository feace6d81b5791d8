"""Tells the two sets of discs apart on a board never seen before, all squares deciding together."""

from dataclasses import dataclass

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
WELL_LIT = 150.0
"""The level (0 to 255) of the brighter discs' strongest channel to which colours of a darker picture are raised."""
MOST_RAISED = 0.1
DARKEST = 8.0
"""Added to a channel so that noise in the dark has no hue."""
HUE_SCALE = 40.0
PLAINLY_LIGHTER = 20.0
"""Difference in CIE L* from which the reader knows by itself which set is the lighter one."""
LEAST_TRUST = 0.2
SURE_OF_SIDE = 1.2
"""Median log-odds of a group from which the reader is sure whose it is."""


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
    colours = _colours(looks, held)
    parted = max((_parted(each, held, own) for each in (colours, _hues(looks))), key=lambda one: one.apart)
    one_set = np.asarray(own + ONE_SET_WEIGHT * own[held].mean(), np.float32)
    if parted.apart < CLEARLY_APART or np.bincount(parted.member, minlength=2).min() == 0:
        return one_set
    middles = np.stack([np.median(colours[held][parted.member == group], axis=0) for group in (0, 1)])
    if _one_set_in_shadow(own[held], parted.member, middles):
        return one_set
    darker = _darker(middles, own[held], parted.member)
    lean = (parted.far[:, darker] ** 2 - parted.far[:, 1 - darker] ** 2) / 2
    trust = _trust_in_reader(parted.apart, parted.member, middles)
    return np.asarray(trust * own + np.clip(lean, -GROUP_BOUND / trust, GROUP_BOUND / trust), np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class _Parted:
    """Two groups of discs: how far `apart` their middles are, `member` (k,) of each disc, how `far` (n, 2) each square
    is from either middle; lengths in spreads of a group."""

    apart: float
    member: NDArray[np.int64]
    far: NDArray[np.float32]


def _parted(colours: NDArray[np.float32], held: NDArray[np.bool_], own: NDArray[np.float32]) -> _Parted:
    """The two groups of the colours (n, k) of squares that are `held` (n,)."""
    member, middles = two_groups(colours[held], own[held])
    spread = _spread(colours[held], member, middles)
    far = np.linalg.norm(colours[:, None] - middles[None], axis=2) / spread
    return _Parted(float(np.linalg.norm(middles[0] - middles[1])) / spread, member, far.astype(np.float32))


def _one_set_in_shadow(own: NDArray[np.float32], member: NDArray[np.int64], middles: NDArray[np.float32]) -> bool:
    """Whether the reader, which sees the squares around, takes the darker group for the same side as the lighter."""
    leans = np.array([np.median(own[member == group]) for group in (0, 1)])
    plainly = abs(float(middles[0, 0] - middles[1, 0])) >= PLAINLY_LIGHTER
    return bool(plainly and leans[0] * leans[1] > 0 and np.abs(leans).min() > SURE_OF_SIDE)


def _trust_in_reader(apart: float, member: NDArray[np.int64], middles: NDArray[np.float32]) -> float:
    """1, or less where two sets differ in hue alone, so that the reader cannot know which one it is to call light."""
    if np.bincount(member, minlength=2).min() < FEWEST:
        return 1.0
    by_hue_alone = 1 - min(1.0, abs(float(middles[0, 0] - middles[1, 0])) / PLAINLY_LIGHTER)
    certainly_two = float(np.clip(apart / CLEARLY_APART - 1, 0, 1))
    return 1 - (1 - LEAST_TRUST) * by_hue_alone * certainly_two


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


def _colours(looks: Looks, held: NDArray[np.bool_]) -> NDArray[np.float32]:
    """Colours (n, 3) of the hearts; in the dark as they would be in a good light, for sets differ there as much."""
    lit = float(np.percentile(looks.bgr[held].max(axis=1), 75)) / WELL_LIT
    gain = np.full((len(looks.bgr), 3), np.clip(lit, MOST_RAISED, 1.0), np.float32)
    lab = looks.features(gain)[:, :3]
    return lab * np.array([1.0, CHROMA_WEIGHT, CHROMA_WEIGHT], np.float32)


def _hues(looks: Looks) -> NDArray[np.float32]:
    """What light and shade leave as it is: ratios of the channels (n, 2), on about the scale of Lab."""
    blue, green, red = np.log(looks.bgr + DARKEST).T
    return np.asarray(HUE_SCALE * np.stack([red - green, blue - green], axis=1), np.float32)


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
