"""Looks at the discs of scenes, drawn or labelled, for the network that tells kings from men."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from hardware.training.drawn_scene import COVERED, DARK_KING, LIGHT_KING, DrawnScene, in_view
from hardware.training.patch_sets import STORED_SCALE, jittered, places_in_patches, relit
from vision.crown_reader import CROWN_SIZE, beside, crown_planes
from vision.reader import light_of_board
from vision.rectify import TOP_HEIGHT, square_lean, standing_patches

ENOUGH_BARE = 24
"""About so many squares besides those with discs tell the light of the board."""
FEWEST = 2
"""A look with fewer discs has nothing to compare."""


@dataclass(frozen=True, slots=True, eq=False)
class CrownLook:
    """The discs of one look at one board.

    `planes` (n, 4, p, p) int8 and `told` (n, 2) float32 as vision/crown_reader.py gives them, `kings` (n,) bool;
    `stands` (n, 4) float32 as in patch_sets.py, NaN where it is not known.
    """

    planes: NDArray[np.int8]
    told: NDArray[np.float32]
    kings: NDArray[np.bool_]
    stands: NDArray[np.float32]


def look_at_discs(rng: np.random.Generator, scene: DrawnScene, exact: bool = False) -> CrownLook | None:
    """One look at the discs: unless `exact`, under another light, with a wrong height and wrong corners."""
    labels = in_view(scene.labels, scene.pose, scene.xy)
    if ((labels > 0) & (labels < COVERED)).sum() < FEWEST:
        return None
    if not exact:
        some = rng.random(len(labels)) < ENOUGH_BARE / len(labels)
        scene, labels = _part_of(scene, some | (labels > 0)), labels[some | (labels > 0)]
    disc = (labels > 0) & (labels < COVERED)
    pose, wider, height = scene.pose, 1.0, TOP_HEIGHT
    if not exact:
        pose = jittered(rng, pose, scene.xy)
        wider, height = framed(rng)
    patches = standing_patches(scene.bgr, pose, scene.xy, CROWN_SIZE, wider, height)
    if not exact:
        patches = relit(rng, patches, scene.xy)
    light_side = (labels[disc] == 1) | (labels[disc] == LIGHT_KING)
    if not scene.sides_clear and rng.random() < 0.5:
        light_side = ~light_side
    planes = crown_planes(patches[disc], light_of_board(patches))
    stands = places_in_patches(scene, pose, height)[disc]
    return CrownLook(
        np.rint(planes * STORED_SCALE).astype(np.int8),
        beside(square_lean(pose, scene.xy)[disc], light_side),
        (labels[disc] == LIGHT_KING) | (labels[disc] == DARK_KING),
        stands,
    )


def framed(rng: np.random.Generator) -> tuple[float, float]:
    """How much wider than usual a look is and at which height (squares) it samples: near the usual, or quite another.

    A tall piece fills its patch as a low one does when framed closer; who has seen one framing only does not know it.
    """
    wider = rng.uniform(0.95, 1.07) if rng.random() < 0.6 else rng.uniform(0.9, 1.35)
    height = rng.uniform(0.6, 1.5) if rng.random() < 0.6 else rng.uniform(0.0, 2.4)
    return float(wider), float(TOP_HEIGHT * height)


def _part_of(scene: DrawnScene, kept: NDArray[np.bool_]) -> DrawnScene:
    """The scene with some of its squares."""
    return replace(
        scene, xy=scene.xy[kept], labels=scene.labels[kept], played=scene.played[kept], stands=scene.stands[kept]
    )
