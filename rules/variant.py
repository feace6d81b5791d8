"""A game of the draughts family as data: every difference between two games is a field here."""

from dataclasses import dataclass
from enum import Enum, IntEnum, auto

from rules.board import Board, Direction
from rules.piece import Side
from rules.placement import Placement
from rules.position import Position

Directions = tuple[Direction, ...]


class Landing(IntEnum):
    """Where a king may land behind a disc it captures."""

    ANY = 0
    """On any empty point of the line behind it."""
    BEHIND = 1
    """Only directly behind it."""
    BEHIND_A_LAST_KING = 2
    """On any, but directly behind it if it is a king and the last one taken (killer draughts)."""


class Chain(IntEnum):
    """Whether a capture goes on after its first jump."""

    MUST = 0
    MAY = 1
    NEVER = 2


class Promotion(IntEnum):
    """When a man that reaches the promotion row becomes a king."""

    NEVER = 0
    ON_STOPPING = 1
    AT_ONCE_AND_STOP = 2
    AT_ONCE_AND_GO_ON = 3


class Criterion(Enum):
    """What ranks one capture before another; a variant lists them, the most important first."""

    NUMBER = auto()
    """More discs taken."""
    WORTH = auto()
    """More worth taken, a man being 100 and a king 199 (Frisian)."""
    BY_KING = auto()
    """Made by a king."""
    KINGS = auto()
    """More kings taken."""
    KINGS_EARLY = auto()
    """Kings met earlier in the sequence (Italian)."""


class Notation(Enum):
    """How points are written in the record."""

    NUMERIC = "numeric"
    ALGEBRAIC = "algebraic"


@dataclass(frozen=True, slots=True)
class LoneKingRule:
    """A draw when one king alone has held out against few pieces for a number of plies.

    `attackers` are the numbers of opposing pieces, at least `kings` of them kings, for which the count runs.
    """

    name: str
    attackers: tuple[int, ...]
    plies: int
    kings: int = 1
    main_road: bool | None = None
    """True: only if the lone king holds the long diagonal; None: wherever it stands."""


@dataclass(frozen=True, slots=True)
class BalanceRule:
    """A draw when both sides have a king and the material has not changed for a number of plies.

    `pieces` are the numbers of pieces, both sides together, for which the count runs.
    """

    name: str
    pieces: tuple[int, ...]
    plies: int


@dataclass(frozen=True, slots=True)
class DrawRules:
    """The counts that end a game or allow a claim, in plies. Zero means that the game has no such rule."""

    repetitions: int = 3
    king_moves: int = 0
    """Successive plies with kings only, no capture and no man move, that draw."""
    no_capture: int = 0
    """Successive plies without a capture or a promotion that draw."""
    no_taking: int = 0
    """Successive plies without a capture that draw, whatever else was done."""
    no_progress_claim: int = 0
    """Successive plies without a capture or a man move after which a draw may be claimed."""
    repetition_is_claim: bool = False
    lone_king: tuple[LoneKingRule, ...] = ()
    balances: tuple[BalanceRule, ...] = ()
    moves_after_refusal: int = 0
    """Own moves in which a player who refused a draw must win or show a decided advantage (English)."""
    more_discs_win: bool = False
    """What would be a draw by these rules is a win of the side with more discs (fighting serpents)."""
    one_piece_each: bool = False
    """One disc each is a draw at once (Turkish)."""
    king_beats_man: bool = False
    """But a king against a man wins (some Turkish pages)."""


@dataclass(frozen=True)
class Variant:
    """The rules of one game. Directions are White's; Black's are mirrored, except in `one_way` games."""

    name: str
    title: str
    board: Board
    start: Placement
    promotion_points: tuple[frozenset[int], frozenset[int]]
    """Points on which a White man and a Black man promote."""
    first: Side = Side.WHITE
    man_steps: Directions = ()
    man_captures: Directions = ()
    king_steps: Directions = ()
    king_captures: Directions = ()
    one_way: bool = False
    """Both sides move in White's directions."""
    king_flies: bool = True
    king_landing: Landing = Landing.ANY
    removed_at_once: bool = False
    """Each disc leaves before the next jump; otherwise it blocks until the move is over."""
    may_reverse: bool = True
    """Two jumps in a row may be opposite; matters only where discs are removed at once."""
    compulsory: bool = True
    chain: Chain = Chain.MUST
    precedence: tuple[Criterion, ...] = (Criterion.NUMBER,)
    """Which captures may be played: the best by these; all of them if empty."""
    man_takes_king: bool = True
    promotion: Promotion = Promotion.ON_STOPPING
    far_row_only_captures: bool = False
    """A man on its last row leaves it only by capturing (alquerque)."""
    king_run_limit: int = 0
    """Most moves in a row of one king without capturing while its side has a man; 0 for no limit (Frisian)."""
    losing: bool = False
    """The side that cannot move wins."""
    breakthrough: bool = False
    """The first king wins."""
    huff_allowed: bool = False
    """A house rule may let the opponent take a disc that failed to capture."""
    notation: Notation = Notation.NUMERIC
    reversed_numbers: bool = False
    """Square 1 is the last point in board order (White's near right) instead of the first (far left)."""
    capture_sign: str = "x"
    game_type: str = ""
    """Value of the PDN tag GameType; empty where PDN knows no such game."""
    draws: DrawRules = DrawRules()
    notes: tuple[str, ...] = ()
    """Readings taken where sources are silent or disagree."""

    def __hash__(self) -> int:
        return hash(self.name)

    def directions(self, directions: Directions, side: Side) -> Directions:
        """The given White directions as `side` means them."""
        if side is Side.WHITE or self.one_way:
            return directions
        return tuple(d.mirrored for d in directions)

    def promotion_row(self, side: Side) -> frozenset[int]:
        return self.promotion_points[0 if side is Side.WHITE else 1]


def start_position(variant: Variant) -> Position:
    return Position(variant.start, variant.first)
