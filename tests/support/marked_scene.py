"""Simulated tables with corner markers laid beside the board, discs on it, seen at a chosen tilt."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.marker_shape import CUT, GAP, Corner, cells, places
from hardware.simulator import render as rendering
from hardware.simulator.board_picture import background
from hardware.simulator.scene import BoardLook, Scene, draw_scene
from rules.board import Board
from rules.placement import Placement
from vision.pose import BoardPose

SEED = 1
DOTS = 120
"""Pixels of a piece's drawing along its black square."""


@dataclass(frozen=True)
class Laying:
    """How the pieces are laid: width of the black square in squares, degrees by which each is turned about its tip,
    how far off the corner its tip lies (squares), and where a marker lies that was swapped with another."""

    size: float = 0.7
    turned: Mapping[Corner, float] = field(default_factory=dict)
    off: Mapping[Corner, tuple[float, float]] = field(default_factory=dict)
    left_out: tuple[Corner, ...] = ()
    printed: Mapping[Corner, Corner] = field(default_factory=dict)


@dataclass(frozen=True)
class View:
    tilt: float = 30.0
    around: float = 20.0
    size: tuple[int, int] = (1280, 720)
    light: float = 1.0


@dataclass(frozen=True)
class Marked:
    bgr: NDArray[np.uint8]
    truth: BoardPose


def marked(
    monkeypatch: pytest.MonkeyPatch,
    board: Board,
    placement: Placement,
    *,
    view: View = View(),
    laying: Laying = Laying(),
    look: Mapping[str, object] | None = None,
) -> Marked:
    """The picture and the board's true pose in it, White at the plane's foot; `look` changes the board's."""
    scene = draw_scene(board, SEED, view.size)
    if look:
        painted: BoardLook = replace(scene.board_look, **look)  # type: ignore[arg-type]
        scene = replace(scene, board_look=painted)
    scene = replace(scene, camera=_camera(board, view, CUT * laying.size))
    monkeypatch.setattr(rendering, "background", lambda table: _with_pieces(background(table), table, laying))
    seen = rendering.render(scene, placement, light=view.light)
    return Marked(seen.bgr, BoardPose(scene.image_from_board, 0.0, None, view.size))


def off_by(pose: BoardPose, truth: BoardPose, board: Board) -> float:
    """How far the farthest point lies from its own true place, in squares: a board turned round is wrong."""
    away = np.linalg.norm(pose.project(board.xy) - truth.project(board.xy), axis=1)
    return float(away.max()) / truth.square_px(board)


def piece(corner: Corner) -> NDArray[np.uint8]:
    """A piece as it is cut out, from above, its tip towards the board."""
    side = round(CUT * DOTS)
    flat = np.full((side, side), 245, np.uint8)
    black = np.kron(cells(corner), np.ones((DOTS // 6, DOTS // 6))) > 0
    gap, rim = round(GAP * DOTS), side - round(GAP * DOTS) - DOTS
    right, up = corner.outward > 0
    x, y = (gap if right else rim), (rim if up else gap)
    flat[y : y + DOTS, x : x + DOTS][black] = 25
    tip = np.array((0 if right else side, side if up else 0))
    leg = np.diag(corner.outward * (1, -1)) * 0.22 * DOTS
    cv2.fillConvexPoly(flat, np.rint(np.vstack([tip, tip + leg])).astype(np.int32), 25)
    return cv2.cvtColor(flat, cv2.COLOR_GRAY2BGR)


def _with_pieces(picture: NDArray[np.uint8], scene: Scene, laying: Laying) -> NDArray[np.uint8]:
    for corner, tip in zip(Corner, places(scene.board), strict=True):
        if corner in laying.left_out:
            continue
        shown = laying.printed.get(corner, corner)
        flat = piece(shown)
        side = len(flat)
        right, up = shown.outward > 0
        origin = np.array((0 if right else side, side if up else 0))
        angle = np.deg2rad(laying.turned.get(corner, 0.0))
        scale = laying.size / DOTS
        spin = scale * np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]) @ np.diag((1, -1))
        plane_from_piece = np.eye(3)
        plane_from_piece[:2, :2] = spin
        plane_from_piece[:2, 2] = tip + laying.off.get(corner, (0.0, 0.0)) - spin @ origin
        matrix = scene.image_from_board @ plane_from_piece
        large = np.diag([3.0, 3.0, 1.0]) @ matrix
        size = (3 * picture.shape[1], 3 * picture.shape[0])
        seen = cv2.resize(cv2.warpPerspective(flat, large, size), picture.shape[1::-1], interpolation=cv2.INTER_AREA)
        full = np.full(flat.shape[:2], 255, np.uint8)
        over = cv2.resize(cv2.warpPerspective(full, large, size), picture.shape[1::-1], interpolation=cv2.INTER_AREA)
        share = over[..., None].astype(np.float32) / 255
        picture = (picture * (1 - share) + seen).clip(0, 255).astype(np.uint8)
    return picture


def _camera(board: Board, view: View, margin: float) -> NDArray[np.float64]:
    """(3, 4) a camera tilted from straight above that has the board and the pieces around it in view."""
    tilt, around = np.deg2rad((view.tilt, view.around))
    away = np.array([-np.sin(tilt) * np.sin(around), -np.sin(tilt) * np.cos(around), np.cos(tilt)])
    level = np.array([np.cos(around), -np.sin(around), 0.0])
    rotation = np.array([level, np.cross(-away, level), -away])
    width, height = view.size
    lens = np.array([[0.9 * width, 0, width / 2], [0, 0.9 * width, height / 2], [0, 0, 1.0]])
    middle = np.array([board.width / 2, board.height / 2, 0.0])
    edge = np.array(
        [(x, y, 0, 1) for x in (-margin, board.width + margin) for y in (-margin, board.height + margin)], np.float64
    )
    for distance in np.arange(1.0, 6.0, 0.05) * max(board.width, board.height):
        camera = lens @ np.column_stack([rotation, -rotation @ (middle + distance * away)])
        seen = edge @ camera.T
        if (seen[:, 2] <= 0).any():
            continue
        pixels = seen[:, :2] / seen[:, 2:]
        if (pixels > 5).all() and (pixels < np.array(view.size) - 5).all():
            return camera
    raise ValueError("no distance has the whole board in view")
