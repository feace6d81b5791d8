"""Is something moving over the board, is a hand over it, or is it still: on a small grey picture, in seconds."""

from dataclasses import dataclass, replace
from enum import Enum

import cv2
import numpy as np
from numpy.typing import NDArray

from rules.board import Board
from vision.frame import Frame
from vision.pose import BoardPose

GreyPicture = NDArray[np.float32]


class Activity(Enum):
    """What goes on over the board."""

    STILL = "still"
    MOVING = "moving"
    HAND = "hand"


@dataclass(frozen=True, slots=True)
class WatchSettings:
    """Areas are in squares of the board, changes in natural logarithms of local contrast."""

    small_width_px: int = 320
    unit_px: int = 12
    """Size of a square in the straightened small picture."""
    margin: float = 0.7
    """How far beyond the playing area hands are watched for."""
    change: float = 0.16
    """Least change of local contrast that counts; noise of a dim camera stays below."""
    moving_area: float = 0.16
    hand_area: float = 0.9
    """A change that reaches in from beyond the edge and is larger than this is a hand."""
    inner_hand_area: float = 3.2
    """A single change as large as this is no disc even if it does not reach the edge."""
    disturbed_share: float = 0.4
    """A change of this share of all that is watched is no hand: the camera or the board was moved."""
    absorb_seconds: float = 15.0
    """What has lain unmoved for this long is scenery, not a hand."""
    settle_seconds: float = 0.4
    """How long the board must be still before it becomes what hands are compared with."""


@dataclass(frozen=True, slots=True)
class Watched:
    """What one frame showed: the activity, how long nothing has changed, and the changed area in squares."""

    activity: Activity
    still_seconds: float
    moving_area: float
    strange_area: float


@dataclass(frozen=True, slots=True, eq=False)
class WatchState:
    """All that the watch remembers; begin with `watching(board)`."""

    board: Board
    settings: WatchSettings
    pose: BoardPose | None = None
    previous: GreyPicture | None = None
    anchor: GreyPicture | None = None
    """The first picture of the present stillness, against which creeping changes add up."""
    still_since: float = 0.0
    settled: GreyPicture | None = None
    """The board when it last lay still without a hand."""


def watching(board: Board, settings: WatchSettings | None = None) -> WatchState:
    """The state before the first frame."""
    return WatchState(board, settings or WatchSettings())


def watch(state: WatchState, frame: Frame, pose: BoardPose) -> tuple[WatchState, Watched]:
    """Takes in one frame. The first one is MOVING, for one picture cannot show stillness."""
    contrast = local_contrast(frame, pose, state.board, state.settings)
    now = frame.captured_at
    if state.pose is not pose or state.previous is None or state.anchor is None:
        fresh = replace(state, pose=pose, previous=contrast, anchor=contrast, still_since=now, settled=None)
        return fresh, Watched(Activity.MOVING, 0.0, 0.0, 0.0)
    moving = max(_area(contrast, state.previous, state.settings), _area(contrast, state.anchor, state.settings))
    hand, strange = _hand(contrast, state)
    if moving > state.settings.moving_area:
        moved = replace(state, previous=contrast, anchor=contrast, still_since=now)
        return moved, Watched(Activity.HAND if hand else Activity.MOVING, 0.0, moving, strange)
    still_seconds = now - state.still_since
    hand = hand and still_seconds < state.settings.absorb_seconds
    calm = replace(state, previous=contrast)
    if not hand and still_seconds >= state.settings.settle_seconds:
        calm = replace(calm, settled=contrast)
    return calm, Watched(Activity.HAND if hand else Activity.STILL, still_seconds, moving, strange)


def is_settled(seen: Watched, settle_seconds: float) -> bool:
    """Whether the board has lain still, without a hand, for long enough to be read."""
    return seen.activity is Activity.STILL and seen.still_seconds >= settle_seconds


def local_contrast(frame: Frame, pose: BoardPose, board: Board, settings: WatchSettings) -> GreyPicture:
    """The board and its margin straightened and small, as logarithm of brightness over that of the surroundings.

    Light that changes everywhere, or softly from place to place, leaves it as it is. float32 (h, w).
    """
    width, height = frame.size
    scale = min(1.0, settings.small_width_px / width)
    small_size = (max(1, round(width * scale)), max(1, round(height * scale)))
    small = cv2.cvtColor(cv2.resize(frame.bgr, small_size, interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2GRAY)
    columns = round((board.width + 2 * settings.margin) * settings.unit_px)
    rows = round((board.height + 2 * settings.margin) * settings.unit_px)
    x = (np.arange(columns) + 0.5) / settings.unit_px - settings.margin
    y = board.height + settings.margin - (np.arange(rows) + 0.5) / settings.unit_px
    plane = np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)
    pixels = (pose.project(plane) + 0.5) * (small_size[0] / width, small_size[1] / height) - 0.5
    places = pixels.astype(np.float32).reshape(rows, columns, 2)
    straight = cv2.remap(small, places[..., 0], places[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    straight = cv2.GaussianBlur(straight.astype(np.float32), (0, 0), 0.8)
    logarithm = np.log(straight + 14.0)
    return np.asarray(logarithm - cv2.GaussianBlur(logarithm, (0, 0), 1.1 * settings.unit_px), np.float32)


def _area(one: GreyPicture, other: GreyPicture, settings: WatchSettings) -> float:
    """Area in squares on which two pictures differ, specks left out."""
    return float(_changed(one, other, settings).sum()) / settings.unit_px**2


def _changed(one: GreyPicture, other: GreyPicture, settings: WatchSettings) -> NDArray[np.uint8]:
    difference = cv2.absdiff(one, other)
    changed = (difference > settings.change).astype(np.uint8)
    return np.asarray(cv2.morphologyEx(changed, cv2.MORPH_OPEN, np.ones((2, 2), np.uint8)), np.uint8)


def _hand(contrast: GreyPicture, state: WatchState) -> tuple[bool, float]:
    """Whether something larger than discs lies over the board compared with its last stillness; its area in squares."""
    settings = state.settings
    if state.settled is None:
        return False, 0.0
    gap = settings.unit_px // 3
    joined = cv2.morphologyEx(
        _changed(contrast, state.settled, settings), cv2.MORPH_CLOSE, np.ones((gap, gap), np.uint8)
    )
    count, labels, stats, _ = cv2.connectedComponentsWithStats(joined, connectivity=4)
    rim = max(2, round(0.5 * settings.margin * settings.unit_px))
    outside = np.ones(labels.shape, bool)
    outside[rim:-rim, rim:-rim] = False
    reaching = np.bincount(labels[outside], minlength=count)
    area = stats[:, cv2.CC_STAT_AREA] / settings.unit_px**2
    body = np.arange(count) > 0
    from_outside = body & (reaching > settings.unit_px // 2) & (area > settings.hand_area)
    inside = body & (area > settings.inner_hand_area)
    strange = from_outside | inside
    total = float(area[strange].sum())
    everything = labels.size / settings.unit_px**2
    return 0 < total < settings.disturbed_share * everything, total
