"""Four-sided shapes of straight lines in a picture: guesses of where a board's outline or its edge lies."""

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.line_fit import LineMap

LEAST_LENGTH_PX = 18.0
"""Of a piece of line, in pixels of the line map."""
MOST_PIECES = 600
MOST_LINES = 26
SECTORS, MOST_ALIKE = 6, 10
"""Directions told apart, and the most lines of one."""
MOST_QUADS = 6000
LEAST_AREA = 0.008


def straight_lines(lines: LineMap) -> NDArray[np.float64]:
    """Long straight lines (m, 3) as a x + b y = c with unit normals, in pixels of the line map, strongest first."""
    found = cv2.createLineSegmentDetector(0).detect(np.asarray(lines.strength * 255, np.uint8))[0]
    if found is None:
        return np.zeros((0, 3))
    ends = np.asarray(found, np.float64).reshape(-1, 4)
    length = np.hypot(ends[:, 2] - ends[:, 0], ends[:, 3] - ends[:, 1])
    ends, length = ends[length > LEAST_LENGTH_PX], length[length > LEAST_LENGTH_PX]
    weight = length * _strength_along(lines, ends) ** 2
    order = np.argsort(-weight)[:MOST_PIECES]
    ends, length, weight = ends[order], length[order], weight[order]
    normal = np.stack([ends[:, 1] - ends[:, 3], ends[:, 2] - ends[:, 0]], axis=1) / length[:, None]
    middle = (ends[:, :2] + ends[:, 2:]) / 2
    merged: list[tuple[float, NDArray[np.float64]]] = []
    left = np.ones(len(ends), bool)
    for k in range(len(ends)):
        if not left[k]:
            continue
        off = np.abs((ends[:, :2] - middle[k]) @ normal[k]) + np.abs((ends[:, 2:] - middle[k]) @ normal[k])
        same = left & (off < 8) & (np.abs(normal @ normal[k]) > 0.995)
        left[same] = False
        merged.append((float(weight[same].sum()), np.array([*normal[k], normal[k] @ middle[k]])))
    merged.sort(key=lambda line: -line[0])
    return _of_all_directions(np.array([line for _, line in merged]).reshape(-1, 3))


def _strength_along(lines: LineMap, ends: NDArray[np.float64]) -> NDArray[np.float64]:
    """Mean strength (m,) of the line map along pieces (m, 4) of line."""
    share = np.linspace(0.1, 0.9, 7)[None, :, None]
    along = ends[:, None, :2] * (1 - share) + ends[:, None, 2:] * share
    at = np.clip(np.rint(along).astype(np.intp), 0, np.array(lines.wide.shape[::-1]) - 1)
    return np.asarray(lines.wide[at[..., 1], at[..., 0]].mean(axis=1), np.float64)


def _of_all_directions(straight: NDArray[np.float64]) -> NDArray[np.float64]:
    """The first lines of each direction: the grain of a table has many, all of one."""
    sector = (np.arctan2(straight[:, 1], straight[:, 0]) % np.pi / np.pi * SECTORS).astype(int)
    kept: list[int] = []
    taken = np.zeros(SECTORS + 1, int)
    for k, mine in enumerate(sector):
        if taken[mine] < MOST_ALIKE and len(kept) < MOST_LINES:
            taken[mine] += 1
            kept.append(k)
    return straight[kept]


def quads(lines: LineMap) -> NDArray[np.float64]:
    """Corners (m, 4, 2) in order around of convex shapes between pairs of lines, in pixels of the original."""
    straight = straight_lines(lines)
    height, width = lines.strength.shape
    alike = np.abs(straight[:, :2] @ straight[:, :2].T)
    first, second = np.nonzero(np.triu(alike > 0.75, 1))
    one, other = np.triu_indices(len(first), 1)
    a, b, c, d = first[one], second[one], first[other], second[other]
    apart = (a != c) & (b != d) & (a != d) & (b != c) & (alike[a, c] < 0.8)
    shapes = np.stack([a, c, b, d], axis=1)[apart]
    if not len(shapes):
        return np.zeros((0, 4, 2))
    ring = straight[shapes[np.argsort(shapes.sum(axis=1), kind="stable")]]
    corners = np.stack([_meet(ring[:, k], ring[:, (k + 1) % 4]) for k in range(4)], axis=1)
    side = np.roll(corners, -1, axis=1) - corners
    after = np.roll(side, -1, axis=1)
    turn = side[..., 0] * after[..., 1] - side[..., 1] * after[..., 0]
    convex = (turn > 0).all(axis=1) | (turn < 0).all(axis=1)
    margin = 0.03 * width
    inside = ((corners > -margin) & (corners < np.array([width + margin, height + margin]))).all(axis=(1, 2))
    big = np.abs(turn).mean(axis=1) > LEAST_AREA * width * height
    return np.asarray(corners[convex & inside & big][:MOST_QUADS] / lines.factor, np.float64)


def _meet(these: NDArray[np.float64], those: NDArray[np.float64]) -> NDArray[np.float64]:
    """Where lines (m, 3) meet lines (m, 3): (m, 2), far away for parallel ones."""
    determinant = these[:, 0] * those[:, 1] - these[:, 1] * those[:, 0]
    safe = np.where(np.abs(determinant) < 1e-6, 1e-6, determinant)
    x = (these[:, 2] * those[:, 1] - those[:, 2] * these[:, 1]) / safe
    y = (these[:, 0] * those[:, 2] - those[:, 0] * these[:, 2]) / safe
    return np.stack([x, y], axis=1)
