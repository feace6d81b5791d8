"""What a picture's lines suggest, worked out once however many kinds of board are looked for in it."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.cells import cell_lattices
from calibration.grid_model import GridModel, fitted
from calibration.quads import quads
from rules.board import Board, BoardKind
from vision.line_fit import LineMap, line_map

MOST_STRAYING = 0.1
"""How far cells may lie off their grid, in widths of one of them; a board's lie within 0.07."""
USUAL_STRAYING = 0.03
MOST_ROWS = 20
"""Lattices of cells on which boards are laid."""


@dataclass(frozen=True, slots=True, eq=False)
class CellRows:
    """Cells seen in rows: the grid through them and their `places` (m, 2) in it."""

    model: GridModel
    places: NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class DrawnLines:
    """The lines of a picture of `size` (width, height), rows of cells between them and outlines (m, 4, 2)."""

    lines: LineMap
    size: tuple[int, int]
    cells: tuple[CellRows, ...]
    outlines: NDArray[np.float64]


def has_cells(board: Board) -> bool:
    """Whether patches in rows are seen on the board: cells that its lines enclose, or discs on most of its points."""
    return bool(board.rows) or board.kind in (BoardKind.HEXAGON, BoardKind.SERPENTS, BoardKind.ALQUERQUE)


def has_outline(board: Board) -> bool:
    """Whether four straight lines, by which the board is looked for, bound it; octagons are known by their cells."""
    return board.kind not in (BoardKind.HEXAGON, BoardKind.CHEQUERED)


def drawn_lines(
    bgr: NDArray[np.uint8], boards: tuple[Board, ...], *, edges_too: bool, outlines_too: bool = True
) -> DrawnLines:
    """What is needed to look for `boards` in a picture (h, w, 3) uint8 BGR; if `edges_too`, by edges of colours too."""
    lines = line_map(bgr, edges_too=edges_too)
    size = (bgr.shape[1], bgr.shape[0])
    cells = []
    for lattice in cell_lattices(lines) if any(has_cells(board) for board in boards) else ():
        model = fitted(lattice.places, lattice.xy, size)
        if model is not None:
            cells.append(CellRows(model, lattice.places))
    bounded = outlines_too and any(has_outline(board) for board in boards)
    return DrawnLines(lines, size, _regular(cells), quads(lines) if bounded else np.zeros((0, 4, 2)))


def _regular(cells: list[CellRows]) -> tuple[CellRows, ...]:
    """Those whose cells lie straight in rows, the best first: clutter and cloths give dozens that do not."""
    each = [(straying_of(rows), rows) for rows in cells]
    kept = [(len(rows.places) / (1 + straying / USUAL_STRAYING), rows) for straying, rows in each]
    kept = [one for one, (straying, _) in zip(kept, each, strict=True) if straying <= MOST_STRAYING]
    kept.sort(key=lambda one: -one[0])
    return tuple(rows for _, rows in kept[:MOST_ROWS])


def straying_of(rows: CellRows) -> float:
    """How far the cells lie off their grid, in widths of one of them."""
    middle = rows.places.mean(axis=0)
    at, right, below = rows.model.project(middle + np.array([[0, 0], [1, 0], [0, 1]]))
    across, down = right - at, below - at
    return rows.model.error_px / max(float(np.sqrt(np.hypot(*across) * np.hypot(*down))), 1.0)
