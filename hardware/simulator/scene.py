"""One simulated table: board, discs, camera and light, everything drawn by chance from a seed."""

import math
from dataclasses import dataclass, replace
from enum import Enum

import numpy as np
from numpy.typing import NDArray

from hardware.simulator.textures import Surface
from rules.board import Board, BoardKind

Colour = tuple[float, float, float]
"""Blue, green, red, 0 to 255."""

TABLE_Z = -0.22
"""Height of the table top, in squares; the board's surface is at 0."""


class KingStyle(Enum):
    """How a set shows a king."""

    STACKED = "stacked"
    CROWN = "crown"


@dataclass(frozen=True, slots=True)
class BoardLook:
    """Colours and material of the board and of the table under it."""

    light: Colour
    dark: Colour
    surface: Surface
    border: Colour
    border_width: float
    labels: bool
    table: Colour
    table_surface: Surface


@dataclass(frozen=True, slots=True)
class DiscLook:
    """The set of discs; lengths in squares."""

    light: Colour
    dark: Colour
    radius: float
    height: float
    rings: tuple[float, ...]
    gloss: float
    kings: KingStyle
    untidiness: float
    """Standard deviation of how far off centre discs are put."""


@dataclass(frozen=True, slots=True)
class Light:
    """Where light comes from and what it does; `towards` is how far a point one square high throws its shadow."""

    towards: tuple[float, float]
    shadow: float
    softness: float
    tint: Colour
    """Factor per channel."""
    fall_off: tuple[float, float]
    """Change of brightness from side to side of the picture, and from top to bottom."""


@dataclass(frozen=True, slots=True, eq=False)
class Scene:
    """Everything about one table except where the discs are."""

    board: Board
    board_look: BoardLook
    discs: DiscLook
    light: Light
    camera: NDArray[np.float64]
    """(3, 4): world (x, y, z, 1) in squares to pixels; the world is the board's plane before any bump, z up."""
    size: tuple[int, int]
    """Width and height of the picture in pixels."""
    noise: float
    blur: float
    vignette: float
    seed: int
    board_in_world: NDArray[np.float64]
    """(3, 3): the board's plane to the world's, identity until somebody bumps the board."""

    def project(self, xyz: NDArray[np.float64]) -> NDArray[np.float64]:
        """Pixels (m, 2) of points (m, 3) given on the board's plane with their height, in squares."""
        points = self._before_camera(xyz)
        return np.asarray(points[:, :2] / points[:, 2:], np.float64)

    def depth(self, xyz: NDArray[np.float64]) -> NDArray[np.float64]:
        """How far (m,) such points are before the camera, along its axis, in squares; behind it they are negative."""
        return self._before_camera(xyz)[:, 2]

    def _before_camera(self, xyz: NDArray[np.float64]) -> NDArray[np.float64]:
        """Homogeneous pixels (m, 3) of such points."""
        world = np.column_stack([xyz[:, :2], np.ones(len(xyz))]) @ self.board_in_world.T
        return np.asarray(np.column_stack([world[:, :2], xyz[:, 2], np.ones(len(xyz))]) @ self.camera.T, np.float64)

    @property
    def image_from_board(self) -> NDArray[np.float64]:
        """(3, 3) homography: board plane (x, y, 1) to pixels."""
        homography = self.camera[:, [0, 1, 3]] @ self.board_in_world
        return np.asarray(homography / homography[2, 2], np.float64)

    def bumped(self, dx: float, dy: float, rotation: float) -> "Scene":
        """The same table with the board shifted (squares) and turned about its middle (radians)."""
        middle_x, middle_y = self.board.width / 2, self.board.height / 2
        c, s = math.cos(rotation), math.sin(rotation)
        shift = np.array(
            [
                [c, -s, middle_x + dx - c * middle_x + s * middle_y],
                [s, c, middle_y + dy - s * middle_x - c * middle_y],
                [0.0, 0.0, 1.0],
            ]
        )
        return replace(self, board_in_world=shift)


_LIGHT_SQUARES: tuple[Colour, ...] = (
    (175, 215, 238),
    (150, 195, 222),
    (205, 225, 230),
    (165, 205, 240),
    (190, 220, 225),
)
_DARK_SQUARES: tuple[Colour, ...] = (
    (40, 62, 105),
    (35, 45, 75),
    (52, 95, 62),
    (45, 45, 150),
    (60, 60, 62),
    (70, 95, 140),
)
_LIGHT_DISCS: tuple[Colour, ...] = ((200, 228, 240), (225, 235, 240), (150, 205, 232), (190, 215, 228))
_DARK_DISCS: tuple[Colour, ...] = ((32, 34, 38), (32, 44, 70), (38, 36, 168), (40, 50, 52), (28, 40, 88))
_BORDERS: tuple[Colour, ...] = ((38, 55, 95), (28, 34, 50), (60, 90, 130), (150, 185, 205), (45, 40, 120))
_TABLES: tuple[Colour, ...] = ((110, 150, 185), (190, 200, 210), (95, 70, 45), (75, 100, 135), (105, 110, 112))


def draw_scene(board: Board, seed: int, size: tuple[int, int] = (1280, 720), side: int | None = None) -> Scene:
    """A table drawn by chance; the same seed always gives the same one.

    `side` is where the camera is, in quarter turns from White's side of the board; None leaves it to chance.
    """
    rng = np.random.default_rng([seed, 0x5CE4E])
    look = _draw_board_look(board, rng)
    return Scene(
        board=board,
        board_look=look,
        discs=_draw_discs(board, look, rng),
        light=_draw_light(rng),
        camera=_draw_camera(board, look.border_width, size, rng, side),
        size=size,
        noise=float(rng.uniform(1.2, 3.5)),
        blur=float(rng.uniform(0.4, 0.8)),
        vignette=float(rng.uniform(0.05, 0.25)),
        seed=seed,
        board_in_world=np.eye(3),
    )


def spacing(board: Board) -> float:
    """Room for a disc: the least distance between two points, or one square where there are squares."""
    if board.kind in (BoardKind.CHEQUERED, BoardKind.FULL):
        return 1.0
    xy = np.asarray(board.xy)
    apart = np.hypot(*(xy[:, None] - xy[None]).transpose(2, 0, 1))
    return float(apart[apart > 0].min())


def _varied(colour: Colour, rng: np.random.Generator, amount: float = 10.0) -> Colour:
    blue, green, red = np.clip(np.asarray(colour) + rng.normal(0.0, amount, 3) * 0.5 + rng.normal(0.0, amount), 8, 248)
    return (float(blue), float(green), float(red))


def _pick(colours: tuple[Colour, ...], rng: np.random.Generator) -> Colour:
    return _varied(colours[int(rng.integers(len(colours)))], rng)


def _distance(a: Colour, b: Colour) -> float:
    return float(np.abs(np.subtract(a, b)).sum())


def _draw_board_look(board: Board, rng: np.random.Generator) -> BoardLook:
    surface = (Surface.WOOD, Surface.PRINT, Surface.PLAIN)[int(rng.integers(3))]
    lined = board.kind not in (BoardKind.CHEQUERED, BoardKind.FULL, BoardKind.HEXAGON)
    return BoardLook(
        light=_pick(_LIGHT_SQUARES, rng),
        dark=(35.0, 40.0, 48.0) if lined else _pick(_DARK_SQUARES, rng),
        surface=surface,
        border=_pick(_BORDERS, rng),
        border_width=float(rng.uniform(0.35, 0.8)) + (0.35 if lined else 0.0),
        labels=bool(rng.random() < 0.5) and not lined,
        table=_pick(_TABLES, rng),
        table_surface=(Surface.WOOD, Surface.CLOTH, Surface.PLAIN)[int(rng.integers(3))],
    )


def _draw_discs(board: Board, look: BoardLook, rng: np.random.Generator) -> DiscLook:
    """Discs that a person can tell from the squares they stand on; shapes of sets that are sold."""
    dark = next(c for c in (_pick(_DARK_DISCS, rng) for _ in range(100)) if _distance(c, look.dark) > 75)
    room = spacing(board)
    return DiscLook(
        light=_pick(_LIGHT_DISCS, rng),
        dark=dark,
        radius=float(rng.uniform(0.33, 0.41)) * room,
        height=float(rng.uniform(0.14, 0.22)) * room,
        rings=((), (0.72,), (0.8, 0.5), (0.84, 0.6, 0.34))[int(rng.integers(4))],
        gloss=float(rng.uniform(0.0, 1.0)),
        kings=KingStyle.STACKED if rng.random() < 0.6 else KingStyle.CROWN,
        untidiness=float(rng.uniform(0.02, 0.05)) * room,
    )


def _draw_light(rng: np.random.Generator) -> Light:
    angle = float(rng.uniform(0, 2 * math.pi))
    length = float(rng.uniform(0.3, 1.2))
    warmth = float(rng.normal(0.0, 0.05))
    brightness = float(rng.uniform(0.78, 1.02))
    return Light(
        towards=(length * math.cos(angle), length * math.sin(angle)),
        shadow=float(rng.uniform(0.2, 0.5)),
        softness=float(rng.uniform(1.5, 5.0)),
        tint=(brightness * (1 - warmth), brightness, brightness * (1 + warmth)),
        fall_off=(float(rng.normal(0.0, 0.1)), float(rng.normal(0.0, 0.08))),
    )


def _draw_camera(
    board: Board, margin: float, size: tuple[int, int], rng: np.random.Generator, side: int | None
) -> NDArray[np.float64]:
    """A camera 15 to 40 degrees from straight above, at `side` of the board or any, that has all of it in view."""
    tilt = math.radians(float(rng.uniform(15, 40)))
    by_chance = int(rng.integers(4))
    quarter = by_chance if side is None else side
    if board.height > 1.5 * board.width:
        quarter |= 1  # a long board lies across the picture
    around = math.pi / 2 * quarter + math.radians(float(rng.normal(0, 5)))
    roll = math.radians(float(rng.normal(0, 2)))
    focal = float(rng.uniform(0.75, 1.1)) * size[0]
    fill = float(rng.uniform(0.8, 0.93))
    edge = [(-margin, -margin), (board.width + margin, -margin)]
    edge += [(x, board.height + margin) for x, _ in edge]
    corners = np.array([(x, y, z) for x, y in edge for z in (TABLE_Z, 0.4)])
    target = np.array([board.width / 2, board.height / 2, 0.0])
    distance = 1.5 * max(board.width, board.height)
    for _ in range(12):
        camera = _look_at(target, distance, (tilt, around, roll), focal, size)
        pixels = _pixels(camera, corners)
        low, high = pixels.min(axis=0), pixels.max(axis=0)
        distance *= float(((high - low) / (fill * np.asarray(size))).max())
        plane_from_image = np.linalg.inv(camera[:, [0, 1, 3]])
        aim = plane_from_image @ np.array([*(low + high) / 2, 1.0])
        target = np.array([aim[0] / aim[2], aim[1] / aim[2], 0.0])
    return _look_at(target, distance, (tilt, around, roll), focal, size)


def _look_at(
    target: NDArray[np.float64],
    distance: float,
    angles: tuple[float, float, float],
    focal: float,
    size: tuple[int, int],
) -> NDArray[np.float64]:
    """(3, 4) pinhole camera at `distance` from `target`; angles: tilt from the vertical, direction, roll."""
    tilt, around, roll = angles
    away = np.array([-math.sin(tilt) * math.sin(around), -math.sin(tilt) * math.cos(around), math.cos(tilt)])
    forward = -away
    right = np.cross(forward, [0.0, 0.0, 1.0])
    right /= np.linalg.norm(right)
    down = np.cross(forward, right)
    c, s = math.cos(roll), math.sin(roll)
    rotation = np.array([c * right + s * down, -s * right + c * down, forward])
    intrinsics = np.array([[focal, 0, size[0] / 2], [0, focal, size[1] / 2], [0, 0, 1.0]])
    place = target + distance * away
    return np.asarray(intrinsics @ np.column_stack([rotation, -rotation @ place]), np.float64)


def _pixels(camera: NDArray[np.float64], xyz: NDArray[np.float64]) -> NDArray[np.float64]:
    points = np.column_stack([xyz, np.ones(len(xyz))]) @ camera.T
    return np.asarray(points[:, :2] / points[:, 2:], np.float64)
