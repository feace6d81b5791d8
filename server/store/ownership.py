"""Who is playing which game: two Kibitz processes on one data folder must not continue the same one.

The locks are the system's: they end with the process that holds them, however it ends.
"""

import fcntl
import os
from pathlib import Path

FOLDER = 0
"""In place of the number of a game: the data folder as a whole, which one process should have to itself."""


class Ownership:
    """A lock for each game, held until this process ends, however it ends. Without a file that can be locked,
    every game counts as this process's own."""

    def __init__(self, path: Path) -> None:
        self._handle: int | None = None
        self._mine: set[int] = set()
        try:
            self._handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
        except OSError:
            return

    def take(self, game: int) -> bool:
        """Whether the game is this process's now; False if another process is playing it."""
        if self._handle is None or game in self._mine:
            return True
        try:
            fcntl.lockf(self._handle, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, game)
        except OSError:
            return False
        self._mine.add(game)
        return True

    def close(self) -> None:
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None
