"""The second copy of every game: a text file a game, one line an event with a checksum.

It is written after the database and only grows. Should the database be damaged, the games are read from here; any
editor can read them as well. A line that was torn by a power cut, or damaged since, is passed over.
"""

import json
import os
import zlib
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Event = dict[str, Any]


@dataclass(frozen=True, slots=True)
class CopiedGame:
    """A game of the second copy: its number in the journal, what it began with, its events by number."""

    game: int
    variant: str
    started: float
    terms: dict[str, Any]
    events: dict[int, tuple[float, Event]]
    """Time and event by number, from 1."""


class TextCopy:
    """The folder with one file for each game. Raises OSError where it cannot be written."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def path(self, game: int, terms: dict[str, Any]) -> Path:
        """The file of a game; its name sorts by the number of the game."""
        return self.folder / f"{game:06}-{str(terms.get('uid', ''))[:8]}.jsonl"

    def last(self, path: Path) -> int:
        """Number of the last event copied; -1 if there is no file yet."""
        if not path.exists():
            return -1
        copied = read_copy(path)
        return 0 if copied is None else max(copied.events, default=0)

    def write(self, path: Path, lines: list[Event]) -> None:
        """Appends lines; they are on the disk when this returns."""
        new = not path.exists()
        self.folder.mkdir(parents=True, exist_ok=True)
        with path.open("ab") as file:
            if not new and not _ends_a_line(path):
                file.write(b"\n")
            for line in lines:
                file.write(_packed(line))
            file.flush()
            os.fsync(file.fileno())
        if new:
            _sync_folder(self.folder)

    def game(self, number: int) -> CopiedGame | None:
        """The copy of a game of the journal; None if there is none or more than one."""
        paths = [path for path in self.folder.glob(f"{number:06}-*.jsonl") if path.is_file()]
        return read_copy(paths[0]) if len(paths) == 1 else None

    def count(self) -> int:
        """How many games have a file."""
        return sum(path.is_file() for path in self.folder.glob("*.jsonl"))

    def games(self, newest: int | None = None) -> Iterator[CopiedGame]:
        """Every game that can be read, or only the newest ones, oldest first."""
        paths = sorted(path for path in self.folder.glob("*.jsonl") if path.is_file())
        for path in paths if newest is None else paths[-newest:]:
            copied = read_copy(path)
            if copied is not None:
                yield copied


def head(game: int, variant: str, started: float, terms: dict[str, Any]) -> Event:
    """The first line of a game's file."""
    return {"game": game, "variant": variant, "started": started, "terms": terms}


def read_copy(path: Path) -> CopiedGame | None:
    """A game's file; None if it has no first line that can be read."""
    first: Event | None = None
    events: dict[int, tuple[float, Event]] = {}
    try:
        data = path.read_bytes()
    except OSError:
        return None
    for raw in data.split(b"\n"):
        line = _unpacked(raw)
        if line is None:
            continue
        if "terms" in line:
            first = first or line
        elif "number" in line:
            with suppress(ValueError, TypeError, LookupError, OverflowError):
                number, moment = int(line.pop("number")), float(line.pop("time"))
                events.setdefault(number, (moment, line))
    if first is None or not isinstance(first["terms"], dict):
        return None
    try:
        return CopiedGame(int(first["game"]), str(first["variant"]), float(first["started"]), first["terms"], events)
    except (ValueError, TypeError, LookupError, OverflowError):
        return None


def _packed(line: Event) -> bytes:
    text = json.dumps(line)
    return f'{{"crc": {zlib.crc32(text.encode())}, "line": {text}}}\n'.encode()


def _unpacked(raw: bytes) -> Event | None:
    try:
        wrapped = json.loads(raw)
        line = wrapped["line"]
        return line if isinstance(line, dict) and zlib.crc32(json.dumps(line).encode()) == wrapped["crc"] else None
    except (ValueError, KeyError, TypeError, RecursionError):
        return None


def _ends_a_line(path: Path) -> bool:
    with path.open("rb") as file:
        file.seek(0, os.SEEK_END)
        if file.tell() == 0:
            return True
        file.seek(-1, os.SEEK_END)
        return file.read(1) == b"\n"


def _sync_folder(folder: Path) -> None:
    """A new file is only safe once its folder is on the disk too."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
