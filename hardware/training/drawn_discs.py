"""Discs for drawn scenes: turned, moulded or printed tops on short walls, kings of every kind, under one light."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.training.disc_tops import TopLook, Tops
from hardware.training.drawn_light import Picture, RoomLight
from hardware.training.palettes import Colour, disc_colours, matched
from vision.pose import BoardPose

AROUND = 32
ANGLES = np.linspace(0, 2 * np.pi, AROUND, endpoint=False)
CIRCLE = np.stack([np.cos(ANGLES), np.sin(ANGLES)], axis=1)
SHIFT = 3
"""Fractional bits of OpenCV's drawing coordinates."""


@dataclass(frozen=True, slots=True, eq=False)
class DiscStyle:
    """What the discs of one scene have in common; lengths in widths of a square, colours BGR 0 to 255.

    `foot` and `brim` are how the wall draws in below and above: by which share of the radius, over which of the height.
    Between the discs of a stack is a dark `seam`; the walls of a `seamless` one look like one piece.
    """

    radius: float
    height: float
    colours: tuple[Colour, Colour]
    wall: float
    ridges: int
    foot: tuple[float, float]
    brim: tuple[float, float]
    seam: float
    seamless: bool
    untidy: float
    stacked_kings: bool
    slip: float
    tops: Tops


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """What is drawn into: the `picture` (h, w, 3), seen by `pose`, under one light, with one set of discs."""

    picture: Picture
    pose: BoardPose
    light: RoomLight
    style: DiscStyle


def random_style(rng: np.random.Generator, squares: tuple[Colour, Colour]) -> DiscStyle:
    """One set of discs out of any shop, cork board or bottle crate; some are of the colour of their `squares`."""
    colours = disc_colours(rng)
    if rng.random() < 0.2:
        colours = matched(rng, colours, squares)
    stacked = rng.random() < 0.6
    return DiscStyle(
        radius=rng.uniform(0.2, 0.47),
        height=random_height(rng),
        colours=colours,
        wall=rng.uniform(0.4, 1.0),
        ridges=int(rng.choice([0, 0, 0, 1, 2])),
        foot=(rng.uniform(0.0, 0.15), rng.uniform(0.05, 0.4)),
        brim=(rng.uniform(0.0, 0.15) if rng.random() < 0.5 else 0.0, rng.uniform(0.05, 0.4)),
        seam=rng.uniform(0.1, 0.75),
        seamless=rng.random() < 0.25,
        untidy=rng.uniform(0.01, 0.13),
        stacked_kings=stacked,
        slip=rng.uniform(0.0, 0.07),
        tops=Tops(rng, colours, marked_kings=not stacked),
    )


def random_height(rng: np.random.Generator) -> float:
    """Mostly 5 to 13 mm on squares of 45 mm; paper counters and tall blocks now and then."""
    chance = rng.random()
    if chance < 0.7:
        return float(rng.uniform(0.1, 0.3))
    return float(rng.uniform(0.03, 0.1) if chance < 0.82 else rng.uniform(0.3, 0.5))


def draw_discs(rng: np.random.Generator, table: Table, places: NDArray[np.float64], labels: NDArray[np.int64]) -> None:
    """Draws discs with `labels` (k,) 1 to 4 at plane points `places` (k, 2): shadows first, then from far to near."""
    if len(places) == 0:
        return
    style = table.style
    tiers = 1 + ((labels > 2) & style.stacked_kings).astype(int)
    _shade_ground(table, places, tiers)
    depth = table.pose.project(places)[:, 1]
    for index in np.argsort(depth):
        side, king = int((labels[index] - 1) % 2), bool(labels[index] > 2)
        colour = np.clip(style.colours[side] * (1 + rng.normal(0, 0.04)) + rng.normal(0, 2, 3), 1, 254)
        place = places[index]
        walls, rise = (1, tiers[index]) if style.seamless else (tiers[index], 1)
        for tier in range(int(walls)):
            stand = place + (rng.normal(0, style.slip, 2) if tier else 0.0)
            bottom, top_at = tier * style.height, (tier + rise) * style.height
            _draw_wall(table, stand, (bottom, top_at), colour)
            top = style.tops.look(rng, side, king and not style.stacked_kings, colour)
            _draw_top(rng, table, stand, top_at, top)


def _shade_ground(table: Table, places: NDArray[np.float64], tiers: NDArray[np.int64]) -> None:
    """The shadows that the light throws, and the darkness where a disc meets the board."""
    picture, pose, light, style = table.picture, table.pose, table.light, table.style
    thrown, near = (np.zeros(picture.shape[:2], np.uint8) for _ in range(2))
    for place, count in zip(places, tiers, strict=True):
        tall = style.height * count
        outline = np.vstack([place + k * light.towards * tall + style.radius * CIRCLE for k in (0.0, 1.0)])
        _fill(thrown, _hull(pose.project(outline)), 255)
        _fill(near, pose.project(place + style.radius * 1.08 * CIRCLE), 255)
    soft = cv2.GaussianBlur(thrown, (0, 0), light.softness).astype(np.float32)
    contact = cv2.GaussianBlur(near, (0, 0), 1.5).astype(np.float32)
    picture *= (1 - soft * (light.shadow / 255))[..., None] * (1 - contact * (0.35 / 255))[..., None]


def _draw_wall(table: Table, place: NDArray[np.float64], span: tuple[float, float], colour: Colour) -> None:
    """The side of a disc from one height to another, with a dark seam where it stands on another."""
    picture, style = table.picture, table.style
    rings = _rings(table, place, span)
    base = colour * style.wall
    _fill(picture, _hull(np.vstack(rings)), base * 0.8)
    facing = 0.62 + 0.42 * np.cos(ANGLES - table.light.azimuth)
    outward = (rings[1] - rings[1].mean(axis=0)) @ (rings[1].mean(axis=0) - rings[2].mean(axis=0))
    for k in range(AROUND):
        following = (k + 1) % AROUND
        ridge = style.ridges and k % (style.ridges + 1) == 0
        for band, shade in enumerate((0.55 * facing[k], facing[k], 0.35 + 0.7 * facing[k])):
            if band < 2 and outward[k] <= 0:
                continue
            paint = base * shade if band < 2 else colour * shade
            if band == 1 and ridge:
                paint = paint * 0.7 if style.ridges == 1 else 255 - (255 - paint) * 0.4
            low, high = rings[band], rings[band + 1]
            _fill(picture, np.array([low[k], low[following], high[following], high[k]]), paint)
    seen = np.flatnonzero(np.roll(outward, 1) + outward > 0)
    if span[0] > 0 and len(seen) > 2:
        start = int(np.flatnonzero(np.diff(np.r_[seen[-1] - AROUND, seen]) > 1)[0]) if np.ptp(seen) > len(seen) else 0
        line = np.rint(rings[0][np.roll(seen, -start)] * (1 << SHIFT)).astype(np.int32)
        dark = tuple(float(v) for v in base * (1 - style.seam))
        cv2.polylines(picture, [line], False, dark, 1, cv2.LINE_AA, SHIFT)


def _rings(table: Table, place: NDArray[np.float64], span: tuple[float, float]) -> list[NDArray[np.float64]]:
    """Pixels (AROUND, 2) of the wall's edges: where it stands, is full, begins to draw in, and meets the top."""
    style = table.style
    (foot_in, foot_up), (brim_in, brim_down) = style.foot, style.brim
    edges = ((1 - foot_in, 0.0), (1.0, foot_up), (1.0, 1 - brim_down), (1 - brim_in, 1.0))
    circle = style.radius * CIRCLE
    (bottom, top), project = span, table.pose.project
    return [project(place + wide * circle, bottom + up * (top - bottom)) for wide, up in edges]


def _draw_top(rng: np.random.Generator, table: Table, place: NDArray[np.float64], height: float, top: TopLook) -> None:
    """The round top, as a small texture laid into the picture at its height."""
    picture, pose, light, style = table.picture, table.pose, table.light, table.style
    radius = style.radius * (1 - style.brim[0])
    rim = pose.project(place + radius * CIRCLE, height)
    low = np.maximum(np.floor(rim.min(axis=0)).astype(int) - 1, 0)
    high = np.minimum(np.ceil(rim.max(axis=0)).astype(int) + 2, (picture.shape[1], picture.shape[0]))
    if (high - low < 2).any():
        return
    size = int(np.clip(np.ptp(rim[:, 0]) * 1.2, 18, 72))
    turn = rng.uniform(0, 2 * np.pi)
    texture, cover = top.texture(rng, size, light.azimuth - turn)
    texture = texture + _mirrored(light, place, radius, turn, size, top.gloss)
    cosine, sine = np.cos(turn), np.sin(turn)
    scale = 2 * radius / size
    lay = np.array([[cosine, -sine, place[0]], [sine, cosine, place[1]], [0, 0, 1]])
    unit = np.array([[scale, 0, -radius + scale / 2], [0, scale, -radius + scale / 2], [0, 0, 1]])
    into = np.array([[1, 0, -low[0]], [0, 1, -low[1]], [0, 0, 1.0]])
    matrix = into @ pose.image_from_plane(height) @ lay @ unit
    box = (int(high[0] - low[0]), int(high[1] - low[1]))
    laid = cv2.warpPerspective(np.dstack([texture, cover]).astype(np.float32), matrix, box, flags=cv2.INTER_LINEAR)
    alpha = laid[..., 3:]
    part = picture[low[1] : high[1], low[0] : high[0]]
    part[:] = part * (1 - alpha) + laid[..., :3] * np.minimum(1.0, alpha * 50)


def _mirrored(
    light: RoomLight, place: NDArray[np.float64], radius: float, turn: float, size: int, gloss: float
) -> NDArray[np.float32]:
    """(size, size, 1) brightness that a flat glossy top adds by mirroring a lamp or window."""
    if gloss <= 0 or not light.mirrors:
        return np.zeros((size, size, 1), np.float32)
    axis = ((np.arange(size) + 0.5) / size * 2 - 1) * radius
    grid = np.stack(np.meshgrid(axis, axis), axis=-1).reshape(-1, 2)
    cosine, sine = np.cos(turn), np.sin(turn)
    seen = light.mirrored(grid @ np.array([[cosine, sine], [-sine, cosine]]) + place)
    return np.asarray(seen.reshape(size, size, 1) * gloss * 255, np.float32)


def _hull(points: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(cv2.convexHull(points.astype(np.float32)), np.float64).reshape(-1, 2)


def _fill(picture: NDArray[np.float32] | NDArray[np.uint8], outline: NDArray[np.float64], colour: Colour | int) -> None:
    """Fills a convex outline (m, 2) in pixels, antialiased."""
    paint = colour if isinstance(colour, int) else tuple(float(v) for v in np.clip(colour, 0, 255))
    cv2.fillConvexPoly(picture, np.rint(outline * (1 << SHIFT)).astype(np.int32), paint, cv2.LINE_AA, SHIFT)
