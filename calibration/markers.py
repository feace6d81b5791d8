"""Finding the playing area by printed corner markers (ArUco) laid beside it: exactly, and which side is whose."""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.marker_shape import Corner, places, square
from rules.board import Board
from vision.pose import BoardPose

FEWEST = 3
SIZES = (0.12, 6.0)
"""Widths of a marker's black square that are tried, in widths of the board's squares."""
STEPS = 26
ENLARGED_PX = 2600
"""Longer side to which a picture is enlarged if some markers were seen in it but not all."""
MOST_ASTRAY = 0.1
"""Root mean square distance of corners from where the markers' common plane has them, in widths of a marker."""
MOST_TURNED = np.deg2rad(30)
"""How far a marker laid by hand may be turned about its tip: one laid upside down is turned by 90 degrees or more."""

Seen = dict[Corner, NDArray[np.float64]]


@dataclass(frozen=True, slots=True, eq=False)
class MarkedBoard:
    """Where markers say a board lies, the light discs' player at its foot, and how many of them agree on it."""

    pose: BoardPose
    markers: int

    @property
    def whole(self) -> bool:
        return self.markers == len(Corner)


@dataclass(frozen=True, slots=True, eq=False)
class _Fit:
    """A homography (3, 3) from the plane, how far the markers are turned (m,) and how far astray their corners are."""

    matrix: NDArray[np.float64]
    turned: NDArray[np.float64]
    astray: float


def marked_board(bgr: NDArray[np.uint8], board: Board) -> MarkedBoard | None:
    """The board whose corners are marked in a picture (h, w, 3) uint8 BGR; None if fewer than three markers agree."""
    return board_between(seen_markers(bgr), board, (bgr.shape[1], bgr.shape[0]))


def board_between(seen: Seen, board: Board, size: tuple[int, int]) -> MarkedBoard | None:
    """The board whose corners are marked by markers seen in a picture of `size` (width, height); None if too few."""
    if len(seen) < FEWEST:
        return None
    for count in range(len(seen), FEWEST - 1, -1):
        fits = [_fitted({corner: seen[corner] for corner in some}, board) for some in combinations(seen, count)]
        good = [fit for fit in fits if fit.astray < MOST_ASTRAY and np.abs(fit.turned).max() < MOST_TURNED]
        if good:
            best = min(good, key=lambda fit: fit.astray)
            width = float(np.mean([_width(pixels) for pixels in seen.values()]))
            return MarkedBoard(
                BoardPose(best.matrix, best.astray * width, None, size),
                count,
            )
    return None


def seen_markers(bgr: NDArray[np.uint8]) -> Seen:
    """Pixels (4, 2) of the corners of each marker in a picture, in `square`'s order; none without OpenCV's aruco."""
    detect = _detector()
    if detect is None:
        return {}
    grey = np.asarray(cv2.cvtColor(bgr, cv2.COLOR_BGR2GRAY), np.uint8)
    seen = _once(*detect(grey))
    factor = ENLARGED_PX / max(grey.shape)
    if 0 < len(seen) < len(Corner) and factor > 1.2:
        large = cv2.resize(grey, None, fx=factor, fy=factor, interpolation=cv2.INTER_CUBIC)
        again = _once(*detect(np.asarray(large, np.uint8)))
        seen = {corner: (pixels + 0.5) / factor - 0.5 for corner, pixels in again.items()} | seen
    return seen


def _detector() -> Callable[[NDArray[np.uint8]], tuple[Any, Any]] | None:
    """Grey picture in, corners and numbers out: by the class of OpenCV 4.7 and later or the functions before it."""
    aruco: Any = getattr(cv2, "aruco", None)
    if aruco is None:
        return None
    modern = hasattr(aruco, "ArucoDetector")
    find = aruco.getPredefinedDictionary if modern else aruco.Dictionary_get
    dictionary = find(aruco.DICT_4X4_50)
    settings = aruco.DetectorParameters() if modern else aruco.DetectorParameters_create()
    settings.minMarkerPerimeterRate = 0.02
    settings.cornerRefinementMethod = aruco.CORNER_REFINE_SUBPIX
    settings.cornerRefinementWinSize = 3
    if modern:
        detector = aruco.ArucoDetector(dictionary, settings)
        return lambda grey: detector.detectMarkers(grey)[:2]
    return lambda grey: aruco.detectMarkers(grey, dictionary, parameters=settings)[:2]


def _once(corners: Any, numbers: Any) -> Seen:
    """The markers that are ours, those left out that were seen twice."""
    found: dict[int, list[NDArray[np.float64]]] = {}
    flat = [] if numbers is None else np.asarray(numbers).reshape(-1).tolist()
    for number, pixels in zip(flat, corners, strict=True):
        found.setdefault(int(number), []).append(np.asarray(pixels, np.float64).reshape(4, 2))
    return {corner: found[corner][0] for corner in Corner if len(found.get(corner, ())) == 1}


def _fitted(seen: Seen, board: Board) -> _Fit:
    """One plane through all corners of the markers: their common size is whatever fits best (print scales differ)."""
    tips = places(board)[list(seen)]
    shapes = np.stack([square(corner) for corner in seen])
    pixels = np.stack(list(seen.values()))
    tried = np.linspace(np.log(SIZES[0]), np.log(SIZES[1]), STEPS)
    coarse = [_of_size(float(np.exp(size)), tips, shapes, pixels, rounds=1).astray for size in tried]
    best = float(tried[int(np.argmin(coarse))])
    step = float(tried[1] - tried[0])
    while step > 0.002:
        around = [best - step / 2, best, best + step / 2]
        astray = [_of_size(float(np.exp(size)), tips, shapes, pixels).astray for size in around]
        best, step = around[int(np.argmin(astray))], step / 2
    return _of_size(float(np.exp(best)), tips, shapes, pixels)


def _of_size(
    size: float,
    tips: NDArray[np.float64],
    shapes: NDArray[np.float64],
    pixels: NDArray[np.float64],
    rounds: int = 3,
) -> _Fit:
    """The fit for markers of one `size` in squares: tips (m, 2), shapes and pixels (m, 4, 2)."""
    turned = np.zeros(len(tips))
    matrix, astray = np.eye(3), float("inf")
    for _ in range(rounds):
        plane = tips[:, None] + size * _spun(shapes, turned)
        found, _mask = cv2.findHomography(plane.reshape(-1, 2), pixels.reshape(-1, 2), 0)
        if found is None or abs(np.linalg.det(found)) < 1e-12:
            break
        matrix = np.asarray(found, np.float64)
        away = np.linalg.norm(_through(matrix, plane) - pixels, axis=2)
        widths = np.array([_width(one) for one in pixels])
        astray = float(np.sqrt(np.mean((away / widths[:, None]) ** 2)))
        turned = _turned(_through(_inverse(matrix), pixels) - tips[:, None], shapes)
    return _Fit(matrix, turned, astray)


def _spun(shapes: NDArray[np.float64], turned: NDArray[np.float64]) -> NDArray[np.float64]:
    """Shapes (m, 4, 2) turned by (m,) radians about their tips."""
    x, y = shapes[..., 0], shapes[..., 1]
    cosine, sine = np.cos(turned)[:, None], np.sin(turned)[:, None]
    return np.stack([cosine * x - sine * y, sine * x + cosine * y], axis=-1)


def _turned(seen: NDArray[np.float64], shapes: NDArray[np.float64]) -> NDArray[np.float64]:
    """Radians (m,) by which the edges of seen squares (m, 4, 2) are turned against those of their shapes."""
    edges, true = seen - seen.mean(axis=1, keepdims=True), shapes - shapes.mean(axis=1, keepdims=True)
    cross = (true[..., 0] * edges[..., 1] - true[..., 1] * edges[..., 0]).sum(axis=1)
    return np.asarray(np.arctan2(cross, (true * edges).sum(axis=(1, 2))), np.float64)


def _through(matrix: NDArray[np.float64], points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Points (m, 4, 2) taken through a homography."""
    taken = points @ matrix[:, :2].T + matrix[:, 2]
    depth = taken[..., 2:]
    return np.asarray(taken[..., :2] / np.where(np.abs(depth) < 1e-9, 1e-9, depth), np.float64)


def _inverse(matrix: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(np.linalg.inv(matrix), np.float64)


def _width(pixels: NDArray[np.float64]) -> float:
    return float(np.sqrt(max(cv2.contourArea(pixels.astype(np.float32)), 1.0)))
