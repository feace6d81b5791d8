"""Which part of a lattice is the board: the window whose squares alternate and whose surroundings do not."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import product

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.grid_model import GridModel

RIM = np.array(
    [
        (u, v)
        for u in (0.13, 0.3, 0.5, 0.7, 0.87)
        for v in (0.13, 0.3, 0.5, 0.7, 0.87)
        if max(abs(u - 0.5), abs(v - 0.5)) > 0.3
    ]
)
"""Places within a square that a disc leaves free, as shares of its width."""
USUAL_SIZES = (8, 10, 12)
RARE_SIZE, RARE_COST = 6, 0.25
"""A board of so few squares a side is seldom one: a part of a larger one, the rest of which a hand hides, looks so."""
GOES_ON_COST = 1.5
"""Weight of crossings on the window's edge that alternate as if the board went on: cloths do, boards do not."""
ALTERNATES = 0.57
"""Alternation that is as frequent on the edge of a board as inside; inside 0.87 of the crossings are above 0.8."""
SEEN_CROSSING = 0.0
"""A crossing that is seen never speaks against the board: wide discs leave no rim of their squares to be seen."""
USUAL_ALTERNATION = 0.9
LEAST_ASKED = 0.6
SURE_WITHIN = 0.3
"""Distance from there at which a crossing is surely of the one kind or the other."""
HIDDEN_COST = 0.7
"""Weight of a crossing inside that surely does not alternate: a hand or a disc may hide it."""
STRANGE_COST = 0.5
"""What a square counts that has neither of the board's colours: a frame or a cloth may go on alternating."""
STRANGE_FROM = 0.5
"""Distance from its own colour, in distances of both colours, from which a square is strange; wholly so at 1 more."""
FEWEST_INSIDE = 8
"""Crossings seen inside a window, fewer of which do not tell its colours."""
LEAST_CONTRAST = 0.25
"""Share of the board's usual contrast below which a place is not believed to be under glare or in shadow."""


@dataclass(frozen=True, slots=True, eq=False)
class Window:
    """The board in a lattice: its first cell, its size in cells, its score and how many crossings are seen."""

    column: int
    row: int
    columns: int
    rows: int
    score: float
    inner: float
    seen: int


def best_window(
    lab: NDArray[np.float32], model: GridModel, places: NDArray[np.int64], sizes: Iterable[tuple[int, int]]
) -> Window | None:
    """The best window among `sizes` (columns, rows) over the lattice's crossings; `lab` (h, w, 3) float32."""
    choices = list(sizes)
    reach = max(max(size) for size in choices)
    low = np.maximum(places.min(axis=0) - 3, places.min(axis=0) - reach)
    high = places.max(axis=0) + 3
    span = high - low
    if (span > 60).any():
        return None
    colours, visible = _rims(lab, model, low, high)
    quality = _alternation(colours, visible, places - low)
    strange = _strange(colours, visible, places - low)
    seen = np.zeros((span[1] + 1, span[0] + 1))
    inside = places - low
    seen[inside[:, 1], inside[:, 0]] = 1
    each = [_best_of_size(quality, seen, visible, strange, size) for size in choices]
    likely = [one for one in each if one is not None]
    if not likely:
        return None
    _, best = max(likely, key=lambda one: one[0])
    return Window(
        best.column + int(low[0]), best.row + int(low[1]), best.columns, best.rows, best.score, best.inner, best.seen
    )


@dataclass(frozen=True, slots=True, eq=False)
class Surroundings:
    """A window's crossings and cells with those around it.

    `alternates` (rows + 1, columns + 1) tells of each crossing, those on the sides too, whether its cells alternate as
    they do at crossings seen inside; `colours` (rows + 2, columns + 2, 3) is of each cell, those just outside too, the
    median of its rim; `apart` is the distance between the two colours of the board.
    """

    alternates: NDArray[np.bool_]
    colours: NDArray[np.float32]
    apart: float


def surroundings(
    lab: NDArray[np.float32], model: GridModel, places: NDArray[np.int64], window: Window
) -> Surroundings | None:
    """What is seen in and around a window in a picture `lab` (h, w, 3) float32; None where it shows too few crossings.

    `places` (m, 2) are the crossings seen.
    """
    first, size = np.array([window.column, window.row]), np.array([window.columns, window.rows])
    low = first - 1
    at = places[((places > first) & (places < first + size)).all(axis=1)] - low
    if len(at) < FEWEST_INSIDE:
        return None
    colours, visible = _rims(lab, model, low, first + size + 1)
    quality = _alternation(colours, visible, at)
    asked = ALTERNATES * _poor(quality[at[:, 1], at[:, 0]])
    return Surroundings(quality[1:-1, 1:-1] > asked, colours, _usual_colours(colours, at)[1])


def _rims(
    lab: NDArray[np.float32], model: GridModel, low: NDArray[np.int64], high: NDArray[np.int64]
) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
    """Median colour of each cell's rim (rows, columns, 3), and whether the cell is in the picture."""
    columns, rows = np.meshgrid(np.arange(low[0], high[0]), np.arange(low[1], high[1]))
    cells = np.stack([columns, rows], axis=-1).reshape(-1, 1, 2) + RIM[None]
    flat = cells.reshape(-1, 2)
    xy = model.project(flat)
    height, width = lab.shape[:2]
    inside = (xy[:, 0] > 0) & (xy[:, 1] > 0) & (xy[:, 0] < width - 1) & (xy[:, 1] < height - 1) & model.ahead(flat)
    xy = np.clip(xy, -1, max(height, width)).astype(np.float32)
    maps = xy.reshape(len(cells), len(RIM), 2)  # cv2.remap takes fewer than 32768 rows
    x, y = maps[..., 0].copy(), maps[..., 1].copy()
    found = cv2.remap(lab, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    colours = np.median(found.reshape(len(cells), len(RIM), 3), axis=1).reshape(*columns.shape, 3)
    visible = (inside.reshape(len(cells), len(RIM)).mean(axis=1) > 0.7).reshape(columns.shape)
    return colours.astype(np.float32), visible


def _alternation(
    colours: NDArray[np.float32], visible: NDArray[np.bool_], inside: NDArray[np.int64]
) -> NDArray[np.float64]:
    """How well the four cells around each crossing alternate in the board's two colours: (rows + 1, columns + 1)."""
    rows, columns = visible.shape
    parity = np.where(np.add.outer(np.arange(rows), np.arange(columns)) % 2 == 0, 1.0, -1.0)
    x, y = inside[:, 0], inside[:, 1]
    keep = (x > 0) & (y > 0) & (x < columns) & (y < rows)
    x, y = x[keep], y[keep]
    quality = np.zeros((rows + 1, columns + 1))
    if len(x) < 4:
        return quality
    gradient = parity[y, x, None] * (colours[y, x] + colours[y - 1, x - 1] - colours[y - 1, x] - colours[y, x - 1]) / 2
    axis = _telling_axis(gradient)
    if axis is None:
        return quality
    value = parity * (colours @ axis)
    contrast = _local_contrast(value, visible)
    across = (value[:, :-1] + value[:, 1:]) / np.sqrt(contrast[:, :-1] * contrast[:, 1:])
    down = (value[:-1] + value[1:]) / np.sqrt(contrast[:-1] * contrast[1:])
    pairs = np.stack([across[:-1], across[1:], down[:, :-1], down[:, 1:]])
    ordered = np.sort(pairs, axis=0)
    good = np.clip((ordered[0] + ordered[1]) / 2, -0.3, 1.0)
    whole = visible[:-1, :-1] & visible[1:, :-1] & visible[:-1, 1:] & visible[1:, 1:]
    quality[1:-1, 1:-1] = np.where(whole, good, 0.0)
    return quality


def _speaks(quality: NDArray[np.float64], seen: NDArray[np.float64]) -> NDArray[np.float64]:
    """From -HIDDEN_COST to 1: how much each crossing's alternation speaks for its being inside the board.

    In a poor picture, in which even the crossings that were seen alternate feebly, less is asked of all.
    """
    poor = _poor(quality[seen > 0])
    speaks = np.clip((quality - ALTERNATES * poor) / (SURE_WITHIN * poor), -HIDDEN_COST, 1.0)
    return np.where(seen > 0, np.maximum(speaks, SEEN_CROSSING), speaks)


def _poor(seen: NDArray[np.float64]) -> float:
    """How well, from LEAST_ASKED to 1, the crossings that were seen alternate."""
    usual = float(np.median(seen)) if len(seen) else 1.0
    return float(np.clip(usual / USUAL_ALTERNATION, LEAST_ASKED, 1.0))


def _telling_axis(gradient: NDArray[np.float32]) -> NDArray[np.float64] | None:
    """The direction in colour (3,) along which the squares alternate most steadily, one unit being the contrast.

    Colours that waver from crossing to crossing, as lightness does under glare and shadow, weigh less.
    """
    middle = np.median(gradient, axis=0).astype(np.float64)
    strength = float(np.linalg.norm(middle))
    if strength < 1e-3:
        return None
    away = np.clip(gradient - middle, -2 * strength, 2 * strength)
    spread = away.T @ away / len(away) + (0.2 * strength) ** 2 * np.eye(3)
    axis = np.linalg.solve(spread, middle)
    return np.asarray(axis / (axis @ middle), np.float64)


def _local_contrast(value: NDArray[np.float64], visible: NDArray[np.bool_]) -> NDArray[np.float64]:
    """The contrast around each cell where 1 is usual: less under glare and in the dark, but never very little."""
    signed = np.zeros((value.shape[0] + 1, value.shape[1] + 1))
    whole = np.zeros(signed.shape)
    signed[1:-1, 1:-1] = (value[:-1, :-1] + value[1:, 1:] + value[:-1, 1:] + value[1:, :-1]) / 2
    whole[1:-1, 1:-1] = visible[:-1, :-1] & visible[1:, 1:] & visible[:-1, 1:] & visible[1:, :-1]
    signed = np.clip(signed, 0.0, 2.0) * whole
    seen = cv2.blur(whole, (4, 4), anchor=(1, 1), borderType=cv2.BORDER_CONSTANT)
    near = cv2.blur(signed, (4, 4), anchor=(1, 1), borderType=cv2.BORDER_CONSTANT) / np.maximum(seen, 0.05)
    return np.asarray(np.clip(near[:-1, :-1], LEAST_CONTRAST, 1.2), np.float64)


def _strange(
    colours: NDArray[np.float32], visible: NDArray[np.bool_], inside: NDArray[np.int64]
) -> NDArray[np.float64]:
    """How little, from 0 to 1, each cell (rows, columns) has the colour of those of its kind at crossings seen."""
    rows, columns = visible.shape
    usual, apart = _usual_colours(colours, inside)
    kind = np.add.outer(np.arange(rows), np.arange(columns)) % 2
    away = np.linalg.norm(colours - usual[kind], axis=2) / apart
    return np.where(visible, np.clip(away - STRANGE_FROM, 0.0, 1.0), 0.0)


def _usual_colours(colours: NDArray[np.float32], inside: NDArray[np.int64]) -> tuple[NDArray[np.float32], float]:
    """Median colours (2, 3) of the cells of each kind at crossings `inside` (m, 2), and how far they are apart."""
    rows, columns = colours.shape[:2]
    x, y = np.clip(inside[:, 0], 0, columns - 1), np.clip(inside[:, 1], 0, rows - 1)
    known, of = colours[y, x], (x + y) % 2
    if len(known) < 4 or len(np.unique(of)) < 2:
        return np.zeros((2, 3), np.float32), float("inf")
    usual = np.stack([np.median(known[of == k], axis=0) for k in (0, 1)])
    return usual, max(float(np.linalg.norm(usual[1] - usual[0])), 1.0)


def _best_of_size(
    quality: NDArray[np.float64],
    seen: NDArray[np.float64],
    visible: NDArray[np.bool_],
    strange: NDArray[np.float64],
    size: tuple[int, int],
) -> tuple[float, Window] | None:
    """The best place of a board of `size` (columns, rows) cells, and what it is worth beside other places and sizes."""
    columns, rows = size
    height, width = visible.shape
    speaks = _speaks(quality, seen)
    whole = np.zeros(quality.shape)
    whole[1:-1, 1:-1] = visible[:-1, :-1] & visible[1:, :-1] & visible[:-1, 1:] & visible[1:, 1:]
    total, count, whole_seen = _integral(speaks), _integral(seen), _integral(whole)
    shown, good = _integral(visible.astype(np.float64)), _integral(np.maximum(speaks, 0) * whole)
    down, across = height - rows + 1, width - columns + 1
    if down < 1 or across < 1:
        return None
    crossings = (columns - 1) * (rows - 1)
    rare = RARE_COST if columns == rows == RARE_SIZE else 0.0
    inner, outer = (1, 1, rows - 1, columns - 1), (0, 0, rows + 1, columns + 1)

    def sums(table: NDArray[np.float64], box: tuple[int, int, int, int]) -> NDArray[np.float64]:
        """Sums over the box (row, column, rows, columns) of every place of the window: (down, across)."""
        top, left, tall, wide = box
        low, right = top + tall, left + wide
        below, above = table[low : low + down], table[top : top + down]
        return np.asarray((below - above)[:, right : right + across] - (below - above)[:, left : left + across])

    alternating = sums(total, inner)
    beside = sums(whole_seen, outer) - sums(whole_seen, inner)
    excess = sums(good, outer) - sums(good, inner)
    excess = excess * 2 * (rows + columns) / np.maximum(beside, rows)  # what is out of the picture is like what is seen
    score = (alternating - GOES_ON_COST * excess) * (1 - rare)
    whole_board = sums(shown, (0, 0, rows, columns)) >= 0.98 * rows * columns
    for bottom, right in product((0, rows - 1), (0, columns - 1)):
        whole_board &= visible[bottom : bottom + down, right : right + across]
    score[~whole_board] = -np.inf
    worth = score - STRANGE_COST * sums(_integral(strange), (0, 0, rows, columns))
    row, column = (int(k) for k in np.unravel_index(int(worth.argmax()), worth.shape))
    if not np.isfinite(worth[row, column]):
        return None
    found = round(float(sums(count, inner)[row, column]))
    share = float(alternating[row, column]) / crossings
    window = Window(column, row, columns, rows, float(score[row, column]), share, found)
    return float(worth[row, column]), window


def _integral(values: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.pad(values.cumsum(axis=0).cumsum(axis=1), ((1, 0), (1, 0)))
