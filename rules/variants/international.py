"""International draughts and the games that differ from it by a line.

Sources: FMJD Annex 1; texts 000, 001, 002, 004 of the five that Kibitz came from.
"""

from dataclasses import replace

from rules.boards.squares import chequered
from rules.variant import BalanceRule, Criterion, DrawRules, Landing, LoneKingRule, Notation, Variant
from rules.variants.directions import DIAGONALS, FORWARD_DIAGONALS
from rules.variants.starts import far_rows, named, placed, points_on_rows, rows_of_men

_TEN = chequered(10, 10)
_EIGHT = chequered(8, 8)
_EIGHT_MIRRORED = chequered(8, 8, mirrored=True)
_TWELVE = chequered(12, 12)
_TWELVE_MIRRORED = chequered(12, 12, mirrored=True)
_TEN_BY_EIGHT = chequered(10, 8)

# FMJD Annex 1, 6.1 to 6.4.
_FMJD_DRAWS = DrawRules(
    repetitions=3,
    king_moves=50,
    lone_king=(
        LoneKingRule("three pieces against a king", attackers=(3,), plies=32),
        LoneKingRule("two pieces or one against a king", attackers=(1, 2), plies=10),
    ),
)
# FMJD-64 art. 7.2 (Russian and Brazilian), its counts of moves as plies.
FMJD_64_DRAWS = DrawRules(
    repetitions=3,
    king_moves=30,
    lone_king=(
        LoneKingRule("three pieces against a king on the main road", attackers=(3,), plies=10, main_road=True),
        LoneKingRule("three kings against a king", attackers=tuple(range(3, 13)), plies=30, kings=3),
        LoneKingRule("two pieces or one against a king", attackers=(1, 2), plies=10),
    ),
    balances=(
        BalanceRule("kings on both sides, four or five pieces, none taken or crowned", pieces=(4, 5), plies=60),
        BalanceRule("kings on both sides, six or seven pieces, none taken or crowned", pieces=(6, 7), plies=120),
    ),
)

INTERNATIONAL = Variant(
    name="international",
    title="International draughts",
    board=_TEN,
    start=rows_of_men(_TEN, 4),
    promotion_points=far_rows(_TEN),
    man_steps=FORWARD_DIAGONALS,
    man_captures=DIAGONALS,
    king_steps=DIAGONALS,
    king_captures=DIAGONALS,
    game_type="20,W,10,10,N2,0",
    draws=_FMJD_DRAWS,
)

INTERNATIONAL_QUALITY = replace(
    INTERNATIONAL,
    name="international-quality",
    title="International draughts, quality counts",  # text 000: if equal, the capture that takes more kings
    precedence=(Criterion.NUMBER, Criterion.KINGS),
    game_type="",
)

KILLER = replace(
    INTERNATIONAL,
    name="killer",
    title="Killer draughts",
    king_landing=Landing.BEHIND_A_LAST_KING,
    game_type="",
)
BREAKTHROUGH = replace(
    INTERNATIONAL,
    name="breakthrough",
    title="Breakthrough draughts",
    breakthrough=True,
    game_type="96,W,10,10,N2,0",
    draws=DrawRules(repetitions=0),
)
ANTIDRAUGHTS = replace(
    INTERNATIONAL,
    name="antidraughts",
    title="Antidraughts",
    losing=True,
    game_type="98,W,10,10,N2,0",
    draws=DrawRules(repetitions=3),
)

# Text 000, "Sarkos": the long diagonal a1-j10 empty. A man on its promotion row at the start stays a man.
CORNER = replace(
    INTERNATIONAL,
    name="corner",
    title="Corner draughts",
    start=placed(
        _TEN,
        [p for p, (x, y) in enumerate(_TEN.xy) if x > y],
        [p for p, (x, y) in enumerate(_TEN.xy) if x < y],
    ),
    game_type="",
    notes=("Forward is towards row 10 for White and row 1 for Black; promotion on those rows.",),
)

# Text 000, "Egyirányú": both sides move upward.
ONE_WAY = replace(
    INTERNATIONAL,
    name="one-way",
    title="One-way draughts",
    start=placed(
        _TEN,
        [p for p in points_on_rows(_TEN, range(1, 9)) if _TEN.xy[p][0] < 5],
        [p for p in points_on_rows(_TEN, range(1, 9)) if _TEN.xy[p][0] > 5],
    ),
    promotion_points=(far_rows(_TEN)[0], far_rows(_TEN)[0]),
    one_way=True,
    game_type="",
    notes=("White starts on columns a-e, Black on columns f-j, rows 1 to 8 both.",),
)

# Text 000, "Ejtőernyős": each side's nearest row belongs to five men of the enemy.
PARACHUTE = replace(
    INTERNATIONAL,
    name="parachute",
    title="Parachute draughts",
    start=placed(_TEN, points_on_rows(_TEN, (2, 3, 4, 10)), points_on_rows(_TEN, (9, 8, 7, 1))),
    game_type="",
    notes=("Standing on the promotion row at the start does not promote; ending a move there does.",),
)

_JOOMPEX_DRAWS = DrawRules(repetitions=3, no_capture=50)

# Text 004: a king lands directly behind the disc it takes.
JOOMPEX_10 = replace(
    INTERNATIONAL,
    name="joompex-10",
    title="Joompex draughts, 10x10",
    king_landing=Landing.BEHIND,
    game_type="",
    draws=_JOOMPEX_DRAWS,
)
JOOMPEX_8 = replace(
    JOOMPEX_10,
    name="joompex-8",
    title="Joompex draughts, 8x8",
    board=_EIGHT,
    start=rows_of_men(_EIGHT, 3),
    promotion_points=far_rows(_EIGHT),
)

BRAZILIAN = replace(
    INTERNATIONAL,
    name="brazilian",
    title="Brazilian draughts",
    board=_EIGHT,
    start=rows_of_men(_EIGHT, 3),
    promotion_points=far_rows(_EIGHT),
    notation=Notation.ALGEBRAIC,
    game_type="26,W,8,8,A0,0",
    draws=FMJD_64_DRAWS,
)
PHILIPPINE = replace(
    BRAZILIAN,
    name="philippine",
    title="Philippine draughts",
    board=_EIGHT_MIRRORED,
    start=rows_of_men(_EIGHT_MIRRORED, 3),
    promotion_points=far_rows(_EIGHT_MIRRORED),
    notation=Notation.NUMERIC,
    game_type="",
    draws=DrawRules(),
)
CANADIAN = replace(
    INTERNATIONAL,
    name="canadian",
    title="Canadian draughts",
    board=_TWELVE,
    start=rows_of_men(_TWELVE, 5),
    promotion_points=far_rows(_TWELVE),
    game_type="27,W,12,12,N2,0",
    draws=DrawRules(
        repetitions=3,
        lone_king=(LoneKingRule("three kings against a king", attackers=(3,), plies=32, kings=3),),
    ),
)
SRI_LANKAN = replace(
    CANADIAN,
    name="sri-lankan",
    title="Sri Lankan draughts",
    board=_TWELVE_MIRRORED,
    start=rows_of_men(_TWELVE_MIRRORED, 5),
    promotion_points=far_rows(_TWELVE_MIRRORED),
    game_type="",
)
MALAYSIAN = replace(
    CANADIAN,
    name="malaysian",
    title="Malaysian draughts",
    man_captures=FORWARD_DIAGONALS,
    huff_allowed=True,
    game_type="",
    draws=DrawRules(),
    notes=("White begins (players agree who does); a king lands anywhere behind the disc it takes.",),
)
SPANTSIRETTI = replace(
    INTERNATIONAL,
    name="spantsiretti",
    title="Spantsiretti draughts",
    board=_TEN_BY_EIGHT,
    start=rows_of_men(_TEN_BY_EIGHT, 3),
    promotion_points=far_rows(_TEN_BY_EIGHT),
    notation=Notation.ALGEBRAIC,
    capture_sign=":",
    game_type="41,W,10,8,A0,0",
    draws=DrawRules(),
    notes=("Majority as in the international game.",),
)

_ROAD_WHITE = named(_EIGHT, "c1 e1 g1 d2 f2 h2 e3 g3 f4 h4 g5 h6")
_ROAD_BLACK = tuple(_EIGHT.half_turn[p] for p in _ROAD_WHITE)
DIAGONAL_START = placed(_EIGHT, _ROAD_WHITE, _ROAD_BLACK)
DIAGONAL_BRAZILIAN = replace(
    BRAZILIAN,
    name="diagonal-brazilian",
    title="Diagonal draughts, Brazilian rules",
    start=DIAGONAL_START,
    game_type="",
)

VARIANTS = (
    INTERNATIONAL,
    INTERNATIONAL_QUALITY,
    KILLER,
    BREAKTHROUGH,
    ANTIDRAUGHTS,
    CORNER,
    ONE_WAY,
    PARACHUTE,
    JOOMPEX_10,
    JOOMPEX_8,
    BRAZILIAN,
    PHILIPPINE,
    CANADIAN,
    SRI_LANKAN,
    MALAYSIAN,
    SPANTSIRETTI,
    DIAGONAL_BRAZILIAN,
)
