"""Boards for drawn scenes: wood, marble, vinyl and print, with borders, lines, numbers and patterns beside them."""

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.training.drawn_light import Picture
from hardware.training.palettes import Colour
from vision.pose import BoardPose

TEXTURE_PX = 40
"""Pixels of the texture for one square."""


def background(rng: np.random.Generator, image_size: tuple[int, int]) -> Picture:
    """A table (h, w, 3) of one colour or of many, smooth, grained or strewn with things."""
    width, height = image_size
    picture = np.empty((height, width, 3), np.float32)
    picture[:] = rng.uniform(20, 230, 3) if rng.random() < 0.5 else rng.uniform(20, 235) + rng.normal(0, 12, 3)
    picture *= (1 + 0.2 * smooth_noise(rng, (height, width), rng.uniform(3, 120)))[..., None]
    if rng.random() < 0.4:
        stretched = smooth_noise(rng, (height, max(8, width // 20)), 3.0)
        picture *= 1 + 0.2 * cv2.resize(stretched, (width, height))[..., None]
    for _ in range(int(rng.choice([0, 0, 3, 8]))):
        middle = (int(rng.integers(0, width)), int(rng.integers(0, height)))
        axes = (int(rng.integers(4, width // 4)), int(rng.integers(4, width // 8)))
        colour = tuple(float(v) for v in rng.uniform(0, 255, 3))
        cv2.ellipse(picture, middle, axes, rng.uniform(0, 180), 0, 360, colour, -1, cv2.LINE_AA)
    return picture


def draw_board(
    rng: np.random.Generator,
    picture: Picture,
    pose: BoardPose,
    squares: int,
    colours: tuple[Colour, Colour],
    lined: bool = False,
) -> None:
    """Lays a board of `squares` by `squares` of two `colours` (or of lines) with its border into the picture."""
    light, dark = colours
    border = rng.uniform(0.05, 1.2)
    side = round((squares + 2 * border) * TEXTURE_PX)
    texture = np.empty((side, side, 3), np.float32)
    texture[:] = (dark, light, rng.uniform(10, 240, 3))[int(rng.integers(3))]
    at = [round((border + i) * TEXTURE_PX) for i in range(squares + 1)]
    _paint_squares(rng, texture, at, (light, light if lined else dark))
    if lined or rng.random() < 0.3:
        _draw_lines(rng, texture, at, dark, lined)
    if rng.random() < 0.35:
        _write_numbers(rng, texture, at, (light, dark))
    _draw_frame(rng, texture, at)
    lay(rng, picture, pose, texture, border)


def lay(rng: np.random.Generator, picture: Picture, pose: BoardPose, texture: Picture, border: float) -> None:
    """Lays a square `texture`, whose board begins `border` units from its edge, into the picture, a little uneven."""
    side = len(texture)
    texture = texture * (1 + rng.uniform(0, 0.1) * smooth_noise(rng, (side, side), rng.uniform(20, 200))[..., None])
    scale = np.array([[1 / TEXTURE_PX, 0, -border], [0, 1 / TEXTURE_PX, -border], [0, 0, 1]])
    matrix = pose.image_from_board @ scale
    over = cv2.warpPerspective(texture, matrix, pose.image_size, flags=cv2.INTER_AREA)
    inside = cv2.warpPerspective(np.ones((side, side), np.float32), matrix, pose.image_size)[..., None]
    picture[:] = picture * (1 - inside) + over * inside


def smooth_noise(rng: np.random.Generator, shape: tuple[int, int], scale: float) -> Picture:
    """Noise (h, w) of about -1 to 1 that varies over `scale` pixels."""
    coarse = (max(2, int(shape[1] / max(1.0, scale)) + 2), max(2, int(shape[0] / max(1.0, scale)) + 2))
    small = rng.normal(0, 0.5, coarse[::-1]).astype(np.float32)
    return np.asarray(cv2.resize(small, shape[::-1], interpolation=cv2.INTER_CUBIC), np.float32)


def _paint_squares(rng: np.random.Generator, texture: Picture, at: list[int], colours: tuple[Colour, Colour]) -> None:
    """Squares of two colours, each with the grain of its own piece of wood or stone."""
    material = str(rng.choice(["plain", "wood", "wood", "marble", "speckled"]))
    strength = tuple(rng.uniform(0.02, 0.28, 2))
    stretch, along = rng.uniform(3, 14), rng.random() < 0.5
    for row in range(len(at) - 1):
        for column in range(len(at) - 1):
            which = (row + column + 1) % 2
            square = texture[at[row] : at[row + 1], at[column] : at[column + 1]]
            square[:] = colours[which] * (1 + rng.normal(0, 0.04))
            if material != "plain":
                square *= 1 + strength[which] * _grain(rng, square.shape[:2], material, stretch, along)[..., None]


def _grain(
    rng: np.random.Generator, shape: tuple[int, ...], material: str, stretch: float, along: bool
) -> NDArray[np.float32]:
    high, wide = shape[0], shape[1]
    if material == "wood":
        noise = smooth_noise(rng, (high, max(2, int(wide / stretch))), 1.6)
        grain = cv2.resize(noise, (wide, high))
        turned = grain if along and high == wide else cv2.resize(np.ascontiguousarray(grain.T), (wide, high))
        return np.asarray(turned, np.float32)
    if material == "marble":
        return smooth_noise(rng, (high, wide), 9.0) + 0.5 * smooth_noise(rng, (high, wide), 3.0)
    return np.asarray(rng.normal(0, 0.6, (high, wide)), np.float32)


def _draw_lines(rng: np.random.Generator, texture: Picture, at: list[int], dark: Colour, diagonals: bool) -> None:
    colour, thick = tuple(float(v) for v in dark), int(rng.integers(1, 4))
    for line in at:
        cv2.line(texture, (at[0], line), (at[-1], line), colour, thick, cv2.LINE_AA)
        cv2.line(texture, (line, at[0]), (line, at[-1]), colour, thick, cv2.LINE_AA)
    if not diagonals or rng.random() < 0.4:
        return
    for row in range(len(at) - 1):
        for column in range(len(at) - 1):
            low, high = (at[row], at[row + 1]) if (row + column) % 2 else (at[row + 1], at[row])
            cv2.line(texture, (at[column], low), (at[column + 1], high), colour, thick, cv2.LINE_AA)


def _write_numbers(rng: np.random.Generator, texture: Picture, at: list[int], colours: tuple[Colour, Colour]) -> None:
    """Small numbers in the corners of the squares of one colour, or of all."""
    which, everywhere = int(rng.integers(2)), rng.random() < 0.3
    written = np.zeros(texture.shape[:2], np.uint8)
    corner = rng.uniform(0.02, 0.7, 2) * TEXTURE_PX
    for row in range(len(at) - 1):
        for column in range(len(at) - 1):
            if everywhere or (row + column + 1) % 2 == which:
                place = (int(at[column] + corner[0]), int(at[row] + 10 + corner[1] * 0.7))
                cv2.putText(written, str(rng.integers(1, 51)), place, 0, 0.35, 255, 1, cv2.LINE_AA)
    _ink(texture, written, colours[1 - which])


def _draw_frame(rng: np.random.Generator, texture: Picture, at: list[int]) -> None:
    """What surrounds the squares: a line, letters and figures, or a pattern like the squares themselves."""
    kind = str(rng.choice(["none", "line", "letters", "letters", "pattern"]))
    colour = tuple(float(v) for v in rng.uniform(0, 255, 3))
    if kind == "line":
        gap = int(rng.integers(2, 16))
        cv2.rectangle(texture, (at[0] - gap, at[0] - gap), (at[-1] + gap, at[-1] + gap), colour, 2, cv2.LINE_AA)
    elif kind == "letters":
        written = np.zeros(texture.shape[:2], np.uint8)
        for k, place in enumerate(at[:-1]):
            for beside in (at[0] - 6, at[-1] + 18):
                cv2.putText(written, chr(97 + k), (place + 14, beside), 0, 0.5, 255, 1, cv2.LINE_AA)
                cv2.putText(written, str(k + 1), (beside - 8, place + 26), 0, 0.5, 255, 1, cv2.LINE_AA)
        _ink(texture, written, np.array(colour))
    elif kind == "pattern" and at[0] > 8:
        step = at[0] - 2
        for k, place in enumerate(range(0, texture.shape[0] - step, step)):
            if k % 2:
                for edge in (0, texture.shape[0] - step):
                    texture[edge : edge + step, place : place + step] = colour
                    texture[place : place + step, edge : edge + step] = colour


def _ink(texture: Picture, written: NDArray[np.uint8], colour: Colour) -> None:
    """Lays `colour` where `written` (h, w) is 255."""
    cover = written[..., None].astype(np.float32) / 255
    texture[:] = texture * (1 - cover) + colour.astype(np.float32) * cover
