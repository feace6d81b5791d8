"""Stacks made of the men in a labelled picture: their own pixels once more, one disc higher, as a camera sees it.

Labelled pictures have few stacks, and drawn ones lack what real light does to a disc. Where the camera, the size of the
discs and the board are known, a man raised by its own height is a matter of geometry.
"""

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.training.drawn_discs import CIRCLE
from hardware.training.drawn_scene import DARK, LIGHT, UNSURE, DrawnScene
from vision.pose import BoardPose

REACH = 0.24
"""How far off the middle of its square, in squares, a disc is looked for."""
STEPS = 13
FINE_ENOUGH = 0.03
EDGE = 0.12
"""How far inside and outside the outline, in radii, the picture is compared to find a disc's place."""
LEAST_CONTRAST = 6.0
"""Grey levels that a disc's outline must stand out by for its place to be known."""
PASTED = 0.95
"""Share of the outline that is taken along: feet draw in, and what is beneath must stay behind."""
TALLEST = 0.45
FINE_STEP = 0.02
"""Squares by which a disc is lifted at a time to make it thicker: its wall is smeared upwards without a seam."""
SEAMLESS = 0.25
"""Share of pictures in which the walls of a stack look like one piece, as they do on dark discs and in poor light."""
SLIP = 0.03
"""Squares by which one disc lies off the middle of the other."""


@dataclass(frozen=True, slots=True)
class DiscSize:
    """Radius and height of a disc in squares."""

    radius: float
    height: float


@dataclass(frozen=True, slots=True, eq=False)
class Men:
    """The men of a scene: `points` (n,), where they stand (n, 2) and how their outlines stand out (n,), their size."""

    scene: DrawnScene
    points: NDArray[np.int64]
    places: NDArray[np.float64]
    contrast: NDArray[np.float64]
    size: DiscSize


def men_of(scene: DrawnScene, size: DiscSize) -> Men:
    """Finds where exactly the men of a scene stand."""
    points = np.flatnonzero((scene.labels == LIGHT) | (scene.labels == DARK))
    soft = cv2.GaussianBlur(scene.bgr, (0, 0), 1.0).astype(np.float32)
    places, contrast = _places(soft, scene.pose, scene.xy[points], size)
    return Men(scene, points, places, contrast, size)


def thickened(rng: np.random.Generator, men: Men) -> Men:
    """The same discs made thicker, as tall pieces are: only beside the others does one tell a stack of such from a man.

    What else stands on the board, and men whose place is not known, become UNSURE.
    """
    scene, size = men.scene, men.size
    height = min(TALLEST, size.height * rng.uniform(1.3, 4.0))
    if height <= size.height:
        return men
    picture = scene.bgr.copy()
    known = men.contrast >= LEAST_CONTRAST
    for index in np.argsort(scene.pose.project(men.places)[:, 1]):
        if known[index]:
            _smeared(picture, men, int(index), height - size.height)
    labels = np.where(scene.labels > 0, UNSURE, scene.labels)
    labels[men.points[known]] = scene.labels[men.points[known]]
    stands = np.full_like(scene.stands, np.nan)
    thick = replace(scene, bgr=picture, labels=labels, stands=stands)
    return Men(thick, men.points[known], men.places[known], men.contrast[known], replace(size, height=height))


def stack_some(rng: np.random.Generator, men: Men) -> DrawnScene:
    """The scene with some of its men made stacks and some laid anew where they are, so that paste alone tells nothing.

    Labels of stacks are those of kings; `stands` tells where they stand and how high their tops are.
    """
    scene, places, size = men.scene, men.places, men.size
    chance = rng.random(len(men.points))
    share, seamless = rng.uniform(0.05, 0.5), rng.random() < SEAMLESS
    picture, labels, stands = scene.bgr.copy(), scene.labels.copy(), scene.stands.copy()
    for index in np.argsort(scene.pose.project(places)[:, 1]):
        point, known = men.points[index], men.contrast[index] >= LEAST_CONTRAST
        if not known or chance[index] > 2 * share:
            continue
        stacked = chance[index] < share
        if stacked and seamless:
            _smeared(picture, men, int(index), size.height)
        else:
            moved = (*rng.normal(0, SLIP, 2), float(stacked) * size.height)
            _laid_again(picture, men, int(index), moved, rng.uniform(0.97, 1.03))
        labels[point] += 2 * int(stacked)
        if stacked:
            stands[point] = (*places[index], 2 * size.height)
    return replace(scene, bgr=picture, labels=labels, stands=stands)


def _places(
    picture: NDArray[np.float32], pose: BoardPose, middles: NDArray[np.float64], size: DiscSize
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Where discs on squares around `middles` (n, 2) stand (n, 2), and how their outlines stand out (n,)."""
    found, contrast = np.zeros_like(middles), np.zeros(len(middles))
    for index, middle in enumerate(middles):
        place, reach = middle, REACH
        while reach > FINE_ENOUGH:
            axis = np.linspace(-reach, reach, STEPS)
            tried = place + np.stack(np.meshgrid(axis, axis), axis=-1).reshape(-1, 2)
            away = _contrast(picture, pose, tried, size)
            place, reach = tried[int(away.argmax())], 2 * reach / STEPS
        found[index], contrast[index] = place, away.max()
    return found, contrast


def _contrast(
    picture: NDArray[np.float32], pose: BoardPose, tried: NDArray[np.float64], size: DiscSize
) -> NDArray[np.float64]:
    """How a disc's outline would stand out at plane points (n, 2) near one another: (n,)."""
    moves = pose.project(tried) - pose.project(tried[:1])
    outlines = [_outline(pose, tried[0], size, 1 + side * EDGE) for side in (-1, 1)]
    inside, outside = (_sampled(picture, outline[None] + moves[:, None]) for outline in outlines)
    return np.asarray(np.abs(inside - outside).max(axis=2).mean(axis=1), np.float64)


def _outline(pose: BoardPose, place: NDArray[np.float64], size: DiscSize, wider: float) -> NDArray[np.float64]:
    """Pixels (m, 2), evenly spaced, of the outline of a disc at a plane point."""
    circle = place + wider * size.radius * CIRCLE
    both = np.vstack([pose.project(circle, 0.0), pose.project(circle, size.height)])
    hull = cv2.convexHull(both.astype(np.float32)).reshape(-1, 2).astype(np.float64)
    closed = np.vstack([hull, hull[:1]])
    along = np.r_[0.0, np.cumsum(np.linalg.norm(np.diff(closed, axis=0), axis=1))]
    at = np.linspace(0, along[-1], len(CIRCLE), endpoint=False)
    return np.stack([np.interp(at, along, closed[:, k]) for k in range(2)], axis=1)


def _sampled(picture: NDArray[np.float32], pixels: NDArray[np.float64]) -> NDArray[np.float32]:
    """The picture's colours (..., 3) at pixels (..., 2)."""
    height, width = picture.shape[:2]
    at = np.rint(pixels).astype(np.int64)
    return picture[np.clip(at[..., 1], 0, height - 1), np.clip(at[..., 0], 0, width - 1)]


def _smeared(picture: NDArray[np.uint8], men: Men, index: int, lift: float) -> None:
    """Lays a man once more into the picture, `lift` squares higher and at every height between."""
    for up in np.linspace(0, lift, 2 + int(lift / FINE_STEP))[1:]:
        _laid_again(picture, men, index, (0.0, 0.0, float(up)), 1.0)


def _laid_again(
    picture: NDArray[np.uint8], men: Men, index: int, moved: tuple[float, float, float], tone: float
) -> None:
    """Lays a man once more into the picture, `moved` by so many squares along the board and upwards."""
    scene, place, size = men.scene, men.places[index], men.size
    pose = scene.pose
    corners = place + 1.2 * size.radius * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)])
    now = pose.project(corners, 0.0).astype(np.float32)
    then = pose.project(corners + moved[:2], moved[2]).astype(np.float32)
    matrix = cv2.getPerspectiveTransform(now, then)
    outline = _outline(pose, place, size, PASTED).astype(np.float32)
    hull = cv2.perspectiveTransform(outline[None], matrix)[0]
    extent = np.array([picture.shape[1], picture.shape[0]])
    low = np.clip(np.floor(hull.min(axis=0)).astype(int) - 3, 0, extent)
    high = np.clip(np.ceil(hull.max(axis=0)).astype(int) + 4, 0, extent)
    if (high <= low).any():
        return
    wide, tall = (int(v) for v in high - low)
    shifted = np.array([[1, 0, -low[0]], [0, 1, -low[1]], [0, 0, 1]], np.float64) @ matrix
    mask = np.zeros((tall, wide), np.uint8)
    cv2.fillConvexPoly(mask, np.rint((hull - low) * 8).astype(np.int32), 255, cv2.LINE_AA, 3)
    alpha = cv2.GaussianBlur(mask, (0, 0), 0.6).astype(np.float32)[..., None] / 255
    over = cv2.warpPerspective(scene.bgr, shifted, (wide, tall)).astype(np.float32) * tone
    part = (slice(low[1], high[1]), slice(low[0], high[0]))
    picture[part] = np.clip(picture[part] * (1 - alpha) + over * alpha, 0, 255).astype(np.uint8)
