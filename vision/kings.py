"""Which discs are kings, by both looks: the first one at all squares and the closer one at what may be discs."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rules.board import Board, BoardKind
from vision.context import FEATURES
from vision.crown_reader import beside, crown_planes, installed_crown_reader
from vision.patches import BoardPatches
from vision.reader import COVERED, network_king_odds, occupied_odds

CLOSER_WEIGHT = 0.75
"""How much the closer look counts beside the first one; fitted on pictures that neither was trained on."""
HARDLY_HELD = -4.0
"""Log-odds of occupied from which a square is looked at more closely."""
NONE_YET = -9.0
"""The log-odds of king over man where no game is known and no disc has left the board."""


def king_odds(patches: BoardPatches, scores: NDArray[np.float32]) -> NDArray[np.float32]:
    """Log-odds (n,) of king over man for the first reader's `scores` (n, 6)."""
    points = maybe_discs(scores)
    return weighed(scores, points, closer_odds(scores, points, closer_features(patches, points), patches.lean))


def maybe_discs(scores: NDArray[np.float32]) -> NDArray[np.int64]:
    """The points (k,) that are worth a closer look."""
    return np.flatnonzero(occupied_odds(scores) > HARDLY_HELD)


def closer_features(patches: BoardPatches, points: NDArray[np.int64], built: Any = None) -> NDArray[np.float32]:
    """Features (k, 64) of closer looks at `points` (k,); NaN where the patches allow none."""
    if patches.sight is None:
        return np.full((len(points), FEATURES), np.nan, np.float32)
    return installed_crown_reader().features_of(crown_planes(patches.sight.closer(points), patches.light), built)


def closer_odds(
    scores: NDArray[np.float32], points: NDArray[np.int64], features: NDArray[np.float32], lean: NDArray[np.float32]
) -> NDArray[np.float32]:
    """Log-odds (k,) of king over man that closer looks at `points` (k,) with `features` (k, 64) give, compared."""
    return installed_crown_reader().odds_of(features, beside(lean[points], light_sided(scores[points])))


def light_sided(scores: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Whether what is seen is of the lighter set (k,), by the first look's `scores` (k, 6)."""
    return np.asarray(np.logaddexp(scores[:, 1], scores[:, 3]) > np.logaddexp(scores[:, 2], scores[:, 4]))


def weighed(scores: NDArray[np.float32], points: NDArray[np.int64], closer: NDArray[np.float32]) -> NDArray[np.float32]:
    """Log-odds (n,) of king over man from the first look and, at `points`, from the closer one."""
    odds = network_king_odds(scores)
    odds[points] += np.where(np.isfinite(closer), CLOSER_WEIGHT * (closer - odds[points]), 0).astype(np.float32)
    return odds


def no_disc_has_left(scores: NDArray[np.float32], board: Board) -> bool:
    """Whether all discs still stand on a chequered board: two rows are empty, nothing was captured, no one crowned."""
    return board.kind is BoardKind.CHEQUERED and np.exp(scores[:, 1:COVERED]).sum() > board.size - board.columns - 0.5
