"""Draws a random board with discs in perspective: flat and cheap, but of endless variety."""

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.training.palettes import Colour, board_colours, disc_colours, hand_colour, lightness, mark_colour
from vision.pose import BoardPose

Picture = NDArray[np.float32]
EMPTY, LIGHT, DARK, LIGHT_KING, DARK_KING, COVERED = range(6)
UNSURE = -1
TEXTURE_PX = 40
CIRCLE = np.stack([np.cos(np.linspace(0, 2 * np.pi, 28)[:-1]), np.sin(np.linspace(0, 2 * np.pi, 28)[:-1])], axis=1)


@dataclass(frozen=True, slots=True, eq=False)
class DrawnScene:
    """A picture with its truth: `xy` (n, 2) plane points and `labels` (n,) of the classes above, UNSURE for neither."""

    bgr: NDArray[np.uint8]
    pose: BoardPose
    xy: NDArray[np.float64]
    labels: NDArray[np.int64]
    sides_clear: bool


@dataclass(frozen=True, slots=True, eq=False)
class DiscStyle:
    """What the discs of one scene have in common; lengths in widths of a square."""

    radius: float
    height: float
    colours: tuple[Colour, Colour]
    grooves: tuple[float, ...]
    groove_strength: float
    wall: float
    gloss: float
    king: str
    mark: tuple[Colour, Colour]


def draw_scene(rng: np.random.Generator) -> DrawnScene:
    """One random scene; everything follows from `rng`."""
    size = int(rng.choice([8, 8, 8, 10, 10, 12]))
    lined = rng.random() < 0.1
    squares = size - 1 if lined else size
    pose = random_pose(rng, squares)
    picture = _background(rng, pose.image_size)
    _draw_board(rng, picture, pose, squares, lined)
    xy = np.array([(c, r) for r in range(size) for c in range(size)], np.float64) + (0.0 if lined else 0.5)
    everywhere = lined or rng.random() < 0.2
    played = everywhere | ((xy.astype(int).sum(axis=1) % 2) == rng.integers(2))
    labels = np.where(played & (rng.random(len(xy)) < rng.uniform(0.15, 0.75)), rng.integers(1, 3, len(xy)), EMPTY)
    kings = (labels > 0) & (rng.random(len(xy)) < rng.uniform(0.1, 0.5))
    labels = labels + 2 * kings
    style = _style(rng)
    _draw_discs(rng, picture, pose, xy, labels, style)
    if rng.random() < 0.25:
        cover = draw_hand(rng, picture, pose, squares)
        labels = covered_labels(labels, cover, pose, xy)
    shown = played | (rng.random(len(xy)) < 0.25)
    clear = abs(lightness(style.colours[0]) - lightness(style.colours[1])) > 12
    return DrawnScene(np.clip(picture, 0, 255).astype(np.uint8), pose, xy[shown], labels[shown], clear)


def random_pose(rng: np.random.Generator, squares: int) -> BoardPose:
    """A camera somewhere above the board, from straight overhead to a low seat."""
    width = int(rng.integers(420, 1000))
    image_size = (width, int(width * rng.choice([0.5625, 0.75, 1.0])))
    focal = width * rng.uniform(0.6, 1.6)
    tilt, azimuth, roll = np.radians((rng.uniform(0, 60), rng.uniform(0, 360), rng.normal(0, 6)))
    distance = focal * squares / (min(image_size) * rng.uniform(0.7, 1.0))
    tip = np.array([[1, 0, 0], [0, np.cos(tilt), -np.sin(tilt)], [0, np.sin(tilt), np.cos(tilt)]])
    axes = _spin(roll) @ np.diag([1.0, -1.0, -1.0]) @ tip.T @ _spin(azimuth)
    middle = np.array([squares / 2, squares / 2, 0.0])
    shift = np.array([0, 0, distance]) - axes @ middle
    camera = np.array([[focal, 0, image_size[0] / 2], [0, focal, image_size[1] / 2], [0, 0, 1]])
    return BoardPose(camera @ np.column_stack([axes[:, 0], axes[:, 1], shift]), 0.5, None, image_size)


def covered_labels(
    labels: NDArray[np.int64], cover: NDArray[np.uint8], pose: BoardPose, xy: NDArray[np.float64]
) -> NDArray[np.int64]:
    """Labels with COVERED where `cover` (h, w) hides most of a square's heart and UNSURE where it hides some."""
    hearts = (xy[:, None, :] + 0.3 * CIRCLE[None, ::3]).reshape(-1, 2)
    pixels = np.rint(pose.project(hearts, 0.1)).astype(int)
    height, width = cover.shape
    inside = (pixels >= 0).all(axis=1) & (pixels < (width, height)).all(axis=1)
    pixels = np.clip(pixels, 0, (width - 1, height - 1))
    share = (cover[pixels[:, 1], pixels[:, 0]] > 0).reshape(len(xy), -1).mean(axis=1)
    seen = inside.reshape(len(xy), -1).all(axis=1)
    return np.where(~seen | ((share > 0.15) & (share < 0.6)), UNSURE, np.where(share >= 0.6, COVERED, labels))


def draw_hand(rng: np.random.Generator, picture: Picture, pose: BoardPose, squares: float) -> NDArray[np.uint8]:
    """Draws an arm with fingers (or an object) over the board; the (h, w) uint8 mask of what it hides."""
    height, width = picture.shape[:2]
    mask = np.zeros((height, width), np.uint8)
    unit = max(4.0, min(height, width) / (squares + 2))
    goal = pose.project(rng.uniform(0, squares, (1, 2)))[0]
    angle = rng.uniform(0, 2 * np.pi)
    away = np.array([np.cos(angle), np.sin(angle)])
    _stroke(mask, goal + away * unit * 1.2, goal + away * (height + width), unit * rng.uniform(0.8, 1.8))
    for finger in range(int(rng.integers(1, 6))):
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
    relief = relief * (1 + 0.12 * _smooth_noise(rng, picture.shape[:2], unit / 3)[..., None])
    soft = cv2.GaussianBlur(mask, (0, 0), 0.8 + rng.exponential(0.8))[..., None].astype(np.float32) / 255
    picture[:] = picture * (1 - soft) + (colour * relief).astype(np.float32) * soft
    return mask


def _spin(angle: float) -> NDArray[np.float64]:
    return np.array([[np.cos(angle), -np.sin(angle), 0], [np.sin(angle), np.cos(angle), 0], [0, 0, 1.0]])


def _stroke(mask: NDArray[np.uint8], start: NDArray[np.float64], end: NDArray[np.float64], thick: float) -> None:
    a, b = (tuple(int(v) for v in np.clip(point, -4000, 4000)) for point in (start, end))
    cv2.line(mask, a, b, 255, max(1, round(thick)), cv2.LINE_AA)
    np.copyto(mask, np.where(mask > 127, np.uint8(255), np.uint8(0)))


def _smooth_noise(rng: np.random.Generator, shape: tuple[int, int], scale: float) -> Picture:
    """Noise (h, w) of about -1 to 1 that varies over `scale` pixels."""
    coarse = (max(2, int(shape[1] / max(1.0, scale)) + 2), max(2, int(shape[0] / max(1.0, scale)) + 2))
    small = rng.normal(0, 0.5, coarse[::-1]).astype(np.float32)
    return np.asarray(cv2.resize(small, shape[::-1], interpolation=cv2.INTER_CUBIC), np.float32)


def _background(rng: np.random.Generator, image_size: tuple[int, int]) -> Picture:
    width, height = image_size
    picture = np.empty((height, width, 3), np.float32)
    picture[:] = rng.uniform(20, 230, 3)
    picture *= (1 + 0.2 * _smooth_noise(rng, (height, width), rng.uniform(3, 120)))[..., None]
    return picture


def _draw_board(rng: np.random.Generator, picture: Picture, pose: BoardPose, squares: int, lined: bool) -> None:
    """Paints squares (or lines) with grain and a border, warped into the picture."""
    light, dark = board_colours(rng)
    border = rng.uniform(0.2, 1.0)
    side = round((squares + 2 * border) * TEXTURE_PX)
    texture = np.empty((side, side, 3), np.float32)
    texture[:] = dark if rng.random() < 0.5 else rng.uniform(10, 240, 3)
    at = [round((border + i) * TEXTURE_PX) for i in range(squares + 1)]
    for row in range(squares):
        for column in range(squares):
            paint = light if lined or (row + column) % 2 else dark
            texture[at[row] : at[row + 1], at[column] : at[column + 1]] = paint * (1 + rng.normal(0, 0.03))
    if lined or rng.random() < 0.3:
        _draw_lines(rng, texture, at, dark, lined)
    stretch = rng.uniform(1, 12)
    grain = _smooth_noise(rng, (side, max(2, int(side / stretch))), rng.uniform(1.5, 5))
    texture *= 1 + rng.uniform(0, 0.14) * cv2.resize(grain, (side, side))[..., None]
    scale = np.array([[1 / TEXTURE_PX, 0, -border], [0, 1 / TEXTURE_PX, -border], [0, 0, 1]])
    matrix = pose.image_from_board @ scale
    over = cv2.warpPerspective(texture, matrix, pose.image_size, flags=cv2.INTER_AREA)
    inside = cv2.warpPerspective(np.ones((side, side), np.float32), matrix, pose.image_size)[..., None]
    picture[:] = picture * (1 - inside) + over * inside


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


def _style(rng: np.random.Generator) -> DiscStyle:
    colours = disc_colours(rng)
    return DiscStyle(
        radius=rng.uniform(0.29, 0.46),
        height=rng.uniform(0.05, 0.27),
        colours=colours,
        grooves=tuple(rng.uniform(0.2, 0.95, int(rng.integers(0, 6)))),
        groove_strength=rng.uniform(0.04, 0.35),
        wall=rng.uniform(0.45, 1.0),
        gloss=rng.uniform(0, 0.5) if rng.random() < 0.5 else 0.0,
        king=str(rng.choice(["stack", "stack", "crown", "letter", "sticker", "ring", "star"])),
        mark=(mark_colour(rng, colours[0]), mark_colour(rng, colours[1])),
    )


def _draw_discs(
    rng: np.random.Generator,
    picture: Picture,
    pose: BoardPose,
    xy: NDArray[np.float64],
    labels: NDArray[np.int64],
    style: DiscStyle,
) -> None:
    """Shadows first, then the discs from far to near."""
    held = np.flatnonzero(labels > 0)
    places = xy + np.clip(rng.normal(0, rng.uniform(0.01, 0.09), xy.shape), -0.15, 0.15)
    shadow = np.zeros(picture.shape[:2], np.uint8)
    fall = rng.normal(0, 1.0, 2)
    for point in held:
        tall = style.height * (2 if labels[point] > 2 and style.king == "stack" else 1)
        outline = np.vstack([pose.project(places[point] + k * fall * tall + style.radius * CIRCLE) for k in (0, 1)])
        _fill(shadow, cv2.convexHull(outline.astype(np.float32)).reshape(-1, 2), 255)
    soft = cv2.GaussianBlur(shadow, (0, 0), rng.uniform(0.8, 6))[..., None].astype(np.float32) / 255
    picture *= 1 - soft * rng.uniform(0.1, 0.65)
    for point in sorted(held, key=lambda p: float(pose.project(places[p])[0, 1])):
        king = labels[point] > 2
        side = int((labels[point] - 1) % 2)
        _draw_disc(rng, picture, pose, (places[point], 0.0), style, side)
        if king and style.king == "stack":
            place = places[point] + rng.normal(0, 0.02, 2)
            _draw_disc(rng, picture, pose, (place, style.height), style, side)
        elif king:
            _draw_mark(rng, picture, pose.image_from_plane(style.height), places[point], style, side)


def _draw_disc(
    rng: np.random.Generator,
    picture: Picture,
    pose: BoardPose,
    stand: tuple[NDArray[np.float64], float],
    style: DiscStyle,
    side: int,
) -> None:
    """One disc standing at `stand` = (plane point, height of its foot): wall, top, grooves and a highlight."""
    place, foot = stand
    colour = np.clip(style.colours[side] * (1 + rng.normal(0, 0.04)), 0, 255)
    low = pose.project(place + style.radius * CIRCLE, foot)
    high = pose.project(place + style.radius * CIRCLE, foot + style.height)
    hull = cv2.convexHull(np.vstack([low, high]).astype(np.float32)).reshape(-1, 2)
    _fill(picture, hull, colour * style.wall)
    _fill(picture, high, colour)
    middle = high.mean(axis=0)
    for groove in style.grooves:
        tint = colour * (1 - style.groove_strength) if rng.random() < 0.6 else colour + 255 * style.groove_strength / 2
        ring = np.rint((middle + (high - middle) * groove) * 8).astype(np.int32)
        cv2.polylines(picture, [ring], True, tuple(float(v) for v in tint), 1, cv2.LINE_AA, 3)
    if style.gloss:
        spot = middle + (high - middle) * rng.uniform(0.15, 0.6) + (high[3] - middle) * rng.uniform(0, 0.4)
        _fill(picture, spot, colour + (255 - colour) * style.gloss)


def _draw_mark(
    rng: np.random.Generator,
    picture: Picture,
    top: NDArray[np.float64],
    place: NDArray[np.float64],
    style: DiscStyle,
    side: int,
) -> None:
    """A crown, letter, sticker, ring or star on the top of a disc, drawn on its plane at any angle."""
    colour = style.mark[side]
    size = style.radius * rng.uniform(0.45, 0.8)
    turn = _spin(rng.uniform(0, 2 * np.pi))[:2, :2]

    def at(shape: NDArray[np.float64]) -> NDArray[np.float64]:
        points = (shape * size) @ turn.T + place
        seen = np.column_stack([points, np.ones(len(points))]) @ top.T
        return np.asarray(seen[:, :2] / seen[:, 2:], np.float64)

    if style.king == "sticker":
        _fill(picture, at(CIRCLE), colour)
    elif style.king == "ring":
        _fill(picture, at(CIRCLE * 1.1), colour)
        _fill(picture, at(CIRCLE * 0.65), style.colours[side])
    elif style.king == "crown":
        crown = [(-1, -0.7), (1, -0.7), (1, 0.5), (0.5, -0.1), (0, 0.8), (-0.5, -0.1), (-1, 0.5)]
        _fill(picture, at(np.array(crown)), colour)
    elif style.king == "star":
        spikes = np.where(np.arange(10) % 2, 0.45, 1.05)
        angles = np.arange(10) * np.pi / 5
        _fill(picture, at(np.stack([spikes * np.cos(angles), spikes * np.sin(angles)], axis=1)), colour)
    else:
        for stroke in ([(-0.6, -0.9), (-0.6, 0.9)], [(-0.5, 0), (0.7, 0.9)], [(-0.5, 0), (0.7, -0.9)]):
            line = np.rint(at(np.array(stroke)) * 8).astype(np.int32)
            thick = max(1, round(float(np.ptp(at(CIRCLE)[:, 0])) * 0.14))
            cv2.polylines(picture, [line], False, tuple(float(v) for v in colour), thick, cv2.LINE_AA, 3)


def _fill(picture: NDArray[np.float32] | NDArray[np.uint8], outline: NDArray[Any], colour: Colour | int) -> None:
    """Fills a convex or simple outline (m, 2) in pixels, antialiased."""
    paint = colour if isinstance(colour, int) else tuple(float(v) for v in np.clip(colour, 0, 255))
    cv2.fillPoly(picture, [np.rint(outline * 8).astype(np.int32)], paint, cv2.LINE_AA, 3)
