"""The record of a game: what was played and what was ruled, in order, free of any text format."""

from dataclasses import dataclass, field

from rules.move import Move
from rules.position import Position
from rules.variant import Variant


@dataclass(frozen=True, slots=True)
class Entry:
    """One turn: a legal `move`, or a displacement that was let stand (`move` is None, the board jumps to `after`)."""

    before: Position
    after: Position
    text: str
    move: Move | None = None
    comment: str = ""
    seconds: float | None = None
    """When it was played, since the game began."""


@dataclass(frozen=True, slots=True)
class GameRecord:
    """A whole game. `result` is a PDN result, `*` while it is being played."""

    variant: Variant
    start: Position
    entries: tuple[Entry, ...] = ()
    result: str = "*"
    tags: dict[str, str] = field(default_factory=dict)

    @property
    def legal_throughout(self) -> bool:
        return all(entry.move is not None for entry in self.entries)
