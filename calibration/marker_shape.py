"""The four corner markers: what is printed on each, and where it lies beside the playing area."""

from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from rules.board import Board

GAP = 0.5
"""Paper between the tip laid on the corner and the black square, along each edge, in widths of that square.

So wide that a disc standing on the corner point itself (alquerque) leaves the black square free.
"""
RIM = 0.25
"""Paper on the far sides of the black square."""
CUT = GAP + 1 + RIM
"""Width of the piece that is cut out."""
CELLS = 6
"""Cells along an edge of the black square: four of the pattern and its black border."""


class Corner(IntEnum):
    """Where a marker lies, as the player of the light discs sees the board; the value is its ArUco number."""

    NEAR_LEFT = 0
    NEAR_RIGHT = 1
    FAR_RIGHT = 2
    FAR_LEFT = 3

    @property
    def outward(self) -> NDArray[np.float64]:
        """(2,) signs that lead from the board outwards on its plane: x to the right, y away from the player."""
        return np.array(((-1, -1), (1, -1), (1, 1), (-1, 1))[self], np.float64)


_PATTERNS = (
    (".#..", "#.#.", "##..", "##.#"),
    ("####", "....", ".##.", ".#.#"),
    ("##..", "##..", "##.#", "..#."),
    (".##.", ".##.", "#.##", "#..#"),
)
"""Numbers 0 to 3 of ArUco's dictionary DICT_4X4_50, black as #: printed here so that any OpenCV can draw them."""


def cells(corner: Corner) -> NDArray[np.bool_]:
    """(CELLS, CELLS) of a marker's black square, true where black."""
    black = np.ones((CELLS, CELLS), bool)
    black[1:-1, 1:-1] = [[mark == "#" for mark in row] for row in _PATTERNS[corner]]
    return black


def square(corner: Corner) -> NDArray[np.float64]:
    """(4, 2) corners of the black square from its tip, in its own width: upper left, upper right, lower ones back."""
    around = np.array(((-0.5, 0.5), (0.5, 0.5), (0.5, -0.5), (-0.5, -0.5)))
    return np.asarray(corner.outward * (GAP + 0.5) + around, np.float64)


def places(board: Board) -> NDArray[np.float64]:
    """(4, 2) where on the plane each marker's tip lies, in Corner's order.

    The corners of the playing area; where that is no rectangle, the corners of its outline nearest to those of the box
    around it (of a honeycomb, the ends of the rows nearest the players).
    """
    outline = np.asarray(board.outline, np.float64)
    size = np.array((board.width, board.height))
    box = np.stack([np.where(corner.outward > 0, size, 0.0) for corner in Corner])
    nearest = np.linalg.norm(outline[None] - box[:, None], axis=2).argmin(axis=1)
    return np.asarray(outline[nearest], np.float64)
