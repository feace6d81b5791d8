"""What can still be read of damaged journals, and the second copy, put together into a sound database."""

import json
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

from server.store.database import UID, copied
from server.store.text_copy import CopiedGame, TextCopy

_GIVE_UP_AFTER = 500
"""Rows in a row that cannot be read: there are no more."""
_HEADER_BYTES = 100
_LARGEST_BYTES = 20_000_000_000
Row = tuple[Any, ...]


def complete(connection: sqlite3.Connection, text: TextCopy, newest: int | None = None) -> int:
    """Adds what the second copy has and the database lacks; gives how many events that were."""
    added = 0
    for copy in text.games(newest):
        added += _take_over(connection, copy)
    connection.commit()
    return added


def rebuild(connection: sqlite3.Connection, damaged: Path, text: TextCopy) -> int:
    """Fills a fresh database with what a damaged one and the second copy hold; gives how many rows that were."""
    with suppress(OSError, sqlite3.Error), copied(damaged) as copy, closing(sqlite3.connect(_whole(copy))) as source:
        _games_over(source, connection)
        for game in text.games():
            _game_number(connection, game)
        _events_over(source, connection)
    connection.commit()
    complete(connection, text)
    return sum(int(connection.execute(f"SELECT COUNT(*) FROM {table}").fetchone()[0]) for table in ("games", "events"))


def _whole(path: Path) -> Path:
    """A truncated file is filled up with empty pages: SQLite refuses it otherwise, whatever it still holds."""
    with path.open("rb") as file:
        data = file.read(_HEADER_BYTES)
    if len(data) == _HEADER_BYTES:
        page = int.from_bytes(data[16:18], "big")
        pages = int.from_bytes(data[28:32], "big")
        bytes_wanted = (65536 if page == 1 else page) * pages
        if path.stat().st_size < bytes_wanted <= _LARGEST_BYTES:
            os.truncate(path, bytes_wanted)
    return path


def number_for(connection: sqlite3.Connection, game: int, uid: str | None) -> tuple[int | None, bool]:
    """The number under which a game is, or may be put: `(number, whether it is there)`; None for the next free one."""
    if uid is not None:
        row = connection.execute(f"SELECT game FROM games WHERE {UID} = ?", (uid,)).fetchone()
        if row is not None:
            return int(row[0]), True
    taken = connection.execute("SELECT 1 FROM games WHERE game = ?", (game,)).fetchone()
    return (None if taken else game), False


def _game_number(connection: sqlite3.Connection, copy: CopiedGame) -> int:
    """The number of a copied game, which is put there if it lacks."""
    number, there = number_for(connection, copy.game, copy.terms.get("uid"))
    if there and number is not None:
        return number
    row = connection.execute(
        "INSERT INTO games (game, variant, started, terms) VALUES (?, ?, ?, ?)",
        (number, copy.variant, copy.started, json.dumps(copy.terms)),
    )
    return int(row.lastrowid or 0)


def _take_over(connection: sqlite3.Connection, copy: CopiedGame) -> int:
    number = _game_number(connection, copy)
    before = connection.total_changes
    connection.executemany(
        "INSERT OR IGNORE INTO events (game, number, time, type, json) VALUES (?, ?, ?, ?, ?)",
        [
            (number, k, moment, str(event.get("type", "")), json.dumps(event))
            for k, (moment, event) in sorted(copy.events.items())
        ],
    )
    return connection.total_changes - before


def _games_over(source: sqlite3.Connection, connection: sqlite3.Connection) -> None:
    for row in _readable(source, "games", "game", "game, variant, started, terms"):
        if _is_object(row[3]):
            connection.execute("INSERT OR IGNORE INTO games (game, variant, started, terms) VALUES (?, ?, ?, ?)", row)


def _events_over(source: sqlite3.Connection, connection: sqlite3.Connection) -> None:
    for row in _readable(source, "pictures", "id", "id, jpeg"):
        connection.execute("INSERT OR IGNORE INTO pictures (id, jpeg) VALUES (?, ?)", row)
    known = {int(game) for (game,) in connection.execute("SELECT game FROM games")}
    for row in _readable(source, "events", "id", "game, number, time, type, json, before, after"):
        if row[0] in known and _is_object(row[4]):
            connection.execute(
                "INSERT OR IGNORE INTO events (game, number, time, type, json, before, after)"
                " VALUES (?, ?, ?, ?, ?, ?, ?)",
                row,
            )


def _is_object(text: Any) -> bool:
    try:
        return isinstance(json.loads(text), dict)
    except (ValueError, TypeError):
        return False


def _readable(source: sqlite3.Connection, table: str, key: str, columns: str) -> Iterator[Row]:
    """Row by row, so that a page that cannot be read costs only its own rows."""
    failed, at = 0, 0
    while failed < _GIVE_UP_AFTER:
        at += 1
        try:
            row = source.execute(f"SELECT {columns} FROM {table} WHERE {key} = ?", (at,)).fetchone()
        except (sqlite3.Error, UnicodeDecodeError):
            row = None
        failed = 0 if row is not None else failed + 1
        if row is not None and not any(value is None for value in row[:5]):
            yield row
