"""Patches of squares agree with sampling every pixel finely, however large the picture is."""

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.drawn_board import BOARD, CORNERS, SIZE
from vision.pose import BoardPose, Lens, pose_from_corners
from vision.rectify import PATCH_SIZE, SQUARES_WIDE, TOP_HEIGHT, plane_picture, square_axes, square_patches

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
    right, down = square_axes(pose, np.array(BOARD.xy))
    steps = ((np.arange(PATCH_SIZE * FINE) + 0.5) / (PATCH_SIZE * FINE) - 0.5) * SQUARES_WIDE
    patches = []
    for point, centre in enumerate(BOARD.xy):
        offsets = steps[None, :, None] * right[point] + steps[:, None, None] * down[point]
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


def test_what_stands_higher_is_drawn_straight_above_its_foot_on_every_square() -> None:
    pose, xy = posed(1), np.array(BOARD.xy)
    right, down = square_axes(pose, xy)
    foot = pose.project(xy)
    raised = pose.project(xy, 0.3) - foot
    steps = np.stack([pose.project(xy + 0.1 * axis) - foot for axis in np.eye(2)], axis=2) / 0.1
    shift = np.linalg.solve(steps, raised[..., None])[..., 0]
    aside, up = (shift * right).sum(axis=1), -(shift * down).sum(axis=1)
    far = np.linalg.norm(shift, axis=1) > 0.1
    assert far.sum() > len(xy) // 2
    assert (up[far] > 0).all()
    assert np.abs(aside[far]).max() < 0.35 * up[far].min()


@pytest.mark.parametrize("turn", [0, 1, 2, 3])
def test_patches_are_never_mirrored(turn: int) -> None:
    pose, xy = posed(1).turned(turn, BOARD), np.array(BOARD.xy)
    right, down = square_axes(pose, xy)
    foot = pose.project(xy)
    across, along = pose.project(xy + 0.1 * right) - foot, pose.project(xy + 0.1 * down) - foot
    assert (across[:, 0] * along[:, 1] - across[:, 1] * along[:, 0] > 0).all()


def test_a_picture_of_the_plane_shows_each_of_its_points_where_it_says() -> None:
    bgr, pose = textured(2), posed(2)
    picture, plane = plane_picture(bgr, pose, (4.0, 4.0), 96, 8.0)
    at = pose.project(plane.reshape(-1, 2), TOP_HEIGHT).astype(np.float32)
    soft = cv2.GaussianBlur(bgr, (0, 0), 2.0)
    there = cv2.remap(soft, at[:, 0].reshape(96, 96), at[:, 1].reshape(96, 96), cv2.INTER_LINEAR)
    assert float(np.abs(picture.astype(float) - there).mean()) < 5.0
    assert plane[0, 0] == pytest.approx((0.042, 7.958), abs=0.001)
