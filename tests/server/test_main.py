"""What the command does before anything is loaded."""

import os
import subprocess
import sys

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
