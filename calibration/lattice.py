"""Lattices: saddle points in rows and columns, grown from neighbour to neighbour so that lenses may bend them."""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from math import cos

import numpy as np
from numpy.typing import NDArray

from calibration.grid_model import GridModel
from calibration.saddles import Saddles

CATCH = 0.28
"""How far from its prediction a crossing may lie, in widths of a square."""
FIRST_CATCH = 0.4
"""The same for the first crossings, predicted from three alone."""
FEWEST_BESIDE = 2
"""Crossings of the five around a seed's first two neighbours that must be seen."""
AROUND = 2
"""How many squares beyond a board's edge crossings are looked for, to see that it ends there."""
UPRIGHT = 0.8
"""Share of a step's length below which it is aslant if two steps along the other shorten it to that; a board seen from
70 degrees off its normal, at the worst turn, comes down to 0.84."""
MOST_SHRUNK = 1.8
"""Most times by which a square may be larger than the next one in its row."""
LEAST_STEP_PX = 5.0
NEAREST = 12
MIN_CROSSINGS = 12
MOST_CROSSINGS = 600
MOST_OF_BOARD = 240
"""Crossings that the largest board and what continues it beyond its edge may have; the lattice of a cloth has more."""
MOST_SEEDS = 40
SIDES = ((1, 0), (-1, 0), (0, 1), (0, -1))

Cell = tuple[int, int]


@dataclass(frozen=True, slots=True, eq=False)
class Lattice:
    """Crossings with whole-number places: `places` (m, 2) int, `xy` (m, 2) pixels, `members` indexes of saddles."""

    places: NDArray[np.int64]
    xy: NDArray[np.float64]
    members: NDArray[np.int64]


def lattices(saddles: Saddles, most: int = 4) -> list[Lattice]:
    """Up to `most` lattices of different crossings, each grown from a seed not yet in another one; largest first.

    One that is larger than any board is a cloth's, and is left out.
    """
    count = len(saddles.xy)
    if count < MIN_CROSSINGS or count <= NEAREST:
        return []
    taken = np.zeros(count, bool)
    tried = 0
    found: list[Lattice] = []
    for seed in _spread_order(count):
        if taken[seed] or tried >= MOST_SEEDS or len(found) >= most:
            continue
        tried += 1
        away = distances(saddles.xy[seed : seed + 1], saddles.xy)[0]
        near = np.argpartition(away, NEAREST)[: NEAREST + 1]
        near = near[np.argsort(away[near])][1:]
        for pair in _pairs(saddles, int(seed), near, away):
            if not _goes_on(saddles, int(seed), pair):
                continue
            grown = grow(saddles, int(seed), pair)
            if len(grown.members) >= MIN_CROSSINGS:
                taken[grown.members] = True
                if len(grown.members) <= MOST_OF_BOARD:
                    found.append(grown)
                break
    return sorted(found, key=lambda lattice: -len(lattice.members))


def distances(these: NDArray[np.float64], those: NDArray[np.float64]) -> NDArray[np.float64]:
    """Distance (m, n) of each of these points (m, 2) to each of those (n, 2)."""
    square = (these**2).sum(axis=1)[:, None] + (those**2).sum(axis=1) - 2 * (these @ those.T)
    return np.asarray(np.sqrt(np.maximum(square, 0.0)), np.float64)


def nearest(these: NDArray[np.float64], those: NDArray[np.float64]) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
    """Which of those points (n, 2) is nearest to each of these (m, 2), and how far away (m,) it is."""
    far = np.column_stack([-2 * these, np.ones(len(these))]) @ np.vstack([those.T, (those**2).sum(axis=1)])
    member = far.argmin(axis=1)
    return member, np.asarray(np.hypot(*(these - those[member]).T), np.float64)


def _spread_order(count: int) -> Iterator[int]:
    """Indexes of the strongest first, but striding so that one patterned patch does not use up all seeds."""
    for start in range(7):
        yield from range(start, count, 7)


def _pairs(
    saddles: Saddles, seed: int, near: NDArray[np.intp], distance: NDArray[np.float64]
) -> Iterator[tuple[int, int]]:
    """Pairs of neighbours of opposite polarity that could be the seed's next to the right and the next below."""
    opposite = [int(i) for i in near if np.cos(saddles.phase[i] - saddles.phase[seed]) < -0.5][:5]
    tried = 0
    for k, a in enumerate(opposite):
        for b in opposite[k + 1 :]:
            u, v = saddles.xy[a] - saddles.xy[seed], saddles.xy[b] - saddles.xy[seed]
            sine = abs(u[0] * v[1] - u[1] * v[0]) / (distance[a] * distance[b])
            alike = 0.35 < distance[a] / distance[b] < 2.8 and min(distance[a], distance[b]) > 7
            if sine > 0.5 and alike and not _slanted(u, v) and not _slanted(v, u):
                yield a, b
                tried += 1
                if tried == 3:
                    return


def _slanted(u: NDArray[np.float64], v: NDArray[np.float64]) -> bool:
    """Whether `v` is rather two steps `u` and one to the side: such a pair makes rows of the same crossings, aslant."""
    length = float(np.hypot(*v))
    return min(float(np.hypot(*(v - 2 * u))), float(np.hypot(*(v + 2 * u)))) < UPRIGHT * length


def _goes_on(saddles: Saddles, seed: int, pair: tuple[int, int]) -> bool:
    """Whether other crossings of the right polarity lie around a seed and its two neighbours: in noise they do not."""
    u, v = (saddles.xy[k] - saddles.xy[seed] for k in pair)
    expected = saddles.xy[seed] + np.stack([u + v, -u, -v, u - v, v - u])
    member, away = nearest(expected, saddles.xy)
    like = np.array([1, -1, -1, 1, 1]) * np.cos(saddles.phase[member] - saddles.phase[seed])
    reach = FIRST_CATCH * min(float(np.hypot(*u)), float(np.hypot(*v)))
    return int(((away < reach) & (like > 0.3)).sum()) >= FEWEST_BESIDE


def grow(saddles: Saddles, seed: int, pair: tuple[int, int], most_unlike: float | None = None) -> Lattice:
    """The lattice reached from the seed by catching, again and again, the crossing next to a known one.

    Neighbours have opposite phases or, with `most_unlike`, strengths of which neither is so many times the other.
    """
    xy = saddles.xy[:, 0] + 1j * saddles.xy[:, 1]
    ground = _Ground(xy, xy.tolist(), saddles.phase.tolist(), saddles.strength.tolist())
    at: dict[Cell, int] = {(0, 0): seed, (1, 0): pair[0], (0, 1): pair[1]}
    used = set(at.values())
    frontier: deque[Cell] = deque(at)
    misses: dict[Cell, int] = {}
    while frontier and len(at) < MOST_CROSSINGS:
        i, j = frontier.popleft()
        for di, dj in SIDES:
            place = (i + di, j + dj)
            if place in at or misses.get(place, 0) >= 3:
                continue
            member = _caught(ground, at, place, (i, j), most_unlike)
            if member is None or member in used:
                misses[place] = misses.get(place, 0) + 1
                if misses[place] == 1:  # a hidden crossing must not stop the row: look one further
                    place = (i + 2 * di, j + 2 * dj)
                    if place in at:
                        continue
                    member = _caught(ground, at, place, (i, j), most_unlike)
                if member is None or member in used:
                    continue
            at[place] = member
            used.add(member)
            frontier.append(place)
    places = np.array(list(at), np.int64)
    members = np.array(list(at.values()), np.int64)
    return Lattice(places, saddles.xy[members], members)


@dataclass(frozen=True, slots=True, eq=False)
class _Ground:
    """What a lattice grows on: places in the picture as complex numbers, as an array and a list; phases, strengths."""

    xy: NDArray[np.complex128]
    each: list[complex]
    phase: list[float]
    strength: list[float]


def _caught(ground: _Ground, at: dict[Cell, int], place: Cell, parent: Cell, most_unlike: float | None) -> int | None:
    """The saddle nearest to where `place` should be, if near enough and of the right polarity or strength."""
    member = _nearest(ground, _expected(ground, at, place, parent))
    if member is None and most_unlike is None:  # from near and low each square is far smaller than the one before
        member = _nearest(ground, _in_line(ground, at, place))
    if member is None:
        return None
    if most_unlike is not None:
        ratio = ground.strength[member] / ground.strength[at[parent]]
        return member if 1 / most_unlike < ratio < most_unlike else None
    sign = 1 if (place[0] + place[1] - parent[0] - parent[1]) % 2 == 0 else -1
    if sign * cos(ground.phase[member] - ground.phase[at[parent]]) < 0.4:
        return None
    return member


def _nearest(ground: _Ground, expected: tuple[complex, float] | None) -> int | None:
    """The saddle within reach of where one is expected."""
    if expected is None:
        return None
    where, step = expected
    away = np.abs(ground.xy - where)
    member = int(away.argmin())
    return member if away[member] <= CATCH * step else None


def _in_line(ground: _Ground, at: dict[Cell, int], place: Cell) -> tuple[complex, float] | None:
    """Where `place` should be by three crossings in a row before it, as perspective goes on, and the width of a square.

    Of steps a and b = r a the next is b (1 + r) / (3 - r).
    """
    i, j = place
    found: list[complex] = []
    steps: list[float] = []
    for di, dj in SIDES:
        row = [at.get((i + k * di, j + k * dj)) for k in (3, 2, 1)]
        if None in row:
            continue
        first, second, third = (ground.each[member] for member in row if member is not None)
        ratio = abs(third - second) / max(abs(second - first), 1e-9)
        if not 1 / MOST_SHRUNK < ratio < MOST_SHRUNK:
            continue
        step = (third - second) * (1 + ratio) / (3 - ratio)
        found.append(third + step)
        steps.append(abs(step))
    if not found or min(steps) < LEAST_STEP_PX:
        return None
    return sum(found) / len(found), min(steps)


def _expected(ground: _Ground, at: dict[Cell, int], place: Cell, parent: Cell) -> tuple[complex, float] | None:
    """Where `place` should be by the plane through the crossings known around its parent, and the width of a square.

    Least squares, nearer ones weighing more, in plain numbers: this runs for every place tried.
    """
    count, one, x1, y1, xx, xy, yy = 0, 1e-9, 0.0, 0.0, 1e-9, 0.0, 1e-9
    z1 = zx = zy = 0j
    each, (column, row) = ground.each, parent
    for i, j, w, wx, wy, wxx, wxy, wyy in _weights(place[0] - column, place[1] - row):
        member = at.get((column + i, row + j))
        if member is None:
            continue
        z = each[member]
        count, one, x1, y1 = count + 1, one + w, x1 + wx, y1 + wy
        xx, xy, yy = xx + wxx, xy + wxy, yy + wyy
        z1, zx, zy = z1 + w * z, zx + wx * z, zy + wy * z
    if count < 3:
        return None
    a, b, c = yy * one - y1 * y1, x1 * y1 - xy * one, xy * y1 - x1 * yy
    determinant = xx * a + xy * b + x1 * c
    d, e, f = xx * one - x1 * x1, x1 * xy - xx * y1, xx * yy - xy * xy
    along, down = (a * zx + b * zy + c * z1) / determinant, (b * zx + d * zy + e * z1) / determinant
    step = min(abs(along), abs(down))
    if not LEAST_STEP_PX <= step <= 1e4:
        return None
    return (c * zx + e * zy + f * z1) / determinant, step


@cache
def _weights(across: int, down: int) -> tuple[tuple[int, int, float, float, float, float, float, float], ...]:
    """Of each place around a crossing, for a place so many steps from it: the steps to it, its weight, and that times
    its coordinates, counted from the place sought, and their products."""
    found = []
    for i in range(-2, 3):
        for j in range(-2, 3):
            x, y = i - across, j - down
            w = 1.0 / (0.3 + x * x + y * y)
            found.append((i, j, w, w * x, w * y, w * x * x, w * x * y, w * y * y))
    return tuple(found)


def recaught(saddles: Saddles, lattice: Lattice, model: GridModel, window: tuple[int, int, int, int]) -> Lattice:
    """The crossings in and around a window (column, row, columns, rows), also those that growing did not reach."""
    column, row, columns, rows = window
    grid = np.stack(np.meshgrid(np.arange(-AROUND, columns + AROUND + 1), np.arange(-AROUND, rows + AROUND + 1)), -1)
    grid = grid.reshape(-1, 2) + np.array([column, row])
    grid = grid[model.ahead(grid)]
    expected = model.project(grid)
    step = np.minimum(
        np.linalg.norm(model.project(grid + np.array([1, 0])) - expected, axis=1),
        np.linalg.norm(model.project(grid + np.array([0, 1])) - expected, axis=1),
    )
    member, away = nearest(expected, saddles.xy)
    known, _ = nearest(grid.astype(np.float64), lattice.places.astype(np.float64))
    parity = 1 - 2 * ((grid.sum(axis=1) - lattice.places[known].sum(axis=1)) % 2)
    like = parity * np.cos(saddles.phase[member] - saddles.phase[lattice.members[known]])
    near = (away < CATCH * step) & (like > 0.3)
    return Lattice(grid[near].astype(np.int64), saddles.xy[member[near]], member[near].astype(np.int64))
