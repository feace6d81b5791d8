"""Compiling the kernel of the rules in a process of its own."""

import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress

from rules.legal_moves import warm_up

COMPILE = ("-c", "from rules.legal_moves import compile_all; compile_all()")
"""What Python is told to do there."""


def warm_up_apart(wait: Callable[[], None] = lambda: None) -> bool:
    """Lets another process compile, then loads what it left in numba's cache; false if numba is absent.

    Before loading it waits for whatever `wait` waits for: finding the board needs much memory, too, and no kernel.

    Compiling takes some 120 MB that a process never gives back, and holds up all its threads. Where the other process
    fails, or has nowhere to leave what it compiled, this one compiles.
    """
    quiet = subprocess.DEVNULL
    with suppress(OSError):
        subprocess.run([sys.executable, *COMPILE], stdin=quiet, stdout=quiet, stderr=quiet, check=False)
    wait()
    return warm_up()
