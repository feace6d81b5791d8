"""Discs drawn as short cylinders: side wall, top, rings, gloss and a soft shadow."""

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.simulator.scene import Colour, KingStyle, Scene
from rules.piece import Piece, Side

_AROUND = np.linspace(0.0, 2 * math.pi, 40, endpoint=False)
_CIRCLE = np.column_stack([np.cos(_AROUND), np.sin(_AROUND)])
_SHIFT = 4
"""Fractional bits of OpenCV's drawing coordinates."""

_CROWN = np.array([(-0.5, -0.35), (-0.55, 0.35), (-0.25, 0.05), (0.0, 0.5), (0.25, 0.05), (0.55, 0.35), (0.5, -0.35)])
_STACK_SLIP = 0.05
"""How far the upper disc of a king lies off the lower one, in radii."""

Picture = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Disc:
    """One piece at a place on the board's plane, `z` squares above it."""

    piece: Piece
    x: float
    y: float
    z: float = 0.0


def draw_discs(picture: Picture, scene: Scene, discs: list[Disc]) -> None:
    """All discs with their shadows, those farther from the camera first. `picture` (h, w, 3) uint8 BGR, in place."""
    if not discs:
        return
    _draw_shadows(picture, scene, discs)
    for disc in _far_to_near(scene, discs):
        _draw_disc(picture, scene, disc)


def _far_to_near(scene: Scene, discs: list[Disc]) -> list[Disc]:
    depths = np.array([(d.x, d.y, d.z, 1.0) for d in discs]) @ scene.camera[2]
    return [discs[i] for i in np.argsort(-depths)]


def _tiers(scene: Scene, piece: Piece) -> int:
    return 2 if piece.is_king and scene.discs.kings is KingStyle.STACKED else 1


def _ring(scene: Scene, disc: Disc, radius: float, z: float) -> NDArray[np.float64]:
    circle = _CIRCLE * radius + (disc.x, disc.y)
    return scene.project(np.column_stack([circle, np.full(len(circle), disc.z + z)]))


def _fixed(points: NDArray[np.float64]) -> NDArray[np.int32]:
    return np.asarray(np.round(points * (1 << _SHIFT)), np.int32)


def _hull(*rings: NDArray[np.float64]) -> NDArray[np.int32]:
    return _fixed(np.asarray(cv2.convexHull(np.vstack(rings).astype(np.float32)), np.float64).reshape(-1, 2))


def _draw_shadows(picture: Picture, scene: Scene, discs: list[Disc]) -> None:
    """Multiplies the picture by what the discs keep of the light, softly, within the box around the shadows."""
    towards = np.asarray(scene.light.towards)
    radius, height = scene.discs.radius, scene.discs.height
    mask = np.zeros(picture.shape[:2], np.uint8)
    for disc in discs:
        rings = []
        for z in (disc.z, disc.z + height * _tiers(scene, disc.piece)):
            moved = _CIRCLE * radius + (disc.x, disc.y) + towards * z
            rings.append(scene.project(np.column_stack([moved, np.zeros(len(moved))])))
        cv2.fillConvexPoly(mask, _hull(*rings), 255, cv2.LINE_AA, _SHIFT)
    darken(picture, mask, scene.light.shadow, scene.light.softness)


def darken(picture: Picture, mask: NDArray[np.uint8], strength: float, softness: float) -> None:
    """Takes `strength` of the light where `mask` (h, w) uint8 is 255, with an edge `softness` pixels soft."""
    x, y, w, h = cv2.boundingRect(mask)
    if w == 0 or h == 0:
        return
    spread = int(3 * softness) + 1
    rows = slice(max(y - spread, 0), y + h + spread)
    columns = slice(max(x - spread, 0), x + w + spread)
    soft = np.asarray(cv2.GaussianBlur(mask[rows, columns], (0, 0), softness), np.float32)
    keep = 1.0 - strength / 255.0 * soft
    box = picture[rows, columns]
    box[:] = cv2.multiply(box, cv2.merge([keep, keep, keep]), dtype=cv2.CV_8U)


def _draw_disc(picture: Picture, scene: Scene, disc: Disc) -> None:
    look = scene.discs
    colour = look.light if disc.piece.side is Side.WHITE else look.dark
    for tier in range(_tiers(scene, disc.piece)):
        slip = _STACK_SLIP * look.radius * tier
        placed = Disc(disc.piece, disc.x + slip, disc.y - slip, disc.z + tier * look.height)
        _draw_cylinder(picture, scene, placed, colour)
    if disc.piece.is_king and look.kings is KingStyle.CROWN:
        _draw_crown(picture, scene, disc, colour)


def _scaled(colour: Colour, factor: float, more: float = 0.0) -> Colour:
    blue, green, red = (min(255.0, channel * factor + more) for channel in colour)
    return (blue, green, red)


def _draw_cylinder(picture: Picture, scene: Scene, disc: Disc, colour: Colour) -> None:
    look = scene.discs
    foot = _ring(scene, disc, look.radius, 0.0)
    shoulder = _ring(scene, disc, look.radius, 0.85 * look.height)
    top = _ring(scene, disc, 0.94 * look.radius, look.height)
    cv2.fillConvexPoly(picture, _hull(foot, shoulder, top), _scaled(colour, 0.58), cv2.LINE_AA, _SHIFT)
    cv2.fillConvexPoly(picture, _hull(shoulder, top), _scaled(colour, 0.85, 4), cv2.LINE_AA, _SHIFT)
    cv2.fillConvexPoly(picture, _fixed(top), colour, cv2.LINE_AA, _SHIFT)
    # The bevel that faces the light shines, as on any turned or moulded disc.
    facing = _CIRCLE @ -np.asarray(scene.light.towards) > 0.6 * math.hypot(*scene.light.towards)
    lit = np.roll(top, -int(np.flatnonzero(facing & ~np.roll(facing, 1))[0]), axis=0)[: int(facing.sum())]
    shine = _scaled(colour, 1.05, 18 + 40 * look.gloss)
    cv2.polylines(picture, [_fixed(lit)], False, shine, 1, cv2.LINE_AA, _SHIFT)
    for ring in look.rings:
        groove = _ring(scene, disc, ring * look.radius, look.height)
        cv2.polylines(picture, [_fixed(groove)], True, _scaled(colour, 0.66), 1, cv2.LINE_AA, _SHIFT)
        inner = _ring(scene, disc, (ring - 0.05) * look.radius, look.height)
        cv2.polylines(picture, [_fixed(inner)], True, _scaled(colour, 1.08, 8), 1, cv2.LINE_AA, _SHIFT)


def _draw_crown(picture: Picture, scene: Scene, disc: Disc, colour: Colour) -> None:
    """A printed crown, in whatever stands out from the disc."""
    ink = (40.0, 120.0, 170.0) if sum(colour) > 400 else (90.0, 205.0, 235.0)
    shape = _CROWN * scene.discs.radius + (disc.x, disc.y)
    pixels = scene.project(np.column_stack([shape, np.full(len(shape), disc.z + scene.discs.height)]))
    cv2.fillPoly(picture, [_fixed(pixels)], ink, cv2.LINE_AA, _SHIFT)
