"""The journal: SQLite, append-only, durable before anything is shown."""

import json
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from server.errors import StoreError

_SCHEMA = """
CREATE TABLE IF NOT EXISTS games (
    game INTEGER PRIMARY KEY AUTOINCREMENT, variant TEXT NOT NULL, started REAL NOT NULL, terms TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS events (
    id INTEGER PRIMARY KEY AUTOINCREMENT, game INTEGER NOT NULL REFERENCES games(game), number INTEGER NOT NULL,
    time REAL NOT NULL, type TEXT NOT NULL, json TEXT NOT NULL, before BLOB, after BLOB,
    UNIQUE (game, number));
CREATE TRIGGER IF NOT EXISTS events_stay BEFORE DELETE ON events
    BEGIN SELECT RAISE(ABORT, 'the journal only grows'); END;
CREATE TRIGGER IF NOT EXISTS events_hold BEFORE UPDATE ON events
    BEGIN SELECT RAISE(ABORT, 'the journal only grows'); END;
"""
_LAST = "SELECT COALESCE(MAX(number), 0) FROM events WHERE game = ?"
_EVENTS = "SELECT time, json FROM events WHERE game = ? ORDER BY number"
_BUSY_SECONDS = 2.0


@dataclass(frozen=True, slots=True)
class Evidence:
    """Small JPEG pictures of the board before and after an event."""

    before: bytes | None = None
    after: bytes | None = None


class Journal:
    """Every game with its events: one connection, guarded by a lock. A failed write raises StoreError."""

    def __init__(self, path: Path, *, read_only: bool = False) -> None:
        self.path = path
        self.warning = ""
        self._lock = threading.Lock()
        self._read_only = read_only
        self._connection = self._open()

    def close(self) -> None:
        with self._lock:
            self._connection.close()

    def new_game(self, variant: str, terms: dict[str, Any], started: float | None = None) -> int:
        """Begins a game and gives its number."""
        moment = time.time() if started is None else started
        with self._writing() as connection:
            row = connection.execute(
                "INSERT INTO games (variant, started, terms) VALUES (?, ?, ?)", (variant, moment, json.dumps(terms))
            )
            return int(row.lastrowid or 0)

    def append(self, game: int, events: list[dict[str, Any]], evidence: Evidence = Evidence()) -> None:
        """Appends events in one transaction; on the disk when this returns."""
        if not events:
            return
        with self._writing() as connection:
            (last,) = connection.execute(
                "SELECT COALESCE(MAX(number), 0) FROM events WHERE game = ?", (game,)
            ).fetchone()
            connection.executemany(
                "INSERT INTO events (game, number, time, type, json, before, after) VALUES (?, ?, ?, ?, ?, ?, ?)",
                [
                    (game, last + k, time.time(), e["type"], json.dumps(e), evidence.before, evidence.after)
                    for k, e in enumerate(events, 1)
                ],
            )

    def games(self) -> list[dict[str, Any]]:
        """All games, newest first."""
        with self._reading() as connection:
            rows = connection.execute("SELECT game, variant, started, terms FROM games ORDER BY game DESC").fetchall()
        return [self._summary(*row) for row in rows]

    def game(self, number: int) -> dict[str, Any] | None:
        """One game with its `terms` and `events`, or None."""
        with self._reading() as connection:
            row = connection.execute(
                "SELECT game, variant, started, terms FROM games WHERE game = ?", (number,)
            ).fetchone()
        if row is None:
            return None
        return {**self._summary(*row), "terms": json.loads(row[3]), "events": self.events(number)}

    def events(self, game: int) -> list[dict[str, Any]]:
        with self._reading() as connection:
            rows = connection.execute(
                "SELECT time, json FROM events WHERE game = ? ORDER BY number", (game,)
            ).fetchall()
        return [{"time": moment, **json.loads(text)} for moment, text in rows]

    def _summary(self, game: int, variant: str, started: float, terms: str) -> dict[str, Any]:
        events = self.events(game)
        tags: dict[str, str] = dict(json.loads(terms).get("tags", {}))
        result, plies = None, 0
        for event in events:
            if event["type"] == "result":
                result = None if event["result"] == "*" else event["result"]
            elif event["type"] == "tags":
                tags.update(event["tags"])
            elif event["type"] in ("move", "takeback", "resolved"):
                plies = int(event.get("ply", plies))
                result = None if event["type"] == "takeback" else result
        kept = {k: v for k, v in tags.items() if v}
        return {"game": game, "variant": variant, "started": started, "plies": plies, "result": result, "tags": kept}

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        with self._lock:
            try:
                with self._connection:
                    yield self._connection
            except sqlite3.Error as error:
                raise StoreError(
                    f"{self.path} cannot be written ({error}); the game goes on in memory; free space on the disk or "
                    "check who may write the data folder"
                ) from error

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        with self._lock:
            try:
                yield self._connection
            except sqlite3.Error as error:
                raise StoreError(f"{self.path} cannot be read ({error}); expected a Kibitz journal") from error

    def _open(self) -> sqlite3.Connection:
        try:
            if self._read_only:
                return self._connect()
            self.path.parent.mkdir(parents=True, exist_ok=True)
            return self._connect()
        except sqlite3.DatabaseError as error:
            if isinstance(error, sqlite3.OperationalError) or self._read_only:
                raise StoreError(
                    f"{self.path} cannot be opened ({error}); "
                    "check the data folder and who may write it, or give --data"
                ) from error
            self._set_aside(error)
            return self._connect()
        except OSError as error:
            raise StoreError(
                f"the data folder {self.path.parent} cannot be made ({error.strerror}); give another with --data"
            ) from error

    def _connect(self) -> sqlite3.Connection:
        address = f"{self.path.absolute().as_uri()}?mode={'ro' if self._read_only else 'rwc'}"
        connection = sqlite3.connect(address, uri=True, timeout=_BUSY_SECONDS, check_same_thread=False)
        try:
            if not self._read_only:
                connection.execute("PRAGMA journal_mode=WAL")
                connection.execute("PRAGMA synchronous=FULL")
                connection.executescript(_SCHEMA)
            (verdict,) = connection.execute("PRAGMA quick_check(1)").fetchone()
            if verdict != "ok":
                raise sqlite3.DatabaseError(str(verdict))
        except BaseException:
            connection.close()
            raise
        return connection

    def _set_aside(self, error: Exception) -> None:
        """A damaged journal is kept under another name: somebody may still read games out of it."""
        number = 1
        while (aside := self.path.with_name(f"{self.path.name}.damaged-{number}")).exists():
            number += 1
        self.path.rename(aside)
        for ending in ("-wal", "-shm"):
            side_file = self.path.with_name(self.path.name + ending)
            if side_file.exists():
                side_file.rename(aside.with_name(aside.name + ending))
        self.warning = f"The journal was damaged ({error}); it is kept as {aside.name} and a new one is begun."
