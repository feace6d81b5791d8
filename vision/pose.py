"""Where the board is in the picture, and where things standing on it appear."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from rules.board import Board
from vision.errors import PoseError

FOCAL_BOUNDS = (0.4, 4.0)
"""Plausible focal lengths in widths of the picture: from ultra-wide to a long lens."""
FOCAL_PRIOR_WEIGHT = 0.1
"""How strongly tilt must foreshorten the board before its homography tells the focal length better than the prior."""

FARTHEST_RAY = 4.0
"""Slope of the farthest ray that a lens of the standard model is asked about: 76 degrees off its axis."""
MOST_OWN_TERMS = 8
"""Terms of the standard model worked out here; OpenCV, which works out derivatives too, takes ten times as long."""
CLOSE_ENOUGH_PX, MOST_STEPS = 0.005, 12


@dataclass(frozen=True, slots=True, eq=False)
class Lens:
    """A calibrated camera: `camera_matrix` (3, 3), `distortion` (k,) of OpenCV's standard or fisheye model."""

    camera_matrix: NDArray[np.float64]
    distortion: NDArray[np.float64]
    fisheye: bool = False

    def distort(self, ideal: NDArray[np.float64]) -> NDArray[np.float64]:
        """Pixels (m, 2) as the lens bends them, for pixels (m, 2) of the same camera without distortion."""
        inverse = np.linalg.inv(self.camera_matrix)
        rays = _divided(ideal @ inverse[:, :2].T + inverse[:, 2])
        if self.fisheye:
            bent = cv2.fisheye.distortPoints(rays[:, None, :2].copy(), self.camera_matrix, self.distortion[:4])
        else:
            rays = np.where(np.abs(rays) > FARTHEST_RAY, np.sign(rays) * FARTHEST_RAY, rays)
            if len(self.distortion) <= MOST_OWN_TERMS:
                bent = _bent(rays[:, :2], self.distortion)
                return np.asarray(bent @ self.camera_matrix[:2, :2].T + self.camera_matrix[:2, 2], np.float64)
            bent, _ = cv2.projectPoints(
                rays[:, None, :].copy(), np.zeros(3), np.zeros(3), self.camera_matrix, self.distortion
            )
        return np.asarray(bent, np.float64).reshape(-1, 2)

    def undistort(self, pixels: NDArray[np.float64]) -> NDArray[np.float64]:
        """Pixels (m, 2) of the same camera without distortion, for pixels (m, 2) of the picture."""
        points = np.asarray(pixels, np.float64).reshape(-1, 1, 2).copy()
        if self.fisheye:
            straight = cv2.fisheye.undistortPoints(
                points, self.camera_matrix, self.distortion[:4], P=self.camera_matrix
            )
            return np.asarray(straight, np.float64).reshape(-1, 2)
        near = cv2.undistortPoints(points, self.camera_matrix, self.distortion, P=self.camera_matrix)
        return self._closer(points.reshape(-1, 2), np.asarray(near, np.float64).reshape(-1, 2))

    def _closer(self, pixels: NDArray[np.float64], near: NDArray[np.float64]) -> NDArray[np.float64]:
        """Ideal pixels (m, 2) that are bent to `pixels`, by Newton's steps along the radius from those found `near`.

        OpenCV's few iterations are hundreds of pixels off where a wide lens bends much.
        """
        middle, farthest = self.camera_matrix[:2, 2], FARTHEST_RAY * float(self.camera_matrix[0, 0])
        lost = ~(np.linalg.norm(near - middle, axis=1) < farthest)
        ideal = np.where(lost[:, None], pixels, near)
        for _ in range(MOST_STEPS):
            seen = self.distort(ideal)
            away = pixels - seen
            if not len(away) or float(np.abs(away).max()) < CLOSE_ENOUGH_PX:
                break
            offset, bent = ideal - middle, seen - middle
            radius = np.maximum(np.linalg.norm(bent, axis=1, keepdims=True), 1e-9)
            slope = (self.distort(middle + 1.001 * offset) - seen) / 0.001
            along = (away * bent).sum(axis=1, keepdims=True) / radius
            steep = np.maximum((slope * bent).sum(axis=1, keepdims=True) / radius, 0.02 * radius)
            stretch = np.exp(np.clip(along / steep, -0.5, 0.5))
            aside = (away - along * bent / radius) * np.linalg.norm(offset, axis=1, keepdims=True) / radius
            ideal = middle + offset * stretch + aside
        return ideal


@dataclass(frozen=True, slots=True, eq=False)
class BoardPose:
    """The board's plane seen by a camera.

    `image_from_board` (3, 3) maps plane coordinates of rules/board.py (x, y, 1) to pixels; with a `lens` to pixels of
    the same camera without distortion. `error_px` is the uncertainty of a crossing; `image_size` is (width, height).
    """

    image_from_board: NDArray[np.float64]
    error_px: float
    lens: Lens | None
    image_size: tuple[int, int]

    def __post_init__(self) -> None:
        matrix = np.array(self.image_from_board, np.float64)
        if matrix.shape != (3, 3) or not np.isfinite(matrix).all() or abs(np.linalg.det(matrix)) < 1e-12:
            raise PoseError(
                f"saw the plane transform {matrix.tolist()}; expected an invertible 3 by 3 matrix: calibrate again"
            )
        matrix.flags.writeable = False
        object.__setattr__(self, "image_from_board", matrix)

    @classmethod
    def from_points(
        cls, plane: ArrayLike, pixels: ArrayLike, image_size: tuple[int, int], lens: Lens | None = None
    ) -> "BoardPose":
        """The pose that takes plane points (m, 2) to pixels (m, 2), m >= 4, in the least squares sense."""
        source = np.asarray(plane, np.float64).reshape(-1, 2)
        target = np.asarray(pixels, np.float64).reshape(-1, 2)
        straight = target if lens is None else lens.undistort(target)
        matrix, _ = cv2.findHomography(source, straight, 0)
        if matrix is None:
            raise PoseError(
                f"saw {len(source)} points that fix no plane; expected four corners, no three of them in line"
            )
        pose = cls(np.asarray(matrix, np.float64), 0.0, lens, image_size)
        error = float(np.sqrt(np.mean(np.sum((pose.project(source) - target) ** 2, axis=1))))
        return replace(pose, error_px=error)

    def project(self, xy: ArrayLike, height: float = 0.0) -> NDArray[np.float64]:
        """Pixels (m, 2) of plane points (m, 2) lifted by `height` units (widths of a square) above the board."""
        points = np.asarray(xy, np.float64).reshape(-1, 2)
        matrix = self.image_from_plane(height)
        ideal = _divided(points @ matrix[:, :2].T + matrix[:, 2])[:, :2]
        return ideal if self.lens is None else self.lens.distort(ideal)

    def unproject(self, pixels: ArrayLike) -> NDArray[np.float64]:
        """Plane points (m, 2) on the board itself, for pixels (m, 2)."""
        points = np.asarray(pixels, np.float64).reshape(-1, 2)
        straight = points if self.lens is None else self.lens.undistort(points)
        inverse = np.linalg.inv(self.image_from_board)
        return _divided(straight @ inverse[:, :2].T + inverse[:, 2])[:, :2]

    def image_from_plane(self, height: float) -> NDArray[np.float64]:
        """The homography (3, 3) of the plane `height` units above the board."""
        if height == 0.0:
            return self.image_from_board
        camera = self.camera_matrix()
        columns = np.linalg.inv(camera) @ self.image_from_board
        scale = float(np.sqrt(np.linalg.norm(columns[:, 0]) * np.linalg.norm(columns[:, 1])))
        up = np.cross(columns[:, 0], columns[:, 1]) / scale
        if up @ columns[:, 2] > 0:  # the camera is always above the board
            up = -up
        lifted = columns.copy()
        lifted[:, 2] += height * up
        return np.asarray(camera @ lifted, np.float64)

    def camera_matrix(self) -> NDArray[np.float64]:
        """The lens's matrix (3, 3), or one with the focal length that the board's perspective suggests."""
        if self.lens is not None:
            return self.lens.camera_matrix
        width, height = self.image_size
        focal = _focal_from_plane(self.image_from_board, self.image_size)
        return np.array([[focal, 0.0, width / 2], [0.0, focal, height / 2], [0.0, 0.0, 1.0]])

    def corners(self, board: Board) -> NDArray[np.float64]:
        """Pixels (k, 2) of the board's outline, in its order."""
        return self.project(board.outline)

    def square_px(self, board: Board) -> float:
        """About how many pixels one unit of the plane is wide at the middle of the board."""
        middle = np.array([board.width / 2, board.height / 2])
        steps = self.project(middle + np.array([[0, 0], [1, 0], [0, 1]]))
        across, along = steps[1] - steps[0], steps[2] - steps[0]
        return float(np.sqrt(abs(across[0] * along[1] - across[1] * along[0])))

    def turned(self, quarter_turns: int, board: Board) -> "BoardPose":
        """The same board with White at another side: a quarter turn counter-clockwise on the plane each time."""
        if quarter_turns % 2 and board.width != board.height:
            raise PoseError(f"saw a board {board.width} by {board.height}; expected a square one for a quarter turn")
        turn = np.eye(3)
        cosine, sine = ((1, 0), (0, 1), (-1, 0), (0, -1))[quarter_turns % 4]
        turn[:2, :2] = ((cosine, -sine), (sine, cosine))
        middle = np.array([board.width / 2, board.height / 2])
        turn[:2, 2] = middle - turn[:2, :2] @ middle
        return replace(self, image_from_board=self.image_from_board @ turn)


def pose_from_corners(
    corners: ArrayLike, board: Board, image_size: tuple[int, int], lens: Lens | None = None
) -> BoardPose:
    """The pose for `corners` (k, 2) pixels given in the order of the board's outline."""
    outline: Sequence[tuple[float, float]] = board.outline
    return BoardPose.from_points(outline, corners, image_size, lens)


def _bent(rays: NDArray[np.float64], distortion: NDArray[np.float64]) -> NDArray[np.float64]:
    """Rays (m, 2) as OpenCV's standard model bends them, of which `distortion` are the first terms, eight at most."""
    k1, k2, p1, p2, k3, k4, k5, k6 = np.pad(distortion.reshape(-1), (0, MOST_OWN_TERMS - distortion.size))
    x, y = rays.T
    square, double = x * x + y * y, 2 * x * y
    radial = 1 + square * (k1 + square * (k2 + square * k3))
    if k4 or k5 or k6:
        radial = radial / (1 + square * (k4 + square * (k5 + square * k6)))
    across = x * radial + p1 * double + p2 * (square + 2 * x * x)
    down = y * radial + p1 * (square + 2 * y * y) + p2 * double
    return np.stack([across, down], axis=1)


def _divided(homogeneous: NDArray[np.float64]) -> NDArray[np.float64]:
    """(m, 3) scaled to last coordinate 1, keeping clear of the horizon."""
    depth = homogeneous[:, 2:3]
    safe = np.where(np.abs(depth) < 1e-9, 1e-9, depth)
    return np.asarray(homogeneous / safe, np.float64)


def _focal_from_plane(image_from_board: NDArray[np.float64], image_size: tuple[int, int]) -> float:
    """Focal length in pixels: the board's axes are at right angles and equally long, as far as perspective tells.

    Nearly overhead views tell nothing; there the width of the picture (a lens of 53 degrees) is taken.
    """
    width, height = image_size
    centred = np.array([[1, 0, -width / 2], [0, 1, -height / 2], [0, 0, 1]]) @ image_from_board
    h1, h2 = centred[:, 0], centred[:, 1]
    flat = np.array([h1[:2] @ h2[:2], h1[:2] @ h1[:2] - h2[:2] @ h2[:2]])
    deep = np.array([h1[2] * h2[2], h1[2] ** 2 - h2[2] ** 2])
    prior = 1.0 / width**2
    weight = (FOCAL_PRIOR_WEIGHT * (h1[:2] @ h1[:2] + h2[:2] @ h2[:2]) / 2) ** 2
    inverse_square = (weight * prior - flat @ deep) / (flat @ flat + weight)
    if inverse_square <= 0:
        return float(FOCAL_BOUNDS[1] * width)
    focal = float(np.sqrt(1.0 / inverse_square))
    return float(np.clip(focal, FOCAL_BOUNDS[0] * width, FOCAL_BOUNDS[1] * width))
