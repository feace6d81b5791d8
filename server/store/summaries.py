"""The list of games: how far each went and how it ended, without reading every move."""

import json
import sqlite3
from collections.abc import Iterable
from typing import Any

_GAMES = "SELECT game, variant, started, terms FROM games"
_TELLING = "('result', 'tags', 'takeback', 'resolved', 'position_set')"
_ROWS = f"""
SELECT game, number, json FROM events WHERE type IN {_TELLING} {{which}}
UNION
SELECT game, MAX(number), json FROM events WHERE type = 'move' {{which}} GROUP BY game
ORDER BY game, number
"""


def summaries(connection: sqlite3.Connection) -> list[dict[str, Any]]:
    """Every game, newest first."""
    events: dict[int, list[dict[str, Any]]] = {}
    for game, _, text in connection.execute(_ROWS.format(which="")):
        events.setdefault(int(game), []).append(json.loads(text))
    rows = connection.execute(f"{_GAMES} ORDER BY game DESC").fetchall()
    return [_summary(row, events.get(int(row[0]), ())) for row in rows]


def summary(connection: sqlite3.Connection, game: int) -> dict[str, Any] | None:
    """One game, or None."""
    row = connection.execute(f"{_GAMES} WHERE game = ?", (game,)).fetchone()
    if row is None:
        return None
    events = connection.execute(_ROWS.format(which="AND game = ?"), (game, game))
    return _summary(row, [json.loads(text) for _, _, text in events])


def _summary(row: tuple[int, str, float, str], events: Iterable[dict[str, Any]]) -> dict[str, Any]:
    game, variant, started, terms = row
    begun = json.loads(terms)
    tags: dict[str, str] = dict(begun.get("tags", {}))
    result, plies = None, 0
    for event in events:
        match event["type"]:
            case "result":
                result = None if event["result"] == "*" else event["result"]
            case "tags":
                tags.update(event["tags"])
            case "position_set":
                plies, result = int(event.get("plies", 0)), None
            case kind:
                plies = int(event.get("ply", plies))
                result = None if kind == "takeback" else result
    kept = {name: value for name, value in tags.items() if value}
    told = {"game": game, "variant": variant, "started": started, "plies": plies, "result": result, "tags": kept}
    return told | ({"imported": True} if begun.get("imported") else {})
