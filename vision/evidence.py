"""What each square of the board shows, as likelihoods: the network's reading and the learned look put together."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from rules.board import Board
from rules.piece import Piece
from vision.appearance import Appearance, SetLook, king_odds_of, learn, set_likelihood, usual_light
from vision.kings import NONE_YET, king_odds, no_disc_has_left
from vision.looks import Looks, local_gain, looks_of
from vision.patches import BoardPatches, board_patches
from vision.pose import BoardPose
from vision.reader import COVERED, SquareReader, installed_reader, network_king_odds, occupied_odds
from vision.sets import side_odds

TEMPERATURE = 0.8
"""Undoes the softness of the targets it was trained on; fitted on pictures it never saw."""
KINGS_ARE_RARE = -1.0
"""Added to the log-odds of king over man where no game is known: boards have fewer kings than what it learned from."""
IN_A_GAME = 1.25
"""The same where looks of one game are weighed together: they repeat one another's misreadings, so each counts less."""
DOUBT = 0.002
"""Share of readings that are wrong for no visible reason: bounds every likelihood."""
HIDDEN_FROM = 0.5
SIDE_BOUND = 9.0
KING_SIDE_BOUND = 2.5
"""A king's mark covers the heart of its disc and may be of any colour: its side shows less surely than a man's."""
EMPTY_BOUND = 7.0
MARK_LIKE_BARE = -2.5
"""The most (natural log) that a heart of a bare square's colour says against a king: its mark may be of that colour."""
EMPTY_SPREAD = np.array([7.0, 5.0, 5.0, 2.5], np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class BoardEvidence:
    """`log_likelihood` (n, 5) float32 in the order of Piece, normalised per square, and `hidden` (n,) bool; read-only.

    WHITE columns are the light discs, BLACK columns the dark ones.
    """

    log_likelihood: NDArray[np.float32]
    hidden: NDArray[np.bool_]

    def __post_init__(self) -> None:
        for name in ("log_likelihood", "hidden"):
            array = getattr(self, name).copy()
            array.flags.writeable = False
            object.__setattr__(self, name, array)

    def pieces(self) -> NDArray[np.int64]:
        """The likeliest piece of each square (n,)."""
        return np.asarray(self.log_likelihood.argmax(axis=1), np.int64)

    def sureness(self) -> NDArray[np.float32]:
        """Probability (n,) of the likeliest piece, 0 where hidden."""
        best = np.exp(self.log_likelihood.max(axis=1))
        return np.where(self.hidden, 0.0, best).astype(np.float32)


def evidence(
    bgr: NDArray[np.uint8],
    pose: BoardPose,
    board: Board,
    appearance: Appearance | None = None,
    reader: SquareReader | None = None,
) -> BoardEvidence:
    """Reads the board in one picture (h, w, 3) BGR; with an `appearance` of this set it is surer of sides."""
    return evidence_of(board_patches(bgr, pose, board), board, appearance, reader)


def evidence_of(
    patches: BoardPatches, board: Board, appearance: Appearance | None = None, reader: SquareReader | None = None
) -> BoardEvidence:
    """The same from patches that have been sampled already."""
    scores = (reader or installed_reader()).read(patches.points, patches.light, patches.lean)
    if reader not in (None, installed_reader()):
        kings = network_king_odds(scores)
    elif appearance is None and no_disc_has_left(scores, board):
        kings = np.full(len(scores), NONE_YET, np.float32)
    else:
        kings = king_odds(patches, scores)
    return evidence_from(scores, kings, patches, board, appearance)


def evidence_from(
    scores: NDArray[np.float32],
    kings: NDArray[np.float32],
    patches: BoardPatches,
    board: Board,
    appearance: Appearance | None,
) -> BoardEvidence:
    """The same from what the reader said of the squares, `scores` (n, 6), and from log-odds of `kings` (n,)."""
    looks = looks_of(patches.points)
    if appearance is None:
        joint, temperature = _without_look(scores, kings, looks), TEMPERATURE
    else:
        appearance.fits(board.size, len(board.idle_xy))
        features = _features(looks, looks_of(patches.idle), appearance, board, scores)
        joint, temperature = _with_look(scores, kings, features, appearance), IN_A_GAME
    return _calibrated(joint, scores, looks, temperature)


def learn_look(
    bgr: NDArray[np.uint8],
    pose: BoardPose,
    board: Board,
    pieces: Sequence[int],
    previous: Appearance | None = None,
    rate: float = 0.1,
) -> Appearance:
    """Learns the look from a picture in which `pieces` (n,) stand (light discs as White, -1 where not known)."""
    patches = board_patches(bgr, pose, board)
    scores = installed_reader().read(patches.points, patches.light, patches.lean)
    return learn(patches.points, pieces, patches.idle, king_odds(patches, scores), previous, rate)


def read_grid(seen: BoardEvidence, board: Board, least_sure: float = 0.6) -> list[str]:
    """The board as text, far row first: `.` empty or not played on, `w b W B`, `?` hidden or less sure than asked."""
    marks = np.array(list(".wbWB"))[seen.pieces()]
    marks = np.where(seen.sureness() < least_sure, "?", marks)
    rows = [["."] * board.columns for _ in range(board.rows)]
    for (x, y), mark in zip(board.xy, marks, strict=True):
        rows[board.rows - 1 - int(y)][int(x)] = str(mark)
    return ["".join(row) for row in rows]


def swapped(seen: BoardEvidence) -> BoardEvidence:
    """The same evidence where the light discs play Black."""
    columns = [Piece.EMPTY, Piece.BLACK_MAN, Piece.WHITE_MAN, Piece.BLACK_KING, Piece.WHITE_KING]
    return replace(seen, log_likelihood=seen.log_likelihood[:, columns])


def _without_look(scores: NDArray[np.float32], kings: NDArray[np.float32], looks: Looks) -> NDArray[np.float32]:
    """Joint scores (n, 5): occupancy and kings from the networks, sides from the two sets that the board shows."""
    light_side = side_odds(scores, looks)
    return _joint(occupied_odds(scores), kings + np.float32(KINGS_ARE_RARE), light_side)


def _with_look(
    scores: NDArray[np.float32], kings: NDArray[np.float32], features: NDArray[np.float32], appearance: Appearance
) -> NDArray[np.float32]:
    """Joint scores (n, 5) where the learned look decides the side and helps with empty squares."""
    sets = (appearance.light, appearance.dark)
    fits = np.stack(
        [np.full(len(features), -25.0, np.float32) if s is None else set_likelihood(s, features) for s in sets]
    )
    network_side = np.logaddexp(scores[:, 1], scores[:, 3]) - np.logaddexp(scores[:, 2], scores[:, 4])
    side = _side(fits, network_side, sets)
    by_look = _occupied_by_look(features, appearance, fits.max(axis=0), sets)
    own_kings = kings
    for look, own in zip(sets, (side >= 0, side < 0), strict=True):
        if look is not None:
            own_kings = np.where(own, king_odds_of(look, kings), own_kings)
    joint = _joint(occupied_odds(scores) + by_look, own_kings.astype(np.float32), side.astype(np.float32))
    joint[:, 3:] += (MARK_LIKE_BARE - by_look).clip(0)[:, None]
    return joint


def _side(
    fits: NDArray[np.float32], network_side: NDArray[np.float32], sets: tuple[SetLook | None, SetLook | None]
) -> NDArray[np.float32]:
    """Log-odds (n,) of the light side from how the looks of both sets fit (2, n) and from what the network says.

    A look decides that was learned from men; of one learned from the marked tops of kings it says little.
    """
    if any(look is None for look in sets):
        return network_side
    if all(look is not None and look.count for look in sets):
        return np.asarray(np.clip(fits[0] - fits[1], -SIDE_BOUND, SIDE_BOUND) + 0.3 * network_side, np.float32)
    return np.asarray(np.clip(fits[0] - fits[1], -KING_SIDE_BOUND, KING_SIDE_BOUND) + network_side, np.float32)


def _occupied_by_look(
    features: NDArray[np.float32],
    appearance: Appearance,
    disc_fit: NDArray[np.float32],
    sets: tuple[SetLook | None, SetLook | None],
) -> NDArray[np.float32]:
    """Log-odds (n,) that the heart looks like a disc rather than like this very square when empty."""
    fit = appearance.empty_fit(features, EMPTY_SPREAD)
    spreads = [np.log(s.spread[:3]).sum() for s in sets if s is not None]
    if not np.isfinite(fit).all() or not spreads:
        return np.zeros(len(features), np.float32)
    empty_fit = fit - np.log(EMPTY_SPREAD[:3]).sum()
    return np.asarray(np.clip(0.9 * (disc_fit - empty_fit), -EMPTY_BOUND, EMPTY_BOUND), np.float32)


def _features(
    looks: Looks, idle: Looks, appearance: Appearance, board: Board, scores: NDArray[np.float32]
) -> NDArray[np.float32]:
    """Features (n, 4) of the points under the light of the day they were learned."""
    xy, idle_xy = np.array(board.xy, np.float64), np.array(board.idle_xy, np.float64).reshape(-1, 2)
    fixed = usual_light(appearance, looks, scores[:, 0] > np.log(0.9))
    now = np.concatenate([idle.bgr, looks.bgr[fixed]])
    usual = np.concatenate([appearance.idle_bgr, appearance.empty_bgr[fixed]])
    gain = local_gain(now, usual, np.concatenate([idle_xy, xy[fixed]]), xy)
    return looks.features(gain)


def _joint(occupied: NDArray[np.float32], king: NDArray[np.float32], light: NDArray[np.float32]) -> NDArray[np.float32]:
    """Log-probabilities (n, 5) from the log-odds of occupied, king and light side, each (n,)."""
    yes, no = (-np.logaddexp(0, -occupied), -np.logaddexp(0, occupied))
    kings, men = (-np.logaddexp(0, -king), -np.logaddexp(0, king))
    lights, darks = (-np.logaddexp(0, -light), -np.logaddexp(0, light))
    crowned = np.clip(light, -KING_SIDE_BOUND, KING_SIDE_BOUND)
    crowned_lights, crowned_darks = (-np.logaddexp(0, -crowned), -np.logaddexp(0, crowned))
    columns = [no, yes + men + lights, yes + men + darks, yes + kings + crowned_lights, yes + kings + crowned_darks]
    return np.stack(columns, axis=1).astype(np.float32)


def _calibrated(
    joint: NDArray[np.float32], scores: NDArray[np.float32], looks: Looks, temperature: float
) -> BoardEvidence:
    """Softened by the temperature, by glare and by what covers a square."""
    covered = np.exp(scores[:, COVERED])
    hidden = covered > HIDDEN_FROM
    trust = (1 - 0.6 * np.clip(looks.glare, 0, 1)) * (1 - covered) / temperature
    soft = joint * np.where(hidden, 0.05, trust)[:, None]
    chance = np.exp(soft - soft.max(axis=1, keepdims=True))
    chance /= chance.sum(axis=1, keepdims=True)
    bounded = (1 - DOUBT) * chance + DOUBT / len(Piece)
    return BoardEvidence(np.log(bounded).astype(np.float32), hidden)
