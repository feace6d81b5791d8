"""Compiling the kernel of the rules in a process of its own."""

import importlib
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress

from rules.legal_moves import warm_up
from server.runtime.sparing import let_go_of_code

COMPILE = ("-c", "from rules.legal_moves import compile_all; compile_all()")
"""What Python is told to do there."""


def warm_up_apart(wait: Callable[[], None] = lambda: None) -> bool:
    """Lets another process compile, then loads what it left in numba's cache; false if numba is absent.

    Before loading it waits for whatever `wait` waits for: finding the board needs much memory, too, and no kernel.
    What code was needed to come so far is let go before, and the compiler's own, some 70 MB, afterwards.

    Compiling takes some 120 MB that a process never gives back, and holds up all its threads. Where the other process
    fails, or has nowhere to leave what it compiled, this one compiles.
    """
    quiet = subprocess.DEVNULL
    with suppress(OSError):
        subprocess.run([sys.executable, *COMPILE], stdin=quiet, stdout=quiet, stderr=quiet, check=False)
    wait()
    with suppress(ImportError):
        importlib.import_module("numba")
    let_go_of_code()
    ready = warm_up()
    let_go_of_code()
    return ready
