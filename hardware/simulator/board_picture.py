"""The empty board and the table under it, as the camera sees them: drawn once per scene."""

import math

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.simulator.scene import TABLE_Z, Colour, Scene
from hardware.simulator.textures import Surface, coloured, grain
from rules.board import NOWHERE, Board, BoardKind

_PIXELS_PER_UNIT = 80
_TABLE_TILE = 1024
_OVERSAMPLING = 2

Picture = NDArray[np.uint8]


def background(scene: Scene) -> Picture:
    """(h, w, 3) uint8 BGR: table, board's shadow, board's edge and its surface, without light or noise."""
    rng = np.random.default_rng([scene.seed, 0xB0A2D])
    big = np.array([[_OVERSAMPLING, 0, 0], [0, _OVERSAMPLING, 0], [0, 0, 1.0]])
    size = (scene.size[0] * _OVERSAMPLING, scene.size[1] * _OVERSAMPLING)
    picture = _table(scene, big, size, rng)
    _draw_slab(picture, scene)
    texture, plane_from_texture = board_texture(scene, rng)
    image_from_texture = big @ scene.image_from_board @ plane_from_texture
    surface = cv2.warpPerspective(texture, image_from_texture, size, flags=cv2.INTER_LINEAR)
    inside = cv2.warpPerspective(np.full(texture.shape[:2], 255, np.uint8), image_from_texture, size)
    cv2.copyTo(surface, inside, picture)
    return np.asarray(cv2.resize(picture, scene.size, interpolation=cv2.INTER_AREA), np.uint8)


def board_texture(scene: Scene, rng: np.random.Generator) -> tuple[Picture, NDArray[np.float64]]:
    """The board from straight above with its border, and the (3, 3) that takes texture pixels to the plane."""
    board, look, scale = scene.board, scene.board_look, _PIXELS_PER_UNIT
    margin = look.border_width
    width, height = round((board.width + 2 * margin) * scale), round((board.height + 2 * margin) * scale)
    plane_from_texture = np.array([[1 / scale, 0, -margin], [0, -1 / scale, board.height + margin], [0, 0, 1.0]])
    lines = board.kind in (BoardKind.ALQUERQUE, BoardKind.SERPENTS)
    frame = look.light if lines else look.border
    texture = coloured(frame, grain(look.surface, height, width, 0.05, rng))
    texture_from_plane = np.linalg.inv(plane_from_texture)
    match board.kind:
        case BoardKind.ALQUERQUE | BoardKind.SERPENTS:
            _draw_lines(texture, texture_from_plane, board, look.dark)
        case BoardKind.HEXAGON:
            _draw_cells(texture, texture_from_plane, scene, rng)
        case BoardKind.CHEQUERED | BoardKind.FULL:
            _draw_squares(texture, texture_from_plane, scene, rng)
            if look.labels:
                _draw_labels(texture, texture_from_plane, scene)
    return texture, plane_from_texture


def _table(scene: Scene, big: NDArray[np.float64], size: tuple[int, int], rng: np.random.Generator) -> Picture:
    """The table top, from a tile repeated over its plane."""
    look = scene.board_look
    strength = 0.07 if look.table_surface is Surface.WOOD else 0.05
    tile = coloured(look.table, grain(look.table_surface, _TABLE_TILE, _TABLE_TILE, strength, rng))
    camera = scene.camera
    lowered = np.column_stack([camera[:, 0], camera[:, 1], camera[:, 3] + TABLE_Z * camera[:, 2]])
    tile_from_plane = np.diag([45.0, 45.0, 1.0])
    tile_from_image = tile_from_plane @ np.linalg.inv(big @ lowered)
    return np.asarray(
        cv2.warpPerspective(
            tile,
            tile_from_image,
            size,
            flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
            borderMode=cv2.BORDER_REFLECT,
        ),
        np.uint8,
    )


def _draw_slab(picture: Picture, scene: Scene) -> None:
    """The board's thickness and its shadow on the table."""
    board, margin = scene.board, scene.board_look.border_width
    low, right, top = -margin, board.width + margin, board.height + margin
    rim = np.array([(low, top), (right, top), (right, low), (low, low)])
    fall = np.asarray(scene.light.towards) * -TABLE_Z
    shadow = np.zeros(picture.shape[:2], np.uint8)
    reach = np.vstack([_at_height(scene, rim, TABLE_Z), _at_height(scene, rim + fall, TABLE_Z)])
    _fill_hull(shadow, reach, 255)
    shadow = np.asarray(cv2.GaussianBlur(shadow, (0, 0), 4.0), np.uint8)
    factor = 1.0 - scene.light.shadow * shadow.astype(np.float32)[:, :, None] / 255
    picture[:] = picture * factor
    edge = tuple(0.62 * channel for channel in scene.board_look.border)
    _fill_hull(picture, np.vstack([_at_height(scene, rim, TABLE_Z), _at_height(scene, rim, 0.0)]), edge)


def _at_height(scene: Scene, xy: NDArray[np.float64], z: float) -> NDArray[np.float64]:
    return scene.project(np.column_stack([xy, np.full(len(xy), z)])) * _OVERSAMPLING


def _fill_hull(picture: Picture, points: NDArray[np.float64], colour: float | tuple[float, ...]) -> None:
    hull = cv2.convexHull(points.astype(np.float32))
    cv2.fillConvexPoly(picture, np.round(hull).astype(np.int32), colour, cv2.LINE_AA)


def _texture_points(texture_from_plane: NDArray[np.float64], xy: NDArray[np.float64]) -> NDArray[np.int32]:
    points = np.column_stack([xy, np.ones(len(xy))]) @ texture_from_plane.T
    return np.asarray(np.round(points[:, :2]), np.int32)


def _draw_squares(
    texture: Picture, texture_from_plane: NDArray[np.float64], scene: Scene, rng: np.random.Generator
) -> None:
    board, look = scene.board, scene.board_look
    height, width = texture.shape[:2]
    light = coloured(look.light, grain(look.surface, height, width, 0.04, rng))
    dark = coloured(look.dark, grain(look.surface, height, width, 0.09, rng))
    one_colour = board.kind is BoardKind.FULL
    for xy, played in [(xy, True) for xy in board.xy] + [(xy, False) for xy in board.idle_xy]:
        corners = np.array([(xy[0] - 0.5, xy[1] + 0.5), (xy[0] + 0.5, xy[1] - 0.5)])
        (x0, y0), (x1, y1) = _texture_points(texture_from_plane, corners)
        source = dark if played and not one_colour else light
        # Veneer is laid square by square: each takes its own bit of wood and its own shade.
        shade = float(rng.normal(1.0, 0.025))
        texture[y0:y1, x0:x1] = np.clip(source[y0:y1, x0:x1] * shade, 0, 255)
        if one_colour:
            cv2.rectangle(texture, (int(x0), int(y0)), (int(x1), int(y1)), look.dark, 3, cv2.LINE_AA)
    outline = _texture_points(texture_from_plane, np.asarray(board.outline))
    cv2.polylines(texture, [outline], True, tuple(0.5 * c for c in look.dark), 2, cv2.LINE_AA)


def _draw_lines(texture: Picture, texture_from_plane: NDArray[np.float64], board: Board, colour: Colour) -> None:
    points = _texture_points(texture_from_plane, np.asarray(board.xy))
    for table in board.neighbours:
        for here, there in enumerate(table):
            if there != NOWHERE:
                a, b = points[here], points[there]
                cv2.line(texture, (int(a[0]), int(a[1])), (int(b[0]), int(b[1])), colour, 4, cv2.LINE_AA)
    for x, y in points:
        cv2.circle(texture, (int(x), int(y)), 6, colour, -1, cv2.LINE_AA)


def _draw_cells(
    texture: Picture, texture_from_plane: NDArray[np.float64], scene: Scene, rng: np.random.Generator
) -> None:
    """Six-sided cells around the points, in three shades so that no two neighbours are alike."""
    board, look = scene.board, scene.board_look
    middle = tuple((a + b) / 2 for a, b in zip(look.light, look.dark, strict=True))
    shades = (look.light, middle, look.dark)
    near = _near_neighbours(board)
    dx, dy = np.subtract(board.xy[near[0][0]], board.xy[0])
    radius = math.hypot(dx, dy) / math.sqrt(3)
    angles = math.atan2(dy, dx) + math.pi / 6 + np.arange(6) * math.pi / 3
    ring = radius * np.column_stack([np.cos(angles), np.sin(angles)])
    for point, shade in enumerate(cell_shades(near)):
        cell = _texture_points(texture_from_plane, np.asarray(board.xy[point]) + ring)
        tone = float(rng.normal(1.0, 0.02))
        cv2.fillConvexPoly(texture, cell, tuple(tone * c for c in shades[shade]), cv2.LINE_AA)
        cv2.polylines(texture, [cell], True, tuple(0.5 * c for c in look.dark), 2, cv2.LINE_AA)


def _near_neighbours(board: Board) -> tuple[tuple[int, ...], ...]:
    """For each point the points at the least distance."""
    xy = np.asarray(board.xy)
    apart = np.hypot(*(xy[:, None] - xy[None]).transpose(2, 0, 1))
    least = apart[apart > 0].min()
    return tuple(tuple(int(q) for q in np.flatnonzero(abs(row - least) < 1e-6)) for row in apart)


def cell_shades(near: tuple[tuple[int, ...], ...]) -> tuple[int, ...]:
    """A shade 0 to 2 per cell, different from all its neighbours, grown from the first cell."""
    shades = [-1] * len(near)
    shades[0] = 0
    waiting = [0]
    while waiting:
        here = waiting.pop(0)
        for there in near[here]:
            if shades[there] >= 0:
                continue
            both = [q for q in near[there] if q in near[here] and shades[q] >= 0]
            shades[there] = 3 - shades[here] - shades[both[0]] if both else (shades[here] + 1) % 3
            waiting.append(there)
    return tuple(max(shade, 0) for shade in shades)


def _draw_labels(texture: Picture, texture_from_plane: NDArray[np.float64], scene: Scene) -> None:
    """Letters and numbers on the border, as printed boards have them."""
    board, margin = scene.board, scene.board_look.border_width
    ink = (225.0, 230.0, 232.0) if sum(scene.board_look.border) < 330 else (30.0, 30.0, 34.0)
    marks = [(chr(ord("a") + c), (c + 0.42, -0.5 * margin - 0.1)) for c in range(board.columns)]
    marks += [(str(r + 1), (-0.5 * margin - 0.1, r + 0.42)) for r in range(board.rows)]
    for text, xy in marks:
        x, y = _texture_points(texture_from_plane, np.array([xy]))[0]
        cv2.putText(texture, text, (int(x), int(y)), cv2.FONT_HERSHEY_SIMPLEX, 0.7, ink, 2, cv2.LINE_AA)
