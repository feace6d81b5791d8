"""Discs that stand beside the squares that are played on, told by what changed since the board was in order.

Only discs that the position lacks are looked for, and only where the change has the shape of a disc and the reader
sees one too: a wrong word is worse than none.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from rules.board import Board
from rules.piece import SIDE_OF
from vision.appearance import SPREAD_FLOOR
from vision.evidence import BoardEvidence
from vision.looks import looks_of
from vision.patches import BoardPatches
from vision.pose import BoardPose
from vision.reader import COVERED, installed_reader
from vision.rectify import plane_picture, square_lean, square_patches

UNIT_PX = 12
"""Pixels to a square at which the board is compared."""
OFF = 0.4
"""Distance in squares from every playable middle at which a disc is off its square: nearer ones may be pushed there."""
HEART, RING = 0.28, (0.55, 0.72)
"""Radius of what every disc covers, and of the ring that none reaches, in squares."""
WHOLE, LEAST_WHOLE = 0.4, 0.6
"""Radius of a whole disc, and the share of it that must have changed where one came to stand on its square."""
LEAST_INSIDE, MOST_AROUND = 0.85, 0.35
"""Shares of the heart and of the ring that must, and may, have changed."""
OWN_REACH = 0.55
"""Radius in squares around a disc that went or came within which changes are its own."""
CLEAR_OF_OTHERS = 0.65
"""Least distance in squares of the middles of two discs."""
UNSURE_REACH = 0.85
"""How near in squares a disc off its square may be to a point that it leaves in doubt."""
SURELY = 0.9
"""Probability from which a square is believed to be empty, and a disc to stand beside the squares."""
FARTHEST_IN_SPREADS = 4.0
"""How far a stray's colour may be from that of its set, in spreads of the set."""
_LEAST_CHANGE = 8.0
_TIMES_NOISE = 4.0
_NEIGHBOURHOOD = 5
"""Half squares over which the change of light is the median."""
_DARK = 4.0


ReadBeside = Callable[[NDArray[np.uint8], NDArray[np.float32]], NDArray[np.float32]]
"""Reads m more patches with their lean beside a board that was read: log-probabilities (n + m, 6) of all."""


@dataclass(frozen=True, slots=True, eq=False)
class BoardPicture:
    """The whole board straightened (s, s, 3) float32 BGR; `plane` (s, s, 2) are the places of its pixels.

    A pixel's x is that of its column and its y that of its row.
    """

    bgr: NDArray[np.float32]
    plane: NDArray[np.float64]


def board_picture(bgr: NDArray[np.uint8], pose: BoardPose, board: Board) -> BoardPicture:
    """The board in a picture (h, w, 3) uint8 BGR, at the height of its discs' tops."""
    wide = float(max(board.width, board.height))
    middle = (board.width / 2, board.height / 2)
    patch, plane = plane_picture(bgr, pose, middle, round(wide * UNIT_PX), wide)
    return BoardPicture(patch.astype(np.float32), plane)


@dataclass(frozen=True, slots=True, eq=False)
class InOrder:
    """How the board looked while `pieces` (n,) were known to stand on it, light discs as White."""

    picture: BoardPicture
    pieces: NDArray[np.uint8]


@dataclass(frozen=True, slots=True, eq=False)
class Candidates:
    """Places on the plane where a disc may stand, likeliest first, and the shades (1 light, 2 dark) it may have."""

    places: tuple[tuple[float, float], ...] = ()
    shades: frozenset[int] = frozenset()


def any_gone(then: InOrder, seen: BoardEvidence) -> bool:
    """Whether a disc has gone, so that it is worth looking for one that stands off its square."""
    return bool(_gone(then, seen).any())


def _gone(then: InOrder, seen: BoardEvidence) -> NDArray[np.bool_]:
    """Points (n,) that had a disc and surely have none."""
    return np.asarray((then.pieces > 0) & (seen.sureness() >= SURELY) & (seen.pieces() == 0), np.bool_)


def candidates(
    now: BoardPicture, then: InOrder, seen: BoardEvidence, board: Board, record: NDArray[np.uint8] | None = None
) -> Candidates:
    """Where something of a disc's shape came to lie off every playable middle.

    At most as many as discs have gone without coming to stand anywhere, and as the position on `record` (n,) has more
    than are seen: what was captured since `then` is no longer looked for.
    """
    if now.plane.shape != then.picture.plane.shape or not np.allclose(now.plane, then.picture.plane):
        return Candidates()
    gone = _gone(then, seen)
    lit = _relit(now.bgr, then.picture.bgr)
    changed = _changed(now.bgr, lit)
    whole = _share(changed, np.ones_like(changed), 0.0, WHOLE)
    come = (then.pieces == 0) & (seen.pieces() > 0) & (_at_points(whole, now.plane, board) >= LEAST_WHOLE)
    lacking = int(gone.sum()) - int(come.sum())
    if record is not None:
        lacking = min(
            lacking, int((record > 0).sum()) - int(np.where(seen.hidden, record, seen.pieces()).astype(bool).sum())
        )
    shades = frozenset(SIDE_OF[int(piece)] for piece in then.pieces[gone])
    if lacking <= 0:
        return Candidates((), shades)
    fits = _disc_like(changed, whole, now.plane, np.array(board.xy)[gone | come], board)
    standing = (come | ((then.pieces > 0) & ~gone)).nonzero()[0]
    fits[_distance(now.plane, np.array(board.xy)[standing]) < CLEAR_OF_OTHERS] = 0.0
    fits[~_like_one_that_went(now, lit, whole, np.array(board.xy)[gone])] = 0.0
    found: list[tuple[float, float]] = []
    while len(found) < lacking and (best := int(fits.argmax())) >= 0 and fits.reshape(-1)[best] > 0:
        place = now.plane.reshape(-1, 2)[best]
        found.append((float(place[0]), float(place[1])))
        fits[_distance(now.plane, place[None]) < CLEAR_OF_OTHERS] = 0.0
    return Candidates(tuple(found), shades)


def discs_off_square(
    bgr: NDArray[np.uint8],
    pose: BoardPose,
    patches: BoardPatches,
    tried: Candidates,
    read_beside: ReadBeside | None = None,
) -> tuple[tuple[float, float], ...]:
    """Those of the places at which the reader surely sees a disc of a shade that is lacking.

    `bgr` (h, w, 3) is the picture of which the board's `patches` were taken. `read_beside` knows what the points show
    already; without it the whole board is read.
    """
    if not tried.places:
        return ()
    xy, points = np.array(tried.places, np.float64), len(patches.points)
    beside, lean = square_patches(bgr, pose, xy), square_lean(pose, xy)
    every = np.concatenate([patches.points, beside])
    if read_beside is not None:
        scores = np.exp(read_beside(beside, lean))
    else:
        scores = np.exp(installed_reader().read(every, patches.light, np.concatenate([patches.lean, lean])))
    surely = {
        shade: scores[:, [column for column in range(1, COVERED) if SIDE_OF[column] == shade]].sum(axis=1) >= SURELY
        for shade in tried.shades
    }
    colours = looks_of(every).features(np.ones((len(every), 3), np.float32))[:, :3]
    sure = np.zeros(len(xy), bool)
    for disc in surely.values():
        sure |= disc[points:] & _of_the_set(colours[points:], colours[:points][disc[:points]])
    return tuple(place for place, disc in zip(tried.places, sure, strict=True) if disc)


def _of_the_set(colours: NDArray[np.float32], discs: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Which colours (m, 3) in Lab are like those of a set's discs (k, 3): a shadow as round as a disc is not."""
    if not len(discs):
        return np.zeros(len(colours), np.bool_)
    middle = np.median(discs, axis=0)
    spread = np.maximum(1.4826 * np.median(np.abs(discs - middle), axis=0), SPREAD_FLOOR[:3])
    return np.asarray((((colours - middle) / spread) ** 2).sum(axis=1) <= FARTHEST_IN_SPREADS**2, np.bool_)


def _relit(now: NDArray[np.float32], then: NDArray[np.float32]) -> NDArray[np.float32]:
    """The board of then (s, s, 3) under the light of now."""
    half = (max(1, round(2 * now.shape[1] / UNIT_PX)), max(1, round(2 * now.shape[0] / UNIT_PX)))
    few = [np.asarray(cv2.resize(each, half, interpolation=cv2.INTER_AREA), np.float32) for each in (now, then)]
    ratio = np.asarray((few[0] + _DARK) / (few[1] + _DARK), np.float32)
    gain = np.stack([cv2.medianBlur(ratio[..., k].copy(), _NEIGHBOURHOOD) for k in range(3)], axis=-1)
    return np.asarray(then * cv2.resize(gain, now.shape[1::-1], interpolation=cv2.INTER_LINEAR), np.float32)


def _changed(now: NDArray[np.float32], lit: NDArray[np.float32]) -> NDArray[np.float32]:
    """1 where (s, s) the board looks otherwise than it did, `lit` by the light of now, else 0."""
    away = np.abs(now - lit).max(axis=2)
    return np.asarray(away > max(_LEAST_CHANGE, _TIMES_NOISE * float(np.median(away))), np.float32)


def _like_one_that_went(
    now: BoardPicture, lit: NDArray[np.float32], whole: NDArray[np.float64], went: NDArray[np.float64]
) -> NDArray[np.bool_]:
    """Where (s, s) the board looks like a disc that left its place `went` (m, 2), and did not before.

    What a disc bares has changed in the shape of a disc, too, and lies beside its square if the disc did. So a place
    must be more like one of these discs than like what they left bare, and, where one of them may have lain, more
    like that disc than it was. A disc lay where most around its place has changed, by `whole` (s, s).
    """
    width = 2 * round(HEART * UNIT_PX / 2) + 1
    hearts, before = (np.asarray(cv2.blur(each, (width, width)), np.float32) for each in (now.bgr, lit))
    disc, bare = (np.full(hearts.shape[:2], np.inf, np.float32) for _ in range(2))
    bared = np.zeros(hearts.shape[:2], bool)
    for place in went:
        away = _distance(now.plane, place[None])
        lay = np.unravel_index(np.where(away < OWN_REACH, whole - 0.1 * away, -1.0).argmax(), away.shape)
        unlike, unlike_before = (np.abs(each - before[lay]).sum(axis=2) for each in (hearts, before))
        disc = np.minimum(disc, unlike)
        bare = np.minimum(bare, np.abs(hearts - hearts[lay]).sum(axis=2))
        bared |= (unlike > unlike_before) & (away < WHOLE + HEART)
    return np.asarray((disc < bare) & ~bared)


def _disc_like(
    changed: NDArray[np.float32],
    whole: NDArray[np.float64],
    plane: NDArray[np.float64],
    own: NDArray[np.float64],
    board: Board,
) -> NDArray[np.float64]:
    """How much (s, s) the change around each pixel is like a disc that stands off its square; 0 where it is not."""
    free = (_distance(plane, own) >= OWN_REACH).astype(np.float32)
    inside = _share(changed, np.ones_like(changed), 0.0, HEART)
    around = _share(changed * free, free, *RING)
    nearest = _distance(plane, np.array(board.xy))
    in_board = ((plane > 0) & (plane < (board.width, board.height))).all(axis=2)
    good = (inside >= LEAST_INSIDE) & (around <= MOST_AROUND) & (nearest >= OFF) & in_board
    return np.where(good, whole - around + 1e-3, 0.0)


def _distance(plane: NDArray[np.float64], places: NDArray[np.float64]) -> NDArray[np.float32]:
    """How far (s, s) each place of the plane is from the nearest of some (m, 2); infinite without any."""
    if not len(places):
        return np.full(plane.shape[:2], np.inf, np.float32)
    x, y = (off.astype(np.float32) ** 2 for off in _away_along(plane, places))
    return np.asarray(np.sqrt((y[:, :, None] + x[:, None, :]).min(axis=0)), np.float32)


def _at_points(values: NDArray[np.float64], plane: NDArray[np.float64], board: Board) -> NDArray[np.float64]:
    """The values (s, s) at the board's points: (n,)."""
    column, row = (np.abs(off).argmin(axis=1) for off in _away_along(plane, np.array(board.xy)))
    return np.asarray(values[row, column], np.float64)


def _away_along(
    plane: NDArray[np.float64], places: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """How far the columns of the plane are from some places (m, 2) along x, (m, s), and its rows along y."""
    return plane[0, :, 0] - places[:, :1], plane[:, 0, 1] - places[:, 1:]


def near_strays(places: Sequence[tuple[float, float]], board: Board) -> NDArray[np.bool_]:
    """Points (n,) so near to discs off their squares that neither their being empty nor occupied can be believed."""
    near = np.zeros(board.size, bool)
    for place in places:
        near |= np.linalg.norm(np.array(board.xy) - np.array(place), axis=1) < UNSURE_REACH
    return near


def _share(part: NDArray[np.float32], of: NDArray[np.float32], low: float, high: float) -> NDArray[np.float64]:
    """Share (s, s) of the pixels `of` between two radii in squares around each pixel that are `part`; 1 without any."""
    reach = round(high * UNIT_PX)
    y, x = np.mgrid[-reach : reach + 1, -reach : reach + 1]
    radius = np.hypot(x, y) / UNIT_PX
    kernel = ((radius >= low) & (radius <= high)).astype(np.float32)
    sums = [cv2.filter2D(each, -1, kernel, borderType=cv2.BORDER_REPLICATE) for each in (part, of)]
    return np.asarray(np.where(sums[1] > 0.2 * kernel.sum(), sums[0] / np.maximum(sums[1], 1e-6), 1.0), np.float64)
