"""A correct game is silent: random legal games of every variant before a noisy camera."""

import pytest

from rules.variants.catalogue import VARIANT_NAMES
from tests.server.noisy_games import played

PLIES = 14


@pytest.mark.parametrize("name", VARIANT_NAMES)
def test_a_correct_game_is_silent_and_every_ply_is_right(name):
    tally = played(name, seed=1000 + VARIANT_NAMES.index(name), plies=PLIES)
    assert tally.right == tally.plies > 0
    assert tally.accusations == tally.questions == 0
