"""Snapshots as server-sent events."""

import json
import threading
from collections.abc import Callable, Iterator
from typing import Any

from server.web.companion import Companion
from server.web.errors import NotAvailable


class StreamSeats:
    """A bounded number of streams: each holds a server thread."""

    def __init__(self, seats: int) -> None:
        self._seats = seats
        self._lock = threading.Lock()
        self._taken = 0

    def take(self) -> None:
        with self._lock:
            if self._taken >= self._seats:
                raise NotAvailable(f"saw {self._taken} live pages open already; close one and try again")
            self._taken += 1

    def give_back(self) -> None:
        with self._lock:
            self._taken -= 1


def last_event(header: str | None) -> int | None:
    """The number a reconnecting browser saw last; None for a new one or for nonsense."""
    return int(header) if header is not None and header.isascii() and header.isdigit() and len(header) < 16 else None


def event_text(snapshot: dict[str, Any]) -> str:
    """One `snapshot` event; JSON on a single line."""
    return f"event: snapshot\nid: {snapshot['number']}\ndata: {json.dumps(snapshot)}\n\n"


def snapshot_events(
    companion: Companion, seen: int | None, heartbeat_seconds: float, stopped: Callable[[], bool]
) -> Iterator[str]:
    """The newest snapshot unless `seen` already, then each newer one; a comment whenever nothing came.

    A number below `seen` means that the companion started again, so that snapshot is new as well.
    """
    yield "retry: 2000\n\n"
    newest: dict[str, Any] | None = companion.snapshot()
    while not stopped():
        if newest is not None and newest["number"] != seen:
            seen = newest["number"]
            yield event_text(newest)
        else:
            yield ": nothing new\n\n"
        newest = companion.wait_for((seen or 0) + 1, heartbeat_seconds)
