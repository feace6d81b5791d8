"""Ways to lay a board's cells on cells that a picture shows in rows, all looked at together."""

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from calibration.drawings import Drawing, plausible_shapes, scored, sparse_drawings, steps_of, thinned
from calibration.drawn_lines import CellRows
from calibration.grid_model import bent
from rules.board import Board, BoardKind
from vision.line_fit import LineMap, line_scores
from vision.pose import BoardPose

MOST_LAID = 48
"""Ways to lay a board's cells on a lattice that are looked at, each with every way to draw it."""
AFTER_GLANCE = 10
"""Those of them that are looked at more closely."""
GLANCE = 4
"""One of so many lines of the drawing is looked at first."""
LEAST_COVERED = 0.6
"""Share of the cells under the best of them that the others must have."""
LEAST_OF_LATTICE = 0.6
"""Share of a lattice's cells that must lie on the board: those of a cloth or a tiled floor go on far beyond it."""
LARGEST_LATTICE = 80
"""Steps across, beyond which a lattice is no board's."""


@dataclass(frozen=True, slots=True, eq=False)
class _Layout:
    """Cells of a board that may be those of a lattice.

    `basis` (2, 2) has as columns the steps on the plane that the lattice's two directions are; `offsets` (m, 2) are the
    cells' places in these steps, counted from the cell at `centre`.
    """

    basis: NDArray[np.float64]
    centre: NDArray[np.float64]
    offsets: NDArray[np.int64]
    drawings: tuple[Drawing, ...]
    """How boards of which these cells are seen may be drawn, thinned out."""
    glimpses: tuple[Drawing, ...]
    """The same with still fewer lines."""


@dataclass(frozen=True, slots=True, eq=False)
class _Laid:
    """The board's plane laid on a lattice in so many ways (s): the homogeneous pixels of a plane point (x, y) are
    `along` (3, 2) of it plus `starts` (s, 3)."""

    rows: CellRows
    along: NDArray[np.float64]
    starts: NDArray[np.float64]

    def project(self, plane: NDArray[np.float64], ways: NDArray[np.intp] | slice = slice(None)) -> NDArray[np.float64]:
        """Pixels (s, m, 2) of plane points (m, 2)."""
        x, y, depth = (plane @ self.along[k] + self.starts[ways, k, None] for k in range(3))
        depth = np.where(np.abs(depth) < 1e-9, 1e-9, depth)
        straight, model = np.stack([x / depth, y / depth], axis=-1), self.rows.model
        flat = bent(straight.reshape(-1, 2), model.bend, model.centre, model.scale)
        return np.asarray(flat.reshape(straight.shape), np.float64)

    def pose(self, way: int) -> BoardPose:
        model = self.rows.model
        size = (round(2 * model.centre[0]), round(2 * model.centre[1]))
        matrix = np.column_stack([self.along, self.starts[way]])
        return BoardPose(matrix, model.error_px, model.lens(size), size)


def laid_best(lines: LineMap, rows: CellRows, board: Board) -> list[tuple[float, BoardPose]]:
    """For every sort of cells that may be seen, the way to lay the board on them whose lines are seen best."""
    found = []
    for layout in _layouts(board):
        best = _best(lines, rows, board, layout)
        if best is not None:
            found.append(best)
    return found


def _best(lines: LineMap, rows: CellRows, board: Board, layout: _Layout) -> tuple[float, BoardPose] | None:
    shifts = _shifts(rows.places, layout.offsets)[: MOST_LAID // len(layout.drawings)]
    laid = _laid_at(rows, layout, shifts) if shifts else None
    if laid is None:
        return None
    ways = np.flatnonzero(_plausible(laid, board))
    if not len(ways):
        return None
    if len(ways) > AFTER_GLANCE:
        glance = np.max([_scores(lines, laid, ways, glimpse) for glimpse in layout.glimpses], axis=0)
        ways = ways[np.argsort(-glance, kind="stable")[:AFTER_GLANCE]]
    scores = np.max([_scores(lines, laid, ways, drawing) for drawing in layout.drawings], axis=0)
    best = int(scores.argmax())
    try:
        return float(scores[best]), laid.pose(int(ways[best]))
    except ValueError:
        return None


def _laid_at(rows: CellRows, layout: _Layout, shifts: list[NDArray[np.int64]]) -> _Laid:
    """The layout's centre on each of the shifts (s, 2), places of the lattice."""
    grid, from_plane = rows.model.straight_from_grid, np.linalg.inv(layout.basis)
    centres = np.array(shifts) - from_plane @ layout.centre
    return _Laid(rows, grid[:, :2] @ from_plane, centres @ grid[:, :2].T + grid[:, 2])


def _plausible(laid: _Laid, board: Board) -> NDArray[np.bool_]:
    """Which ways (s,) show the board as vision/pose.py would take it."""
    corners = laid.project(np.array(board.outline))
    middle = np.array([board.width / 2, board.height / 2])
    steps = laid.project(middle + np.array([[0, 0], [1, 0], [0, 1]]))
    across, down = steps[:, 1] - steps[:, 0], steps[:, 2] - steps[:, 0]
    square_px = np.sqrt(np.abs(across[:, 0] * down[:, 1] - across[:, 1] * down[:, 0]))
    return plausible_shapes(corners, square_px, laid.rows.model.centre * 2)


def _scores(lines: LineMap, laid: _Laid, ways: NDArray[np.intp], drawing: Drawing) -> NDArray[np.float64]:
    """How well (s,) the drawing's lines are seen in each of the ways."""
    pixels = laid.project(drawing.samples.reshape(-1, 2), ways).reshape(len(ways), *drawing.samples.shape)
    on, beside = pixels[..., 0, :], pixels[..., 1:, :]
    each = line_scores(lines, on.reshape(-1, 2), beside.reshape(-1, 2, 2)).reshape(on.shape[:-1]).mean(axis=-1)
    shown = np.asarray(((on > 0) & (on < laid.rows.model.centre * 2)).all(axis=(2, 3)), np.bool_)
    return scored(drawing, each, shown)


@cache
def _layouts(board: Board) -> tuple[_Layout, ...]:
    """Which cells may be seen in rows: all of them; of octagons and the small squares between also one sort alone."""
    if board.kind is BoardKind.HEXAGON:
        first = next(xy for xy in steps_of(board) if xy[0] >= 0)
        turns = [np.deg2rad(angle) for angle in (60, 120)]
        second = [np.array([[np.cos(t), -np.sin(t)], [np.sin(t), np.cos(t)]]) @ first for t in turns]
        both = [np.stack([first, other], axis=1) for other in second]
        return tuple(_laid(np.array(board.xy), basis, sparse_drawings(board)) for basis in both)
    if board.kind is BoardKind.SERPENTS:
        return tuple(_laid(_triangles(board), basis, sparse_drawings(board)) for basis in _steps_of_triangles())
    if board.kind is BoardKind.ALQUERQUE:  # its triangles are no rows, but discs stand on all points but one at first
        return (_laid(np.array(board.xy), np.eye(2), sparse_drawings(board)),)
    columns, rows = np.meshgrid(np.arange(board.columns) + 0.5, np.arange(board.rows) + 0.5)
    every = _laid(np.stack([columns, rows], axis=-1).reshape(-1, 2), np.eye(2), sparse_drawings(board))
    if board.kind is not BoardKind.CHEQUERED:
        return (every,)
    slanted = np.array([[1.0, -1.0], [1.0, 1.0]])
    octagons = tuple(drawing for drawing in sparse_drawings(board) if drawing.name == "octagons")
    return (every, *(_laid(np.array(sort), slanted, octagons) for sort in (board.xy, board.idle_xy)))


def _triangles(board: Board) -> NDArray[np.float64]:
    """Middles (m, 2) of the triangles between the lines of the serpents' board."""
    middles = [
        np.array([(x + 0.5, y + third), (x + 1.0, y + 1 - third)])
        for x in range(round(board.width))
        for y, third in ((0.0, 2 / 3), (1.0, 1 / 3))
    ]
    every = np.concatenate(middles)
    return np.asarray(every[every[:, 0] < board.width - 0.1], np.float64)


def _steps_of_triangles() -> list[NDArray[np.float64]]:
    """Steps between neighbouring triangles that a lattice of them may be made of, turns of the board left out."""
    beside, other, over = np.array([0.5, 1 / 3]), np.array([0.5, -1 / 3]), np.array([0.0, 2 / 3])
    pairs = [(beside, other), (beside, -other)]
    pairs += [pair for way in (over, -over) for pair in ((beside, way), (way, beside))]
    return [np.stack(pair, axis=1) for pair in pairs]


def _laid(cells: NDArray[np.float64], basis: NDArray[np.float64], drawings: tuple[Drawing, ...]) -> _Layout:
    centre = cells[len(cells) // 2]
    offsets = np.round((cells - centre) @ np.linalg.inv(basis).T).astype(np.int64)
    return _Layout(basis, centre, offsets, drawings, tuple(thinned(drawing, GLANCE) for drawing in drawings))


def _shifts(places: NDArray[np.int64], offsets: NDArray[np.int64]) -> list[NDArray[np.int64]]:
    """Places of the lattice on which the layout's cell at its centre may lie, likeliest first."""
    low, high = places.min(axis=0) - offsets.max(axis=0), places.max(axis=0) - offsets.min(axis=0)
    if (high - low > LARGEST_LATTICE).any():
        return []
    known = np.zeros(high - low + 1 + np.ptp(offsets, axis=0))
    at = places - low - offsets.min(axis=0)
    known[at[:, 0], at[:, 1]] = 1
    steps = offsets - offsets.min(axis=0)
    counts = np.zeros(high - low + 1)
    for i, j in steps:
        counts += known[i : i + counts.shape[0], j : j + counts.shape[1]]
    if counts.max() < LEAST_OF_LATTICE * len(places):
        return []
    enough = np.argwhere(counts >= LEAST_COVERED * counts.max())
    order = np.argsort(-counts[enough[:, 0], enough[:, 1]], kind="stable")
    return [shift + low for shift in enough[order]]
