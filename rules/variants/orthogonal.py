"""Games on all the squares: Turkish, Armenian and Gothic (text 000 for the 10x10 forms; TUDAF for 8x8)."""

from dataclasses import replace

from rules.boards.squares import full
from rules.variant import DrawRules, Notation, Promotion, Variant
from rules.variants.directions import (
    ALL_EIGHT,
    FIVE_FORWARD,
    FORWARD_AND_SIDEWAYS,
    FORWARD_DIAGONALS,
    ORTHOGONALS,
)
from rules.variants.starts import far_rows, rows_of_men

_EIGHT = full(8, 8)
_TEN = full(10, 10)
_FORWARD_FAN = (*FORWARD_AND_SIDEWAYS, *FORWARD_DIAGONALS)

TURKISH = Variant(
    name="turkish",
    title="Turkish draughts",
    board=_EIGHT,
    start=rows_of_men(_EIGHT, 2, skipped=1),
    promotion_points=far_rows(_EIGHT),
    man_steps=FORWARD_AND_SIDEWAYS,
    man_captures=FORWARD_AND_SIDEWAYS,
    king_steps=ORTHOGONALS,
    king_captures=ORTHOGONALS,
    removed_at_once=True,
    may_reverse=False,
    notation=Notation.ALGEBRAIC,
    game_type="30,W,8,8,A0,0",
    draws=DrawRules(repetitions=3, no_taking=50, one_piece_each=True),  # TUDAF; 50 plies: kish
    notes=("A man that touches the last row in mid-capture goes on as a man.",),
)
ARMENIAN = replace(
    TURKISH,
    name="armenian",
    title="Armenian draughts (tama)",
    man_steps=_FORWARD_FAN,
    king_steps=ALL_EIGHT,
    promotion=Promotion.AT_ONCE_AND_GO_ON,
    game_type="",
    draws=DrawRules(repetitions=3),
    notes=("A man that promotes by a jump goes on as a king; captures run along rows and columns only.",),
)

# Text 000, "Török": the same on 10x10, all else as in the international game.
TURKISH_10 = replace(
    TURKISH,
    name="turkish-10",
    title="Turkish draughts, 10x10",
    board=_TEN,
    start=rows_of_men(_TEN, 3, skipped=1),
    promotion_points=far_rows(_TEN),
    removed_at_once=False,
    may_reverse=True,
    game_type="",
    draws=DrawRules(repetitions=3, king_moves=50),
    notes=("Majority and removal at the end, as in the international game.",),
)

# Text 000, "Gótikus": short kings, men that go five ways.
GOTHIC_10 = Variant(
    name="gothic-10",
    title="Gothic draughts, 10x10",
    board=_TEN,
    start=rows_of_men(_TEN, 2),
    promotion_points=far_rows(_TEN),
    man_steps=FIVE_FORWARD,
    man_captures=FIVE_FORWARD,
    king_steps=ALL_EIGHT,
    king_captures=ALL_EIGHT,
    king_flies=False,
    notation=Notation.ALGEBRAIC,
    draws=DrawRules(repetitions=3, king_moves=50),
    notes=("Capture with majority and removal at the end, as in the international game.",),
)
GOTHIC = replace(
    GOTHIC_10,
    name="gothic",
    title="Gothic draughts",
    board=_EIGHT,
    start=rows_of_men(_EIGHT, 2),
    promotion_points=far_rows(_EIGHT),
    man_steps=FORWARD_DIAGONALS,
    draws=DrawRules(repetitions=3),
    notes=("Men move diagonally forward only; the largest capture is due (pages disagree).",),
)

VARIANTS = (TURKISH, ARMENIAN, TURKISH_10, GOTHIC_10, GOTHIC)
