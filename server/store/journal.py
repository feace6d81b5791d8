"""The journal: SQLite, append-only, durable before anything is shown, with a second copy as text."""

import json
import logging
import os
import sqlite3
import threading
import time
import uuid
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from server.errors import StoreError
from server.store.database import UID, Damaged, in_memory, open_readable, open_writable, set_aside
from server.store.salvage import complete, rebuild
from server.store.summaries import object_of, summaries, summary
from server.store.text_copy import TextCopy, head

_log = logging.getLogger(__name__)
COPIES = "games"
_NEWEST = 20
"""Games compared with their second copy at every start."""
_INSERT = "INSERT INTO events (game, number, time, type, json, before, after) VALUES (?, ?, ?, ?, ?, ?, ?)"


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
        self.read_only = read_only
        self._text = TextCopy(path.parent / COPIES)
        self._copied: dict[int, int] = {}
        self._to_copy: set[int] = set()
        self._kept: tuple[bytes, int] | None = None
        self._connection = self._readable() if read_only else self._writable()
        self._file = _identity(path)

    def close(self) -> None:
        self.copy()
        with self._lock:
            self._connection.close()

    def new_game(self, variant: str, terms: dict[str, Any], started: float | None = None) -> int:
        """Begins a game and gives its number. `terms["uid"]` names it for good; one is made if there is none."""
        moment = time.time() if started is None else started
        terms = {"uid": uuid.uuid4().hex} | terms
        with self._writing() as connection:
            row = connection.execute(
                "INSERT INTO games (variant, started, terms) VALUES (?, ?, ?)", (variant, moment, json.dumps(terms))
            )
            game = int(row.lastrowid or 0)
        self._copy(game)
        return game

    def append(
        self,
        game: int,
        events: list[dict[str, Any]],
        evidence: Evidence = Evidence(),
        times: list[float] | None = None,
    ) -> None:
        """Appends events in one transaction; on the disk when this returns. The second copy waits for `copy`."""
        if not events:
            return
        moments = times or [time.time()] * len(events)
        with self._writing() as connection:
            (last,) = connection.execute(
                "SELECT COALESCE(MAX(number), 0) FROM events WHERE game = ?", (game,)
            ).fetchone()
            before, after = self._picture_id(evidence.before), self._picture_id(evidence.after)
            connection.executemany(
                _INSERT,
                [
                    (game, last + k, moment, str(e["type"]), json.dumps(e), before, after)
                    for k, (e, moment) in enumerate(zip(events, moments, strict=True), 1)
                ],
            )
        self._to_copy.add(game)

    def copy(self) -> None:
        """Brings the second copy up to date with what was appended, unless its folder has gone."""
        while self._to_copy and self.in_place:
            self._copy(self._to_copy.pop())

    def written(self, uid: str) -> tuple[int, int] | None:
        """The number of the game that `uid` names and how many events of it are here; None if it is not here."""
        with self._reading() as connection:
            row = connection.execute(
                f"SELECT game, (SELECT COUNT(*) FROM events WHERE events.game = games.game) FROM games WHERE {UID} = ?",
                (uid,),
            ).fetchone()
        return None if row is None else (int(row[0]), int(row[1]))

    def last_number(self) -> int:
        """The number of the newest game; 0 if there is none."""
        with self._reading() as connection:
            return int(connection.execute("SELECT COALESCE(MAX(game), 0) FROM games").fetchone()[0])

    def games(self) -> list[dict[str, Any]]:
        """All games, newest first."""
        with self._reading() as connection:
            return summaries(connection)

    def game(self, number: int) -> dict[str, Any] | None:
        """One game with its `terms` and `events`, or None. Raises StoreError if its terms are damaged for good."""
        with self._reading() as connection:
            row = connection.execute("SELECT terms FROM games WHERE game = ?", (number,)).fetchone()
            found = None if row is None else summary(connection, number)
        if row is None or found is None:
            return None
        terms = object_of(row[0])
        if terms is None:
            copy = self._text.game(number)
            terms = None if copy is None else copy.terms
        if terms is None:
            raise StoreError(
                f"{self.path}: saw damaged terms of game {number}; expected JSON; its moves cannot be read"
            )
        return {**found, "terms": terms, "events": self.events(number)}

    def events(self, game: int) -> list[dict[str, Any]]:
        """The events of a game in order, each with its `number`, its `time` and its `pictures` (`before`, `after`).

        A damaged one is taken from the second copy, or passed over.
        """
        with self._reading() as connection:
            rows = connection.execute(
                "SELECT number, time, json, before IS NOT NULL, after IS NOT NULL FROM events"
                " WHERE game = ? ORDER BY number",
                (game,),
            ).fetchall()
        told = [(number, moment, object_of(text), pictures_named(*kept)) for number, moment, text, *kept in rows]
        if any(event is None for _, _, event, _ in told):
            copy = self._text.game(game)
            spare = {} if copy is None else {number: event for number, (_, event) in copy.events.items()}
            told = [(number, moment, event or spare.get(number), kept) for number, moment, event, kept in told]
        return [
            {"number": number, "time": moment, **event, "pictures": kept}
            for number, moment, event, kept in told
            if event is not None
        ]

    def picture(self, game: int, number: int, when: str) -> bytes | None:
        """The small JPEG from `before` or `after` an event; None if there is none."""
        column = "before" if when == "before" else "after"
        with self._reading() as connection:
            row = connection.execute(
                f"SELECT jpeg FROM events JOIN pictures ON pictures.id = events.{column} WHERE game = ? AND number = ?",
                (game, number),
            ).fetchone()
        return None if row is None else bytes(row[0])

    def last_picture(self, game: int) -> bytes | None:
        """The small JPEG after the last event of a game that has one."""
        with self._reading() as connection:
            row = connection.execute(
                "SELECT jpeg FROM events JOIN pictures ON pictures.id = events.after WHERE game = ?"
                " ORDER BY number DESC LIMIT 1",
                (game,),
            ).fetchone()
        return None if row is None else bytes(row[0])

    @property
    def in_place(self) -> bool:
        """Whether the file on the disk still is the one that was opened: a folder may vanish, a stick be pulled."""
        return self.read_only or (self._file is not None and _identity(self.path) == self._file)

    def rescue(self) -> bool:
        """Writes what is still readable of a vanished file to where it was; a stick that is gone gives nothing.

        True if every game could be written.
        """
        if self.read_only or self.path.exists():
            return False
        with suppress(sqlite3.Error, OSError), self._lock:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with closing(sqlite3.connect(self.path)) as fresh:
                self._connection.backup(fresh)
            return True
        return False

    def _picture_id(self, jpeg: bytes | None) -> int | None:
        """The picture's row; what was `after` one event mostly is `before` the next and is kept once."""
        if jpeg is None:
            return None
        if self._kept is None or self._kept[0] != jpeg:
            row = self._connection.execute("INSERT INTO pictures (jpeg) VALUES (?)", (jpeg,))
            self._kept = (jpeg, int(row.lastrowid or 0))
        return self._kept[1]

    def _copy(self, game: int) -> None:
        """Brings the second copy up to date; the record is safe without it, so trouble is only said."""
        try:
            with self._reading() as connection:
                row = connection.execute("SELECT variant, started, terms FROM games WHERE game = ?", (game,)).fetchone()
                terms = object_of(row[2])
                if terms is None:
                    raise ValueError("its terms are damaged")
                path = self._text.path(game, terms)
                if game not in self._copied or not path.exists():
                    self._copied[game] = self._text.last(path)
                last = self._copied[game]
                rows = connection.execute(
                    "SELECT number, time, json FROM events WHERE game = ? AND number > ? ORDER BY number", (game, last)
                ).fetchall()
            lines = [head(game, row[0], row[1], terms)] if last < 0 else []
            lines += [{"number": number, "time": moment, **json.loads(text)} for number, moment, text in rows]
            if lines:
                self._text.write(path, lines)
            self._copied[game] = max((number for number, _, _ in rows), default=max(last, 0))
        except (OSError, StoreError, ValueError, TypeError) as trouble:
            why = getattr(trouble, "strerror", None) or trouble
            _log.warning("the second copy of game %d cannot be written to %s (%s)", game, self._text.folder, why)
            self._copied.pop(game, None)

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        with self._lock:
            if not self.in_place:
                raise StoreError(f"{self.path} is gone; the game goes on in memory; bring the data folder back")
            kept = self._kept
            try:
                with self._connection:
                    yield self._connection
            except sqlite3.Error as error:
                self._kept = kept
                raise StoreError(
                    f"{self.path} cannot be written ({error}); the game goes on in memory; free space on the disk or "
                    "check who may write the data folder"
                ) from error

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        with self._lock:
            try:
                yield self._connection
            except (sqlite3.Error, ValueError) as error:
                raise StoreError(f"{self.path} cannot be read ({error}); expected a Kibitz journal") from error

    def _writable(self) -> sqlite3.Connection:
        try:
            connection = open_writable(self.path)
        except Damaged as damage:
            aside = set_aside(self.path)
            try:
                connection = open_writable(self.path)
            except Damaged as again:
                raise StoreError(f"{self.path} cannot be begun anew ({again})") from again
            count = rebuild(connection, aside, self._text)
            self.warning = (
                f"The journal could not be used ({damage}); it is kept as {aside.name}, "
                f"and the {count} entries that could be read, also in its second copy, went over into a new one."
            )
            return connection
        with suppress(sqlite3.Error):
            self._put_back(connection)
        return connection

    def _put_back(self, connection: sqlite3.Connection) -> None:
        """What the second copy has and the database lost, with a vanished write-ahead log for instance."""
        (count,) = connection.execute("SELECT COUNT(*) FROM games").fetchone()
        fewer = count < self._text.count()
        added = complete(connection, self._text, None if fewer else _NEWEST)
        if added:
            self.warning = f"The journal lacked {added} events; they were put back from its second copy."
        recent = connection.execute("SELECT game FROM games ORDER BY game DESC LIMIT ?", (_NEWEST,)).fetchall()
        self._connection = connection
        for (game,) in recent:
            self._copy(int(game))

    def _readable(self) -> sqlite3.Connection:
        """For reading nothing on the disk is changed: what is damaged or lacks is put together in memory."""
        if not self.path.exists() and self._text.count():
            connection = in_memory()
            complete(connection, self._text)
            self.warning = f"{self.path} is missing; its games are read from the second copy"
            return connection
        try:
            connection = open_readable(self.path)
        except Damaged as damage:
            connection = in_memory()
            rebuild(connection, self.path, self._text)
            self.warning = f"{self.path} cannot be used ({damage}); this is what can be read of it and its second copy"
            return connection
        except StoreError as trouble:
            if not self._text.count():
                raise
            connection = in_memory()
            complete(connection, self._text)
            self.warning = f"{trouble}; its games are read from the second copy"
            return connection
        if self._text.count() and self._lacks(connection):
            whole = in_memory(connection)
            connection.close()
            added = complete(whole, self._text)
            if added:
                self.warning = f"{self.path} lacks {added} events; they are read from the second copy"
            return whole
        return connection

    def _lacks(self, connection: sqlite3.Connection) -> bool:
        (count,) = connection.execute("SELECT COUNT(*) FROM games").fetchone()
        if count < self._text.count():
            return True
        for copy in self._text.games(_NEWEST):
            row = connection.execute(
                f"SELECT (SELECT COUNT(*) FROM events WHERE events.game = games.game) FROM games WHERE {UID} = ?",
                (copy.terms.get("uid"),),
            ).fetchone()
            if row is None or row[0] < len(copy.events):
                return True
        return False


def pictures_named(before: object, after: object) -> list[str]:
    """Which pictures an event has, by their names."""
    return [name for name, there in (("before", before), ("after", after)) if there]


def _identity(path: Path) -> tuple[int, int] | None:
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_dev, status.st_ino
