"""Is something moving over the board, is a hand over it, or is it still: on a small grey picture, in seconds."""

from dataclasses import dataclass, replace
from enum import Enum

import cv2
import numpy as np
from numpy.typing import NDArray

from rules.board import Board
from vision.frame import Frame
from vision.pose import BoardPose
from vision.scenery import (
    Mask,
    Scenery,
    absorbed,
    area,
    first_scenery,
    only_light,
    resting_since,
    strange,
    unveiled,
    veiled,
    watched_on,
)
from vision.straight import UNIT_PX, GreyPicture, StraightView, local_contrast, straight_view

_ROUNDING = 1e-6
"""Seconds by which the difference of two times may be too small."""
_RIM = 0.35
"""Width in squares of the outermost strip, in which what comes from outside must show."""
_WHOLE_OF_ENTERED = 0.5
"""What a square of board under a thing that reaches in counts: there discs may hide where else it shows."""


class Activity(Enum):
    """What goes on over the board."""

    STILL = "still"
    MOVING = "moving"
    HAND = "hand"


@dataclass(frozen=True, slots=True)
class WatchSettings:
    """Areas are in squares of the board; those of things are measured where no disc that stands on a point can show."""

    moving_area: float = 0.16
    thing_area: float = 0.3
    """A change that reaches in from beyond the edge and is larger than this is a thing: a hand, a sleeve."""
    entering_area: float = 0.2
    """Of that, what must show at the outer edge of the margin: arms are wider than the shadow of a disc is long."""
    inner_thing_area: float = 0.8
    """A change as large as this is a thing even if it does not reach the edge."""
    hand_area: float = 0.15
    """Things over more of the playing area than this are a hand over the board."""
    covered_area: float = 0.25
    """A point is covered if a thing lies over more than this of its square,"""
    veiling_area: float = 0.1
    """and over more than this around it, where its disc cannot show."""
    disturbed_share: float = 0.4
    """A change of this share of all that is watched may well be the camera or the board that was moved."""
    absorb_seconds: float = 10.0
    """How long a thing must have lain over the board, unmoved itself, until the squares beside it are read again."""
    disturbed_seconds: float = 2.0
    """The same where so much has changed that the board may have to be found again."""
    settle_seconds: float = 0.4
    """How long the board must be still before it becomes what things are told from."""


@dataclass(frozen=True, slots=True, eq=False)
class Watched:
    """What one frame showed: the activity, how long nothing has changed, areas in squares, and points under things.

    `covered` (n,) are the points that a thing covers or has covered since it came to rest: what they show is no
    piece. `veiled` (n,) are those of them under things that have lain there for long.
    """

    activity: Activity
    still_seconds: float
    moving_area: float
    strange_area: float
    covered: NDArray[np.bool_]
    veiled: NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class WatchState:
    """All that the watch remembers; begin with `watching(board)`."""

    board: Board
    settings: WatchSettings
    view: StraightView | None = None
    previous: GreyPicture | None = None
    anchor: GreyPicture | None = None
    """The first picture of the present stillness, against which creeping changes add up."""
    still_since: float = 0.0
    scenery: Scenery | None = None


@dataclass(frozen=True, slots=True, eq=False)
class _Things:
    """Things seen over the board or its margin (h, w), those of them that have lain there for long, areas in squares.

    `over_board` is the area over the board of things that have not, `changed` that of all change.
    """

    mask: Mask
    resting: Mask
    over_board: float
    changed: float


def watching(board: Board, settings: WatchSettings | None = None) -> WatchState:
    """The state before the first frame."""
    return WatchState(board, settings or WatchSettings())


def watch(state: WatchState, frame: Frame, pose: BoardPose) -> tuple[WatchState, Watched]:
    """Takes in one frame. The first one is MOVING, for one picture cannot show stillness."""
    view, now = state.view, frame.captured_at
    if view is None or view.pose is not pose or view.size != frame.size:
        return _begun(state, frame, pose)
    contrast = local_contrast(frame, view)
    if state.previous is None or state.anchor is None:
        return _begun(state, frame, pose)
    moving = max(area(contrast, state.previous), area(contrast, state.anchor))
    moved = moving > state.settings.moving_area
    state = replace(
        state,
        previous=contrast,
        anchor=contrast if moved else state.anchor,
        still_since=now if moved else state.still_since,
    )
    return _judged(state, contrast, view, now, moving if moved else min(moving, state.settings.moving_area))


def is_settled(seen: Watched, settle_seconds: float) -> bool:
    """Whether the board has lain still, without a hand, for long enough to be read."""
    return seen.activity is Activity.STILL and seen.still_seconds >= settle_seconds - _ROUNDING


def shown(state: WatchState, points: NDArray[np.bool_]) -> WatchState:
    """The state after `points` (n,) under things were seen to show their squares: it was no thing after all."""
    if state.scenery is None or state.view is None:
        return state
    return replace(state, scenery=unveiled(state.scenery, state.view, points))


def _begun(state: WatchState, frame: Frame, pose: BoardPose) -> tuple[WatchState, Watched]:
    """The first frame in this pose; what the board looked like in another pose still holds."""
    view = straight_view(pose, state.board, frame.size)
    contrast = local_contrast(frame, view)
    state = replace(state, view=view, previous=contrast, anchor=contrast, still_since=frame.captured_at)
    none = np.zeros(state.board.size, bool)
    return state, Watched(Activity.MOVING, 0.0, 0.0, 0.0, none, none)


def _judged(
    state: WatchState, contrast: GreyPicture, view: StraightView, now: float, moving: float
) -> tuple[WatchState, Watched]:
    """The activity, and the scenery after it."""
    settings, still = state.settings, now - state.still_since
    moved = moving > settings.moving_area
    scenery = state.scenery
    if scenery is None:
        if not moved and still >= settings.settle_seconds - _ROUNDING:
            state = replace(state, scenery=first_scenery(contrast, now))
        none = np.zeros(state.board.size, bool)
        return state, Watched(Activity.MOVING if moved else Activity.STILL, still, moving, 0.0, none, none)
    if not moved:  # a hand that passes over a cup does not make it a new one
        scenery = watched_on(scenery, contrast, now)
    things = _things(contrast, scenery, view, settings, now)
    hand = things.over_board > settings.hand_area
    if not hand and not moved:
        if things.resting.any():
            scenery = veiled(scenery, contrast, view, things.resting)
        if still >= settings.settle_seconds - _ROUNDING:
            scenery = absorbed(scenery, contrast, view, things.mask, now)
    activity = Activity.HAND if hand else Activity.MOVING if moved else Activity.STILL
    under = _points_under(scenery.veil, view, settings)
    covered = under | _points_under(things.mask, view, settings)
    return replace(state, scenery=scenery), Watched(activity, still, moving, things.changed, covered, under)


def _things(
    contrast: GreyPicture, scenery: Scenery, view: StraightView, settings: WatchSettings, now: float
) -> _Things:
    """Changes that are neither discs put on points nor light."""
    changed = strange(contrast, scenery)
    total = float(np.count_nonzero(changed)) / UNIT_PX**2
    none = np.zeros(changed.shape, bool)
    if total < settings.thing_area:
        return _Things(none, none, 0.0, total)
    disturbed = total > settings.disturbed_share * contrast.size / UNIT_PX**2
    patience = settings.disturbed_seconds if disturbed else settings.absorb_seconds
    labels, entering, inner = _parts(changed & ~only_light(contrast, scenery), view, settings)
    things = entering + inner
    since = resting_since(scenery, contrast, now)
    rests = [thing for thing in things if now - np.percentile(since[labels == thing], 80) >= patience]
    mask, resting = _filled(labels, things), _filled(labels, rests)
    lately = mask & ~resting & view.inside
    entered = _filled(labels, [thing for thing in entering if thing not in rests]) & lately
    over = max(np.count_nonzero(lately & view.elsewhere), _WHOLE_OF_ENTERED * np.count_nonzero(entered))
    return _Things(mask, resting, over / UNIT_PX**2, total)


def _parts(
    changed: Mask, view: StraightView, settings: WatchSettings
) -> tuple[NDArray[np.int32], list[int], list[int]]:
    """Labels (h, w) of the connected parts of a change; those that reach in from outside, and other things."""
    gap = np.ones((UNIT_PX // 3, UNIT_PX // 3), np.uint8)
    joined = cv2.morphologyEx(changed.astype(np.uint8), cv2.MORPH_CLOSE, gap)
    count, found = cv2.connectedComponents(joined, connectivity=4)
    labels = np.asarray(found, np.int32)
    flat = labels.reshape(-1)
    reaching = np.bincount(flat[_rim(view).reshape(-1)], minlength=count) / UNIT_PX**2
    beside = np.bincount(flat[view.elsewhere.reshape(-1)], minlength=count) / UNIT_PX**2
    from_outside = (reaching > settings.entering_area) & (beside > settings.thing_area)
    inner = ~from_outside & (beside > settings.inner_thing_area)
    entering, others = ([int(part) for part in np.flatnonzero(kind) if part > 0] for kind in (from_outside, inner))
    return labels, entering, others


def _filled(labels: NDArray[np.int32], things: list[int]) -> Mask:
    """Where (h, w) things lie, with all between their parts: a thing may be as grey as the squares under it."""
    mask = np.zeros(labels.shape, np.uint8)
    for thing in things:
        y, x = np.nonzero(labels == thing)
        cv2.fillConvexPoly(mask, cv2.convexHull(np.stack([x, y], axis=1).astype(np.int32)), 1)
    return mask.astype(bool)


def _rim(view: StraightView) -> Mask:
    """The outer half of what is watched beyond the discs (h, w)."""
    width = max(2, round(_RIM * UNIT_PX))
    rim = np.ones(view.inside.shape, bool)
    rim[width:-width, width:-width] = False
    return rim


def _points_under(mask: Mask, view: StraightView, settings: WatchSettings) -> NDArray[np.bool_]:
    """Points (n,) that a mask (h, w) covers, told by what shows around their discs."""
    if not mask.any():
        return np.zeros(len(view.centres), bool)
    own = _summed(mask, 0.45)[view.centres[:, 1], view.centres[:, 0]]
    around = _summed(mask & view.elsewhere, 0.8)[view.centres[:, 1], view.centres[:, 0]]
    return np.asarray((own > settings.covered_area) & (around > settings.veiling_area))


def _summed(mask: Mask, reach: float) -> NDArray[np.float32]:
    """Area (h, w) in squares of the mask within `reach` squares of each pixel, to either side."""
    width = 2 * round(reach * UNIT_PX) + 1
    sums = cv2.boxFilter(mask.astype(np.float32), -1, (width, width), normalize=False)
    return np.asarray(sums / UNIT_PX**2, np.float32)
