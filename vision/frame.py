"""One picture of the camera with its time."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.errors import PictureError


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """One picture: `bgr` (height, width, 3) uint8, BGR, taken at `captured_at` seconds, the n-th of its source."""

    bgr: NDArray[np.uint8]
    captured_at: float
    sequence: int

    def __post_init__(self) -> None:
        checked_picture(self.bgr)

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels."""
        return (self.bgr.shape[1], self.bgr.shape[0])


def checked_picture(bgr: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The picture itself, or PictureError if it is not (height, width, 3) uint8."""
    if bgr.ndim != 3 or bgr.shape[2] != 3 or bgr.dtype != np.uint8:
        raise PictureError(f"saw an array {bgr.shape} of {bgr.dtype}; expected (height, width, 3) uint8 in BGR order")
    return bgr
