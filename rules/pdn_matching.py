"""Which legal moves a written move may mean, and where its squares lie."""

import re
from dataclasses import dataclass
from functools import lru_cache

from rules.errors import NotationError
from rules.legal_moves import legal_moves, routes
from rules.move import Move
from rules.notation import point_named
from rules.position import Position
from rules.variant import Variant

_SQUARES = re.compile(r"[a-t]\d{1,2}|\d{1,3}")
_LOOKALIKES = str.maketrans("асех", "acex")
_MOST_TEXTS = 20_000


class _Codes(dict[str, tuple[int, ...]]):
    """The points of move texts, remembered: games repeat a few hundred texts over and over."""

    def __init__(self, variant: Variant, turned: bool) -> None:
        super().__init__()
        self.variant, self.turned = variant, turned

    def __missing__(self, text: str) -> tuple[int, ...]:
        points = _points(self.variant, self.turned, text)
        code = (len(points), *points)
        if len(self) >= _MOST_TEXTS:
            self.clear()
        self[text] = code
        return code


@lru_cache(maxsize=64)
def _codes(variant: Variant, turned: bool) -> _Codes:
    return _Codes(variant, turned)


@dataclass(frozen=True, slots=True)
class Reading:
    """A way to read the squares of a game: under which rules, and whether the board is seen from the other side."""

    variant: Variant
    turned: bool = False

    @property
    def codes(self) -> dict[str, tuple[int, ...]]:
        """For any move text: how many points it lists, then the points; a lone zero if one is not on the board."""
        return _codes(self.variant, self.turned)

    def points(self, text: str) -> tuple[int, ...]:
        """The points a move text lists; empty if one of them is not on the board."""
        return self.codes[text][1:]

    def points_of(self, text: str) -> tuple[int, ...]:
        """The same, not remembered."""
        return _points(self.variant, self.turned, text)


class _Plain(dict[str, str]):
    """Move texts as the kernel's lexer reads them, remembered."""

    def __missing__(self, text: str) -> str:
        plain = "-".join(squares_in(text))
        if len(self) >= _MOST_TEXTS:
            self.clear()
        self[text] = plain
        return plain


PLAIN = _Plain()
"""For any move text its squares with hyphens between; empty if it names none."""


def squares_in(text: str) -> list[str]:
    """The squares a move text names, in lower case."""
    word = text.lower().translate(_LOOKALIKES)
    if len(word) == 4 and word.isdecimal():
        return [word[:2], word[2:]]
    return _SQUARES.findall(word)


def _points(variant: Variant, turned: bool, text: str) -> tuple[int, ...]:
    try:
        points = tuple(point_named(variant, part.lstrip("0") or "0") for part in squares_in(text))
    except NotationError:
        return ()
    return tuple(variant.board.half_turn[point] for point in points) if turned else points


def fitting(variant: Variant, position: Position, points: tuple[int, ...]) -> tuple[Move, ...]:
    """Legal moves with these ends that pass the points between, landing there or taking what stands there."""
    if len(points) < 2:
        return ()
    legal = legal_moves(variant, position)
    moves = tuple(m for m in legal if m.path[0] == points[0] and m.path[-1] == points[-1])
    between = points[1:-1]
    if not between:  # two squares are also the full path of a single jump, which comes first
        return tuple(sorted(moves, key=lambda m: len(m.path) > 2))
    taking = tuple(m for m in moves if sorted(m.captured) == sorted(between))
    return taking or _by_route(variant, position, moves, between) or _by_ends_first(legal, points)


def _by_ends_first(legal: tuple[Move, ...], points: tuple[int, ...]) -> tuple[Move, ...]:
    """The Hub form: the two ends, then what is taken."""
    ends, taken = points[:2], sorted(points[2:])
    return tuple(m for m in legal if (m.path[0], m.path[-1]) == ends and sorted(m.captured) == taken)


def _by_route(
    variant: Variant, position: Position, moves: tuple[Move, ...], between: tuple[int, ...]
) -> tuple[Move, ...]:
    if not moves:
        return ()
    keys = {m.key for m in moves}
    known = [route for route in routes(variant, position) if route.key in keys]
    exact = {r.key for r in known if r.path[1:-1] == between}
    passing = exact or {r.key for r in known if _in_order(between, r.path)}
    touching = passing or {r.key for r in known if set(between) <= {*r.path, *r.captured}}
    return tuple(m for m in moves if m.key in touching)


def _in_order(points: tuple[int, ...], path: tuple[int, ...]) -> bool:
    rest = iter(path)
    return all(point in rest for point in points)
