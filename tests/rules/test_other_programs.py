"""Other programs agree with our moves, where a developer has them (see tests/support/cross_check/referees.py)."""

import os
import subprocess

import pytest

from tests.support.cross_check.referees import HAND_MADE, REFEREES, differences

COUNT = int(os.environ.get("KIBITZ_CROSS_CHECK", "300"))
PYTHONS = {"py-draughts": "KIBITZ_PY_DRAUGHTS", "pydraughts": "KIBITZ_PYDRAUGHTS"}
CASES = [(referee, name) for referee, (_, names) in REFEREES.items() for name in names]


def _python_with(referee: str) -> str:
    variable = PYTHONS[referee]
    python = os.environ.get(variable, "")
    if not python:
        pytest.skip(f"set {variable} to a Python that has {referee} to let it referee our moves")
    asked = subprocess.run([python, "-c", "import draughts"], capture_output=True, check=False)
    if asked.returncode:
        pytest.skip(f"the Python that {variable} names, {python}, has no {referee}")
    return python


def test_every_referee_gets_hand_made_positions() -> None:
    assert {name for _, name in CASES} == set(HAND_MADE)


@pytest.mark.parametrize(("referee", "name"), CASES)
def test_another_program_finds_the_same_moves(referee: str, name: str) -> None:
    python = _python_with(referee)
    assert not [found for found in differences(python, referee, name, COUNT) if not found.explained]
