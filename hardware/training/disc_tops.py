"""The tops of discs: turned grooves, domes and dishes, printed or raised designs, and the marks that kings bear."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.training.palettes import Colour, mark_colour

DESIGNS = ("crown", "star", "ring", "dot", "letter", "cross", "bars", "spiral", "emblem", "hat")
LETTERS = "KDQR8@&*M"
FINE = 96
"""Designs are drawn once at this size and reduced."""


@dataclass(frozen=True, slots=True, eq=False)
class Relief:
    """The turned shape of a set's tops: grooves as (radius, width, depth) in radii, and dome (+) or dish (-)."""

    grooves: tuple[tuple[float, float, float], ...]
    dome: float
    bevel: float
    grain: float
    spot: float


@dataclass(frozen=True, slots=True, eq=False)
class Design:
    """One design: `mask` (96, 96) 0 to 1, printed in `ink` BGR or raised (`ink` None), on a field of `field` BGR."""

    mask: NDArray[np.float32]
    ink: Colour | None
    field: Colour | None


@dataclass(frozen=True, slots=True, eq=False)
class TopLook:
    """The look of one top."""

    colour: Colour
    relief: Relief
    design: Design | None
    gloss: float

    def texture(
        self, rng: np.random.Generator, size: int, light: float
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """(size, size, 3) BGR and its cover (size, size) 0 to 1, lit from the angle `light` (radians)."""
        axis = (np.arange(size, dtype=np.float32) + 0.5) / size * 2 - 1
        x, y = np.meshgrid(axis, axis)
        radius = np.asarray(np.sqrt(x * x + y * y) + 1e-6, np.float32)
        towards = (x * np.cos(light) + y * np.sin(light)) / radius
        shade = 1 + towards * self._slope(radius)
        paint = np.broadcast_to(self.colour.astype(np.float32), (size, size, 3)).copy()
        if self.design is not None:
            mask = np.asarray(cv2.resize(self.design.mask, (size, size), interpolation=cv2.INTER_AREA), np.float32)
            paint = _printed(paint, self.design, mask)
            if self.design.ink is None:
                shade = shade + _raised(mask, light)
        if self.relief.grain:
            coarse = rng.normal(0, 1, (size, max(2, size // 6))).astype(np.float32)
            shade = shade * (1 + self.relief.grain * cv2.resize(coarse, (size, size)))
        texture = paint * shade[..., None]
        if self.relief.spot:
            far = (x - 0.45 * np.cos(light)) ** 2 + (y - 0.45 * np.sin(light)) ** 2
            texture += (self.relief.spot * 200 * np.exp(-far / 0.03))[..., None]
        cover = np.clip((1 - radius) * size / 2 + 0.5, 0, 1)
        return texture.astype(np.float32), cover.astype(np.float32)

    def _slope(self, radius: NDArray[np.float32]) -> NDArray[np.float32]:
        """How much a top of this relief leans outward at each radius, as light and shade see it."""
        slope = self.relief.dome * radius
        for at, width, depth in self.relief.grooves:
            far = (radius - at) / width
            slope = slope - depth * far * np.exp(-far * far)
        edge = np.clip((radius - 0.88) / 0.12, 0, 1)
        return np.asarray(slope + self.relief.bevel * edge, np.float32)


class Tops:
    """All tops of one set: plain men, marked kings; in some sets the men bear a design as well."""

    def __init__(self, rng: np.random.Generator, colours: tuple[Colour, Colour], marked_kings: bool) -> None:
        self._relief = random_relief(rng)
        self._under = self._relief if rng.random() < 0.6 else random_relief(rng)
        self._gloss = rng.uniform(0.05, 0.9) if rng.random() < 0.5 else 0.0
        decorated = rng.random() < 0.35
        names = rng.permutation(len(DESIGNS))
        men = [random_design(rng, DESIGNS[names[0]], c, raised=0.75) if decorated else None for c in colours]
        one = random_design(rng, DESIGNS[names[1]], colours[0], raised=0.15)
        other = random_design(rng, DESIGNS[names[1 if rng.random() < 0.7 else 2]], colours[1], raised=0.15)
        self._men, self._kings = men, [one, other]

    def look(self, rng: np.random.Generator, side: int, marked: bool, colour: Colour) -> TopLook:
        """The top of one disc; a few of a set are worn or were turned over."""
        if marked:
            return TopLook(colour, self._under, self._kings[side], self._gloss)
        return TopLook(colour, self._relief, self._men[side], self._gloss * rng.uniform(0.7, 1.0))


def random_relief(rng: np.random.Generator) -> Relief:
    """Any turned or moulded top."""
    grooves = tuple(
        (rng.uniform(0.1, 0.92), rng.uniform(0.02, 0.09), float(rng.choice([-1, 1])) * rng.uniform(0.1, 0.7))
        for _ in range(int(rng.choice([0, 0, 1, 2, 3, 4, 6])))
    )
    return Relief(
        grooves,
        float(rng.choice([0, 0, 1, -1])) * rng.uniform(0.05, 0.45),
        rng.uniform(-0.3, 0.5),
        rng.uniform(0, 0.12) if rng.random() < 0.5 else 0.0,
        rng.uniform(0.1, 0.9) if rng.random() < 0.3 else 0.0,
    )


def random_design(rng: np.random.Generator, name: str, disc: Colour, raised: float) -> Design:
    """A design of this name, printed in a colour that stands out or, with chance `raised`, moulded."""
    mask = _design_mask(rng, name)
    if rng.random() < raised:
        return Design(mask, None, None)
    if rng.random() < 0.3:
        field = mark_colour(rng, disc)
        return Design(mask, mark_colour(rng, field), field)
    return Design(mask, mark_colour(rng, disc), None)


def _design_mask(rng: np.random.Generator, name: str) -> NDArray[np.float32]:
    """(96, 96) float32, 1 where the design is."""
    mask = np.zeros((FINE, FINE), np.uint8)
    middle, reach = FINE // 2, int(FINE / 2 * rng.uniform(0.4, 0.85))
    thick = int(rng.integers(4, 12))
    turn = rng.uniform(0, 2 * np.pi)
    if name == "ring":
        cv2.circle(mask, (middle, middle), reach - thick // 2, 255, thick, cv2.LINE_AA)
    elif name == "dot":
        cv2.circle(mask, (middle, middle), max(6, int(reach * rng.uniform(0.4, 1.0))), 255, -1, cv2.LINE_AA)
    elif name == "letter":
        face, scale = int(rng.integers(0, 4)), reach / 22 * rng.uniform(0.7, 1.1)
        text = LETTERS[int(rng.integers(len(LETTERS)))]
        (w, h), _ = cv2.getTextSize(text, face, scale, thick)
        cv2.putText(mask, text, (middle - w // 2, middle + h // 2), face, scale, 255, thick, cv2.LINE_AA)
    elif name == "spiral":
        angle = np.linspace(0, rng.uniform(2, 4) * 2 * np.pi, 80)
        arm = np.stack([np.cos(angle), np.sin(angle)], axis=1) * (angle / angle[-1] * reach)[:, None] + middle
        cv2.polylines(mask, [np.rint(arm).astype(np.int32)], False, 255, max(3, thick // 2), cv2.LINE_AA)
    elif name in ("cross", "bars"):
        for k in range(2 if name == "cross" else int(rng.integers(1, 4))):
            _bar(mask, turn + (k * np.pi / 2 if name == "cross" else 0), reach, thick, 0 if name == "cross" else k - 1)
    elif name == "emblem":
        for _ in range(int(rng.integers(3, 9))):
            at = rng.normal(middle, reach * 0.4, 2).astype(int)
            axes = (int(rng.integers(2, reach // 2 + 3)), int(rng.integers(2, 9)))
            cv2.ellipse(mask, (int(at[0]), int(at[1])), axes, rng.uniform(0, 180), 0, 360, 255, -1, cv2.LINE_AA)
    else:
        cv2.fillPoly(mask, [np.rint(_outline(name) * reach + middle).astype(np.int32)], 255, cv2.LINE_AA)
    return np.asarray(mask.astype(np.float32) / 255, np.float32)


def _outline(name: str) -> NDArray[np.float64]:
    """Corners (m, 2) of a crown, hat or star within the unit circle."""
    if name == "crown":
        return np.array([(-0.8, 0.6), (0.8, 0.6), (0.9, -0.5), (0.45, 0.05), (0, -0.8), (-0.45, 0.05), (-0.9, -0.5)])
    if name == "hat":
        return np.array([(-0.9, 0.4), (0.9, 0.4), (0.9, 0.2), (0.5, 0.2), (0.4, -0.7), (-0.4, -0.7), (-0.5, 0.2)])
    spikes, angles = np.where(np.arange(10) % 2, 0.42, 1.0), np.arange(10) * np.pi / 5
    return np.stack([spikes * np.sin(angles), -spikes * np.cos(angles)], axis=1)


def _bar(mask: NDArray[np.uint8], turn: float, reach: int, thick: int, beside: int) -> None:
    along = np.array([np.cos(turn), np.sin(turn)]) * reach
    across = np.array([-np.sin(turn), np.cos(turn)]) * beside * thick * 2.2
    one, other = (tuple(int(v) for v in FINE / 2 + across + k * along) for k in (-1, 1))
    cv2.line(mask, one, other, 255, thick, cv2.LINE_AA)


def _printed(paint: NDArray[np.float32], design: Design, mask: NDArray[np.float32]) -> NDArray[np.float32]:
    """The paint (size, size, 3) with the design's field and ink on it, where it has them."""
    size = len(mask)
    if design.field is not None:
        field = np.zeros((FINE, FINE), np.float32)
        cv2.circle(field, (FINE // 2, FINE // 2), int(FINE * 0.4), 1.0, -1, cv2.LINE_AA)
        cover = cv2.resize(field, (size, size), interpolation=cv2.INTER_AREA)[..., None]
        paint = paint * (1 - cover) + design.field.astype(np.float32) * cover
    if design.ink is not None:
        paint = paint * (1 - mask[..., None]) + design.ink.astype(np.float32) * mask[..., None]
    return np.asarray(paint, np.float32)


def _raised(mask: NDArray[np.float32], light: float) -> NDArray[np.float32]:
    """Light and shade (size, size) of a moulded design, lit from the angle `light`."""
    soft = cv2.GaussianBlur(mask, (0, 0), max(0.7, len(mask) / 48))
    across, down = (cv2.Sobel(soft, cv2.CV_32F, dx, 1 - dx) for dx in (1, 0))
    return np.asarray(-0.45 * (across * np.cos(light) + down * np.sin(light)) - 0.08 * mask, np.float32)
