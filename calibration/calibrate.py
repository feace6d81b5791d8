"""Calibration: where the board is, how it lies and what it looks like here, from a few frames of a known position."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from calibration.corners import checked, from_corners
from calibration.errors import BoardNotFound, BoardUnlike, CornersUnusable
from calibration.find_any import find_points, find_squares
from calibration.find_board import SURE
from calibration.find_lined import onto_lines
from calibration.found import FoundBoard
from calibration.lens import StoredLens, straight_picture
from calibration.orientation import SWAPPED, Evidence, Orientation, orient, orient_lined, play_parity
from calibration.quality import Quality, quality
from rules.board import Board, BoardKind
from rules.piece import SIDE_OF
from rules.placement import Placement
from rules.position import Position
from rules.variant import Variant
from vision.appearance import Appearance
from vision.errors import PoseError
from vision.evidence import evidence, learn_look
from vision.frame import Frame
from vision.pose import BoardPose, pose_from_corners

LEAST_AGREEMENT = 0.7
"""Share of points that must show what the position says before its look is learned."""
MOST_TRIED = 3
"""Frames in which the board is looked for: what hides it in three hides it in the next."""


@dataclass(frozen=True, slots=True, eq=False)
class Known:
    """What is known of the view beforehand: `corners` in pixels, which replace the search, and the camera's `lens`.

    Four corners for boards of squares, else the outline's in its own order.
    """

    corners: ArrayLike | None = None
    lens: StoredLens | None = None


NOTHING_KNOWN = Known()


@dataclass(frozen=True, slots=True, eq=False)
class Calibration:
    """How this board, these discs and this room look to this camera."""

    pose: BoardPose
    appearance: Appearance | None
    variant: str
    mirrored: bool
    """The board lies with a dark corner at the players' right; the pose contains the reflection."""
    white_is_dark: bool
    """The darker discs are White's."""
    quality: Quality


def calibrate(
    frames: Sequence[Frame],
    variant: Variant,
    position: Position | None,
    known: Known = NOTHING_KNOWN,
    white_is_dark: bool | None = False,
) -> Calibration:
    """Calibrates for `variant` while `position` stands on the board (None: unknown, so no look is learned).

    `white_is_dark`: the darker discs are White's (None: judged by the position).
    Raises BoardNotFound, CornersUnusable, BoardUnlike, or CalibrationFile if the lens is that of other pictures.
    """
    if not frames:
        raise BoardNotFound("saw no frames; expected at least one: check the camera")
    if known.lens is not None:
        return _through_lens(frames, variant, position, known, white_is_dark)
    board, corners = variant.board, known.corners
    placement = None if position is None else position.placement
    if board.rows:
        frame, found = _located(frames, board, corners)
        lies = _oriented(frame.bgr, found, board, placement, white_is_dark)
    else:
        frame = frames[-1]
        lies = _outlined(frame, board, corners, placement)
    appearance = None if placement is None else _learned(frame.bgr, lies, board, placement)
    seen = quality(frame.bgr, lies.pose, board)
    return Calibration(lies.pose, appearance, variant.name, lies.mirrored, lies.white_is_dark, seen)


def _through_lens(
    frames: Sequence[Frame], variant: Variant, position: Position | None, known: Known, white_is_dark: bool | None
) -> Calibration:
    """The same in pictures straightened by the known lens."""
    assert known.lens is not None
    size = frames[0].size
    view = straight_picture(known.lens.at(size), size)
    straight = [Frame(view.of(f.bgr), f.captured_at, f.sequence) for f in frames[:MOST_TRIED]]
    corners = None if known.corners is None else view.corners(known.corners)
    found = calibrate(straight, variant, position, Known(corners), white_is_dark)
    return replace(found, pose=view.pose(found.pose, variant.board))


def _located(frames: Sequence[Frame], board: Board, corners: ArrayLike | None) -> tuple[Frame, FoundBoard]:
    """The frame in which the board is seen best, and the board in it."""
    if corners is not None:
        return frames[-1], from_corners(frames[-1].bgr, corners, board.rows, board.columns)
    best: tuple[Frame, FoundBoard] | None = None
    failure: BoardNotFound | None = None
    for frame in frames[:MOST_TRIED]:
        try:
            found = find_squares(frame.bgr, board)
        except BoardNotFound as error:
            failure = error
            continue
        if best is None or found.confidence > best[1].confidence:
            best = (frame, found)
        if found.confidence >= SURE:
            break
    if best is not None:
        return best
    raise failure or BoardNotFound("saw no board; expected one in view: check the camera")


def _outlined(frame: Frame, board: Board, corners: ArrayLike | None, placement: Placement | None) -> Orientation:
    """The pose of a board that is not a grid of squares, by its lines or from its outline's corners in their order."""
    if corners is None:
        found = find_points(frame.bgr, board)
        return orient_lined(found.pose, board, partial(_look, frame.bgr, board), placement, side_known=found.side_known)
    given = checked(corners, frame.size, len(board.outline))
    try:
        pose = pose_from_corners(given, board, frame.size)
    except PoseError as error:
        raise CornersUnusable(str(error)) from error
    return Orientation(onto_lines(frame.bgr, pose, board), 0, False, False, 0.0)


def _oriented(
    bgr: NDArray[np.uint8], found: FoundBoard, board: Board, placement: Placement | None, white_is_dark: bool | None
) -> Orientation:
    """How the board lies; the other colour of squares is tried if the position does not fit on the likelier one."""
    look = partial(_look, bgr, board)
    parity = play_parity(bgr, found) if board.kind is BoardKind.CHEQUERED else None
    lies = orient(found, board, look, placement, parity, white_is_dark)
    if placement is None:
        return lies
    share = _agreement(look(lies.pose), placement, lies.white_is_dark)
    if share < LEAST_AGREEMENT and parity is not None:
        other = orient(found, board, look, placement, 1 - parity, white_is_dark)
        other_share = _agreement(look(other.pose), placement, other.white_is_dark)
        if other_share > share:
            lies, share = other, other_share
    if share < LEAST_AGREEMENT and found.turns is not None:  # the markers were laid for the other side
        return _oriented(bgr, replace(found, turns=None), board, placement, white_is_dark)
    if share < LEAST_AGREEMENT:
        raise BoardUnlike(
            f"saw what the position says on {share:.0%} of the squares; expected at least {LEAST_AGREEMENT:.0%}: "
            "set up the position, check the variant, and calibrate again"
        )
    return lies


def _look(bgr: NDArray[np.uint8], board: Board, pose: BoardPose) -> Evidence:
    return evidence(bgr, pose, board).log_likelihood


def _agreement(seen: Evidence, placement: Placement, white_is_dark: bool) -> float:
    """Share of points whose likeliest content has the right side (kings count as men)."""
    columns = seen[:, SWAPPED] if white_is_dark else seen
    side = np.array(SIDE_OF)
    held: NDArray[Any] = np.frombuffer(placement.pieces, np.uint8)
    return float(np.mean(side[columns.argmax(axis=1)] == side[held]))


def _learned(bgr: NDArray[np.uint8], lies: Orientation, board: Board, placement: Placement) -> Appearance:
    """The look of the discs that stand on the board: light ones as White's."""
    pieces = [SWAPPED[piece] if lies.white_is_dark else piece for piece in placement.pieces]
    return learn_look(bgr, lies.pose, board, pieces)
