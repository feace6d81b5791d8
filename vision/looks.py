"""What is measured of a square besides the network's reading: colour and roughness of its heart, and glare."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.rectify import PATCH_SIZE, SQUARES_WIDE

HEART_RADIUS = 0.24
"""In widths of a square: well inside the smallest disc, so that an off-centre disc still fills it."""
ROUGHNESS_SCALE = 4.0
GLARE_LEVEL = 250
FEATURES = 4
"""L*, a*, b* (0 to 100, about -128 to 127) and the roughness of the heart."""


@dataclass(frozen=True, slots=True, eq=False)
class Looks:
    """Measurements of n squares: heart's colour `bgr` (n, 3) 0 to 255, `roughness` (n,), share of `glare` (n,)."""

    bgr: NDArray[np.float32]
    roughness: NDArray[np.float32]
    glare: NDArray[np.float32]

    def features(self, gain: NDArray[np.float32]) -> NDArray[np.float32]:
        """(n, 4) L*, a*, b*, roughness, the colours divided by the light's `gain` (n, 3) in BGR."""
        colours = np.clip(self.bgr / np.maximum(gain, 0.05) / 255.0, 0.0, 1.0).astype(np.float32)
        lab = cv2.cvtColor(colours.reshape(-1, 1, 3), cv2.COLOR_BGR2LAB).reshape(-1, 3)
        return np.column_stack([lab, self.roughness]).astype(np.float32)


def looks_of(patches: NDArray[np.uint8]) -> Looks:
    """Measures the hearts of patches (n, 40, 40, 3) BGR."""
    heart = patches[:, heart_mask()]
    if len(heart) == 0:
        return Looks(np.zeros((0, 3), np.float32), np.zeros(0, np.float32), np.zeros(0, np.float32))
    blue, green, red = (heart[..., channel] for channel in range(3))
    grey = (blue.astype(np.float32) + green + red) / 3
    roughness = ROUGHNESS_SCALE * np.log1p(grey.std(axis=1))
    glare = (np.minimum(np.minimum(blue, green), red) >= GLARE_LEVEL).mean(axis=1)
    middle = np.median(heart, axis=1)
    return Looks(middle.astype(np.float32), roughness.astype(np.float32), glare.astype(np.float32))


def heart_mask() -> NDArray[np.bool_]:
    """(40, 40) true within the heart of a patch."""
    axis = ((np.arange(PATCH_SIZE) + 0.5) / PATCH_SIZE - 0.5) * SQUARES_WIDE
    return np.asarray(axis[None, :] ** 2 + axis[:, None] ** 2 < HEART_RADIUS**2)


def local_gain(
    now: NDArray[np.float32], usual: NDArray[np.float32], at: NDArray[np.float64], wanted: NDArray[np.float64]
) -> NDArray[np.float32]:
    """How much brighter than usual the light is around `wanted` (n, 2), per channel: (n, 3).

    Learned from reference squares at plane points `at` (m, 2) with colours `now` and `usual` (m, 3): near references
    count most, and a reference that disagrees with its neighbours (something lies on it) counts little.
    """
    if len(at) == 0:
        return np.ones((len(wanted), 3), np.float32)
    ratio = np.log((now + 4.0) / (usual + 4.0))
    common = np.median(ratio, axis=0)
    reach = np.sum((wanted[:, None] - at[None]) ** 2, axis=2)
    nearness = np.exp(-reach / (2 * 1.2**2)) + 1e-6
    trust = np.ones(len(at))
    for _ in range(3):
        weight = nearness * trust
        fitted = (weight @ ratio + 0.3 * common) / (weight.sum(axis=1, keepdims=True) + 0.3)
        around = np.exp(-np.sum((at[:, None] - at[None]) ** 2, axis=2) / (2 * 1.5**2)) * trust
        expected = (around @ ratio + 0.3 * common) / (around.sum(axis=1, keepdims=True) + 0.3)
        trust = 1.0 / (1.0 + np.sum((ratio - expected) ** 2, axis=1) / 0.15**2)
    return np.asarray(np.exp(fitted), np.float32)
