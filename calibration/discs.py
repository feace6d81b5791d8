"""Discs in a picture, wherever they lie: round patches that are lighter, darker or of another colour than what is near.

They show on boards whose squares hardly do.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.saddles import normalised

WORKING_PX = 1100
FLOOR = 3.0
"""Deviation, in units of Lab, below which a plain ground's grain is not made more of."""
LEVELS = (0.5, 0.9, 1.4)
"""Differences from the local mean, in local deviations, by which patches are parted from their ground."""
LEAST_AREA, MOST_SHARE = 50, 0.01
"""Smallest disc in pixels of the working picture, and the largest as a share of it."""
LEAST_AROUND, MOST_AROUND = 20, 400
"""Pixels along a disc's outline."""
LEAST_SOLID = 0.9
LEAST_ROUND = 0.975
"""Area as a share of that of the ellipse with the same second moments: 1 for ellipses, 0.95 for rectangles."""
FLATTEST = 6.5
"""Most that one of an ellipse's second moments may be of the other: a disc seen from 67 degrees off its normal."""
SAME = 0.4
"""Distance, as a share of the smaller one's width, within which two patches are one disc."""
MOST_DISCS = 80
"""The roundest are kept: no board has more, but cloths and pebbles do."""


@dataclass(frozen=True, slots=True, eq=False)
class Discs:
    """Round patches, roundest first: middles `xy` (m, 2) in pixels and `areas` (m,) in square pixels of the picture."""

    xy: NDArray[np.float64]
    areas: NDArray[np.float64]


def seen_discs(bgr: NDArray[np.uint8]) -> Discs:
    """The discs in a picture (h, w, 3) uint8 BGR, with whatever else is round."""
    factor = WORKING_PX / max(bgr.shape[:2])
    way = cv2.INTER_AREA if factor < 1 else cv2.INTER_LINEAR
    picture = cv2.resize(bgr, None, fx=factor, fy=factor, interpolation=way)
    lab = cv2.cvtColor(picture.astype(np.float32) / 255, cv2.COLOR_BGR2Lab)
    soft = np.asarray(cv2.GaussianBlur(lab, (0, 0), 1.0), np.float32)
    flat = [normalised(soft[:, :, channel].copy(), FLOOR) for channel in range(3)]
    masks = [sign * plane > level for plane in flat for level in LEVELS for sign in (1, -1)]
    every = np.array([one for mask in masks for one in _round_patches(mask)], np.float64).reshape(-1, 4)
    order = np.argsort(-every[:, 3], kind="stable")
    patches = _unlike(every[order, :3])
    return Discs(patches[:, :2] / factor, patches[:, 2] / factor**2)


def _round_patches(mask: NDArray[np.bool_]) -> list[tuple[float, float, float, float]]:
    """Middle, area and roundness of each patch of a mask (h, w) that may be a disc."""
    contours, _ = cv2.findContours(mask.astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    found = []
    for contour in contours:
        if not LEAST_AROUND <= len(contour) <= MOST_AROUND:
            continue
        area = cv2.contourArea(contour)
        if not LEAST_AREA < area < MOST_SHARE * mask.size:
            continue
        if area < LEAST_SOLID * cv2.contourArea(cv2.convexHull(contour)):
            continue
        moments = cv2.moments(contour)
        xx, yy, xy = (moments[name] / area for name in ("mu20", "mu02", "mu11"))
        least = (xx + yy) / 2 - float(np.hypot((xx - yy) / 2, xy))
        product = max(xx * yy - xy * xy, 1e-9)
        roundness = float(area / (4 * np.pi * np.sqrt(product)))
        if roundness >= LEAST_ROUND and product < FLATTEST * least * least:
            found.append((moments["m10"] / area, moments["m01"] / area, area, roundness))
    return found


def _unlike(patches: NDArray[np.float64]) -> NDArray[np.float64]:
    """The patches (m, 3) of middle and area without those that are another one before them."""
    kept: list[int] = []
    for k in range(len(patches)):
        others = patches[kept]
        away = np.hypot(*(others[:, :2] - patches[k, :2]).T)
        if (away > SAME * np.sqrt(np.minimum(others[:, 2], patches[k, 2]))).all():
            kept.append(k)
            if len(kept) == MOST_DISCS:
                break
    return patches[kept]
