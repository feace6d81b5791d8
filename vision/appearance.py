"""What this board and this set of discs look like in this room, learned from squares whose content is known."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rules.piece import Piece
from vision.errors import AppearanceError
from vision.looks import FEATURES, Looks, looks_of

SPREAD_FLOOR = np.array([5.0, 3.5, 3.5, 2.0], np.float32)
"""The least spread of each feature: no light is so steady that a set looks the same twice."""
FARTHEST_SQUARED = 60.0
MOST_MEN = 0.9
USUAL_MEN = -3.0
"""A learned set's men are taken to look no more kinglike than this."""
HARDLY_APART, OF_ONE_MAN = 1.0, 2.0
"""Difference in log-odds below which proven kings say nothing about the set's look, and what one man alone adds to it.

One man is read a little otherwise on every square; only of many is it known how kinglike they look.
"""
TOLD_APART, MOST_STRETCHED = 6.0, 3.0
SHARE_OF_A_COLOUR = 0.85
"""Of the bare squares, ordered by how well a look fits them: one that fits the best few of them is of their colour."""
SHAPE_VERSION = 1


@dataclass(frozen=True, slots=True, eq=False)
class SetLook:
    """Mean and spread (4,) of the features of one set of discs, how many men were seen, and how kinglike they look.

    A set of which only kings were seen has a `count` of 0 and the look of their tops: marks may cover these.
    """

    mean: NDArray[np.float32]
    spread: NDArray[np.float32]
    count: int
    kinglike: float = -6.0
    """The log-odds of king over man that nine in ten of this set's men stay under when read by the network."""
    crowned: float | None = None
    """The log-odds that half of its proven kings exceed; None until the rules have proven one."""


@dataclass(frozen=True, slots=True, eq=False)
class Appearance:
    """The learned look: `light` and `dark` discs, each square when empty, the idle squares as the light's reference.

    `empty` (n, 4) features with NaN where a square was never seen empty; `empty_bgr` (n, 3) likewise;
    `idle_bgr` (m, 3) mean colours of the idle squares while learning.
    """

    light: SetLook | None
    dark: SetLook | None
    empty: NDArray[np.float32]
    empty_bgr: NDArray[np.float32]
    idle_bgr: NDArray[np.float32]

    def fits(self, points: int, idle: int) -> None:
        """Raises AppearanceError unless it was learned on a board of this many points and idle squares."""
        if len(self.empty) != points or len(self.idle_bgr) != idle:
            raise AppearanceError(
                f"saw a look learned on {len(self.empty)} points and {len(self.idle_bgr)} idle squares; "
                f"expected {points} and {idle}: calibrate again for this variant"
            )

    def empty_fit(self, features: NDArray[np.float32], spread: NDArray[np.float32]) -> NDArray[np.float32]:
        """How well (n,) features (n, 4) are those of this very point when empty, as `near` tells; NaN if none ever was.

        A point never seen empty may be of any colour that many of the others show: boards have up to three.
        """
        known = np.asarray(np.isfinite(self.empty).all(axis=1))
        if not known.any():
            return np.full(len(features), np.nan, np.float32)
        fit = near(features, np.where(known[:, None], self.empty, 0.0).astype(np.float32), spread)
        of_others = near(features[~known][:, None], self.empty[known], spread)
        fit[~known] = np.quantile(of_others, SHARE_OF_A_COLOUR, axis=1) if len(of_others) else 0.0
        return fit

    def to_json(self) -> dict[str, Any]:
        """Plain lists and numbers; NaN becomes None."""
        return {
            "version": SHAPE_VERSION,
            "light": _set_to_json(self.light),
            "dark": _set_to_json(self.dark),
            "empty": _rows_to_json(self.empty),
            "empty_bgr": _rows_to_json(self.empty_bgr),
            "idle_bgr": _rows_to_json(self.idle_bgr),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "Appearance":
        """Reads what to_json gave; raises AppearanceError for anything else."""
        if data.get("version") != SHAPE_VERSION:
            raise AppearanceError(
                f"saw a learned look of version {data.get('version')}; expected {SHAPE_VERSION}: calibrate again"
            )
        try:
            return cls(
                _set_from_json(data["light"]),
                _set_from_json(data["dark"]),
                _rows_from_json(data["empty"], FEATURES),
                _rows_from_json(data["empty_bgr"], 3),
                _rows_from_json(data["idle_bgr"], 3),
            )
        except (KeyError, TypeError, ValueError) as error:
            raise AppearanceError(f"saw a learned look that cannot be read ({error}); calibrate again") from error


def learn(
    patches: NDArray[np.uint8],
    pieces: Sequence[int],
    idle_patches: NDArray[np.uint8],
    king_odds: NDArray[np.float32] | None = None,
    previous: Appearance | None = None,
    rate: float = 0.1,
) -> Appearance:
    """Learns the look from one picture of known content.

    `patches` (n, 40, 40, 3) BGR show the board's points, on which `pieces` (n,) stand (values of Piece, columns of
    evidence; -1 where not known); `idle_patches` (m, 40, 40, 3) its idle squares; `king_odds` (n,) the network's
    log-odds of king over man. With `previous` the old look moves towards the new one by `rate`.
    """
    looks, idle = looks_of(patches), looks_of(idle_patches)
    features = looks.features(np.ones((len(patches), 3), np.float32))
    held = np.asarray(pieces, np.int64)
    odds = np.full(len(held), -6.0, np.float32) if king_odds is None else king_odds
    empty = np.where((held == Piece.EMPTY)[:, None], features, np.nan).astype(np.float32)
    empty_bgr = np.where((held == Piece.EMPTY)[:, None], looks.bgr, np.nan).astype(np.float32)
    fresh = Appearance(
        _learn_set(features, odds, held, (Piece.WHITE_MAN, Piece.WHITE_KING)),
        _learn_set(features, odds, held, (Piece.BLACK_MAN, Piece.BLACK_KING)),
        empty,
        empty_bgr,
        idle.bgr,
    )
    return fresh if previous is None else _moved(previous, fresh, rate)


def set_likelihood(look: SetLook, features: NDArray[np.float32]) -> NDArray[np.float32]:
    """Log-likelihood (n,) that discs of this set have these features (n, 4), up to what all sets share."""
    return np.asarray(near(features, look.mean, look.spread) - np.log(look.spread[:3]).sum(), np.float32)


def near(features: NDArray[np.float32], mean: NDArray[np.float32], spread: NDArray[np.float32]) -> NDArray[np.float32]:
    """Minus half the squared distance in spreads, bounded: (n,), or of each with each (n, m)."""
    squared = np.sum(((features - mean) / spread) ** 2, axis=-1)
    return np.asarray(-0.5 * FARTHEST_SQUARED * (1 - np.exp(-squared / FARTHEST_SQUARED)), np.float32)


def king_odds_of(look: SetLook, odds: NDArray[np.float32]) -> NDArray[np.float32]:
    """The network's log-odds (n,) of king over man as this set's own men, and kings where proven, put them right.

    A set whose men look kinglike must look more so. Once a king is proven, and looks more kinglike than its men, the
    point halfway between them divides, and the distance between them is made to tell at least TOLD_APART.
    """
    hardly = HARDLY_APART + (OF_ONE_MAN / look.count if look.count else 0.0)
    if look.crowned is None or look.crowned - look.kinglike < hardly:
        return np.asarray(odds - max(0.0, look.kinglike - USUAL_MEN), np.float32)
    middle, apart = (look.crowned + look.kinglike) / 2, look.crowned - look.kinglike
    return np.asarray((odds - middle) * min(MOST_STRETCHED, max(1.0, TOLD_APART / apart)), np.float32)


def usual_light(appearance: Appearance, looks: Looks, empty: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Indexes of squares that look empty now and whose empty look is known: references for the light."""
    known = np.isfinite(appearance.empty_bgr).all(axis=1)
    return np.flatnonzero(known & empty & (looks.glare < 0.5))


def _learn_set(
    features: NDArray[np.float32], odds: NDArray[np.float32], held: NDArray[np.int64], pieces: tuple[Piece, Piece]
) -> SetLook | None:
    men, kings = (held == piece for piece in pieces)
    own = men if men.any() else kings
    if not own.any():
        return None
    mean = np.median(features[own], axis=0)
    spread = 1.4826 * np.median(np.abs(features[own] - mean), axis=0)
    kinglike = float(np.quantile(odds[men], MOST_MEN)) if men.any() else -6.0
    crowned = float(np.median(odds[kings])) if kings.any() else None
    return SetLook(mean, np.maximum(spread * 1.3, SPREAD_FLOOR).astype(np.float32), int(men.sum()), kinglike, crowned)


def _moved(old: Appearance, new: Appearance, rate: float) -> Appearance:
    return Appearance(
        _moved_set(old.light, new.light, rate),
        _moved_set(old.dark, new.dark, rate),
        _moved_rows(old.empty, new.empty, rate),
        _moved_rows(old.empty_bgr, new.empty_bgr, rate),
        _moved_rows(old.idle_bgr, new.idle_bgr, rate),
    )


def _moved_set(old: SetLook | None, new: SetLook | None, rate: float) -> SetLook | None:
    if old is None or new is None:
        return old or new
    share = rate if bool(old.count) == bool(new.count) else float(new.count > 0)
    mean = (1 - share) * old.mean + share * new.mean
    spread = (1 - share) * old.spread + share * new.spread
    kinglike = (1 - rate) * old.kinglike + rate * new.kinglike
    crowned = _moved_odds(old.crowned, new.crowned, rate)
    return SetLook(mean.astype(np.float32), spread.astype(np.float32), max(old.count, new.count), kinglike, crowned)


def _moved_odds(old: float | None, new: float | None, rate: float) -> float | None:
    if old is None or new is None:
        return old if new is None else new
    return (1 - rate) * old + rate * new


def _moved_rows(old: NDArray[np.float32], new: NDArray[np.float32], rate: float) -> NDArray[np.float32]:
    mixed = (1 - rate) * old + rate * new
    return np.where(np.isnan(new), old, np.where(np.isnan(old), new, mixed)).astype(np.float32)


def _rows_to_json(rows: NDArray[np.float32]) -> list[list[float] | None]:
    return [[round(float(v), 3) for v in row] if np.isfinite(row).all() else None for row in rows]


def _rows_from_json(rows: Sequence[Sequence[float] | None], columns: int) -> NDArray[np.float32]:
    filled = [[np.nan] * columns if row is None else list(row) for row in rows]
    return np.array(filled, np.float32).reshape(len(filled), columns)


def _set_to_json(look: SetLook | None) -> dict[str, Any] | None:
    if look is None:
        return None
    return {
        "mean": [round(float(v), 3) for v in look.mean],
        "spread": [round(float(v), 3) for v in look.spread],
        "count": look.count,
        "kinglike": round(look.kinglike, 3),
        "crowned": None if look.crowned is None else round(look.crowned, 3),
    }


def _set_from_json(data: Mapping[str, Any] | None) -> SetLook | None:
    if data is None:
        return None
    mean, spread = np.array(data["mean"], np.float32), np.array(data["spread"], np.float32)
    if mean.shape != (FEATURES,) or spread.shape != (FEATURES,):
        raise ValueError(f"{mean.size} features instead of {FEATURES}")
    crowned = data.get("crowned")
    return SetLook(
        mean, spread, int(data["count"]), float(data["kinglike"]), None if crowned is None else float(crowned)
    )
