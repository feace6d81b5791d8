"""Frisian draughts: captures in eight directions, worth before number, three moves of one king at most."""

from dataclasses import replace

from rules.variant import Criterion, DrawRules, LoneKingRule
from rules.variants.directions import ALL_EIGHT
from rules.variants.international import INTERNATIONAL
from rules.variants.starts import rows_of_men

FRISIAN = replace(
    INTERNATIONAL,
    name="frisian",
    title="Frisian draughts",
    man_captures=ALL_EIGHT,
    king_captures=ALL_EIGHT,
    precedence=(Criterion.WORTH, Criterion.BY_KING),
    king_run_limit=3,
    game_type="40,W,10,10,N2,0",
    draws=DrawRules(
        repetitions=3,
        lone_king=(
            LoneKingRule("two kings against a king", attackers=(2,), plies=14, kings=2),
            LoneKingRule("a king against a king", attackers=(1,), plies=4),
        ),
    ),
    notes=("A king against a king is drawn after two moves each, to leave room for a forced capture.",),
)
FRYSK = replace(
    FRISIAN,
    name="frysk",
    title="Frysk!",
    start=rows_of_men(FRISIAN.board, 1),
    game_type="97,W,10,10,N2,0",
)

VARIANTS = (FRISIAN, FRYSK)
