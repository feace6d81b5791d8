"""Boards of hexagonal cells for drawn scenes: of one, two or three colours, or only of lines."""

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.training.drawn_board import TEXTURE_PX, lay, smooth_noise
from hardware.training.drawn_light import Picture
from hardware.training.palettes import Colour
from rules.board import Board
from rules.boards.hexagons import honeycomb, oblique
from vision.pose import BoardPose


def random_honeycomb(rng: np.random.Generator) -> Board:
    """A board of 61 or 127 cells, seen along its rows or from a corner."""
    return honeycomb(int(rng.choice([5, 7]))) if rng.random() < 0.5 else oblique(5)


def draw_honeycomb(
    rng: np.random.Generator, picture: Picture, pose: BoardPose, board: Board, colours: tuple[Colour, Colour]
) -> None:
    """Lays the board with its border into the picture (h, w, 3)."""
    light, dark = colours
    border = rng.uniform(0.1, 1.5)
    side = round((max(board.width, board.height) + 2 * border) * TEXTURE_PX)
    texture = np.empty((side, side, 3), np.float32)
    texture[:] = (dark, light, rng.uniform(10, 240, 3))[int(rng.integers(3))]
    shades = [light, dark, (light + dark) / 2][: int(rng.integers(1, 4))]
    ink = rng.uniform(0, 255, 3) if rng.random() < 0.3 else dark * 0.5
    lines = len(shades) == 1 or rng.random() < 0.5
    thick = int(rng.integers(1, 4))
    for xy, shade in zip(board.xy, _shades(board), strict=True):
        corners = np.rint((np.array(xy) + _hexagon(board) + border) * TEXTURE_PX).astype(np.int32)
        colour = shades[shade % len(shades)] * (1 + rng.normal(0, 0.04))
        cv2.fillPoly(texture, [corners], tuple(float(v) for v in colour), cv2.LINE_AA)
        if lines:
            cv2.polylines(texture, [corners], True, tuple(float(v) for v in ink), thick, cv2.LINE_AA)
    grain = smooth_noise(rng, (side, side), rng.uniform(1.5, 8))
    texture *= 1 + rng.uniform(0, 0.15) * grain[..., None]
    lay(rng, picture, pose, texture, border)


def _shades(board: Board) -> NDArray[np.int64]:
    """One of three shades for each cell (n,), no two neighbours alike."""
    xy = np.array(board.xy)
    across, along = (0, 1) if board.name.startswith("honeycomb") else (1, 0)
    row = np.rint(xy[:, along] / (np.sqrt(3) / 2)).astype(np.int64)
    return np.asarray(np.rint(xy[:, across] - 0.5 * row).astype(np.int64) + 2 * row, np.int64) % 3


def _hexagon(board: Board) -> NDArray[np.float64]:
    """Corners (6, 2) of a cell around its centre."""
    first = np.pi / 2 if board.name.startswith("honeycomb") else 0.0
    angle = first + np.arange(6) * np.pi / 3
    return np.asarray(np.stack([np.cos(angle), np.sin(angle)], axis=1) / np.sqrt(3), np.float64)
