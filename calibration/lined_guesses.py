"""Where a lined board may lie: its cells laid on cells seen in rows, its outline on straight lines."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import product

import numpy as np
from numpy.typing import NDArray

from calibration.drawings import Drawing, plausible, score_of, sparse_drawings, steps_of
from calibration.drawn_lines import DrawnLines, has_cells, has_outline
from calibration.grid_model import GridModel
from rules.board import Board, BoardKind
from vision.line_fit import BESIDE, LineMap
from vision.lines import lines_of
from vision.pose import BoardPose

MARGINS = (0.0, 0.15, 0.3, 0.45, 0.6, 0.8, 1.0)
"""Distances between a board's outermost lines and its edge that are tried, in units."""
MOST_LAID = 48
"""Ways to lay a board's cells on a lattice that are looked at, each with every way to draw it."""
TRIED_QUADS = 40
ALIKE = 0.3
"""Distance of corners in squares below which two guesses are one: both would be moved to the same lines."""
GLANCE = 14
"""Points on the board's lines at which every outline is looked at first."""
AFTER_GLANCE = 250
"""Outlines that are looked at more closely."""


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


def guesses(drawn: DrawnLines, board: Board) -> Iterator[BoardPose]:
    """Poses to be moved onto the lines and judged, likeliest first of each sort."""
    for rows in drawn.cells if has_cells(board) else ():
        for layout in _layouts(board):
            guess = _shifted_best(drawn.lines, rows.model, rows.places, board, layout)
            if guess is not None:
                yield guess
    if has_outline(board):
        yield from _from_quads(drawn, board)


@cache
def _layouts(board: Board) -> tuple[_Layout, ...]:
    """Which cells may be seen in rows: all of them; of octagons and the small squares between also one sort alone."""
    if board.kind is BoardKind.HEXAGON:
        first = next(xy for xy in steps_of(board) if xy[0] >= 0)
        turns = [np.deg2rad(angle) for angle in (60, 120)]
        second = [np.array([[np.cos(t), -np.sin(t)], [np.sin(t), np.cos(t)]]) @ first for t in turns]
        both = [np.stack([first, other], axis=1) for other in second]
        return tuple(_laid(np.array(board.xy), basis, sparse_drawings(board)) for basis in both)
    columns, rows = np.meshgrid(np.arange(board.columns) + 0.5, np.arange(board.rows) + 0.5)
    every = _laid(np.stack([columns, rows], axis=-1).reshape(-1, 2), np.eye(2), sparse_drawings(board))
    if board.kind is not BoardKind.CHEQUERED:
        return (every,)
    slanted = np.array([[1.0, -1.0], [1.0, 1.0]])
    octagons = tuple(drawing for drawing in sparse_drawings(board) if drawing.name == "octagons")
    return (every, *(_laid(np.array(sort), slanted, octagons) for sort in (board.xy, board.idle_xy)))


def _laid(cells: NDArray[np.float64], basis: NDArray[np.float64], drawings: tuple[Drawing, ...]) -> _Layout:
    centre = cells[len(cells) // 2]
    offsets = np.round((cells - centre) @ np.linalg.inv(basis).T).astype(np.int64)
    return _Layout(basis, centre, offsets, drawings)


def _shifted_best(
    lines: LineMap, model: GridModel, places: NDArray[np.int64], board: Board, layout: _Layout
) -> BoardPose | None:
    """Of the ways to lay the board's cells on a lattice's, the one whose lines are seen best."""
    size = (round(2 * model.centre[0]), round(2 * model.centre[1]))
    lens = model.lens(size)
    best: tuple[float, BoardPose] | None = None
    for shift in _shifts(places, layout.offsets)[: MOST_LAID // len(layout.drawings)]:
        plane = np.eye(3)
        plane[:2, :2] = layout.basis
        plane[:2, 2] = layout.centre - layout.basis @ shift
        try:
            pose = BoardPose(model.straight_from_grid @ np.linalg.inv(plane), model.error_px, lens, size)
        except ValueError:
            continue
        if not plausible(pose, board):
            continue
        score = max(score_of(lines, pose, drawing) for drawing in layout.drawings)
        if best is None or score > best[0]:
            best = (score, pose)
    return None if best is None else best[1]


def _shifts(places: NDArray[np.int64], offsets: NDArray[np.int64]) -> list[NDArray[np.int64]]:
    """Places of the lattice on which the layout's cell at its centre may lie, likeliest first."""
    low, high = places.min(axis=0) - offsets.max(axis=0), places.max(axis=0) - offsets.min(axis=0)
    if (high - low > 80).any():
        return []
    known = np.zeros(high - low + 1 + np.ptp(offsets, axis=0))
    at = places - low - offsets.min(axis=0)
    known[at[:, 0], at[:, 1]] = 1
    steps = offsets - offsets.min(axis=0)
    counts = [
        (float(known[steps[:, 0] + i, steps[:, 1] + j].sum()), np.array([i, j]) + low)
        for i in range(int(high[0] - low[0]) + 1)
        for j in range(int(high[1] - low[1]) + 1)
    ]
    counts.sort(key=lambda one: -one[0])
    return [shift for count, shift in counts if count >= 0.6 * counts[0][0]]


def _from_quads(drawn: DrawnLines, board: Board) -> Iterator[BoardPose]:
    """Guesses for which four straight lines are the board's outermost lines or its edges, no two nearly alike."""
    if not len(drawn.outlines):
        return
    ranked: list[tuple[float, NDArray[np.float64]]] = []
    for turn in (0,) if board.width == board.height else (0, 1):  # square boards' rectangles hold their own turns
        shapes = np.roll(drawn.outlines, turn, axis=1)
        for rectangle in _rectangles(board):
            ranked.extend(_likeliest(drawn.lines, board, rectangle, shapes))
    ranked.sort(key=lambda one: -one[0])
    tried: list[NDArray[np.float64]] = []
    for _, matrix in ranked:
        if len(tried) == TRIED_QUADS:
            return
        if not np.isfinite(matrix).all() or abs(np.linalg.det(matrix)) < 1e-9:
            continue
        pose = BoardPose(matrix, 0.0, None, drawn.size)
        corners, near = pose.corners(board), ALIKE * pose.square_px(board)
        if all(float(np.linalg.norm(corners - other, axis=1).max()) > near for other in tried):
            tried.append(corners)
            yield pose


def _likeliest(
    lines: LineMap, board: Board, rectangle: NDArray[np.float64], shapes: NDArray[np.float64]
) -> list[tuple[float, NDArray[np.float64]]]:
    """The homographies of a few of the shapes (m, 4, 2) with how well the board's lines are seen, first by a glance."""
    on, off = _sparse(board)
    matrices = _homographies(rectangle, shapes)
    if len(matrices) > AFTER_GLANCE:
        few = len(on) // GLANCE
        glance = _seen(lines, matrices, on[::few]) - _seen(lines, matrices, off[:: 2 * few])
        matrices = matrices[np.argpartition(-glance, AFTER_GLANCE)[:AFTER_GLANCE]]
    seen = _seen(lines, matrices, on) - _seen(lines, matrices, off)
    return [(float(seen[k]), matrices[k]) for k in np.argsort(-seen)[:4]]


def _rectangles(board: Board) -> list[NDArray[np.float64]]:
    """Corners (4, 2) on the plane of the rectangles whose sides may be straight lines in the picture."""
    pairs = [(margin, margin) for margin in MARGINS]
    if board.kind is BoardKind.SERPENTS:
        pairs = [(x, y) for x in (0.0, 0.2, 0.4, 0.6, 0.8, 1.0, 1.2) for y in (0.0, 0.3, 0.5, 0.7, 0.9)]
    found = []
    for x, y in pairs:
        wide, tall = board.width + x, board.height + y
        found.append(np.array([(-x, tall), (wide, tall), (wide, -y), (-x, -y)]))
    if board.kind is BoardKind.ALQUERQUE:
        spans = [(low, high) for low in range(3) for high in range(low + 2, 5)]
        for (x0, x1), (y0, y1) in product(spans, spans):  # any of its lines may be hidden by discs
            found.append(np.array([(x0, y1), (x1, y1), (x1, y0), (x0, y0)], np.float64))
    return found


def _sparse(board: Board) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """A few dozen points (m, 2) on the board's lines, and points beside them."""
    segments = lines_of(board)
    few = segments[:: max(1, len(segments) // 40)]
    along = few[:, 1] - few[:, 0]
    normal = np.stack([-along[:, 1], along[:, 0]], axis=1) / np.linalg.norm(along, axis=1, keepdims=True)
    middles = few.mean(axis=1)
    return middles, np.concatenate([middles + BESIDE * normal, middles - BESIDE * normal])


def _homographies(rectangle: NDArray[np.float64], corners: NDArray[np.float64]) -> NDArray[np.float64]:
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


def _seen(lines: LineMap, matrices: NDArray[np.float64], points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Mean strength (m,) of the picture's lines at the points under each homography."""
    homogeneous = np.concatenate([points, np.ones((len(points), 1))], axis=1).T.astype(np.float32)
    x, y, depth = (matrices[:, k].astype(np.float32) @ homogeneous for k in range(3))
    scale = lines.factor / np.where(np.abs(depth) < 1e-9, np.float32(1e-9), depth)
    height, width = lines.strength.shape
    column, row = np.rint(x * scale), np.rint(y * scale)
    inside = (column >= 0) & (row >= 0) & (column < width) & (row < height)
    at = np.where(inside, row * width + column, 0).astype(np.intp)  # whole below 2 ** 24: exact
    return np.asarray((lines.strength.reshape(-1)[at] * inside).mean(axis=1), np.float64)
