"""Patches of squares agree with sampling every pixel finely, however large the picture is."""

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.drawn_board import BOARD, CORNERS, SIZE
from vision.pose import BoardPose, Lens, pose_from_corners
from vision.rectify import PATCH_SIZE, SQUARES_WIDE, TOP_HEIGHT, square_patches, upright_axes

FINE = 4


def posed(scale: int, shift: tuple[float, float] = (0.0, 0.0), lens: Lens | None = None) -> BoardPose:
    corners = (np.array(CORNERS) + shift) * scale
    return pose_from_corners(corners, BOARD, (SIZE[0] * scale, SIZE[1] * scale), lens)


def textured(scale: int) -> NDArray[np.uint8]:
    """A picture (h, w, 3) whose grain is about two pixels of a patch wide."""
    noise = np.random.default_rng(5).normal(0, 1, (SIZE[1] * scale, SIZE[0] * scale, 3))
    soft = cv2.GaussianBlur(noise, (0, 0), 2.5 * scale)
    return np.clip(128 + 45 * soft / soft.std(), 0, 255).astype(np.uint8)


def finely_sampled(bgr: NDArray[np.uint8], pose: BoardPose) -> NDArray[np.float64]:
    """Patches of the board's points as the mean of many samples a pixel."""
    right, down = upright_axes(pose, np.mean(BOARD.xy, axis=0))
    steps = ((np.arange(PATCH_SIZE * FINE) + 0.5) / (PATCH_SIZE * FINE) - 0.5) * SQUARES_WIDE
    offsets = steps[None, :, None] * right + steps[:, None, None] * down
    patches = []
    for centre in BOARD.xy:
        at = pose.project((np.array(centre) + offsets).reshape(-1, 2), TOP_HEIGHT).astype(np.float32)
        x, y = (at[:, k].reshape(offsets.shape[:2]) for k in range(2))
        fine = cv2.remap(bgr, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE).astype(np.float64)
        patches.append(cv2.resize(fine, (PATCH_SIZE, PATCH_SIZE), interpolation=cv2.INTER_AREA))
    return np.stack(patches)


def difference(bgr: NDArray[np.uint8], pose: BoardPose) -> float:
    """Mean difference in grey levels from fine sampling."""
    return float(np.abs(square_patches(bgr, pose, BOARD.xy) - finely_sampled(bgr, pose)).mean())


@pytest.mark.parametrize("scale", [1, 2, 3, 5])
def test_patches_are_those_of_fine_sampling_in_pictures_of_any_size(scale: int) -> None:
    assert difference(textured(scale), posed(scale)) < 3.0


def test_patches_through_a_lens_are_those_of_fine_sampling() -> None:
    camera = np.array([[1500.0, 0, 960], [0, 1500, 720], [0, 0, 1]])
    lens = Lens(camera, np.array([-0.2, 0.04, 0, 0, 0]))
    assert difference(textured(3), posed(3, lens=lens)) < 3.0


@pytest.mark.parametrize("shift", [(-140.0, -70.0), (150.0, 100.0), (-1000.0, 0.0)])
def test_a_board_that_reaches_out_of_the_picture_is_sampled_with_its_rim_drawn_on(shift: tuple[float, float]) -> None:
    assert difference(textured(3), posed(3, shift)) < 3.0
