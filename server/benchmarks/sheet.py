"""A contact sheet of what went wrong: boards not found, and boards with their misread squares outlined."""

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from server.benchmarks.scores import Judged
from vision.pose import BoardPose

TILE = 420
CAPTION = 26
COLUMNS = 4
MOST_TILES = 60
_MARKS = ".wbWB?"
_WRONG, _TRUE, _FOUND, _TEXT = (60, 60, 255), (80, 220, 80), (255, 160, 40), (245, 245, 245)


def contact_sheet(failures: Sequence[tuple[NDArray[np.uint8], Judged]]) -> NDArray[np.uint8]:
    """Tiles (h, w, 3) uint8 BGR of pictures with what was read of them."""
    tiles = [_tile(bgr, one) for bgr, one in failures]
    if not tiles:
        tiles = [_captioned(np.zeros((CAPTION, TILE, 3), np.uint8), "no failures")]
    while len(tiles) % COLUMNS and len(tiles) > COLUMNS:
        tiles.append(np.zeros_like(tiles[0]))
    rows = [np.hstack(tiles[start : start + COLUMNS]) for start in range(0, len(tiles), COLUMNS)]
    return np.asarray(np.vstack(rows), np.uint8)


def _tile(bgr: NDArray[np.uint8], one: Judged) -> NDArray[np.uint8]:
    name = f"{one.truth.facets['folder']}/{one.truth.path.name}"
    if one.reading.found:
        picture, scale, corner = _cropped(bgr, one.truth.corners)
        _mark_wrong(picture, one, scale, corner)
        return _captioned(picture, f"{name}: {len(one.wrong)} wrong")
    picture, scale, corner = _cropped(bgr, np.array([(0, 0), bgr.shape[1::-1]], np.float64))
    _outline(picture, (one.truth.corners - corner) * scale, _TRUE)
    if one.reading.corners is None:
        return _captioned(picture, f"{name}: not found")
    _outline(picture, (one.reading.corners - corner) * scale, _FOUND)
    return _captioned(picture, f"{name}: off by {one.reading.error:.2f} squares")


def _cropped(
    bgr: NDArray[np.uint8], around: NDArray[np.float64]
) -> tuple[NDArray[np.uint8], float, NDArray[np.float64]]:
    """A square tile showing these pixels with a margin, its scale and the pixel at its top left."""
    low, high = around.min(axis=0), around.max(axis=0)
    side = 1.12 * float((high - low).max())
    corner = (low + high) / 2 - side / 2
    scale = TILE / side
    lift = np.array([[scale, 0, -corner[0] * scale], [0, scale, -corner[1] * scale]])
    flags = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    return np.asarray(cv2.warpAffine(bgr, lift, (TILE, TILE), flags=flags), np.uint8), scale, corner


def _mark_wrong(picture: NDArray[np.uint8], one: Judged, scale: float, corner: NDArray[np.float64]) -> None:
    """Each misread square outlined, with the truth before and the reading after the arrow."""
    truth = one.truth
    size = (picture.shape[1], picture.shape[0])
    plane, pixels = truth.outline, truth.corners
    if truth.points_px is not None:
        plane, pixels = np.array(truth.board.xy), truth.points_px
    pose = BoardPose.from_points(plane, (pixels - corner) * scale, size)
    for point in one.wrong:
        x, y = truth.board.xy[point]
        box = np.array([(x - 0.45, y - 0.45), (x + 0.45, y - 0.45), (x + 0.45, y + 0.45), (x - 0.45, y + 0.45)])
        _outline(picture, pose.project(box), _WRONG)
        text = f"{_MARKS[truth.pieces[point]]}>{_MARKS[one.answers[point]]} {100 * one.confidence[point]:.0f}"
        _write(picture, text, pose.project(box).min(axis=0) + np.array([1.0, 11.0]))


def _captioned(picture: NDArray[np.uint8], text: str) -> NDArray[np.uint8]:
    strip = np.zeros((CAPTION, picture.shape[1], 3), np.uint8)
    _write(strip, text, np.array([6.0, CAPTION - 9.0]))
    return np.asarray(np.vstack([strip, picture]), np.uint8)


def _outline(picture: NDArray[np.uint8], pixels: NDArray[np.float64], colour: tuple[int, int, int]) -> None:
    cv2.polylines(picture, [np.rint(pixels).astype(np.int32)], True, colour, 2, cv2.LINE_AA)


def _write(picture: NDArray[np.uint8], text: str, at: NDArray[np.float64]) -> None:
    place = (round(float(at[0])), round(float(at[1])))
    cv2.putText(picture, text, place, cv2.FONT_HERSHEY_SIMPLEX, 0.4, (0, 0, 0), 3, cv2.LINE_AA)
    cv2.putText(picture, text, place, cv2.FONT_HERSHEY_SIMPLEX, 0.4, _TEXT, 1, cv2.LINE_AA)
