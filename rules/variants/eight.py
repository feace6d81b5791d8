"""National games on 8x8: Mediterranean, Slavic, American pool, German and Thai."""

from dataclasses import replace

from rules.boards.squares import chequered
from rules.piece import Side
from rules.variant import (
    Criterion,
    DrawRules,
    Landing,
    LoneKingRule,
    Notation,
    Promotion,
    Variant,
)
from rules.variants.directions import DIAGONALS, FORWARD_DIAGONALS
from rules.variants.international import DIAGONAL_START, FMJD_64_DRAWS
from rules.variants.starts import far_rows, rows_of_men

_EIGHT = chequered(8, 8)
_MIRRORED = chequered(8, 8, mirrored=True)

# Free choice, but a capture runs to its end; a man that touches the last row goes on as a king.
RUSSIAN = Variant(
    name="russian",
    title="Russian draughts",
    board=_EIGHT,
    start=rows_of_men(_EIGHT, 3),
    promotion_points=far_rows(_EIGHT),
    man_steps=FORWARD_DIAGONALS,
    man_captures=DIAGONALS,
    king_steps=DIAGONALS,
    king_captures=DIAGONALS,
    precedence=(),
    promotion=Promotion.AT_ONCE_AND_GO_ON,
    notation=Notation.ALGEBRAIC,
    capture_sign=":",
    game_type="25,W,8,8,A0,0",
    draws=FMJD_64_DRAWS,
)
RUSSIAN_GIVEAWAY = replace(
    RUSSIAN, name="russian-giveaway", title="Russian giveaway", losing=True, game_type="", draws=DrawRules()
)
DIAGONAL_RUSSIAN = replace(
    RUSSIAN,
    name="diagonal-russian",
    title="Diagonal draughts, Russian rules",
    start=DIAGONAL_START,
    game_type="",
)

# American Pool Checkers Association: as Russian, but no promotion in passing; Black begins.
POOL = replace(
    RUSSIAN,
    name="pool",
    title="Pool checkers",
    first=Side.BLACK,
    promotion=Promotion.ON_STOPPING,
    notation=Notation.NUMERIC,
    capture_sign="x",
    game_type="23,B,8,8,N1,0",
    draws=DrawRules(
        repetitions=3,
        no_progress_claim=30,
        lone_king=(LoneKingRule("three kings against a king", attackers=(3,), plies=26, kings=3),),
    ),
)

# FMJD brief rules: if a king can capture, a king must; otherwise the choice is free.
CZECH = replace(
    RUSSIAN,
    name="czech",
    title="Czech draughts",
    man_captures=FORWARD_DIAGONALS,
    precedence=(Criterion.BY_KING,),
    promotion=Promotion.ON_STOPPING,
    capture_sign="x",
    game_type="29,W,8,8,A0,0",
    draws=DrawRules(repetitions=3, king_moves=30),
)

# FID, Capo I: number, then by a king, then kings taken, then kings met early; a man may not take a king.
ITALIAN = Variant(
    name="italian",
    title="Italian draughts",
    board=_MIRRORED,
    start=rows_of_men(_MIRRORED, 3),
    promotion_points=far_rows(_MIRRORED),
    man_steps=FORWARD_DIAGONALS,
    man_captures=FORWARD_DIAGONALS,
    king_steps=DIAGONALS,
    king_captures=DIAGONALS,
    king_flies=False,
    precedence=(Criterion.NUMBER, Criterion.BY_KING, Criterion.KINGS, Criterion.KINGS_EARLY),
    man_takes_king=False,
    promotion=Promotion.AT_ONCE_AND_STOP,
    game_type="22,W,8,8,N2,1",
    draws=DrawRules(repetitions=4, no_progress_claim=80),
)

# Number, then kings taken; squares numbered from White's near right.
SPANISH = replace(
    ITALIAN,
    name="spanish",
    title="Spanish draughts",
    king_flies=True,
    precedence=(Criterion.NUMBER, Criterion.KINGS),
    man_takes_king=True,
    promotion=Promotion.ON_STOPPING,
    reversed_numbers=True,
    game_type="24,W,8,8,N1,1",
    draws=DrawRules(repetitions=3),
)
PORTUGUESE = replace(
    SPANISH,
    name="portuguese",
    title="Portuguese draughts",
    game_type="28,W,8,8,N1,1",
    draws=DrawRules(repetitions=3, repetition_is_claim=True),
)

# No federation text exists: an options preset (variants/options.py), not an official game.
GERMAN = replace(
    CZECH,
    name="german",
    title="German draughts",
    king_landing=Landing.BEHIND,
    precedence=(),
    notation=Notation.NUMERIC,
    huff_allowed=True,
    game_type="",
    draws=DrawRules(repetitions=3),
    notes=("White begins, men take forward, a king lands directly behind; see the options.",),
)
THAI = Variant(
    name="thai",
    title="Thai draughts (makhos)",
    board=_EIGHT,
    start=rows_of_men(_EIGHT, 2),
    promotion_points=far_rows(_EIGHT),
    man_steps=FORWARD_DIAGONALS,
    man_captures=FORWARD_DIAGONALS,
    king_steps=DIAGONALS,
    king_captures=DIAGONALS,
    king_landing=Landing.BEHIND,
    removed_at_once=True,
    precedence=(),
    promotion=Promotion.AT_ONCE_AND_STOP,
    capture_sign="-",
    game_type="31,W,8,8,N2,0",
    notes=("White begins (PDN's table says Black, the Thai site White).",),
)

VARIANTS = (
    RUSSIAN,
    RUSSIAN_GIVEAWAY,
    DIAGONAL_RUSSIAN,
    POOL,
    CZECH,
    ITALIAN,
    SPANISH,
    PORTUGUESE,
    GERMAN,
    THAI,
)
