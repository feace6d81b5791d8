"""Finding a chequered board in a picture, occupied or empty, at any turn and tilt."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import reduce

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.corners import from_corners as from_corners
from calibration.ends import Fault, fault_of
from calibration.errors import BoardNotFound
from calibration.found import FoundBoard as FoundBoard
from calibration.found import found
from calibration.grid_model import GridModel, fitted
from calibration.lattice import MIN_CROSSINGS, Lattice, lattices, recaught
from calibration.saddles import Saddles, normalised, saddle_points
from calibration.window import USUAL_SIZES, Window, best_window

WORKING_SIZES_PX = (1100, 620)
"""Longer sides of the pictures searched."""
COARSE_PX = 360
"""The same of the last, in which noise is gone and large squares are left; octagons look like squares there."""
COARSELY_SEEN = 0.65
"""Confidence of a board that is surely seen there; one less surely seen counts only if lines speak for it."""
SIZES = (8, 10, 12, 6)
"""Squares a side of the boards that are made, for where nobody said which one it is."""
SURE = 0.8
"""Confidence at which no further channel or size is tried."""
MIN_CONFIDENCE = 0.4
MIN_UNTOLD = 0.55
"""The same where nobody said how many squares to expect: a cloth or a pattern has some window that fits a little."""
CLEARLY_ANOTHER = 0.25
"""How much more confidence a board of another size than the one told must deserve to be believed instead."""
ALIKE = 0.3
"""Distance of corners in squares below which two boards are one."""
MOST_LIKELY = 12
"""Boards that are told apart by lines where chequers leave doubt."""
NEARLY_AS_LIKELY = 0.2
IDEAL_SCORE = 0.85
"""Score per inner crossing of a board that is wholly seen."""
ENOUGH_SEEN = 0.5
"""Share of the inner crossings that must be seen as such, not only fit the grid, for full trust."""
MOST_FITTED, WORTH_FITTING = 3, 0.1
"""How often a grid is fitted to the crossings of its board alone, and what that must be worth at first sight."""
STRAY_SHARE = 0.12
"""Mean straying of crossings, in widths of a square, at which a grid deserves little trust."""


@dataclass(frozen=True, slots=True, eq=False)
class _Candidate:
    model: GridModel
    window: Window
    confidence: float
    fault: Fault | None = None


@dataclass(frozen=True, slots=True, eq=False)
class LikelyBoards:
    """Boards that a picture's chequers may show, no two alike, likeliest first.

    `sure` tells whether the first leaves no doubt, `failure` why it is not to be believed by its chequers alone, and
    `is_another` that a board of another size than the one told is clearly seen, `is_contradicted` that squares are, but
    of a board that ends elsewhere.
    """

    boards: tuple[FoundBoard, ...]
    sure: bool
    failure: BoardNotFound | None
    is_another: bool = False
    is_contradicted: bool = False


def find_board(bgr: NDArray[np.uint8], rows: int | None = None, columns: int | None = None) -> FoundBoard:
    """The board of `rows` by `columns` squares (None: 6, 8, 10 or 12 a side) in a picture (h, w, 3) uint8 BGR.

    Raises BoardNotFound.
    """
    likely = likely_boards(bgr, rows, columns)
    if likely.failure is not None:
        raise likely.failure
    return likely.boards[0]


def likely_boards(bgr: NDArray[np.uint8], rows: int | None = None, columns: int | None = None) -> LikelyBoards:
    """The same with what else was considered, for lines to decide where chequers leave doubt."""
    untold = rows is None and columns is None
    sizes = _sizes(rows, columns)
    seen: list[_Candidate] = []
    best: _Candidate | None = None
    rival: _Candidate | None = None
    faulty: _Candidate | None = None
    for candidate, others in _candidates(bgr, sizes, () if untold else _others(sizes)):
        own = [one for one in (candidate, *others) if one is not None and _size(one) in sizes]
        faulty = reduce(_better, (one for one in own if one.fault is not None), faulty)
        seen += [one for one in own if one.fault is None]
        if candidate is not None and candidate.fault is None:
            best = _better(best, candidate)
        rivals = (one for one in others if one.fault is None and _size(one) not in sizes)
        rival = reduce(_better, rivals, rival)
        if best is not None and best.confidence >= SURE:
            break
    seen.sort(key=lambda one: (one is not best, -one.confidence))
    boards = _unlike(found(one.model, one.window, one.confidence, (bgr.shape[1], bgr.shape[0])) for one in seen)
    if rival is not None and _is_another(rival, best):
        return LikelyBoards(boards, False, BoardNotFound(_another(rival.window, sizes[0])), True)
    if best is None or best.confidence < (MIN_UNTOLD if untold else MIN_CONFIDENCE):
        if faulty is not None and (best is None or best.confidence < faulty.confidence):
            return LikelyBoards(boards, False, BoardNotFound(_contradicted(faulty)), is_contradicted=True)
        return LikelyBoards(boards, False, BoardNotFound(_why(best, rows, columns)))
    return LikelyBoards(boards, best.confidence >= SURE and not _disputed(boards), None)


def _unlike(boards: Iterable[FoundBoard]) -> tuple[FoundBoard, ...]:
    """The boards without those that nearly are one before them."""
    kept: list[FoundBoard] = []
    for board in boards:
        if len(kept) < MOST_LIKELY and all(_apart(board, other) > ALIKE for other in kept):
            kept.append(board)
    return tuple(kept)


def _apart(one: FoundBoard, other: FoundBoard) -> float:
    """Farthest corner of one board from the other's, in squares; infinite for boards of different sizes."""
    if (one.rows, one.columns) != (other.rows, other.columns):
        return float("inf")
    square = float(np.sqrt(cv2.contourArea(one.corners.astype(np.float32)) / (one.rows * one.columns)))
    turned = (np.roll(other.corners, turn, axis=0) for turn in range(4))
    return min(float(np.linalg.norm(one.corners - way, axis=1).max()) for way in turned) / max(square, 1e-6)


def _disputed(boards: tuple[FoundBoard, ...]) -> bool:
    """Whether a board of the first one's size, nearly as likely, lies a little beside it: one of them is bent."""
    first = boards[0]
    return any(
        other.confidence > first.confidence - NEARLY_AS_LIKELY and _apart(first, other) < 1.0 for other in boards[1:]
    )


def _sizes(rows: int | None, columns: int | None) -> list[tuple[int, int]]:
    """The sizes (columns, rows) to try; a board that is not square may lie either way."""
    if rows is None and columns is None:
        return [(n, n) for n in SIZES]
    tall, wide = rows or columns or 0, columns or rows or 0
    return [(wide, tall)] if wide == tall else [(wide, tall), (tall, wide)]


def _others(sizes: list[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """Usual sizes that were not asked for."""
    return tuple((n, n) for n in USUAL_SIZES if (n, n) not in sizes)


def _size(candidate: _Candidate) -> tuple[int, int]:
    return candidate.window.columns, candidate.window.rows


def _better(one: _Candidate | None, other: _Candidate | None) -> _Candidate | None:
    if one is None or other is None:
        return one or other
    return other if other.confidence > one.confidence else one


def _is_another(rival: _Candidate, best: _Candidate | None) -> bool:
    """Whether a board of another size than the one told is clearly what is seen."""
    return rival.confidence >= SURE and (best is None or best.confidence < rival.confidence - CLEARLY_ANOTHER)


def _candidates(
    bgr: NDArray[np.uint8], sizes: Sequence[tuple[int, int]], others: Sequence[tuple[int, int]]
) -> Iterator[tuple[_Candidate | None, list[_Candidate]]]:
    """The best board of the sizes in each lattice, as the search comes upon them, and what else the largest may show.

    Where it leaves doubt that is one of the other sizes or, without those, one of each size.
    """
    longest = max(bgr.shape[:2])
    for target in (*WORKING_SIZES_PX, COARSE_PX):
        factor = target / longest
        way = cv2.INTER_AREA if factor < 1 else cv2.INTER_LINEAR
        picture = cv2.resize(bgr, None, fx=factor, fy=factor, interpolation=way)
        lab = np.asarray(cv2.cvtColor(picture.astype(np.float32) / 255, cv2.COLOR_BGR2Lab), np.float32)
        soft = np.asarray(cv2.GaussianBlur(lab, (0, 0), 1.0), np.float32)
        for channel, floor in ((0, 1.0), (1, 1.5), (2, 1.5)):
            saddles = saddle_points(normalised(lab[:, :, channel].copy(), floor))
            for number, lattice in enumerate(lattices(saddles)):
                whole = fitted(lattice.places, lattice.xy, (soft.shape[1], soft.shape[0]))
                if whole is None:
                    continue
                best = _judged(soft, saddles, (lattice, whole), sizes)
                unsure = best is None or best.fault is not None or best.confidence < SURE
                doubt = number == 0 and target != COARSE_PX and unsure
                each = [[size] for size in sizes if best is not None and size != _size(best)]
                choices = ([others] if others else each) if doubt else []
                judged = (_judged(soft, saddles, (lattice, whole), choice) for choice in choices)
                more = [_scaled(one, 1 / factor) for one in judged if one is not None]
                best = None if best is None else _scaled(best, 1 / factor)
                yield _coarsely(best) if target == COARSE_PX else (best, more)


def _coarsely(best: _Candidate | None) -> tuple[_Candidate | None, list[_Candidate]]:
    """What a board seen in the coarsest picture is worth."""
    if best is None or best.fault or best.confidence < SURE:
        return None, [] if best is None else [best]
    return replace(best, confidence=COARSELY_SEEN), []


def _scaled(candidate: _Candidate, factor: float) -> _Candidate:
    return replace(candidate, model=candidate.model.scaled(factor))


def _judged(
    lab: NDArray[np.float32], saddles: Saddles, rows: tuple[Lattice, GridModel], sizes: Sequence[tuple[int, int]]
) -> _Candidate | None:
    """The best board within a lattice through which a grid is laid, fitted again to that board's crossings alone."""
    size = (lab.shape[1], lab.shape[0])
    lattice, model = rows
    window = best_window(lab, model, lattice.places, sizes)
    if window is None or window.score <= 0:
        return None
    known = np.zeros(0, np.int64)
    for _ in range(MOST_FITTED if _seen_at_once(window) >= WORTH_FITTING else 0):
        closer = fitted(*_within(lattice, window), size)
        if closer is None:
            break
        again = best_window(lab, closer, lattice.places, sizes)
        if again is None:
            break
        model, window = closer, again
        lattice = recaught(saddles, lattice, model, (window.column, window.row, window.columns, window.rows))
        if len(lattice.places) < MIN_CROSSINGS or np.array_equal(known, lattice.members):
            break
        known = lattice.members
    return _Candidate(model, window, _confidence(window, model), fault_of(lab, model, lattice.places, window))


def _seen_at_once(window: Window) -> float:
    """What a window is worth, 1 for a board wholly seen, before its grid is fitted again."""
    crossings = (window.columns - 1) * (window.rows - 1)
    return window.score / (crossings * IDEAL_SCORE) * min(1.0, window.seen / (ENOUGH_SEEN * crossings))


def _within(lattice: Lattice, window: Window) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Places and pixels of the lattice's crossings inside a window, or of all if those are too few."""
    x, y = lattice.places[:, 0] - window.column, lattice.places[:, 1] - window.row
    inner = (x > 0) & (y > 0) & (x < window.columns) & (y < window.rows)
    if inner.sum() < MIN_CROSSINGS:
        inner[:] = True
    return lattice.places[inner], lattice.xy[inner]


def _confidence(window: Window, model: GridModel) -> float:
    """From 0 to 1: the window's score as a share of a fully seen board's, less for crossings that stray."""
    crossings = (window.columns - 1) * (window.rows - 1)
    corner = np.array([window.column, window.row], np.float64)
    opposite = corner + np.array([window.columns, window.rows])
    diagonal = model.project(np.stack([corner, opposite]))
    step = float(np.linalg.norm(diagonal[1] - diagonal[0])) / float(np.hypot(window.columns, window.rows))
    straying = model.error_px / max(step, 1.0)
    steady = float(np.clip(1.25 - straying / STRAY_SHARE, 0.0, 1.0))
    shown = min(1.0, window.seen / (ENOUGH_SEEN * crossings))
    return float(np.clip(steady * shown * window.score / (crossings * IDEAL_SCORE), 0.0, 1.0))


def _another(seen: Window, wanted: tuple[int, int]) -> str:
    return (
        f"saw no board of {wanted[0]}x{wanted[1]} squares; it looks like {seen.columns}x{seen.rows}; "
        "check the name of the game, or give the four corners of its board"
    )


def _contradicted(faulty: _Candidate) -> str:
    columns, rows = _size(faulty)
    if faulty.fault is Fault.MORE:
        saw = f"saw squares that go on beyond a board of {columns}x{rows}; expected them to end there"
    else:
        saw = f"saw no squares along one side of a board of {columns}x{rows}; expected a square in every place"
    return (
        f"{saw}; check that the whole board is in view and how many squares it has, that nothing covers a whole side "
        "of it, or give its four corners"
    )


def _why(best: _Candidate | None, rows: int | None, columns: int | None) -> str:
    cure = "check that the whole board is in view, lit and sharp, and that no hand hides it, or give its four corners"
    wanted = f"a board of {columns or rows} by {rows or columns} squares" if rows or columns else "a chequered board"
    if best is None:
        return f"saw no crossings in rows and columns; expected {wanted}; {cure}"
    window = best.window
    crossings = (window.columns - 1) * (window.rows - 1)
    return f"saw {window.seen} of {crossings} inner crossings; expected {wanted}; {cure}"
