"""The light of a drawn room: where it comes from, where it falls off, what is mirrored in glossy things."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.pose import BoardPose

Picture = NDArray[np.float32]
COARSE = 8
"""The light varies slowly: it is computed once for so many pixels each way."""


@dataclass(frozen=True, slots=True, eq=False)
class RoomLight:
    """`towards` (2,) plane units a shadow falls per unit of height, `shadow` what it takes (0 to 1), `softness` px."""

    towards: NDArray[np.float64]
    shadow: float
    softness: float
    mirrors: tuple[tuple[NDArray[np.float64], NDArray[np.float64], float, float], ...]
    """What glossy tops mirror, as soft rectangles of the plane: middle (2,), half sizes (2,), turn, edge."""

    @property
    def azimuth(self) -> float:
        """Direction (radians, on the plane) from which the light comes."""
        return float(np.arctan2(-self.towards[1], -self.towards[0]))

    def mirrored(self, xy: NDArray[np.float64]) -> NDArray[np.float32]:
        """How much of a lamp or window (0 to 1) a flat glossy top mirrors at plane points (m, 2): (m,)."""
        total = np.zeros(len(xy))
        for middle, half, turn, edge in self.mirrors:
            cosine, sine = np.cos(turn), np.sin(turn)
            at = (xy - middle) @ np.array([[cosine, -sine], [sine, cosine]])
            inside = 1 / (1 + np.exp(-np.clip((half - np.abs(at)) / edge, -30, 30)))
            total = np.maximum(total, inside.prod(axis=1))
        return total.astype(np.float32)


def random_light(rng: np.random.Generator, squares: int) -> RoomLight:
    """A lamp, a window or a dull sky."""
    mirrors = []
    for _ in range(int(rng.choice([0, 0, 1, 1, 2]))):
        half = np.array([rng.uniform(0.15, 3.0), rng.uniform(0.15, 2.0)])
        mirrors.append((rng.uniform(-1, squares + 1, 2), half, rng.uniform(0, np.pi), rng.uniform(0.03, 0.5)))
    length = rng.uniform(0.1, 0.8) if rng.random() < 0.7 else rng.uniform(0.8, 2.2)
    angle = rng.uniform(0, 2 * np.pi)
    hard = rng.random() < 0.3
    return RoomLight(
        length * np.array([np.cos(angle), np.sin(angle)]),
        rng.uniform(0.35, 0.8) if hard else rng.uniform(0.05, 0.5),
        rng.uniform(0.4, 1.5) if hard else rng.uniform(1.0, 8.0),
        tuple(mirrors),
    )


def shone_on(rng: np.random.Generator, picture: Picture, pose: BoardPose, light: RoomLight, squares: int) -> None:
    """Lights the whole picture (h, w, 3) unevenly: fall-off, a shadow's edge, a lamp mirrored in a glossy board."""
    height, width = picture.shape[:2]
    rows, columns = -(-height // COARSE), -(-width // COARSE)
    grid = np.stack(np.meshgrid(np.arange(columns), np.arange(rows)), axis=-1).reshape(-1, 2) * float(COARSE)
    place = (np.clip(pose.unproject(grid), -squares, 2 * squares) - squares / 2) / squares
    gain = np.exp(place @ rng.normal(0, 0.3, 2))
    if rng.random() < 0.3:
        edge = place @ rng.normal(0, 1, 2) + rng.normal(0, 0.25)
        gain *= 1 - rng.uniform(0.2, 0.65) / (1 + np.exp(-np.clip(edge * rng.uniform(5, 60), -30, 30)))
    picture *= _spread_out(gain, rows, columns, picture.shape[:2])
    if light.mirrors and rng.random() < 0.4:
        glare = light.mirrored(place * squares + squares / 2) * np.float32(rng.uniform(20, 160))
        picture += _spread_out(glare, rows, columns, picture.shape[:2])


def _spread_out(
    values: NDArray[np.float64] | NDArray[np.float32], rows: int, columns: int, shape: tuple[int, ...]
) -> Picture:
    coarse = values.reshape(rows, columns).astype(np.float32)
    full = cv2.resize(coarse, (columns * COARSE, rows * COARSE), interpolation=cv2.INTER_LINEAR)
    return np.asarray(full[: shape[0], : shape[1], None], np.float32)
