"""What the board and its margin look like when nothing lies over them, learned pixel by pixel.

Two looks are remembered for every pixel, so that a hand that was taken for scenery and goes again leaves nothing
strange behind. Over the board what has come to rest is scenery at once; in the margin only after some seconds, for
hands come in there. What lies over the board and stays is scenery too, but veils the squares under it.
"""

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.straight import UNIT_PX, GreyPicture, StraightView

CHANGE = 0.16
"""Least change of local contrast (natural logarithm) that counts; noise of a dim camera stays below."""
EDGE_SECONDS = 5.0
"""How long something must lie in the margin to become scenery."""
FINE = 0.45
"""Width in squares of the structures by which a shadow is told from a thing: a thing hides them."""
SAME_STRUCTURE = 0.8
"""Correlation of fine structure from which a change is one of light."""
STRUCTURE_WIDTH = 1.25
"""Width in squares over which structure is compared."""
_LEAST_STRUCTURE = 0.05
"""Fine contrast below which there is no structure to compare."""

Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class Scenery:
    """Pictures (h, w) of local contrast: the present look, the one before, and what may become scenery since when.

    `veil` (h, w) is where a thing that lies over the board has become scenery.
    """

    settled: GreyPicture
    before: GreyPicture
    fresh: GreyPicture
    fresh_since: NDArray[np.float64]
    veil: Mask


def first_scenery(contrast: GreyPicture, now: float) -> Scenery:
    """What is seen first is taken for scenery."""
    since = np.full(contrast.shape, now, np.float64)
    return Scenery(contrast, contrast, contrast, since, np.zeros(contrast.shape, bool))


def area(one: GreyPicture, other: GreyPicture) -> float:
    """Area in squares on which two pictures differ, specks left out."""
    return float(np.count_nonzero(_opened(np.abs(one - other)))) / UNIT_PX**2


def strange(contrast: GreyPicture, scenery: Scenery) -> Mask:
    """Where (h, w) the picture is like neither look of the scenery, specks left out."""
    away = np.minimum(cv2.absdiff(contrast, scenery.settled), cv2.absdiff(contrast, scenery.before))
    return _opened(away)


def only_light(contrast: GreyPicture, scenery: Scenery) -> Mask:
    """Where (h, w) the fine structure is that of the scenery, as under a shadow or a lamp, not under a thing."""
    now, then = _fine(contrast), _fine(scenery.settled)
    both, own, other = (_mean(product) for product in (now * then, now * now, then * then))
    alike = both > SAME_STRUCTURE * np.sqrt(own * other)
    return np.asarray(alike & (other > _LEAST_STRUCTURE**2))


def watched_on(scenery: Scenery, contrast: GreyPicture, now: float) -> Scenery:
    """Notes since when each pixel has looked as it does now; for pictures of stillness."""
    moved = cv2.absdiff(contrast, scenery.fresh) > CHANGE
    if not moved.any():
        return scenery
    fresh = np.where(moved, contrast, scenery.fresh)
    return replace(scenery, fresh=fresh, fresh_since=np.where(moved, now, scenery.fresh_since))


def resting_since(scenery: Scenery, contrast: GreyPicture, now: float) -> NDArray[np.float64]:
    """Since when (h, w) each pixel has looked as it does in this picture, whatever passed over it in between."""
    return np.where(cv2.absdiff(contrast, scenery.fresh) > CHANGE, now, scenery.fresh_since)


def absorbed(scenery: Scenery, contrast: GreyPicture, view: StraightView, things: Mask, now: float) -> Scenery:
    """The scenery after the board was seen still: all but the things over it is taken in, the margin in its time.

    A veil is lifted where what was there before shows again, or something else that is no thing.
    """
    patient = now - resting_since(scenery, contrast, now) >= EDGE_SECONDS
    taken = np.where(view.inside, ~things, patient | ~strange(contrast, scenery))
    kept = _taken(scenery, contrast, taken)
    lifted = scenery.veil & ~things & (cv2.absdiff(contrast, scenery.settled) > CHANGE)
    return replace(kept, veil=scenery.veil & ~lifted) if lifted.any() else kept


def veiled(scenery: Scenery, contrast: GreyPicture, view: StraightView, things: Mask) -> Scenery:
    """The scenery after things have lain over the board for long: they are scenery, the squares under them veiled."""
    return replace(_taken(scenery, contrast, things), veil=scenery.veil | (things & view.inside))


def unveiled(scenery: Scenery, view: StraightView, points: NDArray[np.bool_]) -> Scenery:
    """The scenery after `points` (n,) were seen to show their squares after all."""
    veil = scenery.veil.copy()
    reach = round(0.75 * UNIT_PX)
    for x, y in view.centres[points]:
        veil[max(0, y - reach) : y + reach + 1, max(0, x - reach) : x + reach + 1] = False
    return replace(scenery, veil=veil)


def _taken(scenery: Scenery, contrast: GreyPicture, taken: Mask) -> Scenery:
    """The present look replaced where `taken`; where that is a change, the old one is remembered as the one before."""
    other = taken & (cv2.absdiff(contrast, scenery.settled) > CHANGE)
    before = np.where(other, scenery.settled, scenery.before) if other.any() else scenery.before
    return replace(scenery, settled=np.where(taken, contrast, scenery.settled), before=before)


def _opened(away: GreyPicture) -> Mask:
    changed = (away > CHANGE).astype(np.uint8)
    return np.asarray(cv2.morphologyEx(changed, cv2.MORPH_OPEN, np.ones((2, 2), np.uint8)) > 0)


def _fine(contrast: GreyPicture) -> GreyPicture:
    width = 2 * round(FINE * UNIT_PX / 2) + 1
    return np.asarray(contrast - cv2.blur(contrast, (width, width)), np.float32)


def _mean(product: GreyPicture) -> GreyPicture:
    width = 2 * round(STRUCTURE_WIDTH * UNIT_PX / 2) + 1
    return np.asarray(cv2.blur(product, (width, width)), np.float32)
