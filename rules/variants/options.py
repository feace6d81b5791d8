"""House options where sources disagree: `turkish+king-goes-on` is Turkish draughts with one of them."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from rules.errors import UnknownVariant
from rules.piece import Side
from rules.variant import Chain, Criterion, Landing, Promotion, Variant
from rules.variants.directions import ALL_EIGHT, DIAGONALS, FIVE_FORWARD
from rules.variants.eight import ITALIAN
from rules.variants.international import FMJD_64_DRAWS, JOOMPEX_10
from rules.variants.lines_and_hexagons import SERPENTS_OF_24
from rules.variants.orthogonal import TURKISH


@dataclass(frozen=True, slots=True)
class Option:
    """A change to a variant that players may agree on; without it the default of the variant file holds."""

    name: str
    text: str
    changes: Mapping[str, Any]


_FIFTY_DRAWS = replace(JOOMPEX_10.draws, no_capture=100)
_TWENTY_DRAWS = replace(FMJD_64_DRAWS, king_moves=40)
_KING_WINS = replace(TURKISH.draws, king_beats_man=True)
_BLACK_BEGINS = Option("black-begins", "Black begins", {"first": Side.BLACK})
_KING_GOES_ON = Option(
    "king-goes-on",
    "a man that promotes in mid-capture goes on as a king",
    {"promotion": Promotion.AT_ONCE_AND_GO_ON},
)
_KING_STOPS = Option(
    "king-stops", "a man that promotes in mid-capture stops there", {"promotion": Promotion.AT_ONCE_AND_STOP}
)
_STAYS_MAN = Option(
    "man-goes-on", "a man that touches the last row goes on as a man", {"promotion": Promotion.ON_STOPPING}
)
_LANDS_BEHIND = Option(
    "lands-behind", "a king lands directly behind the disc it takes", {"king_landing": Landing.BEHIND}
)
_LANDS_ANYWHERE = Option("lands-anywhere", "a king lands anywhere behind", {"king_landing": Landing.ANY})
_TAKES_BACKWARD = Option("takes-backward", "men capture backward too", {"man_captures": DIAGONALS})
_FREE = Option("free-choice", "any capture may be chosen", {"precedence": ()})
_MAJORITY = Option("majority", "the largest capture is due", {"precedence": (Criterion.NUMBER,)})
_SHORT_KINGS = Option("short-kings", "kings move one step", {"king_flies": False})
_FLYING_KINGS = Option("flying-kings", "kings fly", {"king_flies": True})
_FIVE_WAYS = Option("moves-five-ways", "men move as they capture", {"man_steps": FIVE_FORWARD})
_KINGS_DIAGONALLY = Option("kings-take-diagonally", "kings capture along diagonals too", {"king_captures": ALL_EIGHT})
_FIFTY = Option("fifty-moves", "50 moves each without a capture or a crowning draw, not 25", {"draws": _FIFTY_DRAWS})
_TWENTY = Option("twenty-king-moves", "20 king moves each draw, not 15 (older national text)", {"draws": _TWENTY_DRAWS})
_KING_BEATS_MAN = Option("king-beats-man", "a king against a lone man wins", {"draws": _KING_WINS})
_FOREVER = Option("no-king-limit", "one king may move without end", {"king_run_limit": 0})

_WHITE_BEGINS = Option("white-begins", "White begins (Zimbabwe; the unified rules)", {"first": Side.WHITE})
_ALL_BUT_THE_CENTRE = Option(
    "twenty-four-discs",
    "24 discs each, the ends of the middle row filled too (some pages)",
    {"start": SERPENTS_OF_24},
)
_NO_ROW_LINES = Option(
    "no-lines-along-rows",
    "no lines along the rows, as in Murray's figure",
    {"man_steps": DIAGONALS, "man_captures": DIAGONALS},
)

# Alquerque by other rules than text 000's: the Alfonso text, and the promoting games of later collections (jocly).
_EVERY_DIRECTION = Option(
    "every-direction",
    "discs step in every direction (Alfonso text)",
    {"man_steps": ALL_EIGHT, "far_row_only_captures": False},
)
_SEVERAL_JUMPS = Option("several-jumps", "a capture may go on (Alfonso text)", {"chain": Chain.MAY})
_CROWNED = {
    "promotion": Promotion.ON_STOPPING,
    "king_steps": ALL_EIGHT,
    "king_captures": ALL_EIGHT,
    "far_row_only_captures": False,
}
_CROWNS_SHORT = Option(
    "short-kings", "a disc on the last row becomes a king of one step", {**_CROWNED, "king_flies": False}
)
_CROWNS_FLYING = Option("flying-kings", "a disc on the last row becomes a flying king", {**_CROWNED})
_NO_COMPULSION = Option("optional-capture", "nobody must capture", {"compulsory": False})
_OTHER_COLOUR = Option(
    "light-squares",
    "played on the squares of the other colour (Jamaica, Zimbabwe)",
    {"board": ITALIAN.board, "start": ITALIAN.start, "promotion_points": ITALIAN.promotion_points},
)

OPTIONS: dict[str, tuple[Option, ...]] = {
    "german": (_BLACK_BEGINS, _TAKES_BACKWARD, _LANDS_ANYWHERE, _MAJORITY, _KING_GOES_ON, _KING_STOPS),
    "czech": (_FREE,),
    "pool": (_WHITE_BEGINS, _OTHER_COLOUR),
    "alquerque": (_EVERY_DIRECTION, _SEVERAL_JUMPS, _CROWNS_SHORT, _CROWNS_FLYING, _NO_COMPULSION),
    "thai": (_BLACK_BEGINS,),
    "turkish": (_KING_GOES_ON, _KING_STOPS, _KING_BEATS_MAN),
    "joompex-10": (_FIFTY,),
    "joompex-8": (_FIFTY,),
    "brazilian": (_TWENTY,),
    "armenian": (_STAYS_MAN, _KING_STOPS, _KINGS_DIAGONALLY),
    "gothic": (_FREE, _FIVE_WAYS, _FLYING_KINGS),
    "malaysian": (_BLACK_BEGINS, _LANDS_BEHIND),
    "spantsiretti": (_FREE,),
    "fighting-serpents": (_ALL_BUT_THE_CENTRE, _NO_ROW_LINES),
    "honeycomb": (_SHORT_KINGS,),
    "frisian": (_FOREVER,),
}


def with_option(variant: Variant, name: str) -> Variant:
    """The variant with a named option; raises UnknownVariant for an option it does not have."""
    base = variant.name.split("+")[0]
    offered = OPTIONS.get(base, ())
    for option in offered:
        if option.name == name:
            return replace(variant, name=f"{variant.name}+{name}", game_type="", **option.changes)
    known = ", ".join(option.name for option in offered) or "none"
    raise UnknownVariant(f"saw the option {name!r} of {base}; expected one of: {known}")
