"""Cells: patches enclosed by drawn lines, in rows, as a first guess of where a lined board lies."""

from collections.abc import Iterator

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.lattice import MOST_OF_BOARD, Lattice, distances, grow
from calibration.saddles import Saddles
from vision.line_fit import LineMap

THRESHOLDS = (0.3, 0.5)
"""Strengths of lines from which they part cells."""
LEAST_AREA, MOST_SHARE = 70, 0.02
"""Smallest cell in pixels of the line map, and the largest as a share of it."""
LEAST_SOLID = 0.8
MOST_CELLS = 900
MOST_SEEDS = 24
MIN_CELLS = 12
MOST_LATTICES = 12
"""Of each threshold: a cloth around the board makes many."""
MOST_UNLIKE = (2.2, float("inf"))
"""Ratios of areas from which cells are no neighbours: first to keep a board's apart from a cloth's, then none, to bring
together what discs have made unequal."""
NEAREST = 8


def cells(lines: LineMap, threshold: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Centres (m, 2) and areas (m,) of compact patches without lines, in pixels of the line map."""
    free = np.asarray(lines.strength < threshold, np.uint8)
    contours, _ = cv2.findContours(free, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_SIMPLE)
    centres, areas = [], []
    most = MOST_SHARE * free.size
    for contour in contours:
        area = cv2.contourArea(contour)
        if not LEAST_AREA < area < most:
            continue
        hull = cv2.contourArea(cv2.convexHull(contour))
        if area < LEAST_SOLID * hull:
            continue
        moments = cv2.moments(contour)
        centres.append((moments["m10"] / moments["m00"], moments["m01"] / moments["m00"]))
        areas.append(area)
    order = np.argsort(-np.array(areas))[:MOST_CELLS]
    return np.array(centres, np.float64).reshape(-1, 2)[order], np.array(areas, np.float64)[order]


def cell_lattices(lines: LineMap, most: int = MOST_LATTICES) -> Iterator[Lattice]:
    """Up to `most` lattices of cells for each threshold and likeness, largest first, in pixels of the original."""
    for threshold in THRESHOLDS:
        centres, areas = cells(lines, threshold)
        if len(centres) < MIN_CELLS:
            continue
        known: set[frozenset[int]] = set()
        for unlike in MOST_UNLIKE:
            grown = _grown(centres, areas, unlike)
            new = [one for one in grown if frozenset(one.members.tolist()) not in known]
            for lattice in new[:most]:
                known.add(frozenset(lattice.members.tolist()))
                yield Lattice(lattice.places, lattice.xy / lines.factor, lattice.members)


def _grown(centres: NDArray[np.float64], areas: NDArray[np.float64], most_unlike: float) -> list[Lattice]:
    """Lattices from different seeds, largest first.

    One that is larger than any board is a cloth's: its cells are taken away, and it is left out.
    """
    left = np.arange(len(centres))
    taken = np.zeros(len(centres), bool)
    found: list[Lattice] = []
    tried = 0
    for seed in (k for start in range(5) for k in range(start, len(centres), 5)):
        if tried >= MOST_SEEDS or len(left) <= NEAREST:
            break
        if taken[seed]:
            continue
        at, those, sizes = int(np.searchsorted(left, seed)), centres[left], areas[left]
        away = distances(those[at : at + 1], those)[0]
        near = np.argpartition(away, NEAREST)[: NEAREST + 1]
        pair = _neighbours(those, sizes, at, near[np.argsort(away[near])][1:], away)
        if pair is None:
            continue
        tried += 1
        lattice = grow(Saddles(those, np.zeros(len(those)), sizes), at, pair, most_unlike)
        if len(lattice.members) < MIN_CELLS:
            continue
        members = left[lattice.members]
        taken[members] = True
        if len(members) > MOST_OF_BOARD:
            left = np.delete(left, lattice.members)
        else:
            found.append(Lattice(lattice.places, lattice.xy, members))
    return sorted(found, key=lambda lattice: -len(lattice.members))


def _neighbours(
    centres: NDArray[np.float64],
    areas: NDArray[np.float64],
    seed: int,
    near: NDArray[np.intp],
    away: NDArray[np.float64],
) -> tuple[int, int] | None:
    """The two nearest cells in different directions that could be the next in a row and in a column."""
    size = float(np.sqrt(areas[seed]))
    like = [int(k) for k in near if 0.25 < areas[k] / areas[seed] < 4 and 0.6 * size < away[k] < 3 * size]
    for i, a in enumerate(like):
        for b in like[:i]:
            u, v = centres[a] - centres[seed], centres[b] - centres[seed]
            sine = abs(u[0] * v[1] - u[1] * v[0]) / (away[a] * away[b])
            if sine > 0.6 and 0.5 < away[a] / away[b] < 2:
                return b, a
    return None
