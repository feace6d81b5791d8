"""Many homographies at once, from a rectangle to four-sided shapes."""

import numpy as np
from numpy.typing import NDArray


def homographies(rectangle: NDArray[np.float64], corners: NDArray[np.float64]) -> NDArray[np.float64]:
    """Homographies (m, 3, 3) that take a rectangle's corners (4, 2) to each of (m, 4, 2) pixels."""
    x0, y1 = rectangle[0]
    x1, y0 = rectangle[2]
    unit = np.array([[1 / (x1 - x0), 0, -x0 / (x1 - x0)], [0, -1 / (y1 - y0), y1 / (y1 - y0)], [0, 0, 1]])
    a, b, c, d = (corners[:, k] for k in range(4))
    e, f, g = b - c, d - c, a - b + c - d
    determinant = e[:, 0] * f[:, 1] - e[:, 1] * f[:, 0]
    determinant = np.where(np.abs(determinant) < 1e-9, 1e-9, determinant)
    p = (g[:, 0] * f[:, 1] - g[:, 1] * f[:, 0]) / determinant
    q = (e[:, 0] * g[:, 1] - e[:, 1] * g[:, 0]) / determinant
    square = np.zeros((len(corners), 3, 3))
    square[:, :2, 0] = b - a + p[:, None] * b
    square[:, :2, 1] = d - a + q[:, None] * d
    square[:, :2, 2] = a
    square[:, 2] = np.stack([p, q, np.ones(len(corners))], axis=1)
    return np.asarray(square @ unit, np.float64)
