"""What `kibitz look` says to people of a board in a photograph: which one it is, its marks, and what they mean."""

from collections.abc import Mapping
from itertools import groupby
from typing import Any

from rules.board import Board
from rules.variant import Variant
from rules.variants.catalogue import variant_named

_BEST_KNOWN = (
    "international",
    "english",
    "canadian",
    "spantsiretti",
    "turkish",
    "turkish-10",
    "alquerque",
    "fighting-serpents",
    "honeycomb",
    "hexdame",
)
"""One game for each board: it tells how squares are named where nobody said what is played."""
_KINDS = {
    "chequered": "chequered, {cols} by {rows} squares",
    "full": "squares without colouring, {cols} by {rows}",
    "octagon": "octagons, {cols} by {rows}",
    "alquerque": "alquerque, {count} points",
    "serpents": "fighting serpents, {count} points",
    "hexagon": "hexagons, {count} cells",
}
_MARKS = {
    ".": "empty",
    "w": "light man",
    "W": "light king",
    "b": "dark man",
    "B": "dark king",
    "?": "cannot be told",
}


def best_known(board: Board) -> Variant | None:
    """The best known game on such a board; None if none of the catalogue is played on it."""
    for variant in map(variant_named, _BEST_KNOWN):
        its = variant.board
        if its.name == board.name:
            return variant
        same_size = sorted((its.rows, its.columns)) == sorted((board.rows, board.columns))
        if board.rows and its.kind is board.kind and same_size:
            return variant
    return None


def board_words(board: Board) -> str:
    """Which board it is: `chequered, 8 by 8 squares`."""
    return _KINDS[board.kind.value].format(cols=board.columns, rows=board.rows, count=board.size)


def sighting(seen: Mapping[str, Any]) -> list[str]:
    """Lines for people: the board that was found, its marks, what they mean, and the position as FEN if there is one.

    `seen` is what `look --json` prints of a board that was found.
    """
    points: Mapping[str, str] = seen.get("points", {})
    which = _KINDS[seen["kind"]].format(cols=seen.get("cols"), rows=seen.get("rows"), count=len(points))
    shown = list(seen["grid"]) if "grid" in seen else _by_rows(points)
    used = "".join(points.values()) if points else "".join(shown)
    legend = ", ".join(f"{mark} {word}" for mark, word in _MARKS.items() if mark != "?" or mark in used)
    place = "each point by its name" if points else "as the picture shows the board"
    return [f"board found: {which}", *shown, f"{legend} ({place})", *([seen["fen"]] if seen["fen"] else [])]


def _by_rows(points: Mapping[str, str]) -> list[str]:
    """A line for each row of points, where their names tell the row (`c7`)."""
    rows = groupby(points, key=lambda name: name.lstrip("abcdefghijklmnopqrstuvwxyz"))
    return [" ".join(f"{name}:{points[name]}" for name in names) for _, names in rows]
