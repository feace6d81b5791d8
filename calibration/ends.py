"""Whether a board ends where it is claimed to: the squares of each side are there, and none go on beyond it."""

from enum import Enum

import numpy as np
from numpy.typing import NDArray

from calibration.grid_model import GridModel
from calibration.window import Surroundings, Window, surroundings

NO_SQUARES = 0.15
"""Share of the crossings next to one side that alternate, up to which the squares along that side are none,"""
REST_IS_SEEN = 0.8
"""if of the crossings of the other rows so many do: what hides a whole side hides more than that."""
HARDLY_SQUARES = 0.35
"""The same share where two sides that meet have no more, as where one row and one column too many are claimed."""
GO_ON = 0.6
"""Share of the crossings on a side that alternate in the board's colours, from which the squares go on beyond it."""
GO_ON_AT_BOTH = 0.33
"""The same share at each of two sides that meet."""
OTHER_COLOURS = 0.4
"""Difference between the squares along a side and what lies beyond it, in distances of the board's two colours, from
which that is a frame or a cloth and none of its squares."""


class Fault(Enum):
    """What speaks against a claimed board."""

    FEWER = "fewer"
    """A row of its squares is not there."""
    MORE = "more"
    """Squares of its colours go on beyond a side."""


def fault_of(lab: NDArray[np.float32], model: GridModel, places: NDArray[np.int64], window: Window) -> Fault | None:
    """What is wrong with a window as a board of its size in a picture `lab` (h, w, 3) float32, if anything.

    `places` (m, 2) are the crossings seen.
    """
    around = surroundings(lab, model, places, window)
    if around is None:
        return None
    on = _going_on(around)
    if max(on) >= GO_ON or _meet(on, GO_ON_AT_BOTH):
        return Fault.MORE
    inner = around.alternates[1:-1, 1:-1].astype(np.float64)
    squares = [float(np.mean(line)) for line in (inner[0], inner[-1], inner[:, 0], inner[:, -1])]
    fewer = min(squares) <= NO_SQUARES or _meet([-share for share in squares], -HARDLY_SQUARES)
    bare = [share <= HARDLY_SQUARES for share in squares]
    return Fault.FEWER if fewer and _without(inner, bare) >= REST_IS_SEEN else None


def _going_on(around: Surroundings) -> list[float]:
    """Share of the crossings on the top, bottom, left and right side from which squares of the board go on."""
    alternates, colours = around.alternates, around.colours
    shares = []
    for turns in (0, 2, 1, 3):  # the side on top, as the table is turned
        line = np.rot90(alternates, -turns)[0, 1:-1]
        beyond, along = np.rot90(colours, -turns)[:2, 1:-1]
        shift = [  # the cell beyond a cell has the other colour: that of the cells next to it
            np.linalg.norm(np.median(beyond[k::2], axis=0) - np.median(along[1 - k :: 2], axis=0)) for k in (0, 1)
        ]
        shares.append(float(np.mean(line)) if float(np.mean(shift)) < OTHER_COLOURS * around.apart else 0.0)
    return shares


def _without(inner: NDArray[np.float64], bare: list[bool]) -> float:
    """Mean of the crossings that do not lie next to the sides that are bare."""
    top, bottom, left, right = bare
    rest = inner[int(top) : inner.shape[0] - int(bottom), int(left) : inner.shape[1] - int(right)]
    return float(np.mean(rest)) if rest.size else 0.0


def _meet(shares: list[float], least: float) -> bool:
    """Whether two sides that meet, of top, bottom, left and right, both reach a share."""
    top, bottom, left, right = shares
    return min(max(top, bottom), max(left, right)) >= least
