"""Telling the two sets of discs apart on a board never seen before."""

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.looks import Looks
from vision.sets import side_odds

RED, GREEN, WHITE, BLACK = (40.0, 40.0, 180.0), (50.0, 90.0, 40.0), (200.0, 205.0, 210.0), (35.0, 35.0, 35.0)
HALF = 10


def _looks(colours: list[tuple[float, float, float]], light: NDArray[np.float64] | float, seed: int = 1) -> Looks:
    """Hearts of discs of these colours (n, 3) BGR under the light (n,), a little apart from one another."""
    rng = np.random.default_rng(seed)
    bgr = np.array(colours) * (1 + rng.normal(0, 0.05, (len(colours), 1))) * np.reshape(light, (-1, 1))
    return Looks((bgr + rng.normal(0, 0.5, bgr.shape)).astype(np.float32), *np.zeros((2, len(colours)), np.float32))


def _scores(light_side: NDArray[np.float64] | list[float]) -> NDArray[np.float32]:
    """What the reader says (n, 6) of discs that are men of the lighter set by these log-odds (n,)."""
    odds = np.asarray(light_side, np.float64)
    scores = np.full((len(odds), 6), -9.0)
    scores[:, 1], scores[:, 2] = -np.logaddexp(0, -odds), -np.logaddexp(0, odds)
    return scores.astype(np.float32)


def _halves(odds: NDArray[np.float32]) -> tuple[set[bool], set[bool]]:
    return set((odds[:HALF] > 0).tolist()), set((odds[HALF:] > 0).tolist())


def test_sets_of_two_hues_are_told_apart_though_the_reader_cannot_say_which_is_lighter() -> None:
    unsure = np.random.default_rng(2).normal(0, 2.5, 2 * HALF)
    one, other = _halves(side_odds(_scores(unsure), _looks([RED] * HALF + [GREEN] * HALF, 1.0)))
    assert len(one) == len(other) == 1
    assert one != other


def test_sets_of_two_hues_are_told_apart_in_the_dark() -> None:
    unsure = np.random.default_rng(3).normal(0, 1, 2 * HALF)
    one, other = _halves(side_odds(_scores(unsure), _looks([RED] * HALF + [GREEN] * HALF, 0.08)))
    assert len(one) == len(other) == 1
    assert one != other


def test_sets_of_two_hues_are_told_apart_half_in_shadow() -> None:
    shadow = np.tile([1.0, 0.3], HALF)
    unsure = np.where(shadow < 1, -2.0, 0.5)
    one, other = _halves(side_odds(_scores(unsure), _looks([RED] * HALF + [GREEN] * HALF, shadow)))
    assert len(one) == len(other) == 1
    assert one != other


def test_one_set_half_in_shadow_stays_one_set() -> None:
    odds = side_odds(_scores(np.full(2 * HALF, 1.8)), _looks([WHITE] * 2 * HALF, np.repeat([1.0, 0.35], HALF)))
    assert (odds > 0).all()


def test_a_light_and_a_dark_set_are_told_apart_where_the_reader_hardly_knows() -> None:
    hardly = np.r_[np.full(HALF, 0.3), np.full(HALF, -0.3)]
    odds = side_odds(_scores(hardly), _looks([WHITE] * HALF + [BLACK] * HALF, 1.0))
    assert (odds[:HALF] > 2).all()
    assert (odds[HALF:] < -2).all()


def test_a_single_disc_that_shines_does_not_become_a_set_of_its_own() -> None:
    reader = _scores(np.full(5, -4.0))
    looks = _looks([(115.0, 118.0, 120.0)] * 4 + [(170.0, 172.0, 175.0)], 1.0)
    assert (side_odds(reader, looks) < 0).all()


def test_of_very_few_discs_the_reader_alone_decides() -> None:
    reader = _scores([2.0, -1.0, 0.5])
    assert np.allclose(side_odds(reader, _looks([RED, GREEN, RED], 1.0)), [2.0, -1.0, 0.5], atol=1e-3)


@pytest.mark.filterwarnings("error")
def test_discs_that_look_all_alike_are_one_set() -> None:
    alike = Looks(np.full((6, 3), 180.0, np.float32), *np.zeros((2, 6), np.float32))
    assert (side_odds(_scores(np.full(6, 1.5)), alike) > 0).all()
