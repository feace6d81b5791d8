"""A grid seen through a lens that bends lines, or does not."""

import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.grid_model import GridModel, fitted

SIZE = (960, 540)
LEANING = np.array([[42.0, 14.0, 210.0], [-3.0, 26.0, 120.0], [-0.0004, 0.012, 1.0]])


def _crossings(inner: int, bend: float, noise: float, seed: int) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Places (m, 2) and pixels (m, 2) of so many crossings a side of a leaning board."""
    places = np.array([(x, y) for x in range(1, inner + 1) for y in range(1, inner + 1)])
    model = GridModel(LEANING, bend, np.array(SIZE) / 2, float(np.hypot(*SIZE) / 2), 0.0)
    return places, model.project(places) + np.random.default_rng(seed).normal(0, noise, (len(places), 2))


@pytest.mark.parametrize("seed", range(6))
def test_a_slight_bend_is_believed_where_many_crossings_show_it(seed: int) -> None:
    places, xy = _crossings(11, -0.1, 0.6, seed)
    found = fitted(places, xy, SIZE)
    assert found is not None
    assert found.bend < -0.03


@pytest.mark.parametrize("inner", [7, 9, 11])
@pytest.mark.parametrize("seed", range(6))
def test_noise_alone_bends_no_lens(inner: int, seed: int) -> None:
    places, xy = _crossings(inner, 0.0, 0.4, seed)
    found = fitted(places, xy, SIZE)
    assert found is not None
    assert found.bend == 0.0
