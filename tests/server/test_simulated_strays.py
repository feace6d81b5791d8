"""Discs that stand between squares, seen by the whole pipeline on the simulated board."""

import pytest

from tests.support.simulated import told, watched


@pytest.mark.parametrize("shift", ["shift 22 0.5 0.5", "shift 22 0.5 0.0"])
def test_a_disc_pushed_off_its_square_is_asked_back_and_nobody_is_accused(shift):
    assert told(watched("english", f"11-15\n{shift}\nwait 9")) == ["move 11-15", "reminder off_square 22,18"]


def test_the_game_goes_on_once_the_disc_is_back():
    events = watched("english", "11-15\nshift 23 -0.5 0.1\nwait 9\nshift 23 0 0\nwait 2\n23-18")
    assert told(events) == ["move 11-15", "reminder off_square 23,18", "move 23-18"]


def test_a_disc_a_little_off_the_middle_is_left_alone():
    assert told(watched("english", "11-15\nshift 22 0.2 0.1\nwait 6\n22-18")) == ["move 11-15", "move 22-18"]
