"""What the board shows square by square: the likeliest reading and those near it."""

from itertools import combinations, product

import numpy as np
from numpy.typing import NDArray

from rules.piece import Piece
from rules.placement import Placement
from rules.scoring import CROWN_UNSEEN, Scores

_DOUBTFUL = 4.0
"""A point whose best reading leads by less than this (natural log) may be read otherwise."""
_MOST_DOUBTFUL = 5
"""So many doubtful points are turned over, alone and in pairs."""


def likely_readings(seen: Scores, expected: Placement) -> tuple[Placement, ...]:
    """The best reading first, then those with one or two doubtful points read otherwise.

    Hidden points are as expected, and so is a king that looks like a man.
    """
    pieces = np.frombuffer(expected.pieces, dtype=np.uint8)
    rows = np.arange(len(pieces))
    table = seen.plain.copy()
    kings = pieces >= 3
    table[rows[kings], pieces[kings]] = seen.fitting[rows[kings], pieces[kings]] + CROWN_UNSEEN
    order = np.argsort(table, axis=1)
    first = order[:, -1].copy()
    first[seen.hidden] = pieces[seen.hidden]
    lead = table[rows, order[:, -1]] - table[rows, order[:, -2]]
    doubtful = [int(p) for p in np.argsort(lead) if lead[p] < _DOUBTFUL and not seen.hidden[p]][:_MOST_DOUBTFUL]
    others = {p: _others(table[p], order[p]) for p in doubtful}
    readings = [first]
    for turned in (*((p,) for p in doubtful), *combinations(doubtful, 2)):
        for pieces_there in product(*(others[p] for p in turned)):
            other = first.copy()
            other[list(turned)] = pieces_there
            readings.append(other)
    return tuple(dict.fromkeys(Placement(reading.astype(np.uint8).tobytes()) for reading in readings))


def _others(table: NDArray[np.float64], order: NDArray[np.intp]) -> list[int]:
    """What else a doubtful point may hold: the second best and, if that is the best but for the crown, the third."""
    best, second, third = (int(piece) for piece in order[:-4:-1])
    same = Piece(best).side is Piece(second).side
    return [second, third] if same and table[best] - table[third] < _DOUBTFUL else [second]
