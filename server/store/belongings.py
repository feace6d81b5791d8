"""The small files beside the journal (PIN, settings, calibrations), kept in mind in case their folder vanishes."""

import os
from contextlib import suppress
from pathlib import Path

_KEPT = ("*.json", "*.toml")
_LARGEST_BYTES = 1_000_000


class Belongings:
    """What lay in the data folder when it was looked at last."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._files: dict[str, tuple[int, bytes]] = {}

    def look(self) -> None:
        """Keeps in mind what is there; what was there and cannot be read now is kept as it was."""
        with suppress(OSError):
            for path in (path for pattern in _KEPT for path in self._folder.glob(pattern)):
                status = path.stat()
                if status.st_size <= _LARGEST_BYTES:
                    self._files[path.name] = (status.st_mode & 0o777, path.read_bytes())

    def put_back(self) -> bool:
        """Writes what is missing to where it was; whether nothing is missing now."""
        try:
            for name, (mode, data) in self._files.items():
                path = self._folder / name
                if not path.exists():
                    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
                    with os.fdopen(handle, "wb") as file:
                        file.write(data)
        except OSError:
            return False
        return True
