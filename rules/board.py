"""The board as geometry: the one source of places for the engine, the camera and the dashboard."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, IntEnum
from functools import cached_property


class Direction(IntEnum):
    """Compass directions on the board plane, north pointing away from White. Boards use those they have."""

    N = 0
    NE = 1
    E = 2
    SE = 3
    S = 4
    SW = 5
    W = 6
    NW = 7

    @property
    def opposite(self) -> "Direction":
        return Direction((self + 4) % 8)

    @property
    def mirrored(self) -> "Direction":
        """The same direction as the player on the other side of the board means it (north and south swapped)."""
        return Direction((4 - self) % 8)


class BoardKind(Enum):
    """How a board is drawn, which decides how a camera finds it."""

    CHEQUERED = "chequered"
    FULL = "full"
    ALQUERQUE = "alquerque"
    SERPENTS = "serpents"
    HEXAGON = "hexagon"


NOWHERE = -1


@dataclass(frozen=True)
class Board:
    """Points, their names, where they lie on the plane and which lies next in each direction.

    The plane has White at the bottom: x runs to White's right, y away from White, one unit is the width of a
    square (or the distance of two neighbouring points), and (0, 0) is the lower left corner of the playing area.
    For boards of squares the playing area is bounded by the squares' outer edges; for lined boards by the outermost
    points; for hexagons by the box around the cells. Points run from White's far left, row by row towards White.
    """

    name: str
    kind: BoardKind
    names: tuple[str, ...]
    """Algebraic name of each point, unique."""
    xy: tuple[tuple[float, float], ...]
    """Centre of each point on the plane."""
    neighbours: tuple[tuple[int, ...], ...]
    """neighbours[direction][point] is the next point that way, or NOWHERE; always eight directions."""
    width: float
    height: float
    outline: tuple[tuple[float, float], ...]
    """Corners of the playing area on the plane, clockwise as White sees it, starting at White's far left."""
    idle_xy: tuple[tuple[float, float], ...] = ()
    """Centres of squares that are never played on (the other colour of a chequered board)."""
    rows: int = 0
    columns: int = 0
    """Size of the grid of squares; zero for boards that are not grids of squares."""

    @property
    def size(self) -> int:
        return len(self.names)

    @cached_property
    def point_by_name(self) -> dict[str, int]:
        return {name: point for point, name in enumerate(self.names)}

    @cached_property
    def row_of(self) -> tuple[int, ...]:
        """Row of each point by its y, 0 being nearest to White."""
        levels = sorted({round(y, 6) for _, y in self.xy})
        return tuple(levels.index(round(y, 6)) for _, y in self.xy)

    def between(self, origin: int, end: int) -> tuple[int, ...]:
        """The points strictly between two points of a straight line; empty if none are, or if no line joins them."""
        for table in self.neighbours:
            passed = []
            at = table[origin]
            while at not in (NOWHERE, end):
                passed.append(at)
                at = table[at]
            if at == end:
                return tuple(passed)
        return ()

    @cached_property
    def half_turn(self) -> tuple[int, ...]:
        """half_turn[p] is where point p lies when the board is seen from the other side.

        Raises KeyError for a board that is not symmetric under a half turn; every board of the family is.
        """
        place = {(round(x, 6), round(y, 6)): p for p, (x, y) in enumerate(self.xy)}
        return tuple(place[(round(self.width - x, 6), round(self.height - y, 6))] for x, y in self.xy)


def link(
    xy: Sequence[tuple[float, float]], steps: Mapping[Direction, tuple[float, float]]
) -> tuple[tuple[int, ...], ...]:
    """Neighbour tables for points at `xy` where a step in each direction has the given displacement."""
    place = {(round(x, 6), round(y, 6)): p for p, (x, y) in enumerate(xy)}
    tables = []
    for direction in Direction:
        if direction not in steps:
            tables.append(tuple(NOWHERE for _ in xy))
            continue
        dx, dy = steps[direction]
        tables.append(tuple(place.get((round(x + dx, 6), round(y + dy, 6)), NOWHERE) for x, y in xy))
    return tuple(tables)
