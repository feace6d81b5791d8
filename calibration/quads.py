"""Four-sided shapes of straight lines in a picture: guesses of where a board's outline or its edge lies."""

from itertools import combinations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.line_fit import LineMap

MOST_LINES = 22
VOTES_PER_PX = 0.9
"""Share of a piece's pixels that must be on it."""
MOST_QUADS = 6000
LEAST_AREA = 0.008


def straight_lines(lines: LineMap, least_length: float) -> NDArray[np.float64]:
    """Long straight lines (m, 3) as a x + b y = c with unit normals, in pixels of the line map, strongest first."""
    mask = np.asarray((lines.strength > 0.3) * 255, np.uint8)
    longest = max(mask.shape)
    least = least_length * longest
    pieces = cv2.HoughLinesP(mask, 1, np.pi / 240, round(VOTES_PER_PX * least), minLineLength=least, maxLineGap=6)
    if pieces is None:
        return np.zeros((0, 3))
    ends = np.asarray(pieces, np.float64).reshape(-1, 4)
    length = np.hypot(ends[:, 2] - ends[:, 0], ends[:, 3] - ends[:, 1])
    order = np.argsort(-length)[:600]
    ends, length = ends[order], length[order]
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
        merged.append((float(length[same].sum()), np.array([*normal[k], normal[k] @ middle[k]])))
    merged.sort(key=lambda line: -line[0])
    return np.array([line for _, line in merged[:MOST_LINES]]).reshape(-1, 3)


def quads(lines: LineMap, least_length: float) -> NDArray[np.float64]:
    """Corners (m, 4, 2) in order around of convex shapes between pairs of lines, in pixels of the original.

    `least_length`: of the pieces of line used, as a share of the picture's longer side.
    """
    straight = straight_lines(lines, least_length)
    height, width = lines.strength.shape
    pairs = []
    for a, b in combinations(range(len(straight)), 2):
        cosine = abs(float(straight[a, :2] @ straight[b, :2]))
        if cosine > 0.75:
            pairs.append((a, b))
    shapes = [
        (a, c, b, d)
        for (a, b), (c, d) in combinations(pairs, 2)
        if len({a, b, c, d}) == 4 and abs(float(straight[a, :2] @ straight[c, :2])) < 0.8
    ][: MOST_QUADS * 4]
    if not shapes:
        return np.zeros((0, 4, 2))
    ring = straight[np.array(shapes)]
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
