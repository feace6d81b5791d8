"""English draughts and Pooh's game: short kings on 8x8, men that capture forward (texts 001, 003; WCDF rules)."""

from dataclasses import replace

from rules.boards.squares import chequered
from rules.piece import Side
from rules.variant import Chain, DrawRules, Promotion, Variant
from rules.variants.directions import DIAGONALS, FORWARD_DIAGONALS
from rules.variants.starts import far_rows, rows_of_men

_EIGHT = chequered(8, 8)

# Claims to a draw: WCDF 1.32 (third repetition; 40 moves each without progress); text 001 (the refused offer).
ENGLISH = Variant(
    name="english",
    title="English draughts",
    board=_EIGHT,
    start=rows_of_men(_EIGHT, 3),
    promotion_points=far_rows(_EIGHT),
    first=Side.BLACK,
    man_steps=FORWARD_DIAGONALS,
    man_captures=FORWARD_DIAGONALS,
    king_steps=DIAGONALS,
    king_captures=DIAGONALS,
    king_flies=False,
    precedence=(),
    promotion=Promotion.AT_ONCE_AND_STOP,
    huff_allowed=True,
    game_type="21,B,8,8,N1,0",
    draws=DrawRules(repetitions=3, repetition_is_claim=True, no_progress_claim=80, moves_after_refusal=40),
)

POOH = replace(
    ENGLISH,
    name="pooh",
    title="Pooh's draughts",
    chain=Chain.MAY,
    huff_allowed=False,
    game_type="",
    draws=DrawRules(repetitions=3),
    notes=(
        "After a capture the same disc may go on capturing, it need not.",
        "A man that reaches the last row is crowned and stops, as in the English game.",
    ),
)

VARIANTS = (ENGLISH, POOH)
