"""Stacks made of the men in a labelled picture: their own pixels once more, one disc higher, as a camera sees it.

Labelled pictures have few stacks, and drawn ones lack what real light does to a disc. Where the camera, the size of the
discs and the board are known, a man raised by its own height is a matter of geometry.
"""

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.training.drawn_discs import CIRCLE
from hardware.training.drawn_scene import DARK, LIGHT, DrawnScene
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


def stack_some(rng: np.random.Generator, men: Men) -> DrawnScene:
    """The scene with some of its men made stacks and some laid anew where they are, so that paste alone tells nothing.

    Labels of stacks are those of kings; `stands` tells where they stand and how high their tops are.
    """
    scene, places, size = men.scene, men.places, men.size
    chance = rng.random(len(men.points))
    share = rng.uniform(0.05, 0.5)
    picture, labels, stands = scene.bgr.copy(), scene.labels.copy(), scene.stands.copy()
    for index in np.argsort(scene.pose.project(places)[:, 1]):
        point, known = men.points[index], men.contrast[index] >= LEAST_CONTRAST
        if not known or chance[index] > 2 * share:
            continue
        stacked = chance[index] < share
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
    mask = np.zeros(picture.shape[:2], np.uint8)
    hull = np.rint(_outline(pose, place, size, PASTED) * 8).astype(np.int32)
    cv2.fillConvexPoly(mask, hull, 255, cv2.LINE_AA, 3)
    extent = (picture.shape[1], picture.shape[0])
    laid = cv2.warpPerspective(cv2.GaussianBlur(mask, (0, 0), 0.6), matrix, extent)
    left, top, wide, high = cv2.boundingRect(cv2.findNonZero(laid)) if laid.any() else (0, 0, 0, 0)
    part = (slice(top, top + high), slice(left, left + wide))
    over = cv2.warpPerspective(scene.bgr, matrix, extent)[part].astype(np.float32) * tone
    alpha = laid[part].astype(np.float32)[..., None] / 255
    picture[part] = np.clip(picture[part] * (1 - alpha) + over * alpha, 0, 255).astype(np.uint8)
