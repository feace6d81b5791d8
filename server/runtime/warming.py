"""Compiling the kernel of the rules in a process of its own."""

import subprocess
import sys

from rules.legal_moves import warm_up

COMPILE = ("-c", "from rules.legal_moves import compile_all; compile_all()")
"""What Python is told to do there."""


def warm_up_apart() -> bool:
    """Lets another process compile, then loads what it left in numba's cache; false if numba is absent.

    Compiling takes some 120 MB that a process never gives back, and holds up all its threads. Where the other process
    fails, or has nowhere to leave what it compiled, this one compiles.
    """
    quiet = subprocess.DEVNULL
    try:
        subprocess.run([sys.executable, *COMPILE], stdin=quiet, stdout=quiet, stderr=quiet, check=False)
    except OSError:
        return warm_up()
    return warm_up()
