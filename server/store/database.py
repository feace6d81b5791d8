"""The journal's database file: opening it, telling that it is damaged, putting a damaged one aside."""

import os
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from server.errors import StoreError

SCHEMA = """
CREATE TABLE IF NOT EXISTS games (
    game INTEGER PRIMARY KEY AUTOINCREMENT, variant TEXT NOT NULL, started REAL NOT NULL, terms TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS pictures (id INTEGER PRIMARY KEY, jpeg BLOB NOT NULL);
CREATE TABLE IF NOT EXISTS events (
    id INTEGER PRIMARY KEY AUTOINCREMENT, game INTEGER NOT NULL REFERENCES games(game), number INTEGER NOT NULL,
    time REAL NOT NULL, type TEXT NOT NULL, json TEXT NOT NULL, before INTEGER, after INTEGER,
    UNIQUE (game, number));
CREATE TRIGGER IF NOT EXISTS events_stay BEFORE DELETE ON events
    BEGIN SELECT RAISE(ABORT, 'the journal only grows'); END;
CREATE TRIGGER IF NOT EXISTS events_hold BEFORE UPDATE ON events
    BEGIN SELECT RAISE(ABORT, 'the journal only grows'); END;
"""
UID = "CASE WHEN json_valid(terms) THEN json_extract(terms, '$.uid') END"
"""What names a game for good; one game whose terms are damaged must not hide the others."""
SIDE_FILES = ("-wal", "-shm", "-journal")
_BUSY_SECONDS = 2.0
_CHECKED_WHOLE_BYTES = 100_000_000
"""A larger file is not read through at every start: a damaged page shows when it is read."""


class Damaged(Exception):
    """The file is there and is no sound database; the message says what is the matter with it."""


def open_writable(path: Path) -> sqlite3.Connection:
    """The database, made if there is none. Raises Damaged, or StoreError if it cannot be had for writing."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        return _opened(path, "rwc")
    except OSError as error:
        raise StoreError(
            f"the data folder {path.parent} cannot be used ({error.strerror}); give another with --data"
        ) from error


def open_readable(path: Path) -> sqlite3.Connection:
    """The database for reading only, also from a disk or folder that cannot be written.

    Raises Damaged, or StoreError if it cannot be read.
    """
    try:
        return _opened(path, "ro")
    except OSError as trouble:
        raise StoreError(f"{path} cannot be read ({trouble.strerror}); check who may read the data folder") from trouble
    except StoreError as trouble:
        try:
            with copied(path) as copy, _opened(copy, "rw") as connection:
                return in_memory(connection)
        except (StoreError, OSError):
            raise trouble from None  # the copy's own place is nobody's concern


def in_memory(source: sqlite3.Connection | None = None) -> sqlite3.Connection:
    """A database in memory, with what `source` holds."""
    connection = sqlite3.connect(":memory:", check_same_thread=False)
    connection.text_factory = _text
    if source is not None:
        source.backup(connection)
    else:
        connection.executescript(SCHEMA)
    return connection


@contextmanager
def copied(path: Path) -> Iterator[Path]:
    """A copy of a database with its side files: the original is not touched."""
    with tempfile.TemporaryDirectory(prefix="kibitz-") as folder:
        copy = Path(folder) / path.name
        for ending in ("", *SIDE_FILES):
            original = path.with_name(path.name + ending)
            if original.is_file() and ending != "-shm":
                shutil.copyfile(original, copy.with_name(copy.name + ending))
        yield copy


def set_aside(path: Path) -> Path:
    """A damaged database is kept under another name: somebody may still read games out of it."""
    number = 1
    while (aside := path.with_name(f"{path.name}.damaged-{number}")).exists():
        number += 1
    try:
        path.rename(aside)
        for ending in SIDE_FILES:
            side_file = path.with_name(path.name + ending)
            if side_file.exists():
                side_file.rename(aside.with_name(aside.name + ending))
    except OSError as error:
        raise StoreError(
            f"{path} cannot be used and cannot be put aside ({error.strerror}); check who may write the data folder"
        ) from error
    return aside


def _opened(path: Path, mode: str) -> sqlite3.Connection:
    _refuse_other_things(path)
    address = f"{path.absolute().as_uri()}?mode={mode}"
    try:
        connection = sqlite3.connect(address, uri=True, timeout=_BUSY_SECONDS, check_same_thread=False)
    except sqlite3.OperationalError as error:
        raise _unusable(path, error) from error
    connection.text_factory = _text
    try:
        if mode == "rwc":
            connection.execute("PRAGMA journal_mode=WAL")
            connection.execute("PRAGMA synchronous=FULL")
            connection.executescript(SCHEMA)
            # SQLite opens a file on a read-only disk without a word: better to know now than at the first move.
            connection.execute("BEGIN IMMEDIATE")
            connection.rollback()
        _check(connection, path)
    except sqlite3.OperationalError as error:
        connection.close()
        raise _unusable(path, error) from error
    except sqlite3.DatabaseError as error:
        connection.close()
        raise Damaged(str(error)) from error
    except BaseException:
        connection.close()
        raise
    return connection


def _refuse_other_things(path: Path) -> None:
    """Raises Damaged for what no database can be, or what cannot be told to be one."""
    if path.exists() and not path.is_file():
        raise Damaged(f"a {'folder' if path.is_dir() else 'device'} stands in its place")
    if path.exists() and not os.access(path, os.R_OK):
        raise Damaged("this user may not read it")


def _text(stored: bytes) -> str:
    """A text with a damaged byte is still read: else it would hide every other row of its table."""
    return stored.decode("utf-8", "replace")


def _check(connection: sqlite3.Connection, path: Path) -> None:
    if path.stat().st_size <= _CHECKED_WHOLE_BYTES:
        (verdict,) = connection.execute("PRAGMA quick_check(1)").fetchone()
        if verdict != "ok":
            raise Damaged(" ".join(str(verdict).split()))
    connection.execute("SELECT game, number, before FROM events ORDER BY id DESC LIMIT 50").fetchall()
    connection.execute("SELECT game, variant, terms FROM games ORDER BY game DESC LIMIT 50").fetchall()


def _unusable(path: Path, error: sqlite3.Error) -> StoreError | Damaged:
    text = str(error)
    if "malformed" in text or "no such table" in text or "no such column" in text or "schema" in text:
        return Damaged(text)
    return StoreError(f"{path} cannot be opened ({text}); check the data folder and who may write it, or give --data")
