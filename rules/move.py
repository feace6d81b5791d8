"""One complete turn of one piece."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Move:
    """One complete turn of one piece, points by index.

    `path` is the origin, each turning or landing point, and the end. `captured` are the jumped points in order.
    A camera sees less: two moves with the same ends and the same captures look the same, whatever their routes.
    """

    path: tuple[int, ...]
    captured: tuple[int, ...] = ()
    promotes: bool = False

    @property
    def origin(self) -> int:
        return self.path[0]

    @property
    def end(self) -> int:
        return self.path[-1]

    @property
    def is_capture(self) -> bool:
        return bool(self.captured)

    @property
    def key(self) -> tuple[int, int, frozenset[int]]:
        """What distinct moves are counted by: routes with the same ends and captures are one."""
        return (self.origin, self.end, frozenset(self.captured))
