"""Surfaces drawn by chance: wood grain, cloth and worn print, as brightness factors around one."""

from enum import Enum

import cv2
import numpy as np
from numpy.typing import NDArray

Grain = NDArray[np.float32]
"""(h, w) float32, mean about 1: what a colour is multiplied by."""


class Surface(Enum):
    """What a table or a square is made of."""

    WOOD = "wood"
    CLOTH = "cloth"
    PRINT = "print"
    PLAIN = "plain"


def grain(surface: Surface, height: int, width: int, strength: float, rng: np.random.Generator) -> Grain:
    """One piece of surface; wood runs along the rows."""
    match surface:
        case Surface.WOOD:
            field = 0.6 * _stretched(height, width, (height // 2, 10), rng)
            field += 0.5 * _stretched(height, width, (height, 24), rng) + 0.5 * _stretched(height, width, (12, 3), rng)
        case Surface.CLOTH:
            field = rng.standard_normal((height, width)).astype(np.float32)
            field = 1.4 * cv2.GaussianBlur(field, (0, 0), 0.8) + 0.3 * _stretched(height, width, (9, 9), rng)
        case Surface.PRINT:
            field = 0.8 * _stretched(height, width, (height // 12 + 2, width // 12 + 2), rng)
            field = np.clip(field, -0.4, 2.0)
        case Surface.PLAIN:
            field = 0.5 * _stretched(height, width, (6, 6), rng)
    return np.asarray(1.0 + strength * field, np.float32)


def _stretched(height: int, width: int, size: tuple[int, int], rng: np.random.Generator) -> NDArray[np.float32]:
    """Noise of `size` (rows, columns) drawn out to (height, width)."""
    noise = rng.standard_normal((max(size[0], 2), max(size[1], 2))).astype(np.float32)
    return np.asarray(cv2.resize(noise, (width, height), interpolation=cv2.INTER_CUBIC), np.float32)


def coloured(bgr: tuple[float, float, float], field: Grain) -> NDArray[np.uint8]:
    """(h, w, 3) uint8 BGR of one colour under a grain."""
    return np.asarray(np.clip(field[:, :, None] * np.asarray(bgr, np.float32), 0, 255), np.uint8)
