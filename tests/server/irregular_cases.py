"""Irregular boards: what was done by hand to a position in one of three games, and what must be said of it."""

from dataclasses import dataclass

from rules.fen import parse_fen
from rules.legal_moves import legal_moves, play
from rules.notation import move_text
from rules.piece import Side
from rules.placement import Placement
from rules.position import Position
from rules.variant import Variant
from rules.variants.catalogue import variant_named
from tests.server.synthetic import edited


@dataclass(frozen=True)
class Case:
    """An irregular board: what was done by hand to a position, and what must be said of it."""

    game: str
    start: str
    edits: tuple[str, ...]
    kind: str
    squares: tuple[str, ...]
    next: str
    """Whose turn it is if the board is let stand."""
    due: tuple[str, ...] = ()
    counted: str = ""
    """The legal move that is recorded if the board is let stand."""
    mended: tuple[str, ...] = ()
    """The edits that finish what was left undone, where that is how it is put right."""

    @property
    def variant(self) -> Variant:
        return variant_named(self.game)

    @property
    def position(self) -> Position:
        return parse_fen(self.variant, self.start)

    @property
    def irregular(self) -> Placement:
        return edited(self.variant, self.position.placement, *self.edits)

    def __str__(self) -> str:
        return f"{self.game}-{self.kind}"


INTERNATIONAL, INT_TAKE = "W:W32,38,42:B9,12,13", "W:W32,38,42:B9,13,28"
ENGLISH, ENG_TAKE = "W:W24,31,32:B1,2,9", "W:W18,32:B1,3,14"
TURKISH, TUR_TAKE = "W:Wa3,c3,e3:Bb6,d6,h7", "W:Wa3,c4,g2:Ba7,c5,h7"
GOTHIC, GOT_TAKE = "W:Wa2,c2,e2:Bb7,d7,h7", "W:Wa2,c4,g2:Ba7,c5,h7"

CASES = [
    Case("international", INTERNATIONAL, ("12-17",), "out_of_turn", ("12", "17"), "W"),
    Case("english", ENGLISH, ("9-13",), "out_of_turn", ("9", "13"), "W"),
    Case("turkish", TURKISH, ("b6-b5",), "out_of_turn", ("b6", "b5"), "W"),
    Case("international", INTERNATIONAL, ("12-11",), "opponent_piece_moved", ("12", "11"), "B"),
    Case("english", ENGLISH, ("9-10",), "opponent_piece_moved", ("9", "10"), "B"),
    Case("turkish", TURKISH, ("b6-b7",), "opponent_piece_moved", ("b6", "b7"), "B"),
    Case("international", INTERNATIONAL, ("32-37",), "illegal_move", ("32", "37"), "B"),
    Case("english", ENGLISH, ("24-27",), "illegal_move", ("24", "27"), "B"),
    Case("turkish", TURKISH, ("c3-c2",), "illegal_move", ("c3", "c2"), "B"),
    Case("gothic", GOTHIC, ("c2-c1",), "illegal_move", ("c2", "c1"), "B"),
    Case("international", INT_TAKE, ("42-37",), "missed_capture", ("42", "37"), "B", ("32x23",)),
    Case("english", ENG_TAKE, ("32-28",), "missed_capture", ("32", "28"), "B", ("18x9",)),
    Case("turkish", TUR_TAKE, ("a3-a4",), "missed_capture", ("a3", "a4"), "B", ("c4xc6",)),
    Case("gothic", GOT_TAKE, ("a2-b3",), "missed_capture", ("a2", "b3"), "B", ("c4xc6",)),
    Case("international", "W:W32,47:B9,28,31,41", ("32-23", "-28"), "not_majority", ("32", "23"), "B", ("47x27",)),
    Case("turkish", "W:Wa3,c4:Ba4,a6,c5,h7", ("c4-c6", "-c5"), "not_majority", ("c4", "c6"), "B", ("a3xa7",)),
    Case(
        "international",
        "W:W32,48:B5,19,28",
        ("32-23", "-28"),
        "capture_incomplete",
        ("32", "23"),
        "B",
        ("32x14",),
        mended=("32-14", "-28", "-19"),
    ),
    Case(
        "english",
        "W:W18,32:B6,12,14",
        ("18-9", "-14"),
        "capture_incomplete",
        ("18", "9"),
        "B",
        ("18x2",),
        mended=("18-2", "^2", "-14", "-6"),
    ),
    Case(
        "turkish",
        "W:Wa3,e1:Ba4,a6,h7",
        ("a3-a5", "-a4"),
        "capture_incomplete",
        ("a3", "a5"),
        "B",
        ("a3xa7",),
        mended=("a3-a7", "-a4", "-a6"),
    ),
    Case(
        "international",
        INT_TAKE,
        ("32-23",),
        "captured_not_removed",
        ("28",),
        "B",
        counted="32x23",
        mended=("32-23", "-28"),
    ),
    Case("english", ENG_TAKE, ("18-9",), "captured_not_removed", ("14",), "B", counted="18x9", mended=("18-9", "-14")),
    Case(
        "turkish", TUR_TAKE, ("c4-c6",), "captured_not_removed", ("c5",), "B", counted="c4xc6", mended=("c4-c6", "-c5")
    ),
    Case(
        "international",
        INT_TAKE,
        ("32-23", "-28", "-9"),
        "wrong_removed",
        ("9",),
        "B",
        counted="32x23",
        mended=("32-23", "-28"),
    ),
    Case(
        "english", ENG_TAKE, ("18-9", "-14", "-3"), "wrong_removed", ("3",), "B", counted="18x9", mended=("18-9", "-14")
    ),
    Case(
        "turkish",
        TUR_TAKE,
        ("c4-c6", "-c5", "-a7"),
        "wrong_removed",
        ("a7",),
        "B",
        counted="c4xc6",
        mended=("c4-c6", "-c5"),
    ),
    Case("international", INTERNATIONAL, ("^38",), "wrongly_crowned", ("38",), "W"),
    Case("english", ENGLISH, ("^31",), "wrongly_crowned", ("31",), "W"),
    Case("turkish", TURKISH, ("^e3",), "wrongly_crowned", ("e3",), "W"),
    Case("international", INTERNATIONAL, ("+b26",), "piece_appeared", ("26",), "W"),
    Case("english", ENGLISH, ("+b12",), "piece_appeared", ("12",), "W"),
    Case("turkish", TURKISH, ("+bg5",), "piece_appeared", ("g5",), "W"),
    Case("international", INTERNATIONAL, ("-42",), "piece_vanished", ("42",), "W"),
    Case("english", ENGLISH, ("-31",), "piece_vanished", ("31",), "W"),
    Case("turkish", TURKISH, ("-e3",), "piece_vanished", ("e3",), "W"),
]


def played_on(case: Case) -> tuple[str, Placement]:
    """What the next player does on the irregular board."""
    position = Position(case.irregular, Side(case.next))
    moves = legal_moves(case.variant, position)
    home = [m for m in moves if play(case.variant, position, m).placement != case.position.placement]
    move = home[-1]
    return move_text(case.variant, position, move), play(case.variant, position, move).placement
