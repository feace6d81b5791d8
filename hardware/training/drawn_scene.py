"""Draws a random board with discs as a camera would see it: cheap enough for thousands, and no two alike."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.training.drawn_board import background, draw_board
from hardware.training.drawn_discs import CIRCLE, Table, draw_discs, random_style
from hardware.training.drawn_hand import draw_hand
from hardware.training.drawn_honeycomb import draw_honeycomb, random_honeycomb
from hardware.training.drawn_light import random_light, shone_on
from hardware.training.palettes import board_colours, lightness
from vision.pose import BoardPose

EMPTY, LIGHT, DARK, LIGHT_KING, DARK_KING, COVERED = range(6)
UNSURE = -1
SIDES_CLEAR_FROM = 10.0
"""Difference in CIE L* from which one set of discs is plainly the lighter."""


@dataclass(frozen=True, slots=True, eq=False)
class DrawnScene:
    """A picture with its truth: `xy` (n, 2) plane points and `labels` (n,) of the classes above, UNSURE for neither.

    `played` (n,) tells the squares of the game from the idle ones between them. `stands` (n, 3) are the plane point at
    which each disc really stands and how high its top is (squares), NaN where there is none or it is not known.
    """

    bgr: NDArray[np.uint8]
    pose: BoardPose
    xy: NDArray[np.float64]
    labels: NDArray[np.int64]
    played: NDArray[np.bool_]
    stands: NDArray[np.float64]
    sides_clear: bool


def draw_scene(rng: np.random.Generator) -> DrawnScene:
    """One random scene; everything follows from `rng`."""
    cells = random_honeycomb(rng) if rng.random() < 0.12 else None
    size = int(rng.choice([8, 8, 8, 10, 10, 12, 6]))
    lined = cells is None and rng.random() < 0.1
    squares = size - 1 if lined else size
    if cells is not None:
        squares = round(max(cells.width, cells.height))
    pose, colours = random_pose(rng, squares), board_colours(rng)
    light, style = random_light(rng, squares), random_style(rng, colours)
    picture = background(rng, pose.image_size)
    if cells is None:
        draw_board(rng, picture, pose, squares, colours, lined)
        xy = np.array([(c, r) for r in range(size) for c in range(size)], np.float64) + (0.0 if lined else 0.5)
    else:
        draw_honeycomb(rng, picture, pose, cells, colours)
        xy = np.array(cells.xy, np.float64)
    everywhere = lined or cells is not None or rng.random() < 0.15
    played = everywhere | ((xy.astype(int).sum(axis=1) % 2) == rng.integers(2))
    labels = random_pieces(rng, xy, played)
    stands = _set_out(rng, Table(picture, pose, light, style), xy, labels)
    shone_on(rng, picture, pose, light, squares)
    if rng.random() < 0.2:
        labels = covered_labels(labels, draw_hand(rng, picture, pose, squares), pose, xy)
    clear = abs(lightness(style.colours[0]) - lightness(style.colours[1])) > SIDES_CLEAR_FROM
    return DrawnScene(np.clip(picture, 0, 255).astype(np.uint8), pose, xy, labels, played, stands, clear)


def random_pose(rng: np.random.Generator, squares: int) -> BoardPose:
    """A camera somewhere above the board, from straight overhead to a low seat."""
    width = int(rng.integers(420, 1300))
    image_size = (width, int(width * rng.choice([0.5625, 0.75, 1.0])))
    focal = width * rng.uniform(0.6, 1.6)
    tilt, azimuth, roll = np.radians((60 * rng.uniform(0, 1) ** 1.2, rng.uniform(0, 360), rng.normal(0, 6)))
    distance = focal * squares / (min(image_size) * rng.uniform(0.7, 1.0))
    tip = np.array([[1, 0, 0], [0, np.cos(tilt), -np.sin(tilt)], [0, np.sin(tilt), np.cos(tilt)]])
    axes = _spin(roll) @ np.diag([1.0, -1.0, -1.0]) @ tip.T @ _spin(azimuth)
    middle = np.array([squares / 2, squares / 2, 0.0])
    shift = np.array([0, 0, distance]) - axes @ middle
    camera = np.array([[focal, 0, image_size[0] / 2], [0, focal, image_size[1] / 2], [0, 0, 1]])
    return BoardPose(camera @ np.column_stack([axes[:, 0], axes[:, 1], shift]), 0.5, None, image_size)


def random_pieces(rng: np.random.Generator, xy: NDArray[np.float64], played: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Labels (n,): an opening, a middle game or an ending; kings in some, seldom many; a stray at times."""
    rows = xy[:, 1] / max(1.0, float(xy[:, 1].max()))
    if rng.random() < 0.35:
        chance = np.where(np.abs(rows - 0.5) > rng.uniform(0.08, 0.2), rng.uniform(0.7, 1.0), rng.uniform(0, 0.2))
        side = np.where(rows > 0.5, 1, 2) if rng.random() < 0.5 else np.where(rows > 0.5, 2, 1)
        side = np.where(rng.random(len(xy)) < 0.05, 3 - side, side)
    else:
        chance = np.full(len(xy), rng.uniform(0.06, 0.7))
        side = rng.integers(1, 3, len(xy))
    if rng.random() < 0.15:
        side = np.full(len(xy), rng.integers(1, 3))
    labels = np.where(played & (rng.random(len(xy)) < chance), side, EMPTY)
    if rng.random() < 0.04:
        labels[rng.integers(len(xy))] = rng.integers(1, 3)
    if rng.random() < 0.8:
        few = (labels > 0).sum() <= 8
        share = rng.uniform(0.02, 0.8) if few else rng.uniform(0.02, 0.5)
        labels = labels + 2 * ((labels > 0) & (rng.random(len(xy)) < share))
    return np.asarray(labels, np.int64)


def covered_labels(
    labels: NDArray[np.int64], cover: NDArray[np.uint8], pose: BoardPose, xy: NDArray[np.float64]
) -> NDArray[np.int64]:
    """Labels with COVERED where `cover` (h, w) hides most of a square's heart and UNSURE where it hides some."""
    pixels = _hearts(pose, xy)
    height, width = cover.shape
    pixels = np.clip(pixels, 0, (width - 1, height - 1))
    share = (cover[pixels[..., 1], pixels[..., 0]] > 0).mean(axis=1)
    return np.where((share > 0.15) & (share < 0.6), UNSURE, np.where(share >= 0.6, COVERED, labels))


def in_view(labels: NDArray[np.int64], pose: BoardPose, xy: NDArray[np.float64]) -> NDArray[np.int64]:
    """Labels (n,) with UNSURE where a square's heart is not wholly in the picture."""
    pixels = _hearts(pose, xy)
    inside = ((pixels >= 0) & (pixels < pose.image_size)).all(axis=(1, 2))
    return np.where(inside, labels, UNSURE)


def _hearts(pose: BoardPose, xy: NDArray[np.float64]) -> NDArray[np.int64]:
    """Pixels (n, k, 2) around the middle of each square, at about the height of a disc's top."""
    hearts = (xy[:, None, :] + 0.3 * CIRCLE[None, ::4]).reshape(-1, 2)
    return np.rint(pose.project(hearts, 0.1)).astype(np.int64).reshape(len(xy), -1, 2)


def _set_out(
    rng: np.random.Generator, table: Table, xy: NDArray[np.float64], labels: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Stands the discs on the board, a little off their centres, and sometimes captured ones beside it: (n, 3)."""
    held, style = labels > 0, table.style
    reach = max(0.02, 0.52 - style.radius)
    off = np.clip(rng.normal(0, style.untidy, (int(held.sum()), 2)), -reach, reach)
    places, pieces = xy[held] + off, labels[held]
    stands = np.full((len(xy), 3), np.nan)
    tiers = np.where((pieces > DARK) & style.stacked_kings, 2, 1)
    stands[held] = np.column_stack([places, tiers * style.height])
    if rng.random() < 0.15:
        count, squares = int(rng.integers(1, 10)), float(xy.max()) + 0.5
        along = rng.uniform(-0.5, squares, count)
        beside = rng.choice([-1.0, squares + 1.0], count) + rng.normal(0, 0.1, count)
        lying = np.stack([along, beside] if rng.random() < 0.5 else [beside, along], axis=1)
        places, pieces = np.vstack([places, lying]), np.r_[pieces, rng.integers(1, 3, count)]
    draw_discs(rng, table, places, pieces)
    if rng.random() < 0.3:
        table.picture[:] = cv2.GaussianBlur(table.picture, (0, 0), rng.uniform(0.4, 1.4))
    return stands


def _spin(angle: float) -> NDArray[np.float64]:
    return np.array([[np.cos(angle), -np.sin(angle), 0], [np.sin(angle), np.cos(angle), 0], [0, 0, 1.0]])
