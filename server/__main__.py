"""`python -m server` is `kibitz`."""

import os
import sys

INTERRUPTED = 130
THREADS_OF_NUMPY = "OPENBLAS_NUM_THREADS"
"""Read once, when numpy is loaded. Its matrices are tiny here: more threads spin for longer than they work."""


def run() -> int:
    """The command, loaded where Ctrl-C already ends it without a traceback."""
    os.environ.setdefault(THREADS_OF_NUMPY, "1")
    try:
        from server.cli.main import main

        return main()
    except KeyboardInterrupt:
        return INTERRUPTED


if __name__ == "__main__":
    sys.exit(run())
