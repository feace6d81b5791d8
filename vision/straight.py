"""The board and its margin small, grey and straightened: what activity is judged on."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from rules.board import Board
from vision.frame import Frame
from vision.pose import BoardPose

GreyPicture = NDArray[np.float32]

SMALL_WIDTH_PX = 320
"""Width to which the whole picture is reduced."""
UNIT_PX = 12
"""Size of a square in the straightened picture."""
_MARGIN = 0.7
"""How far beyond the playing area hands are watched for, in squares; beyond what discs on its edge reach, so much."""
SURROUNDINGS = 2.2
"""Width in squares of each of the three means that make up the surroundings: a disc moved must hardly show in them."""
DISC_REACH = 0.56
"""Radius in squares within which a disc lies, off centre as players put them."""
DISC_HEIGHTS = (0.0, 0.2, 0.4)
"""Heights in squares at which a man or a stack hides what is behind it."""
_UNDER_DISCS = 0.05
"""What places where discs may stand count in the surroundings: a set-up must not change the light squares beside it."""
_DARK = 14.0
"""Grey levels added before the logarithm, so that noise in the dark counts little."""
_RING = np.stack([np.cos(np.linspace(0, 2 * np.pi, 25)), np.sin(np.linspace(0, 2 * np.pi, 25))], axis=1)


@dataclass(frozen=True, slots=True, eq=False)
class StraightView:
    """How to straighten pictures of one size for one pose: computed once, used for every frame.

    `places` (h, w, 2) are pixels of the reduced crop `box` (left, top, right, bottom) of the picture; `inside` (h, w)
    the playing area; `elsewhere` (h, w) where no disc that stands on a point can show; `centres` (n, 2) the points.
    `weight` (h, w) is what each pixel counts in the surroundings of others, `weights` the sum of that around each.
    """

    pose: BoardPose
    size: tuple[int, int]
    box: tuple[int, int, int, int]
    small_size: tuple[int, int]
    places: tuple[NDArray[np.int16], NDArray[np.uint16]]
    inside: NDArray[np.bool_]
    elsewhere: NDArray[np.bool_]
    centres: NDArray[np.int64]
    weight: GreyPicture
    weights: GreyPicture
    margin: float
    """How far beyond the playing area it reaches, in squares."""


def straight_view(pose: BoardPose, board: Board, size: tuple[int, int]) -> StraightView:
    """The view of a board in pictures of `size` (width, height)."""
    margin = _margin(board)
    x = (np.arange(round((board.width + 2 * margin) * UNIT_PX)) + 0.5) / UNIT_PX - margin
    y = board.height + margin - (np.arange(round((board.height + 2 * margin) * UNIT_PX)) + 0.5) / UNIT_PX
    plane = np.stack(np.meshgrid(x, y), axis=-1)
    pixels = pose.project(plane.reshape(-1, 2))
    factor = max(1, round(size[0] / SMALL_WIDTH_PX))
    box = _box(pixels, size, factor)
    reduced = (pixels + 0.5 - box[:2]) / factor - 0.5
    places = np.clip(reduced, -1e4, 1e4).astype(np.float32).reshape(*plane.shape)
    fixed = cv2.convertMaps(places[..., 0].copy(), places[..., 1].copy(), cv2.CV_16SC2)
    inside = ((plane > 0) & (plane < (board.width, board.height))).all(axis=2)
    points = np.array(board.xy, np.float64)
    centres = np.stack([(points[:, 0] + margin), (board.height + margin - points[:, 1])], axis=1) * UNIT_PX
    elsewhere = ~_disc_reach(pose, board, (len(y), len(x)), margin)
    weight = np.where(elsewhere, 1.0, _UNDER_DISCS).astype(np.float32)
    return StraightView(
        pose=pose,
        size=size,
        box=box,
        small_size=((box[2] - box[0]) // factor, (box[3] - box[1]) // factor),
        places=(np.asarray(fixed[0], np.int16), np.asarray(fixed[1], np.uint16)),
        inside=np.asarray(inside),
        elsewhere=elsewhere,
        centres=np.floor(centres).astype(np.int64),
        weight=weight,
        weights=_around(weight),
        margin=margin,
    )


def local_contrast(frame: Frame, view: StraightView) -> GreyPicture:
    """The logarithm of brightness over that of the surroundings: (h, w) float32.

    Light that changes everywhere, or softly from place to place, leaves it as it is, and so do discs, however many.
    """
    left, top, right, bottom = view.box
    grey = cv2.cvtColor(frame.bgr[top:bottom, left:right], cv2.COLOR_BGR2GRAY)
    small = cv2.resize(grey, view.small_size, interpolation=cv2.INTER_AREA)
    straight = cv2.remap(small, *view.places, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    soft = cv2.GaussianBlur(straight.astype(np.float32), (0, 0), 0.8)
    logarithm = np.log(soft + _DARK)
    return np.asarray(logarithm - _around(logarithm * view.weight) / view.weights, np.float32)


def _around(picture: GreyPicture) -> GreyPicture:
    """A soft mean of what is around each pixel: three boxes are nearly a bell."""
    width = 2 * round(SURROUNDINGS * UNIT_PX / 2) + 1
    for _ in range(3):
        picture = np.asarray(cv2.blur(picture, (width, width)), np.float32)
    return picture


def _box(pixels: NDArray[np.float64], size: tuple[int, int], factor: int) -> tuple[int, int, int, int]:
    """The part of the picture that is needed, with a little around it; whole steps of `factor` are reduced quickly."""
    low = np.clip(np.floor(pixels.min(axis=0)) - factor, 0, np.array(size) - factor).astype(int)
    high = np.clip(np.ceil(pixels.max(axis=0)) + factor + 1, low + factor, np.array(size)).astype(int)
    high = low + (high - low) // factor * factor
    return int(low[0]), int(low[1]), int(high[0]), int(high[1])


def _margin(board: Board) -> float:
    """How far beyond the playing area the view reaches: farther where discs stand on its edge."""
    points = np.array(board.xy, np.float64)
    inset = float(min(points.min(), (np.array([board.width, board.height]) - points).min()))
    return _MARGIN + max(0.0, 0.5 - inset)


def _disc_reach(pose: BoardPose, board: Board, shape: tuple[int, int], margin: float) -> NDArray[np.bool_]:
    """Where (h, w) a man or a stack on any point would show, on the straightened plane."""
    mask = np.zeros(shape, np.uint8)
    for centre in np.array(board.xy, np.float64):
        rings = [pose.unproject(pose.project(centre + DISC_REACH * _RING, height)) for height in DISC_HEIGHTS]
        places = (np.vstack(rings) + margin) * UNIT_PX
        places[:, 1] = (board.height + 2 * margin) * UNIT_PX - places[:, 1]
        outline = cv2.convexHull(np.clip(places, -1e4, 1e4).astype(np.float32))
        cv2.fillConvexPoly(mask, np.rint(outline * 8).astype(np.int32), 1, cv2.LINE_8, 3)
    return mask.astype(bool)
