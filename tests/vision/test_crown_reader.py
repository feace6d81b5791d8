"""The closer look at discs, which tells kings from men."""

from functools import cache

import numpy as np
import pytest
from numpy.typing import NDArray

from hardware.training.crown_sets import CrownLook, look_at_discs
from hardware.training.drawn_scene import COVERED, DrawnScene, draw_scene, in_view
from vision.crown_reader import CROWN_SIZE, beside, crown_planes, installed_crown_reader
from vision.errors import ReaderError
from vision.reader import LightOfBoard, light_of_board
from vision.rectify import TOP_HEIGHT, square_lean, square_patches, standing_patches

LIGHT = LightOfBoard(128.0, 128.0, 128.0, 40.0)


def _odds(look: CrownLook) -> NDArray[np.float32]:
    reader = installed_crown_reader()
    return reader.odds_of(reader.features_of(look.planes.astype(np.float32) / 31), look.told)


def _looks(count: int) -> list[CrownLook]:
    looks = (look_at_discs(rng, draw_scene(rng), exact=True) for rng in map(np.random.default_rng, range(count)))
    return [look for look in looks if look is not None]


def test_kings_look_more_kinglike_than_men() -> None:
    looks = _looks(16)
    odds, kings = np.concatenate([_odds(look) for look in looks]), np.concatenate([look.kings for look in looks])
    assert kings.sum() > 20
    assert np.median(odds[kings]) > np.quantile(odds[~kings], 0.9)


@pytest.mark.parametrize(("wider", "height"), [(1.3, TOP_HEIGHT), (1.3, 0.0), (1.0, 0.33)])
def test_kings_are_known_in_quite_another_framing(wider: float, height: float) -> None:
    odds, kings = _framed(24, wider, height)
    assert kings.sum() > 20
    assert np.median(odds[kings]) > 1
    assert np.quantile(odds[~kings], 0.9) < 0


@cache
def _scenes(count: int) -> list[DrawnScene]:
    return [draw_scene(np.random.default_rng((9, seed))) for seed in range(count)]


def _framed(count: int, wider: float, height: float) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
    """Odds (n,) of the discs of drawn scenes whose patches are framed so, and which are kings (n,)."""
    odds, kings = [], []
    for scene in _scenes(count):
        labels = in_view(scene.labels, scene.pose, scene.xy)
        discs = np.flatnonzero((labels > 0) & (labels < COVERED))
        light = light_of_board(square_patches(scene.bgr, scene.pose, scene.xy))
        patches = standing_patches(scene.bgr, scene.pose, scene.xy[discs], CROWN_SIZE, wider, height)
        lean = square_lean(scene.pose, scene.xy[discs])
        odds.append(installed_crown_reader().king_odds(patches, light, lean, labels[discs] % 2 == 1))
        kings.append(labels[discs] > 2)
    return np.concatenate(odds), np.concatenate(kings)


def test_the_order_of_the_discs_does_not_matter() -> None:
    look = max(_looks(4), key=lambda one: len(one.kings))
    order = np.random.default_rng(1).permutation(len(look.kings))
    turned = CrownLook(look.planes[order], look.told[order], look.kings[order], look.stands[order])
    assert np.allclose(_odds(turned), _odds(look)[order], atol=1e-3)


def test_a_disc_is_looked_at_in_its_own_contrast() -> None:
    rng = np.random.default_rng(2)
    faint = np.clip(40 + 3 * rng.normal(0, 1, (1, CROWN_SIZE, CROWN_SIZE, 1)), 0, 255).repeat(3, axis=3)
    strong = np.clip(40 + 4 * (faint - 40), 0, 255)
    faint_planes, strong_planes = (crown_planes(p.astype(np.uint8), LIGHT)[0] for p in (faint, strong))
    assert strong_planes[1].std() > 3 * faint_planes[1].std()
    assert strong_planes[0].std() < 2 * faint_planes[0].std()


def test_no_discs_give_no_odds() -> None:
    none = np.zeros((0, CROWN_SIZE, CROWN_SIZE, 3), np.uint8)
    told = np.zeros(0, np.float32), np.zeros(0, np.bool_)
    assert installed_crown_reader().king_odds(none, LIGHT, *told).shape == (0,)


def test_patches_of_another_size_are_named() -> None:
    patches = np.zeros((2, 40, 40, 3), np.uint8)
    with pytest.raises(ReaderError, match="expected \\(n, 48, 48, 3\\)"):
        installed_crown_reader().king_odds(patches, LIGHT, np.zeros(2, np.float32), np.ones(2, np.bool_))


def test_what_is_told_beside_a_disc_is_the_lean_and_its_side() -> None:
    told = beside(np.array([0.5, 1.0], np.float32), np.array([True, False]))
    assert told.tolist() == [[0.5, 1.0], [1.0, -1.0]]
