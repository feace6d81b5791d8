"""A flat grid seen through a lens: homography and one radial term."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from vision.pose import BoardPose, Lens

BENDS = (-0.75, -0.45, -0.2, -0.08, 0.05)
"""Radial terms tried (of the division model, in units of half the picture's diagonal); negative is a barrel."""
FINER = (0.5, 0.25)
"""How far around the best of them the search goes on, as shares of the distance to the next."""
STRAIGHT_ENOUGH = 0.006
"""Error of a straight lens in eighths of the crossings' extent (about squares) at which no bend is looked for."""
BEND_GAIN = 0.7
"""A lens is bent only if that brings the error down to this share of a straight one's,"""
CROSSINGS_FOR_GAIN = 14.7
"""or to 1 less so many divided by the crossings: the more there are, the less of a gain is chance."""
MIN_BEND_POINTS = 24
MOST_BEND_POINTS = 60
"""Crossings by which bends are compared."""


@dataclass(frozen=True, slots=True, eq=False)
class GridModel:
    """`straight_from_grid` (3, 3) to pixels of a lens without distortion, and the lens's `bend` about `centre`."""

    straight_from_grid: NDArray[np.float64]
    bend: float
    centre: NDArray[np.float64]
    scale: float
    error_px: float

    def project(self, grid: ArrayLike) -> NDArray[np.float64]:
        """Pixels (m, 2) of grid places (m, 2)."""
        straight = transformed(self.straight_from_grid, np.asarray(grid, np.float64).reshape(-1, 2))
        return bent(straight, self.bend, self.centre, self.scale)

    def ahead(self, grid: ArrayLike) -> NDArray[np.bool_]:
        """Which grid places (m, 2) lie on this side of the horizon."""
        places = np.asarray(grid, np.float64).reshape(-1, 2)
        depth = places @ self.straight_from_grid[2, :2] + self.straight_from_grid[2, 2]
        return np.asarray(depth > 0, np.bool_)

    def scaled(self, factor: float) -> "GridModel":
        """The same grid in a picture `factor` times as large."""
        return GridModel(
            np.diag([factor, factor, 1.0]) @ self.straight_from_grid,
            self.bend,
            self.centre * factor,
            self.scale * factor,
            self.error_px * factor,
        )

    def lens(self, image_size: tuple[int, int]) -> Lens | None:
        """The bend as a lens of OpenCV's standard model in its rational form, or None for a straight one."""
        if self.bend == 0.0:
            return None
        camera = BoardPose(self.straight_from_grid, 0.0, None, image_size).camera_matrix()
        focal = float(camera[0, 0])
        inside = np.linspace(0.02, 1.0, 60)
        outside = inside / (1 + self.bend * inside**2)
        ray = outside * self.scale / focal
        square, ratio = ray**2, inside / outside
        powers = np.stack([square, square**2, square**3], axis=1)
        k, *_ = np.linalg.lstsq(np.hstack([powers, -ratio[:, None] * powers]), ratio - 1, rcond=None)
        matrix = np.array([[focal, 0, self.centre[0]], [0, focal, self.centre[1]], [0, 0, 1]], np.float64)
        return Lens(matrix, np.array([k[0], k[1], 0.0, 0.0, k[2], k[3], k[4], k[5]], np.float64))


def transformed(matrix: NDArray[np.float64], points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Points (m, 2) through a homography (3, 3)."""
    homogeneous = points @ matrix[:, :2].T + matrix[:, 2]
    depth = np.where(np.abs(homogeneous[:, 2:]) < 1e-9, 1e-9, homogeneous[:, 2:])
    return np.asarray(homogeneous[:, :2] / depth, np.float64)


def straightened(
    xy: NDArray[np.float64], bend: float, centre: NDArray[np.float64], scale: float
) -> NDArray[np.float64]:
    """Pixels (m, 2) of a lens without distortion for pixels of the picture."""
    offset = xy - centre
    square = (offset**2).sum(axis=1, keepdims=True) / scale**2
    return np.asarray(centre + offset / (1 + bend * square), np.float64)


def bent(xy: NDArray[np.float64], bend: float, centre: NDArray[np.float64], scale: float) -> NDArray[np.float64]:
    """Pixels (m, 2) of the picture for pixels of a lens without distortion: the inverse of `straightened`."""
    if bend == 0.0:
        return xy
    offset = xy - centre
    radius = np.maximum(np.sqrt((offset**2).sum(axis=1, keepdims=True)) / scale, 1e-9)
    inside = np.maximum(1 - 4 * bend * radius**2, 0.0)
    bent_radius = 2 * radius / (1 + np.sqrt(inside))
    return np.asarray(centre + offset * (bent_radius / radius), np.float64)


def fitted(places: NDArray[np.int64], xy: NDArray[np.float64], image_size: tuple[int, int]) -> GridModel | None:
    """The grid through crossings, without the few that do not fit; None if they fix no plane."""
    centre = np.array(image_size, np.float64) / 2
    scale = float(np.hypot(*image_size) / 2)
    grid = places.astype(np.float64)
    straight = _with_bend(grid, xy, 0.0, centre, scale)
    if len(grid) < MIN_BEND_POINTS:
        return straight
    if straight is not None and straight.error_px < STRAIGHT_ENOUGH * float(np.sqrt(np.prod(np.ptp(xy, axis=0)))) / 8:
        return straight
    bend = _best_bend(grid, xy, centre, scale)
    best = straight if bend == 0.0 else _with_bend(grid, xy, bend, centre, scale)
    if straight is None or best is None:
        return straight
    gain = max(BEND_GAIN, 1 - CROSSINGS_FOR_GAIN / len(grid))
    return best if best.error_px < gain * straight.error_px else straight


def _best_bend(grid: NDArray[np.float64], xy: NDArray[np.float64], centre: NDArray[np.float64], scale: float) -> float:
    """The bend with which a few of the crossings fit a plane best."""
    every = -(-len(grid) // MOST_BEND_POINTS)
    grid, xy = grid[::every], xy[::every]

    def errors(bends: Sequence[float]) -> NDArray[np.float64]:
        """How far most of the crossings stray with each bend, in pixels."""
        flat = np.stack([straightened(xy, bend, centre, scale) for bend in bends])
        away = _strayed(grid, flat, xy, np.ones(flat.shape[:2]), [(bend, centre, scale) for bend in bends])
        usual = np.median(away, axis=1, keepdims=True)
        close = (away <= np.maximum(2.5 * usual, 0.7)).astype(np.float64)
        away = _strayed(grid, flat, xy, close, [(bend, centre, scale) for bend in bends])
        kept = np.sort(away, axis=1)[:, : max(8, int(0.85 * len(grid)))]
        return np.asarray(np.sqrt(np.mean(kept**2, axis=1)), np.float64)

    tried = (0.0, *BENDS)
    each = errors(tried)
    error, best = float(each.min()), tried[int(each.argmin())]
    for share in FINER:
        step = share * max(0.12, 0.4 * abs(best))
        beside = (best - step, best + step)
        each = errors(beside)
        if each.min() < error:
            error, best = float(each.min()), beside[int(each.argmin())]
    return best


def _strayed(
    grid: NDArray[np.float64],
    flat: NDArray[np.float64],
    xy: NDArray[np.float64],
    weight: NDArray[np.float64],
    lenses: Sequence[tuple[float, NDArray[np.float64], float]],
) -> NDArray[np.float64]:
    """How many pixels (b, m) crossings lie off planes laid through them where lenses bent less, weighted (b, m)."""
    planes = _planes(grid, flat, weight)
    seen = [bent(transformed(plane, grid), *lens) for plane, lens in zip(planes, lenses, strict=True)]
    return np.asarray(np.nan_to_num(np.linalg.norm(np.stack(seen) - xy, axis=2), nan=1e9), np.float64)


def _planes(grid: NDArray[np.float64], flat: NDArray[np.float64], weight: NDArray[np.float64]) -> NDArray[np.float64]:
    """Homographies (b, 3, 3) from the grid to many pictures' pixels (b, m, 2), of least squares of the equations."""
    here, there = _centring(grid), _centring(flat.reshape(-1, 2))
    (x, y), (u, v) = transformed(here, grid).T, transformed(there, flat.reshape(-1, 2)).reshape(flat.shape).T
    one = np.stack([x, y, np.ones(len(x))], axis=1)
    none = np.zeros((*weight.shape, 3))
    across = np.concatenate([np.broadcast_to(one, none.shape), none, -u.T[..., None] * one], axis=2)
    down = np.concatenate([none, np.broadcast_to(one, none.shape), -v.T[..., None] * one], axis=2)
    both = np.concatenate([across, down], axis=1)
    twice = np.concatenate([weight, weight], axis=1)[..., None]
    least = np.linalg.eigh(both.transpose(0, 2, 1) @ (both * twice))[1][:, :, 0].reshape(-1, 3, 3)
    return np.asarray(np.linalg.inv(there) @ least @ here, np.float64)


def _centring(points: NDArray[np.float64]) -> NDArray[np.float64]:
    """The shift and scale (3, 3) that bring points (m, 2) to within about 1 of 0."""
    middle = points.mean(axis=0)
    spread = max(float(np.abs(points - middle).mean()), 1e-9)
    return np.array([[1 / spread, 0, -middle[0] / spread], [0, 1 / spread, -middle[1] / spread], [0, 0, 1]])


def _with_bend(
    grid: NDArray[np.float64], xy: NDArray[np.float64], bend: float, centre: NDArray[np.float64], scale: float
) -> GridModel | None:
    flat = straightened(xy, bend, centre, scale)
    matrix = _plane(grid, flat)
    for _ in range(2):
        if matrix is None:
            return None
        away = np.linalg.norm(bent(transformed(matrix, grid), bend, centre, scale) - xy, axis=1)
        close = away <= max(2.5 * float(np.median(away)), 0.7)
        if close.sum() < 8:
            return None
        matrix = _plane(grid[close], flat[close])
    if matrix is None:
        return None
    away = np.linalg.norm(bent(transformed(matrix, grid), bend, centre, scale) - xy, axis=1)
    error = float(np.sqrt(np.mean(np.sort(away)[: max(8, int(0.85 * len(away)))] ** 2)))
    return GridModel(matrix, bend, centre, scale, error)


def _plane(grid: NDArray[np.float64], flat: NDArray[np.float64]) -> NDArray[np.float64] | None:
    """The homography (3, 3) of least squares, or None where the points fix none."""
    found, _ = cv2.findHomography(grid, flat, 0)
    if found is None or not np.isfinite(found).all() or abs(np.linalg.det(found)) < 1e-12:
        return None
    return np.asarray(found, np.float64)
