"""A hand with a sleeve that reaches over the board from a player's side."""

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.simulator.discs import Picture, darken
from hardware.simulator.scene import Colour, Scene
from rules.piece import Side

_SKINS: tuple[Colour, ...] = ((150, 175, 222), (120, 150, 200), (85, 115, 165), (55, 75, 115))
_SLEEVES: tuple[Colour, ...] = ((95, 60, 45), (60, 60, 62), (150, 150, 155), (45, 45, 120), (70, 95, 60))
_HEIGHT = 0.9
"""How high the hand is held above the board, in squares."""
_NEAREST = 1.5
"""How near to the camera anything is drawn, in squares: an arm goes on beside and behind it, where it shows nothing."""


@dataclass(frozen=True, slots=True)
class Hand:
    """Finger tips at (x, y) on the board's plane, the arm coming from the side of `side`."""

    x: float
    y: float
    side: Side


@dataclass(frozen=True, slots=True)
class _Limb:
    """A stroke from one place over the board to another; lengths in squares."""

    start: tuple[float, float]
    end: tuple[float, float]
    thickness: float
    colour: Colour


def draw_hand(picture: Picture, scene: Scene, hand: Hand) -> None:
    """Shadow first, then the arm, then the fingers. `picture` (h, w, 3) uint8 BGR, in place."""
    limbs = [part for limb in _limbs(scene, hand) if (part := _before_camera(scene, limb)) is not None]
    mask = np.zeros((picture.shape[0] // 4, picture.shape[1] // 4), np.uint8)
    fall = np.asarray(scene.light.towards) * _HEIGHT
    for limb in limbs:
        a, b, width = _stroke(scene, limb, fall, 0.0)
        cv2.line(mask, _point(a / 4), _point(b / 4), 255, max(1, round(width / 4)), cv2.LINE_AA)
    full = np.asarray(cv2.resize(mask, picture.shape[1::-1], interpolation=cv2.INTER_LINEAR), np.uint8)
    darken(picture, full, 0.8 * scene.light.shadow, 7.0)
    still = np.zeros(2)
    for shade, scale, lift in ((0.62, 1.0, 0.0), (0.86, 0.82, 0.06), (1.0, 0.55, 0.1)):
        for limb in limbs:
            a, b, width = _stroke(scene, limb, still, _HEIGHT + lift * limb.thickness)
            colour = tuple(shade * channel for channel in limb.colour)
            cv2.line(picture, _point(a), _point(b), colour, max(1, round(width * scale)), cv2.LINE_AA)
    _soften(picture, scene, limbs)


def _limbs(scene: Scene, hand: Hand) -> list[_Limb]:
    rng = np.random.default_rng([scene.seed, 0x4A4D, 0 if hand.side is Side.WHITE else 1])
    skin = _SKINS[int(rng.integers(len(_SKINS)))]
    sleeve = _SLEEVES[int(rng.integers(len(_SLEEVES)))]
    bend = float(rng.uniform(-0.3, 0.3))
    # Unit vectors from the finger tips back to the elbow, and across the hand.
    towards = -1.0 if hand.side is Side.WHITE else 1.0
    back = np.array([math.sin(bend), towards * math.cos(bend)])
    across = np.array([back[1], -back[0]])
    tip = np.array([hand.x, hand.y])
    wrist = tip + 2.9 * back
    elbow = wrist + (scene.board.height + 6.0) * back
    knuckles = tip + 1.35 * back
    limbs = [
        _limb(elbow, wrist + 0.5 * back, 1.5, sleeve),
        _limb(wrist + 0.8 * back, wrist, 0.95, skin),
        _limb(wrist - 0.3 * back, knuckles + 0.35 * back, 1.35, skin),
    ]
    for number, (spread, reach) in enumerate(((-0.48, 0.75), (-0.17, 0.1), (0.16, 0.12), (0.46, 0.4))):
        finger = tip + reach * back + 0.6 * spread * across
        limbs.append(_limb(knuckles + spread * across, finger, 0.34 - 0.02 * number, skin))
    limbs.append(_limb(wrist - 0.6 * back - 0.6 * across, tip + 0.25 * back - 0.45 * across, 0.38, skin))
    return limbs


def _limb(start: NDArray[np.float64], end: NDArray[np.float64], thickness: float, colour: Colour) -> _Limb:
    return _Limb((float(start[0]), float(start[1])), (float(end[0]), float(end[1])), thickness, colour)


def _before_camera(scene: Scene, limb: _Limb) -> _Limb | None:
    """The part of a limb that is before the camera; None if all of it is behind."""
    ends = np.array([limb.start, limb.end])
    start, end = scene.depth(np.column_stack([ends, [_HEIGHT, _HEIGHT]])) - _NEAREST
    if min(start, end) >= 0.0:
        return limb
    if max(start, end) <= 0.0:
        return None
    cut = ends[0] + start / (start - end) * (ends[1] - ends[0])
    return (
        _limb(cut, ends[1], limb.thickness, limb.colour)
        if start < 0.0
        else _limb(ends[0], cut, limb.thickness, limb.colour)
    )


def _stroke(
    scene: Scene, limb: _Limb, shift: NDArray[np.float64], z: float
) -> tuple[NDArray[np.float64], NDArray[np.float64], float]:
    """Both ends in pixels and the thickness there."""
    xy = np.array([limb.start, limb.end]) + shift
    a, b = scene.project(np.column_stack([xy, [z, z]]))
    beside = scene.project(np.array([[*(xy[1] + (1.0, 0.0)), z]]))[0]
    return a, b, float(np.hypot(*(beside - b))) * limb.thickness


def _point(xy: NDArray[np.float64]) -> tuple[int, int]:
    x, y = np.clip(np.round(xy), -20000, 20000)
    return (int(x), int(y))


def _soften(picture: Picture, scene: Scene, limbs: list[_Limb]) -> None:
    """Blurs inside the hand so that its strokes run together; the outline stays as sharp as the rest."""
    mask = np.zeros(picture.shape[:2], np.uint8)
    for limb in limbs:
        a, b, width = _stroke(scene, limb, np.zeros(2), _HEIGHT)
        cv2.line(mask, _point(a), _point(b), 255, max(1, round(width * 0.9)), cv2.LINE_AA)
    x, y, w, h = cv2.boundingRect(mask)
    if w == 0 or h == 0:
        return
    box = picture[y : y + h, x : x + w]
    cv2.copyTo(cv2.blur(box, (7, 7)), mask[y : y + h, x : x + w], box)
