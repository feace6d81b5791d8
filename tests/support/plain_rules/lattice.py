"""The boards as their names alone give them: each name a place on a lattice of whole numbers.

Nothing here comes from rules/: the two must agree because both follow the texts.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property

Place = tuple[int, int]
Step = tuple[int, int]

LETTERS = "abcdefghijklmnopqrst"

FORWARD, BACK, RIGHT, LEFT = (0, 1), (0, -1), (1, 0), (-1, 0)
AHEAD_RIGHT, AHEAD_LEFT, BACK_RIGHT, BACK_LEFT = (1, 1), (-1, 1), (1, -1), (-1, -1)
ORTHOGONAL = (FORWARD, BACK, RIGHT, LEFT)
DIAGONAL = (AHEAD_RIGHT, AHEAD_LEFT, BACK_RIGHT, BACK_LEFT)
# On a chequered board the next playing square straight ahead or sideways is two squares away (Frisian).
DOUBLED = ((0, 2), (0, -2), (2, 0), (-2, 0))


@dataclass(frozen=True)
class Lattice:
    """Places by name; `joined` says whether a line leads from a place by a step."""

    places: Mapping[str, Place]
    joined: Callable[[Place, Step], bool] = lambda place, step: True

    @cached_property
    def _known(self) -> frozenset[Place]:
        return frozenset(self.places.values())

    def after(self, place: Place, step: Step) -> Place | None:
        """The next place that way, or None at the edge or where no line leads."""
        beyond = (place[0] + step[0], place[1] + step[1])
        return beyond if beyond in self._known and self.joined(place, step) else None


def _squares(columns: int, rows: int) -> dict[str, Place]:
    return {f"{LETTERS[c - 1]}{r}": (c, r) for r in range(1, rows + 1) for c in range(1, columns + 1)}


def all_squares(columns: int, rows: int) -> Lattice:
    return Lattice(_squares(columns, rows))


def dark_squares(columns: int, rows: int) -> Lattice:
    """A playing square at each player's left hand: a1 is one."""
    return Lattice({name: (c, r) for name, (c, r) in _squares(columns, rows).items() if (c + r) % 2 == 0})


def mirrored_squares(columns: int, rows: int) -> Lattice:
    """A playing square at each player's right hand: a1 is none."""
    return Lattice({name: (c, r) for name, (c, r) in _squares(columns, rows).items() if (c + r) % 2 == 1})


def alquerque_points() -> Lattice:
    """Orthogonal lines everywhere, diagonal ones through the points whose column + row is even."""
    return Lattice(_squares(5, 5), lambda place, step: 0 in step or sum(place) % 2 == 0)


SLANTS = ((1, 1), (-1, 1), (1, -1), (-1, -1))
ALONG = ((2, 0), (-2, 0))


def serpent_points() -> Lattice:
    """Outer points i at x = i and middle ones at x = i - 1/2, all doubled; a line joins those half a unit apart."""
    places = {f"{LETTERS[i - 1]}{row}": (2 * i, row) for row in (1, 3) for i in range(1, 17)}
    places |= {f"{LETTERS[i - 1]}2": (2 * i - 1, 2) for i in range(1, 18)}
    return Lattice(places)


def honeycomb_cells() -> Lattice:
    """Rows of 7 8 9 10 11 12 13 12 11 10 9 8 7, each centred; x is doubled. Steps are ALONG and SLANTS."""
    lengths = [*range(7, 13), *range(13, 6, -1)]
    places = {}
    for row, length in enumerate(lengths, start=1):
        for i in range(length):
            places[f"{LETTERS[i]}{row}"] = (2 * i - (length - 1), row)
    return Lattice(places)


def hexdame_cells() -> Lattice:
    """Letters a-i and numbers 1-9 on two oblique axes, five cells to a side: 61 of the 81 pairs."""
    pairs = {f"{LETTERS[i - 1]}{k}": (i, k) for i in range(1, 10) for k in range(1, 10)}
    return Lattice({name: (i, k) for name, (i, k) in pairs.items() if abs(i - k) <= 4})
