"""What a game's rules say, in words a reader of the texts would use."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from tests.support.plain_rules.lattice import Lattice, Place, Step

WHITE, BLACK = "W", "B"


class Disc(NamedTuple):
    side: str
    king: bool


Discs = Mapping[Place, Disc]


class Capture(NamedTuple):
    """A capture as far as it has come."""

    by_king: bool
    """Whether a king began it."""
    taken: tuple[tuple[Place, Disc], ...]
    """In the order of the jumps."""

    @property
    def number(self) -> int:
        return len(self.taken)

    @property
    def kings(self) -> int:
        return sum(disc.king for _, disc in self.taken)


Rank = Callable[[Capture], object]
"""Of the captures available those with the highest rank may be played."""


def free(capture: Capture) -> object:
    return 0


def majority(capture: Capture) -> object:
    return capture.number


def quality(capture: Capture) -> object:
    """Number; if equal, more kings (text 000; Spanish)."""
    return capture.number, capture.kings


def king_first(capture: Capture) -> object:
    return capture.by_king


def italian(capture: Capture) -> object:
    """Number, with a king, kings taken, and the one that meets its kings first."""
    return capture.number, capture.by_king, capture.kings, tuple(disc.king for _, disc in capture.taken)


def frisian(capture: Capture) -> object:
    """A king counts as two men, but fewer kings win a tie; then a king must capture."""
    men = capture.number - capture.kings
    return men + 2 * capture.kings, -capture.kings, capture.by_king


@dataclass(frozen=True)
class Game:
    """One game; the steps are White's and Black's are turned by half a turn, except where both go one way."""

    lattice: Lattice
    white: frozenset[str]
    black: frozenset[str]
    far_row: Mapping[str, frozenset[Place]]
    """Where the men of each side are crowned."""
    man_steps: tuple[Step, ...]
    man_jumps: tuple[Step, ...]
    king_steps: tuple[Step, ...] = ()
    king_jumps: tuple[Step, ...] = ()
    begins: str = WHITE
    one_way: bool = False
    flying: bool = True
    lands_behind: bool = False
    """A king lands directly behind the disc it takes."""
    lands_behind_last_king: bool = False
    removal: str = "end"
    """'end' of the move or 'at once'."""
    may_turn_back: bool = True
    sequence: str = "to the end"
    """'to the end', 'as far as one likes' or 'one disc'."""
    rank: Rank = majority
    crowning: str = "on stopping"
    """'on stopping', 'ends the move', 'goes on as king' or 'never'."""
    men_spare_kings: bool = False
    stuck_on_far_row: bool = False
    """A man there leaves it only by capturing."""
    king_run: int = 0
    """Most moves in a row of one king without capturing, while its side has a man."""
    first_king_wins: bool = False


@dataclass(frozen=True)
class Situation:
    """What stands where, whose turn it is, and how often in a row one king of a side has moved."""

    discs: Discs
    to_move: str
    runs: Mapping[str, tuple[Place, int]] = field(default_factory=dict)


def start_of(game: Game) -> Situation:
    places = game.lattice.places
    discs = {places[name]: Disc(WHITE, False) for name in game.white}
    discs |= {places[name]: Disc(BLACK, False) for name in game.black}
    return Situation(discs, game.begins)


def turned(steps: tuple[Step, ...], game: Game, side: str) -> tuple[Step, ...]:
    """White's steps as a side means them."""
    if side == WHITE or game.one_way:
        return steps
    return tuple((-x, -y) for x, y in steps)
