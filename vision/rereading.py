"""Squares that look as they did when they were last read are not read again.

The networks are most of what a look costs, and between two looks of a game hardly anything changes. Where a square did
change it is read in every look until it has been read often enough, so that no passing noise decides; the others are
read in turn.
"""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rules.board import Board
from vision.appearance import Appearance
from vision.compared import ACROSS, Sampled, over_channels
from vision.context import FEATURES
from vision.crown_reader import installed_crown_reader
from vision.evidence import BoardEvidence, evidence_from
from vision.kings import NONE_YET, closer_features, closer_odds, maybe_discs, no_disc_has_left, weighed
from vision.reader import LightOfBoard, installed_reader, network_input

LEAST_CHANGE = 3.0
"""Grey levels by which some small part of a square must differ from when it was read."""
TIMES_NOISE = 6.0
"""The same, times the median difference over the whole board: four deviations of even noise."""
_OWN = ACROSS[:, None] ** 2 + ACROSS[None, :] ** 2 < 0.62**2
"""Where a patch shows its own square: around it the discs of the next ones come and go."""
OFTEN_ENOUGH = 3
TURNS = 16
"""In so many looks each square is read once whether it changed or not."""
SAME_LIGHTNESS, SAME_CHROMA, SAME_SPREAD = 2.0, 1.5, 0.03
"""Within this (8-bit Lab; a share) the board's light is the one under which the squares were read."""


@dataclass(frozen=True, slots=True, eq=False)
class ReadSquares:
    """What the networks made of the points of a board, and of which pictures.

    `small` (n, s, s, 3) are the small patches when each was read, `features` (n, 64) and `closer` (n, 64), NaN where no
    closer look was taken, what came of them; `times` (n,) counts readings since the square last changed, `turn` looks.
    """

    small: NDArray[np.float32]
    features: NDArray[np.float32]
    closer: NDArray[np.float32]
    times: NDArray[np.int64]
    lean: NDArray[np.float32]
    light: LightOfBoard
    turn: int


@dataclass(frozen=True, slots=True, eq=False)
class Networks:
    """Both networks ready to run, for one thread alone."""

    squares: Any
    discs: Any


def networks() -> Networks:
    """The installed networks, built."""
    return Networks(installed_reader().built(), installed_crown_reader().built())


def evidence_again(
    look: Sampled, board: Board, appearance: Appearance | None, nets: Networks, before: ReadSquares | None
) -> tuple[BoardEvidence, ReadSquares]:
    """What each square shows (vision/evidence.py), where nothing changed from what was read `before`."""
    read = _read(look, nets, before)
    scores = installed_reader().scores_of(read.features, read.lean)
    if appearance is None and no_disc_has_left(scores, board):
        kings = np.full(len(scores), NONE_YET, np.float32)
    else:
        points = maybe_discs(scores)
        read = _looked_closer(look, nets, read, points)
        kings = weighed(scores, points, closer_odds(scores, points, read.closer[points], read.lean))
    return evidence_from(scores, kings, look.patches, board, appearance), read


def read_beside(
    more: NDArray[np.uint8], lean: NDArray[np.float32], nets: Networks, read: ReadSquares
) -> NDArray[np.float32]:
    """Log-probabilities (n + m, 6) of the points as they were `read` and of m `more` patches compared with them."""
    reader = installed_reader()
    features = np.concatenate([read.features, reader.features_of(network_input(more, read.light), nets.squares)])
    return reader.scores_of(features, np.concatenate([read.lean, lean]))


def _read(look: Sampled, nets: Networks, before: ReadSquares | None) -> ReadSquares:
    """Features of all points, read where they have to be."""
    patches, size = look.patches, len(look.patches.points)
    small = look.small[:size]
    if before is None or not _comparable(look, before):
        n = np.full((size, FEATURES), np.nan, np.float32)
        before = ReadSquares(small, n, n, np.zeros(size, np.int64), patches.lean, patches.light, 0)
    changed = _changed(small, before.small)
    due = changed | (before.times < OFTEN_ENOUGH) | (np.arange(size) % TURNS == before.turn % TURNS)
    features, closer, kept = before.features.copy(), before.closer.copy(), before.small.copy()
    features[due] = installed_reader().features_of(network_input(patches.points[due], before.light), nets.squares)
    closer[due], kept[due] = np.nan, small[due]
    times = np.where(changed, 0, before.times) + due
    return replace(before, small=kept, features=features, closer=closer, times=times, turn=before.turn + 1)


def _looked_closer(look: Sampled, nets: Networks, read: ReadSquares, points: NDArray[np.int64]) -> ReadSquares:
    """The same with closer looks at those of the points that have none yet."""
    new = points[np.isnan(read.closer[points, 0])]
    if len(new) == 0:
        return read
    closer = read.closer.copy()
    closer[new] = closer_features(replace(look.patches, light=read.light), new, nets.discs)
    return replace(read, closer=closer)


def _changed(now: NDArray[np.float32], then: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Squares (n,) some part of which differs between small patches (n, s, s, 3) by more than noise."""
    away = over_channels(np.abs(now[:, _OWN] - then[:, _OWN]))
    bound = max(LEAST_CHANGE, TIMES_NOISE * float(np.median(away)))
    return np.asarray(away.max(axis=1) > bound)


def _comparable(look: Sampled, before: ReadSquares) -> bool:
    """Whether the board lies where it lay and its light is what it was."""
    now, then = look.patches.light, before.light
    return (
        np.array_equal(look.patches.lean, before.lean)
        and abs(now.lightness - then.lightness) <= SAME_LIGHTNESS
        and max(abs(now.a - then.a), abs(now.b - then.b)) <= SAME_CHROMA
        and abs(now.spread / then.spread - 1) <= SAME_SPREAD
    )
