"""Other draughts libraries to measure beside: each in an environment of its own, asked for figures as a process.

`make bench` makes the environments; Kibitz itself never imports these libraries (two of them share a package name).
"""

import json
import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

_PATIENCE_SECONDS = 300
_PROGRAMS = Path(__file__).with_name("bench_programs")


@dataclass(frozen=True, slots=True)
class Peer:
    """A library, and the interpreter of the environment it is installed in."""

    name: str
    program: str
    """The file in bench_programs that measures it."""

    @property
    def python(self) -> Path:
        """`KIBITZ_BENCH_DIR/NAME/bin/python`; `make bench` sets the variable."""
        return Path(os.environ.get("KIBITZ_BENCH_DIR", ".venv-bench")) / self.name / "bin" / "python"

    def measure(self, *words: str) -> dict[str, float] | str:
        """The figures it prints as JSON, or why there are none."""
        if not self.python.exists():
            return f"{self.name} is not installed ({self.python} is missing); `make bench` installs it"
        command = [str(self.python), str(_PROGRAMS / self.program), *words]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=_PATIENCE_SECONDS, check=False)
        except subprocess.TimeoutExpired:
            return f"{self.name} took longer than {_PATIENCE_SECONDS} seconds"
        if done.returncode != 0:
            last = done.stderr.strip().splitlines()[-1:] or ["no reason given"]
            return f"{self.name} failed: {last[0]}"
        figures: dict[str, float] = json.loads(done.stdout)
        return figures


PY_DRAUGHTS = Peer("py-draughts", "py_draughts.py")
PYDRAUGHTS = Peer("pydraughts", "pydraughts.py")
DAME_RS = Peer("dame-rs", "dame_rs.py")
