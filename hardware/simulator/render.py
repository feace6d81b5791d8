"""The camera picture of a scene with discs and a hand: static layers are kept, so that one frame is quick."""

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.simulator.board_picture import background
from hardware.simulator.discs import Disc, Picture, draw_discs
from hardware.simulator.hand import Hand, draw_hand
from hardware.simulator.scene import Scene
from rules.piece import Piece
from rules.placement import Placement

_FULL_LIGHT = 32768
"""The value of a light field where colours show as they are."""
_NOISE_MARGIN = 64
"""Room in the bank of noise to take it from another place for each frame, in pixels."""

Offsets = tuple[tuple[float, float], ...]
"""How far off its centre a disc lies on each point, in squares."""


@dataclass(frozen=True, slots=True)
class Bump:
    """How far the board has been shifted (squares) and turned (radians) since the scene was set up."""

    dx: float = 0.0
    dy: float = 0.0
    rotation: float = 0.0


@dataclass(frozen=True, slots=True)
class RenderState:
    """What changes from frame to frame."""

    placement: Placement
    offsets: Offsets
    loose: tuple[Disc, ...] = ()
    """Discs in a hand or anywhere off the points."""
    hand: Hand | None = None
    light: float = 1.0
    """Factor on the room's light."""
    bump: Bump = Bump()


@dataclass(frozen=True, slots=True, eq=False)
class Rendered:
    """A picture (h, w, 3) uint8 BGR and the true homography (3, 3) from the board's plane to its pixels."""

    bgr: Picture
    image_from_board: NDArray[np.float64]


class Renderer:
    """Draws one scene again and again; the same states in the same order give the same pictures."""

    def __init__(self, scene: Scene) -> None:
        self._original = scene
        self._scene = scene
        self._bump = Bump()
        self._background = background(scene)
        self._lying: tuple[Placement, Offsets] | None = None
        self._still = self._background
        self._light_field = _light_field(scene)
        self._rng = np.random.default_rng([scene.seed, 0x4015E])
        self._noise = _noise_bank(scene, self._rng)

    def render(self, state: RenderState) -> Rendered:
        """The picture of `state`, with fresh sensor noise."""
        if state.bump != self._bump:
            self._take_bump(state.bump)
        if (state.placement, state.offsets) != self._lying:
            self._still = self._background.copy()
            draw_discs(self._still, self._scene, lying_discs(self._scene, state.placement, state.offsets))
            self._lying = (state.placement, state.offsets)
        picture = self._still.copy()
        draw_discs(picture, self._scene, list(state.loose))
        if state.hand is not None:
            draw_hand(picture, self._scene, state.hand)
        return Rendered(self._developed(picture, state.light), self._scene.image_from_board)

    def _take_bump(self, bump: Bump) -> None:
        self._bump = bump
        self._scene = self._original.bumped(bump.dx, bump.dy, bump.rotation)
        self._background = background(self._scene)
        self._lying = None

    def _developed(self, picture: Picture, light: float) -> Picture:
        """Optics and sensor: slight blur, uneven light, noise."""
        picture = np.asarray(cv2.GaussianBlur(picture, (3, 3), self._scene.blur), np.uint8)
        lit = cv2.multiply(picture, self._light_field, scale=light / _FULL_LIGHT, dtype=cv2.CV_16S)
        dy, dx = self._rng.integers(0, _NOISE_MARGIN, 2)
        height, width = picture.shape[:2]
        grains = self._noise[dy : dy + height, dx : dx + width]
        return np.asarray(cv2.add(lit, grains, dtype=cv2.CV_8U), np.uint8)


def render(scene: Scene, placement: Placement, hand: Hand | None = None, light: float = 1.0) -> Rendered:
    """One picture of a scene on its own, discs slightly off centre as the scene's seed has it."""
    state = RenderState(placement, offsets(scene, np.random.default_rng([scene.seed, 0x0FF])), hand=hand, light=light)
    return Renderer(scene).render(state)


def offsets(scene: Scene, rng: np.random.Generator) -> Offsets:
    """Where untidy players would put a disc on each point."""
    drawn = np.clip(rng.standard_normal((scene.board.size, 2)), -2.0, 2.0) * scene.discs.untidiness
    return tuple((float(dx), float(dy)) for dx, dy in drawn)


def with_size(scene: Scene, size: tuple[int, int]) -> Scene:
    """The same scene through a sensor of another size with the same view (same shape of picture)."""
    scale = size[0] / scene.size[0]
    return replace(scene, camera=np.diag([scale, scale, 1.0]) @ scene.camera, size=size)


def lying_discs(scene: Scene, placement: Placement, offsets: Offsets) -> list[Disc]:
    """The discs that stand on points."""
    places = zip(scene.board.xy, offsets, placement.pieces, strict=True)
    return [Disc(Piece(value), x + dx, y + dy) for (x, y), (dx, dy), value in places if value != Piece.EMPTY]


def _light_field(scene: Scene) -> NDArray[np.uint16]:
    """(h, w, 3): light falling at each pixel, darker to one side and to the corners, _FULL_LIGHT being one."""
    width, height = scene.size
    x = np.linspace(-1, 1, width, dtype=np.float32)[None, :]
    y = np.linspace(-1, 1, height, dtype=np.float32)[:, None]
    across, down = scene.light.fall_off
    field = (1 + across * x + down * y) * (1 - scene.vignette * (x * x + y * y) / 2)
    told = [np.clip(np.rint(field * np.float32(part * _FULL_LIGHT)), 0, 65535) for part in scene.light.tint]
    return np.stack([part.astype(np.uint16) for part in told], axis=2)


def _noise_bank(scene: Scene, rng: np.random.Generator) -> NDArray[np.int8]:
    width, height = scene.size
    shape = (height + _NOISE_MARGIN, width + _NOISE_MARGIN, 3)
    noise = rng.standard_normal(shape, np.float32)
    noise *= np.float32(scene.noise)
    return np.asarray(np.clip(np.rint(noise, out=noise), -127, 127, out=noise), np.int8)
