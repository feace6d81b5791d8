"""Drawn lines in a picture: how well a board's lines lie on them, and the pose moved onto them."""

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.pose import BoardPose

LINE_PX = 9
"""Widest line looked for, in pixels of the working picture."""
WORKING_PX = 1100
SAMPLES = (0.2, 0.35, 0.5, 0.65, 0.8)
"""Where along a segment it is sampled."""
BESIDE = 0.17
"""Distance of the places compared with those on a line, in units of the plane."""
REACHES = (0.2, 0.12, 0.06)
"""How far to either side of its expected place a line is looked for, round by round, in units."""
STEPS = 15


@dataclass(frozen=True, slots=True, eq=False)
class LineMap:
    """How much like a drawn line or an edge each pixel is: `strength` (h, w) float32 0 to 1, of a picture
    `factor` times as large as the original; `wide` is the most of each pixel and the eight around it."""

    strength: NDArray[np.float32]
    wide: NDArray[np.float32]
    factor: float


def line_map(bgr: NDArray[np.uint8], *, edges_too: bool = True, working_px: int = WORKING_PX) -> LineMap:
    """Lines darker or lighter than their ground, and edges between colours if asked for, each against what is usual
    around it; `bgr` (h, w, 3) uint8."""
    factor = working_px / max(bgr.shape[:2])
    way = cv2.INTER_AREA if factor < 1 else cv2.INTER_LINEAR
    lab = cv2.cvtColor(cv2.resize(bgr, None, fx=factor, fy=factor, interpolation=way), cv2.COLOR_BGR2LAB)
    lab = np.asarray(cv2.GaussianBlur(lab, (0, 0), 0.8), np.uint8)
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (LINE_PX, LINE_PX))
    ridges = np.zeros(lab.shape[:2], np.float32)
    edges = np.zeros(lab.shape[:2], np.float32)
    for channel, weight in ((0, 1.0), (1, 1.6), (2, 1.6)):
        plane = lab[:, :, channel].copy()
        dark = cv2.morphologyEx(plane, cv2.MORPH_BLACKHAT, kernel)
        light = cv2.morphologyEx(plane, cv2.MORPH_TOPHAT, kernel)
        ridges = np.maximum(ridges, weight * np.maximum(dark, light).astype(np.float32))
        if not edges_too:
            continue
        value = plane.astype(np.float32)
        gradient = cv2.magnitude(cv2.Sobel(value, cv2.CV_32F, 1, 0), cv2.Sobel(value, cv2.CV_32F, 0, 1)) / 8
        edges = np.maximum(edges, weight * gradient)
    both = np.maximum(ridges, edges)
    usual = cv2.blur(both, (working_px // 10, working_px // 10))
    strength = np.asarray(np.clip(both / (3.0 * usual + 4.0), 0, 1), np.float32)
    return LineMap(strength, np.asarray(cv2.dilate(strength, np.ones((3, 3), np.uint8)), np.float32), factor)


def line_scores(lines: LineMap, pixels: NDArray[np.float64], beside: NDArray[np.float64]) -> NDArray[np.float32]:
    """How much more like a line each place (m, 2) is than the two places beside it (m, 2, 2): (m,), about 0 to 1.

    Pixels are the original picture's; places outside of it score 0.
    """
    on = _at(lines.wide, pixels * lines.factor)
    off = _at(lines.strength, beside.reshape(-1, 2) * lines.factor).reshape(-1, 2)
    return np.asarray(on - off.mean(axis=1), np.float32)


def _at(values: NDArray[np.float32], xy: NDArray[np.float64]) -> NDArray[np.float32]:
    """Values (m,) at pixels (m, 2), 0 outside."""
    flat = np.clip(xy, -10, 10000).astype(np.float32)
    taken = [
        cv2.remap(values, part[:, :1].copy(), part[:, 1:].copy(), cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT)
        for part in np.array_split(flat, -(-len(flat) // 30000))
    ]
    return np.asarray(np.concatenate(taken), np.float32).reshape(-1)


def sampled(segments: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Points (m * 5, 2) along segments (m, 2, 2) and the unit normals (m * 5, 2) there."""
    share = np.array(SAMPLES)[None, :, None]
    points = segments[:, :1] * (1 - share) + segments[:, 1:] * share
    along = segments[:, 1] - segments[:, 0]
    normal = np.stack([-along[:, 1], along[:, 0]], axis=1) / np.linalg.norm(along, axis=1, keepdims=True)
    return points.reshape(-1, 2), np.repeat(normal, len(SAMPLES), axis=0)


def samples_of(segments: NDArray[np.float64]) -> NDArray[np.float64]:
    """Places (m, 5, 3, 2) along segments (m, 2, 2) of the plane, each with the two places beside it."""
    points, normals = sampled(segments)
    places = np.stack([points, points + BESIDE * normals, points - BESIDE * normals], axis=1)
    return places.reshape(-1, len(SAMPLES), 3, 2)


def sample_scores(
    lines: LineMap, pose: BoardPose, samples: NDArray[np.float64]
) -> tuple[NDArray[np.float32], NDArray[np.float64]]:
    """Mean score (m,) of each segment by its samples (m, 5, 3, 2), and the pixels (m, 5, 2) where it is."""
    pixels = pose.project(samples.reshape(-1, 2)).reshape(-1, 3, 2)
    scores = line_scores(lines, pixels[:, 0], pixels[:, 1:]).reshape(-1, len(SAMPLES))
    return np.asarray(scores.mean(axis=1), np.float32), pixels[:, 0].reshape(-1, len(SAMPLES), 2)


def segment_scores(lines: LineMap, pose: BoardPose, segments: NDArray[np.float64]) -> NDArray[np.float32]:
    """Mean score (m,) of each segment (m, 2, 2) of the plane."""
    return sample_scores(lines, pose, samples_of(segments))[0]


def refined(lines: LineMap, pose: BoardPose, segments: NDArray[np.float64]) -> BoardPose:
    """The pose moved so that the segments lie on lines seen near them; the same pose where too few are seen."""
    points, normals = sampled(segments)
    for reach in REACHES:
        steps = np.linspace(-reach, reach, STEPS)
        tried = points[:, None] + steps[None, :, None] * normals[:, None]
        pixels = pose.project(tried.reshape(-1, 2))
        found = _at(lines.strength, pixels * lines.factor).reshape(len(points), STEPS)
        favoured = found * (1 - 0.3 * np.abs(steps) / reach)
        best = favoured.argmax(axis=1)
        strong = found[np.arange(len(points)), best] > 0.35
        if strong.sum() < max(20, 0.2 * len(points)):
            return pose
        moved = _moved(pose, points[strong], normals[strong], steps[best[strong]], reach)
        if moved is None:
            return pose
        pose = moved
    return pose


def _moved(
    pose: BoardPose,
    points: NDArray[np.float64],
    normals: NDArray[np.float64],
    offsets: NDArray[np.float64],
    reach: float,
) -> BoardPose | None:
    """The pose after the small change of the plane (8 parameters) that shifts points along normals by offsets."""
    middle, span = points.mean(axis=0), max(float(np.ptp(points, axis=0).max()), 1e-6)
    x, y = ((points - middle) / span).T
    nx, ny = normals.T
    slope = nx * x + ny * y
    design = np.stack([nx, nx * x, nx * y, ny, ny * x, ny * y, slope * x, slope * y], axis=1)
    weight: NDArray[np.float64] = np.ones(len(points))
    change: NDArray[np.float64] = np.zeros(8)
    for _ in range(4):
        weighted = design * weight[:, None]
        change = np.asarray(np.linalg.solve(design.T @ weighted + 1e-3 * np.eye(8), weighted.T @ offsets), np.float64)
        left = offsets - design @ change
        weight = np.asarray(1 / (1 + (left / (0.25 * reach)) ** 2), np.float64)
    there = np.array([[1 / span, 0, -middle[0] / span], [0, 1 / span, -middle[1] / span], [0, 0, 1]])
    matrix = np.linalg.inv(there) @ _local(change, span) @ there
    error = float(np.sqrt(np.average((offsets - design @ change) ** 2, weights=weight)))
    step = pose.project(middle + np.array([[0.0, 0.0], [1.0, 0.0]]))
    scale = float(np.linalg.norm(step[1] - step[0]))
    if not np.isfinite(matrix).all() or abs(np.linalg.det(matrix)) < 1e-9:
        return None
    return replace(pose, image_from_board=pose.image_from_board @ matrix, error_px=error * scale)


def _local(change: NDArray[np.float64], span: float) -> NDArray[np.float64]:
    """The change as a homography of coordinates centred on the points and one across."""
    c = change / span
    return np.array([[1 + c[1], c[2], c[0]], [c[4], 1 + c[5], c[3]], [-c[6], -c[7], 1.0]])
