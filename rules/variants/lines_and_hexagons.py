"""Games on points joined by lines and on hexagonal cells (text 000; Culin and Bell; Freeling)."""

from dataclasses import replace

from rules.boards.hexagons import honeycomb, oblique
from rules.boards.lined import alquerque, serpents
from rules.variant import Chain, DrawRules, Notation, Promotion, Variant
from rules.variants.directions import (
    ALL_EIGHT,
    FIVE_FORWARD,
    HEXAGON_FILES,
    HEXAGON_FILES_FORWARD,
    HEXAGON_ROWS,
    HEXAGON_ROWS_FORWARD,
)
from rules.variants.starts import far_rows, named, placed, points_on_rows, rows_of_men

_FIVE = alquerque()
_SERPENTS = serpents()
_HONEYCOMB = honeycomb(7)
_OBLIQUE = oblique(5)

# Text 000, "Ősdáma": one disc taken per move, no promotion, the last row is left only by capturing.
ALQUERQUE = Variant(
    name="alquerque",
    title="Alquerque",
    board=_FIVE,
    start=placed(
        _FIVE,
        (*points_on_rows(_FIVE, (1, 2)), *named(_FIVE, "d3 e3")),
        (*points_on_rows(_FIVE, (5, 4)), *named(_FIVE, "a3 b3")),
    ),
    promotion_points=far_rows(_FIVE),
    man_steps=FIVE_FORWARD,
    man_captures=ALL_EIGHT,
    chain=Chain.NEVER,
    precedence=(),
    promotion=Promotion.NEVER,
    far_row_only_captures=True,
    huff_allowed=True,
    notation=Notation.ALGEBRAIC,
)

_WHITE_SERPENT = (*points_on_rows(_SERPENTS, (1,)), *named(_SERPENTS, "j2 k2 l2 m2 n2 o2 p2"))
_BLACK_SERPENT = (*points_on_rows(_SERPENTS, (3,)), *named(_SERPENTS, "b2 c2 d2 e2 f2 g2 h2"))
SERPENTS_OF_24 = placed(
    _SERPENTS, (*_WHITE_SERPENT, *named(_SERPENTS, "q2")), (*_BLACK_SERPENT, *named(_SERPENTS, "a2"))
)

# Text 000, "Harcoló kígyók"; Kolowis Awithlaknannai (Culin 1907, Bell): 23 discs each.
FIGHTING_SERPENTS = Variant(
    name="fighting-serpents",
    title="Fighting serpents",
    board=_SERPENTS,
    start=placed(_SERPENTS, _WHITE_SERPENT, _BLACK_SERPENT),
    promotion_points=far_rows(_SERPENTS),
    man_steps=HEXAGON_ROWS,
    man_captures=HEXAGON_ROWS,
    precedence=(),
    promotion=Promotion.NEVER,
    huff_allowed=True,
    notation=Notation.ALGEBRAIC,
    notes=("23 discs each, lines along the rows; see the options.",),
    draws=DrawRules(more_discs_win=True),  # Bell: when a draw looms, the side with more discs wins
)

# Text 000, "Lépes": all else as in the international game.
HONEYCOMB = Variant(
    name="honeycomb",
    title="Honeycomb draughts",
    board=_HONEYCOMB,
    start=rows_of_men(_HONEYCOMB, 3),
    promotion_points=far_rows(_HONEYCOMB),
    man_steps=HEXAGON_ROWS_FORWARD,
    man_captures=HEXAGON_ROWS,
    king_steps=HEXAGON_ROWS,
    king_captures=HEXAGON_ROWS,
    notation=Notation.ALGEBRAIC,
    draws=DrawRules(repetitions=3, king_moves=50),
    notes=("Men capture in all six directions; kings fly (an option makes them short).",),
)

_NEAR_CORNER = tuple(_OBLIQUE.point_by_name[f"{letter}{number}"] for letter in "abcd" for number in range(1, 5))
_FAR_EDGES = frozenset(p for p, name in enumerate(_OBLIQUE.names) if "i" in name or "9" in name)
_NEAR_EDGES = frozenset(p for p, name in enumerate(_OBLIQUE.names) if "a" in name or "1" in name)

# Freeling 1979 (mindsports.nl): the international rules on a hexagon that stands on a corner, 16 men in the corner
# a1-d4, promotion on any of the nine cells of the far edges.
HEXDAME = replace(
    HONEYCOMB,
    name="hexdame",
    title="HexDame",
    board=_OBLIQUE,
    start=placed(_OBLIQUE, _NEAR_CORNER, (_OBLIQUE.half_turn[p] for p in _NEAR_CORNER)),
    promotion_points=(_FAR_EDGES, _NEAR_EDGES),
    man_steps=HEXAGON_FILES_FORWARD,
    man_captures=HEXAGON_FILES,
    king_steps=HEXAGON_FILES,
    king_captures=HEXAGON_FILES,
    notes=(),
)

VARIANTS = (ALQUERQUE, FIGHTING_SERPENTS, HONEYCOMB, HEXDAME)
