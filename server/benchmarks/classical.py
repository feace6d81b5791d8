"""A reader without a network, to show what the network brings: Hough's circles and the colours of two groups.

Circles by the gradient method (Yuen et al., "Comparative study of Hough transform methods for circle finding", 1990,
as OpenCV has it); the sides by vision/sets.py's two groups of colours. It cannot tell kings and takes all for men.
"""

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.reader import CLASSES, LightOfBoard
from vision.rectify import PATCH_SIZE, SQUARES_WIDE

SCALE = 3
"""Patches are enlarged so many times: the transform counts in whole pixels."""
RADII = (0.2, 0.5)
"""In widths of a square."""
OFF_CENTRE = 0.3
EDGE, VOTES = 40.0, 44.0
"""Hough's upper edge threshold and least votes, chosen on pictures other than those that are measured."""
SURE, UNLIKELY = 3.0, -6.0
LIGHT_STEP = 12.0
"""Difference in lightness (8-bit) from the middle of all discs that makes one a side e times as likely."""


class ClassicalReader:
    """Stands where vision/reader.py's Reader does; needs no model."""

    def read(self, patches: NDArray[np.uint8], light: LightOfBoard, lean: NDArray[np.float32]) -> NDArray[np.float32]:
        """Log-probabilities (n, 6) in the order of CLASSES for patches (n, 40, 40, 3) BGR of one board.

        `light` and `lean` are not used: a circle is a circle in any light.
        """
        scores = np.full((len(patches), len(CLASSES)), UNLIKELY, np.float32)
        held = np.array([has_circle(patch) for patch in patches], bool)
        scores[:, 0] = np.where(held, -SURE, SURE)
        lightness = np.array([_lightness(patch) for patch in patches], np.float32)
        if held.any():
            lead = (lightness - (lightness[held].max() + lightness[held].min()) / 2) / LIGHT_STEP
            scores[held, 1], scores[held, 2] = lead[held] / 2, -lead[held] / 2
        return np.asarray(scores - np.logaddexp.reduce(scores, axis=1, keepdims=True), np.float32)


def has_circle(patch: NDArray[np.uint8]) -> bool:
    """Whether a patch (40, 40, 3) BGR shows a circle of a disc's size near its middle."""
    wide = PATCH_SIZE * SCALE
    grey = cv2.cvtColor(cv2.resize(patch, (wide, wide), interpolation=cv2.INTER_CUBIC), cv2.COLOR_BGR2GRAY)
    square = wide / SQUARES_WIDE
    circles: Any = cv2.HoughCircles(
        cv2.GaussianBlur(grey, (0, 0), 1.5),
        cv2.HOUGH_GRADIENT,
        dp=2,
        minDist=wide,
        param1=EDGE,
        param2=VOTES,
        minRadius=round(RADII[0] * square),
        maxRadius=round(RADII[1] * square),
    )
    if circles is None:
        return False
    middle = np.asarray(circles).reshape(-1, 3)[0, :2]
    return bool(np.linalg.norm(middle - wide / 2) < OFF_CENTRE * square)


def _lightness(patch: NDArray[np.uint8]) -> float:
    """Median lightness (8-bit) of the heart."""
    low, high = PATCH_SIZE * 2 // 5, PATCH_SIZE * 3 // 5
    heart = np.ascontiguousarray(patch[low:high, low:high])
    return float(np.median(cv2.cvtColor(heart, cv2.COLOR_BGR2LAB)[..., 0]))
