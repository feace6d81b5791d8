"""What the command does before anything is loaded."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

_PROGRAM = """
import sys
from server.__main__ import run
assert "numpy" not in sys.modules, "too late to tell numpy how many threads to use"
import server.cli.main, os
server.cli.main.main = lambda: print(os.environ["OPENBLAS_NUM_THREADS"]) or 0
run()
"""


@pytest.mark.parametrize(("given", "used"), [(None, "1"), ("3", "3")])
def test_numpy_multiplies_on_one_thread_unless_told_otherwise(given: str | None, used: str) -> None:
    """Its matrices are tiny: on two threads a look cost three times as much processor time."""
    told = {} if given is None else {"OPENBLAS_NUM_THREADS": given}
    others = {name: value for name, value in os.environ.items() if name != "OPENBLAS_NUM_THREADS"}
    out = subprocess.run([sys.executable, "-c", _PROGRAM], env={**others, **told}, capture_output=True, text=True)
    assert out.stdout.strip() == used, out.stderr


def _said(*words: str) -> subprocess.CompletedProcess[str]:
    told = {name: value for name, value in os.environ.items() if name not in ("KIBITZ_DEBUG", "OPENCV_LOG_LEVEL")}
    return subprocess.run([sys.executable, "-m", "server", *words], env=told, capture_output=True, text=True)


def test_a_camera_that_does_not_open_is_told_of_in_one_line_of_kibitz_alone(tmp_path: Path) -> None:
    answer = _said("calibrate", "--camera", "usb:63", "--output", str(tmp_path / "board.json"))
    assert answer.returncode == 2
    (line,) = answer.stderr.splitlines()
    assert line.startswith("kibitz: USB camera 63 does not open"), line


def test_without_a_command_the_help_is_shown() -> None:
    answer = _said()
    assert answer.returncode == 2
    assert "serve     the companion" in answer.stderr
    assert "required" not in answer.stderr
