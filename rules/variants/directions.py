"""Sets of directions as White means them."""

from rules.board import Direction

N, NE, E, SE, S, SW, W, NW = Direction

FORWARD_DIAGONALS = (NE, NW)
DIAGONALS = (NE, SE, SW, NW)
ORTHOGONALS = (N, E, S, W)
FORWARD_AND_SIDEWAYS = (N, E, W)
FIVE_FORWARD = (N, NE, E, W, NW)
ALL_EIGHT = tuple(Direction)
HEXAGON_ROWS = (NE, E, SE, SW, W, NW)
HEXAGON_ROWS_FORWARD = (NE, E, W, NW)
HEXAGON_FILES = (N, NE, SE, S, SW, NW)
HEXAGON_FILES_FORWARD = (N, NE, NW)
