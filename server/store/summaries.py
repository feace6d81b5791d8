"""The list of games: how far each went and how it ended, without reading every move."""

import json
import sqlite3
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

_GAMES = "SELECT game, variant, started, terms FROM games"
_TELLING = "('result', 'tags', 'takeback', 'resolved', 'position_set')"
_ROWS = f"""
SELECT game, number, json FROM events WHERE type IN {_TELLING} {{which}}
UNION
SELECT game, MAX(number), json FROM events WHERE type = 'move' {{which}} GROUP BY game
UNION
SELECT game, MAX(number), json FROM (
    SELECT events.game, events.number, events.json, anew.number AS before FROM events
    JOIN (SELECT game, number FROM events WHERE type = 'position_set' {{which}}) AS anew ON anew.game = events.game
    WHERE events.type = 'move' AND events.number < anew.number)
GROUP BY game, before
ORDER BY game, number
"""


def summaries(connection: sqlite3.Connection) -> list[dict[str, Any]]:
    """Every game, newest first."""
    events: dict[int, list[dict[str, Any]]] = {}
    for game, _, text in connection.execute(_ROWS.format(which="")):
        events.setdefault(int(game), []).append(object_of(text) or {})
    rows = connection.execute(f"{_GAMES} ORDER BY game DESC").fetchall()
    return [_summary(row, events.get(int(row[0]), ())) for row in rows]


def summary(connection: sqlite3.Connection, game: int) -> dict[str, Any] | None:
    """One game, or None."""
    row = connection.execute(f"{_GAMES} WHERE game = ?", (game,)).fetchone()
    if row is None:
        return None
    events = connection.execute(_ROWS.format(which="AND game = ?"), (game, game, game))
    return _summary(row, [object_of(text) or {} for _, _, text in events])


def object_of(text: str) -> dict[str, Any] | None:
    """The JSON object a row holds; None if it was damaged."""
    try:
        held = json.loads(text)
    except (ValueError, TypeError, RecursionError):
        return None
    return held if isinstance(held, dict) else None


def _summary(row: tuple[int, str, float, str], events: Iterable[dict[str, Any]]) -> dict[str, Any]:
    """What is damaged of a game is passed over: it must not hide the other games."""
    game, variant, started, terms = row
    begun = object_of(terms) or {}
    told = _Told()
    with suppress(TypeError, ValueError):
        told.tags.update(begun.get("tags", {}))
    for event in events:
        with suppress(KeyError, TypeError, ValueError, OverflowError):
            told.follow(event)
    kept = {name: value for name, value in told.tags.items() if value}
    line = {"game": game, "variant": variant, "started": started, "plies": told.plies, "result": told.result}
    return line | {"tags": kept} | marks(begun)


def marks(terms: Mapping[str, Any]) -> dict[str, bool]:
    """Where a game came from, if not from a board before the camera: `imported`, `simulated`."""
    said = {"imported": terms.get("imported"), "simulated": terms.get("begun") == "simulated"}
    return {mark: True for mark, holds in said.items() if holds}


@dataclass(slots=True)
class _Told:
    """How far a game went, as its telling events are followed."""

    earlier: int = 0
    """Plies before the position was put up last: the count of the moves begins anew from it."""
    plies: int = 0
    result: str | None = None
    tags: dict[str, str] = field(default_factory=dict)

    def follow(self, event: dict[str, Any]) -> None:
        match event["type"]:
            case "result":
                self.result = None if event["result"] == "*" else event["result"]
            case "tags":
                self.tags.update(event["tags"])
            case "position_set":
                self.earlier, self.result = self.plies, None
            case kind:
                self.plies = self.earlier + int(event.get("ply", self.plies - self.earlier))
                self.result = None if kind == "takeback" else self.result
