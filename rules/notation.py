"""How points and moves are written and read."""

import re
from collections.abc import Sequence

from rules.errors import AmbiguousMoveText, IllegalMoveText, NotationError, quoted
from rules.legal_moves import legal_moves, routes
from rules.move import Move
from rules.position import Position
from rules.variant import Notation, Variant

_POINT = re.compile(r"[a-t]\d{1,2}|\d{1,3}")
_MOVE = re.compile(r"^(?:[a-t]\d{1,2}|\d{1,3})(?:[-x:*×–]?[a-t]\d{1,2}|[-x:*×–]\d{1,3})+$")
"""Names may follow one another without a sign, as in c3e5; numbers may not."""


def point_name(variant: Variant, point: int) -> str:
    """What the record calls a point: a number from 1, or the board's name for it."""
    if variant.notation is Notation.ALGEBRAIC:
        return variant.board.names[point]
    return str(variant.board.size - point if variant.reversed_numbers else point + 1)


def point_named(variant: Variant, text: str) -> int:
    """The point of a number or a name; each game reads both, whichever it writes."""
    word = text.strip().lower()
    if word.isdecimal() and 1 <= int(word) <= variant.board.size:
        return variant.board.size - int(word) if variant.reversed_numbers else int(word) - 1
    if word in variant.board.point_by_name:
        return variant.board.point_by_name[word]
    first, last = point_name(variant, 0), point_name(variant, variant.board.size - 1)
    raise NotationError(
        f"saw {quoted(text)} for a square of {variant.name}; expected one between {first} and {last}, "
        f"or a name such as {variant.board.names[0]}"
    )


def move_text(variant: Variant, position: Position, move: Move) -> str:
    """The short form such as 28x19, or the full path where another legal move has the same ends."""
    rivals = {m.key for m in legal_moves(variant, position) if m.origin == move.origin and m.end == move.end}
    rivals.discard(move.key)
    sign = variant.capture_sign if move.is_capture else "-"
    points = move.path if rivals else (move.origin, move.end)
    return sign.join(point_name(variant, point) for point in points)


def full_text(variant: Variant, move: Move) -> str:
    """The move with every landing point."""
    sign = variant.capture_sign if move.is_capture else "-"
    return sign.join(point_name(variant, point) for point in move.path)


def parse_move(variant: Variant, position: Position, text: str) -> Move:
    """The legal move a text means: short, full or partly listed path, or the Hub form (ends, then what is taken)."""
    points = points_of_text(variant, text)
    moves = legal_moves(variant, position)
    fitting = [m for m in moves if (m.origin, m.end) == (points[0], points[-1])]
    if len(points) > 2:
        fitting = _by_route(variant, position, fitting, points[1:-1]) or _by_hub_form(moves, points)
    elif len(fitting) > 1:  # two squares are also the full path of a single jump
        fitting = [m for m in fitting if len(m.path) == 2] or fitting
    if len(fitting) == 1:
        return fitting[0]
    if fitting:
        forms = " or ".join(full_text(variant, m) for m in fitting)
        raise AmbiguousMoveText(f"saw {quoted(text)}, which fits several moves; expected {forms}: write the full path")
    due = ", ".join(move_text(variant, position, m) for m in moves[:12]) or "none: the game is over"
    raise IllegalMoveText(f"saw {quoted(text)}, which no legal move fits; legal here: {due}")


def _by_hub_form(moves: Sequence[Move], points: tuple[int, ...]) -> list[Move]:
    """The move whose ends are the first two points and whose captures, in any order, are the rest."""
    ends, taken = points[:2], sorted(points[2:])
    return [m for m in moves if (m.origin, m.end) == ends and sorted(m.captured) == taken]


def points_of_text(variant: Variant, text: str) -> tuple[int, ...]:
    """The points a move text lists, whatever its separators and marks of strength."""
    word = re.sub(r"[()!?+#]", " ", text).lower().strip()
    word = re.sub(r"\s+", "-", re.sub(r"\s*([-x:*×–])\s*", r"\1", word))
    if not _MOVE.match(word):
        raise NotationError(f"saw {quoted(text)} for a move; expected two squares or more, such as 32-28 or 28x19")
    return tuple(point_named(variant, part) for part in _POINT.findall(word))


def _by_route(variant: Variant, position: Position, fitting: list[Move], between: tuple[int, ...]) -> list[Move]:
    """Those of the moves that have a route through the points between."""
    if not fitting:
        return []
    keys = {m.key for m in fitting}
    exact, passing = set(), set()
    for route in routes(variant, position):
        if route.key not in keys:
            continue
        if route.path[1:-1] == between:
            exact.add(route.key)
        if _is_subsequence(between, route.path):
            passing.add(route.key)
    chosen = exact or passing
    return [m for m in fitting if m.key in chosen]


def _is_subsequence(points: tuple[int, ...], path: tuple[int, ...]) -> bool:
    rest = iter(path)
    return all(point in rest for point in points)
