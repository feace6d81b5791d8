"""`python -m server` is `kibitz`."""

import sys

INTERRUPTED = 130


def run() -> int:
    """The command, loaded where Ctrl-C already ends it without a traceback."""
    try:
        from server.cli.main import main

        return main()
    except KeyboardInterrupt:
        return INTERRUPTED


if __name__ == "__main__":
    sys.exit(run())
