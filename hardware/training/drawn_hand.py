"""Hands, arms, sleeves and cups over drawn boards, and what they hide."""

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.training.drawn_board import smooth_noise
from hardware.training.drawn_light import Picture
from hardware.training.palettes import hand_colour
from vision.pose import BoardPose


def draw_hand(rng: np.random.Generator, picture: Picture, pose: BoardPose, squares: float) -> NDArray[np.uint8]:
    """Draws an arm with fingers (or an object) over the board; the (h, w) uint8 mask of what it hides."""
    height, width = picture.shape[:2]
    mask = np.zeros((height, width), np.uint8)
    unit = max(4.0, min(height, width) / (squares + 2))
    goal = pose.project(rng.uniform(0, squares, (1, 2)))[0]
    angle = rng.uniform(0, 2 * np.pi)
    away = np.array([np.cos(angle), np.sin(angle)])
    cup = rng.random() < 0.15
    if cup:
        radius = int(unit * rng.uniform(0.8, 2.2))
        cv2.circle(mask, tuple(int(v) for v in goal), radius, 255, -1)
    else:
        _stroke(mask, goal + away * unit * 1.2, goal + away * (height + width), unit * rng.uniform(0.8, 1.8))
    for finger in range(0 if cup else int(rng.integers(1, 6))):
        lean = angle + np.pi + (finger - 2) * rng.uniform(0.15, 0.35)
        tip = goal + away * unit + unit * rng.uniform(0.9, 1.9) * np.array([np.cos(lean), np.sin(lean)])
        _stroke(mask, goal + away * unit * 1.2, tip, unit * rng.uniform(0.22, 0.42))
    colour = hand_colour(rng)
    shade = cv2.GaussianBlur(
        cv2.warpAffine(mask, np.array([[1, 0, unit / 4], [0, 1, unit / 3]], np.float32), (width, height)),
        (0, 0),
        unit / 4,
    )
    picture *= 1 - shade[..., None].astype(np.float32) / 255 * rng.uniform(0.1, 0.5)
    inner = cv2.distanceTransform(mask, cv2.DIST_L2, 3) / unit
    relief = (0.65 + 0.4 * np.minimum(1.0, inner * 2.5))[..., None]
    relief = relief * (1 + 0.12 * smooth_noise(rng, picture.shape[:2], unit / 3)[..., None])
    soft = cv2.GaussianBlur(mask, (0, 0), 0.8 + rng.exponential(0.8))[..., None].astype(np.float32) / 255
    picture[:] = picture * (1 - soft) + (colour * relief).astype(np.float32) * soft
    return mask


def _stroke(mask: NDArray[np.uint8], start: NDArray[np.float64], end: NDArray[np.float64], thick: float) -> None:
    a, b = (tuple(int(v) for v in np.clip(point, -4000, 4000)) for point in (start, end))
    cv2.line(mask, a, b, 255, max(1, round(thick)), cv2.LINE_AA)
    np.copyto(mask, np.where(mask > 127, np.uint8(255), np.uint8(0)))
