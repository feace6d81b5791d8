"""Colours of boards, discs and hands for drawn scenes, far more varied than any one shop sells."""

import cv2
import numpy as np
from numpy.typing import NDArray

Colour = NDArray[np.float64]
"""One BGR colour, 0 to 255."""

BOARDS_RGB = (
    ((225, 190, 140), (95, 55, 30)),
    ((240, 225, 190), (70, 110, 60)),
    ((235, 220, 170), (120, 70, 45)),
    ((190, 30, 35), (25, 25, 28)),
    ((240, 240, 235), (30, 30, 32)),
    ((90, 140, 200), (40, 90, 50)),
    ((245, 240, 220), (35, 80, 140)),
    ((200, 170, 120), (150, 105, 70)),
    ((235, 200, 80), (30, 25, 45)),
    ((215, 215, 215), (130, 130, 135)),
    ((240, 200, 200), (140, 30, 50)),
    ((245, 245, 240), (205, 40, 40)),
)
DISCS_RGB = (
    ((240, 230, 205), (30, 28, 30)),
    ((225, 185, 130), (85, 45, 25)),
    ((235, 235, 235), (170, 25, 25)),
    ((200, 30, 35), (28, 26, 28)),
    ((60, 140, 40), (170, 30, 80)),
    ((230, 200, 60), (40, 70, 160)),
    ((190, 150, 100), (60, 40, 30)),
    ((245, 245, 245), (60, 60, 65)),
    ((215, 190, 160), (120, 60, 35)),
    ((60, 150, 60), (180, 40, 40)),
    ((60, 110, 190), (40, 130, 60)),
    ((235, 120, 40), (40, 40, 110)),
)
SKINS_RGB = ((240, 200, 175), (220, 170, 140), (190, 135, 100), (140, 90, 60), (90, 58, 40), (250, 215, 200))


def board_colours(rng: np.random.Generator) -> tuple[Colour, Colour]:
    """Colours of the light and the dark squares; any two now and then, apart in lightness."""
    if rng.random() < 0.25:
        return _any_two(rng, apart=25.0)
    light, dark = BOARDS_RGB[rng.integers(len(BOARDS_RGB))]
    return _varied(rng, light), _varied(rng, dark)


def disc_colours(rng: np.random.Generator) -> tuple[Colour, Colour]:
    """Colours of the two sets of discs, the lighter first."""
    pair = _any_two(rng, apart=12.0) if rng.random() < 0.3 else None
    if pair is None:
        one, other = DISCS_RGB[rng.integers(len(DISCS_RGB))]
        pair = _varied(rng, one), _varied(rng, other)
    return pair if lightness(pair[0]) >= lightness(pair[1]) else (pair[1], pair[0])


def matched(
    rng: np.random.Generator, discs: tuple[Colour, Colour], squares: tuple[Colour, Colour]
) -> tuple[Colour, Colour]:
    """The discs, one set of them nearly of the colour of the squares of its own lightness."""
    shade = int(rng.random() < 0.75)
    alike = np.clip(squares[shade] * rng.uniform(0.75, 1.2) + rng.normal(0, 6, 3), 4, 250)
    pair = (discs[0], alike) if shade else (alike, discs[1])
    return pair if lightness(pair[0]) >= lightness(pair[1]) else (pair[1], pair[0])


def hand_colour(rng: np.random.Generator) -> Colour:
    """Skin, mostly; else any sleeve or glove."""
    if rng.random() < 0.7:
        return _varied(rng, SKINS_RGB[rng.integers(len(SKINS_RGB))])
    return rng.uniform(10, 245, 3)


def mark_colour(rng: np.random.Generator, disc: Colour) -> Colour:
    """A mark that can be seen on a disc: gold, white, black or anything else that differs."""
    choices = [
        np.array((60, 180, 225.0)),
        np.array((245, 245, 245.0)),
        np.array((20, 20, 25.0)),
        rng.uniform(0, 255, 3),
    ]
    far = [colour for colour in choices if np.abs(colour - disc).max() > 70]
    return far[rng.integers(len(far))] if far else 255.0 - disc


def lightness(colour: Colour) -> float:
    """CIE L*, 0 to 100."""
    pixel = np.clip(colour, 0, 255).astype(np.uint8).reshape(1, 1, 3)
    return float(cv2.cvtColor(pixel, cv2.COLOR_BGR2LAB)[0, 0, 0]) / 2.55


def _varied(rng: np.random.Generator, rgb: tuple[int, int, int]) -> Colour:
    bgr = np.array(rgb[::-1], np.float64)
    return np.clip(bgr * rng.uniform(0.8, 1.2) + rng.normal(0, 9, 3), 4, 250)


def _any_two(rng: np.random.Generator, apart: float) -> tuple[Colour, Colour]:
    """Two random colours whose distance in BGR is not too small and whose lightness differs by `apart` or so."""
    while True:
        one, other = rng.uniform(5, 250, 3), rng.uniform(5, 250, 3)
        if abs(lightness(one) - lightness(other)) > apart:
            return (one, other) if lightness(one) > lightness(other) else (other, one)
