"""Draws on the picture what is seen: the grid, every disc with its reading and how sure it is, squares to look at."""

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from rules.board import Board
from vision.evidence import BoardEvidence
from vision.pose import BoardPose
from vision.rectify import TOP_HEIGHT

Colour = tuple[int, int, int]

GRID: Colour = (255, 200, 60)
HIGHLIGHT: Colour = (40, 60, 255)
LIGHT_DISC: Colour = (240, 240, 240)
DARK_DISC: Colour = (30, 30, 30)
SURE: Colour = (80, 220, 80)
UNSURE: Colour = (40, 170, 255)
SURE_FROM = 0.9
RING = np.stack([np.cos(np.linspace(0, 2 * np.pi, 25)[:-1]), np.sin(np.linspace(0, 2 * np.pi, 25)[:-1])], axis=1)


def overlay(
    bgr: NDArray[np.uint8],
    pose: BoardPose,
    board: Board,
    evidence: BoardEvidence | None = None,
    highlights: Sequence[int] = (),
) -> NDArray[np.uint8]:
    """A copy of the picture (h, w, 3) BGR with the drawing; `highlights` are points of the board."""
    drawn = bgr.copy()
    thick = max(1, round(pose.square_px(board) / 40))
    _draw_grid(drawn, pose, board, thick)
    if evidence is not None:
        sureness, pieces = evidence.sureness(), evidence.pieces()
        for point, xy in enumerate(board.xy):
            if evidence.hidden[point]:
                _write(drawn, pose, xy, "?", UNSURE)
            elif pieces[point]:
                _draw_disc(drawn, pose, xy, int(pieces[point]), float(sureness[point]))
            elif sureness[point] < SURE_FROM:
                _write(drawn, pose, xy, f"{100 * sureness[point]:.0f}", UNSURE)
    for point in highlights:
        x, y = board.xy[point]
        square = np.array([(x - 0.46, y - 0.46), (x + 0.46, y - 0.46), (x + 0.46, y + 0.46), (x - 0.46, y + 0.46)])
        _outline(drawn, pose.project(square), HIGHLIGHT, 3 * thick)
    return drawn


def _draw_grid(drawn: NDArray[np.uint8], pose: BoardPose, board: Board, thick: int) -> None:
    """The playing area's edge, and the lines between squares where the board has squares."""
    for line in range(1, board.columns):
        _stroke(drawn, pose, ((line, 0), (line, board.height)), thick)
    for line in range(1, board.rows):
        _stroke(drawn, pose, ((0, line), (board.width, line)), thick)
    _outline(drawn, pose.corners(board), GRID, 2 * thick)


def _draw_disc(drawn: NDArray[np.uint8], pose: BoardPose, xy: tuple[float, float], piece: int, sureness: float) -> None:
    """A ring in the colour of how sure it is around a dot in the disc's shade; kings bear a K."""
    ring = pose.project(np.array(xy) + 0.36 * RING, TOP_HEIGHT)
    _outline(drawn, ring, SURE if sureness >= SURE_FROM else UNSURE, max(1, round(float(np.ptp(ring[:, 0])) / 18)))
    dot = pose.project(np.array(xy) + 0.12 * RING, TOP_HEIGHT)
    light = piece in (1, 3)
    cv2.fillPoly(drawn, [_fixed(dot)], LIGHT_DISC if light else DARK_DISC, cv2.LINE_AA, 3)
    _outline(drawn, dot, DARK_DISC if light else LIGHT_DISC, 1)
    if piece >= 3:
        _write(drawn, pose, xy, "K", HIGHLIGHT)
    elif sureness < SURE_FROM:
        _write(drawn, pose, (xy[0], xy[1] - 0.25), f"{100 * sureness:.0f}", UNSURE)


def _write(drawn: NDArray[np.uint8], pose: BoardPose, xy: tuple[float, float], text: str, colour: Colour) -> None:
    """Text centred on a plane point, with a dark edge so that it can be read on anything."""
    ends = pose.project([xy, (xy[0] + 0.5, xy[1]), (xy[0], xy[1] + 0.5)])
    scale = max(0.3, float(np.linalg.norm(ends[1:] - ends[0], axis=1).max()) / 50)
    (width, height), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, scale, 1)
    place = (round(float(ends[0, 0]) - width / 2), round(float(ends[0, 1]) + height / 2))
    cv2.putText(drawn, text, place, cv2.FONT_HERSHEY_SIMPLEX, scale, (0, 0, 0), 4, cv2.LINE_AA)
    cv2.putText(drawn, text, place, cv2.FONT_HERSHEY_SIMPLEX, scale, colour, 2, cv2.LINE_AA)


def _stroke(drawn: NDArray[np.uint8], pose: BoardPose, ends: tuple[tuple[float, float], ...], thick: int) -> None:
    points = np.linspace(ends[0], ends[1], 9)  # a bent lens bends the line
    cv2.polylines(drawn, [_fixed(pose.project(points))], False, GRID, thick, cv2.LINE_AA, 3)


def _outline(drawn: NDArray[np.uint8], pixels: NDArray[np.float64], colour: Colour, thick: int) -> None:
    cv2.polylines(drawn, [_fixed(pixels)], True, colour, thick, cv2.LINE_AA, 3)


def _fixed(pixels: NDArray[np.float64]) -> NDArray[np.int32]:
    """Pixels as the fixed point numbers that OpenCV draws with (three bits of fraction)."""
    return np.rint(np.clip(pixels, -8000, 8000) * 8).astype(np.int32)
