"""How both looks at a disc say whether it is a king."""

import numpy as np
from numpy.typing import NDArray

from rules.boards.squares import chequered, full
from vision.kings import CLOSER_WEIGHT, maybe_discs, no_disc_has_left, weighed
from vision.reader import network_king_odds

BOARD = chequered(8, 8)


def _scores(men: int, size: int = 32, sure: float = 0.99) -> NDArray[np.float32]:
    """Log-probabilities (n, 6) of so many light men, then empty squares."""
    chance = np.full((size, 6), (1 - sure) / 5)
    chance[np.arange(size), np.where(np.arange(size) < men, 1, 0)] = sure
    return np.log(chance).astype(np.float32)


def test_while_all_discs_are_on_the_board_none_is_a_king() -> None:
    assert no_disc_has_left(_scores(24, sure=0.999), BOARD)


def test_once_a_disc_is_gone_there_may_be_kings() -> None:
    assert not no_disc_has_left(_scores(23, sure=0.999), BOARD)


def test_how_many_discs_a_full_board_begins_with_is_not_taken_for_known() -> None:
    assert not no_disc_has_left(_scores(60, 64, 0.999), full(8, 8))


def test_only_what_may_be_a_disc_is_looked_at_more_closely() -> None:
    assert maybe_discs(_scores(3, sure=0.9999)).tolist() == [0, 1, 2]


def test_the_closer_look_counts_beside_the_first_one() -> None:
    scores = _scores(2)
    odds = weighed(scores, np.array([1]), np.array([5.0], np.float32))
    first = network_king_odds(scores)
    assert odds[0] == first[0]
    assert np.isclose(odds[1], (1 - CLOSER_WEIGHT) * first[1] + CLOSER_WEIGHT * 5.0, atol=1e-5)


def test_without_a_closer_look_the_first_one_decides() -> None:
    scores = _scores(2)
    odds = weighed(scores, np.array([0, 1]), np.full(2, np.nan, np.float32))
    assert np.array_equal(odds, network_king_odds(scores))
