"""Boards drawn with lines and discs, seen by a pinhole camera."""

from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

CELL = 60
MARGIN = 90


@dataclass(frozen=True)
class Drawn:
    """A picture and the true corners (4, 2) of its board."""

    bgr: NDArray[np.uint8]
    corners: NDArray[np.float64]


def draw(
    n: int = 8,
    *,
    turn: float = 0.0,
    tilt: float = 0.0,
    rows_of_discs: int = 0,
    around: str = "table",
    contrast: int = 120,
) -> Drawn:
    """A board of n by n squares turned and tilted by degrees, 900 by 700 pixels.

    It lies on a plain "table", or on a chequered "cloth"; "edge" continues it by a row of squares in other colours.
    """
    side = n * CELL + 2 * MARGIN
    flat = np.full((side, side, 3), (70, 90, 110), np.uint8)
    inner = n * CELL
    flat[40 : side - 40, 40 : side - 40] = (50, 60, 90)
    for row in range(n):
        for column in range(n):
            dark = (row + column) % 2 == 1
            x, y = MARGIN + column * CELL, MARGIN + row * CELL
            flat[y : y + CELL, x : x + CELL] = 190 - contrast * int(dark)
            if dark and (row < rows_of_discs or row >= n - rows_of_discs):
                shade = (20, 20, 25) if row < n // 2 else (225, 235, 240)
                cv2.circle(flat, (x + CELL // 2, y + CELL // 2), 22, shade, -1, cv2.LINE_AA)
    for column in range(n if around == "edge" else 0):
        x, y = MARGIN + column * CELL, MARGIN + n * CELL
        flat[y : y + CELL, x : x + CELL] = (150, 70, 40) if (n + column) % 2 == 1 else (200, 225, 250)
    matrix = _camera(side, turn, tilt)
    background = _cloth() if around == "cloth" else np.full((700, 900, 3), (120, 125, 130), np.uint8)
    seen = cv2.warpPerspective(flat, matrix, (900, 700), flags=cv2.INTER_AREA)
    mask = cv2.warpPerspective(np.full((side, side), 255, np.uint8), matrix, (900, 700)) > 127
    picture = np.where(mask[..., None], seen, background).astype(np.int16)
    noise = np.random.default_rng(7).normal(0, 3, picture.shape)
    bgr = np.clip(cv2.GaussianBlur(picture.astype(np.float32), (0, 0), 0.8) + noise, 0, 255).astype(np.uint8)
    box = np.array([(0, 0), (inner, 0), (inner, inner), (0, inner)], np.float64) + MARGIN - 0.5
    corners = cv2.perspectiveTransform(box[:, None], matrix).reshape(4, 2)
    return Drawn(bgr, corners)


def _camera(side: int, turn: float, tilt: float) -> NDArray[np.float64]:
    a, t = np.deg2rad(turn), np.deg2rad(tilt)
    spin = np.array([[np.cos(a), -np.sin(a), 0], [np.sin(a), np.cos(a), 0], [0, 0, 1]])
    lean = np.array([[1, 0, 0], [0, np.cos(t), -np.sin(t)], [0, np.sin(t), np.cos(t)]])
    rotation = lean @ spin
    focal, away = 900.0, 1.9 * side
    plane = np.column_stack([rotation[:, 0], rotation[:, 1], [0, 0, away]])
    centre = np.array([[1, 0, -side / 2], [0, 1, -side / 2], [0, 0, 1]])
    return np.array([[focal, 0, 450], [0, focal, 350], [0, 0, 1]]) @ plane @ centre


def _cloth() -> NDArray[np.uint8]:
    x, y = np.meshgrid(np.arange(900), np.arange(700))
    chequers = ((x // 17 + y // 17) % 2)[..., None]
    return np.where(chequers == 1, np.array([60, 60, 190]), np.array([230, 230, 235])).astype(np.uint8)


@pytest.fixture(scope="session")
def drawn() -> Callable[..., Drawn]:
    return draw
