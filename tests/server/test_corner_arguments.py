"""Corners on the command line."""

import pytest

from server.cli.arguments import corners
from server.errors import UsageError


def test_the_six_corners_of_a_hexagon_are_taken():
    assert corners("0,1,2,3,4,5,6,7,8,9,10,11")[5] == (10.0, 11.0)


@pytest.mark.parametrize("text", ["1,2,3,4", "1,2,3,4,5,6,7,8,9,10", "1,2,3,4,5,6,7,nan", "a,b", "1,2,3,4,5,6,7,1e300"])
def test_other_numbers_of_corners_are_refused(text):
    with pytest.raises(UsageError, match="twelve of a hexagon"):
        corners(text)
