"""Positions out of the FEN texts of real files, which are looser than `parse_fen` allows."""

import re

from rules.errors import FenError
from rules.fen import parse_fen, refuse_kings
from rules.piece import Side
from rules.position import Position
from rules.variant import Variant

_CAPITAL_SQUARE = re.compile(r"(?<=[,WBK])([A-J])(?=\d)")
_GHOST = re.compile(r"(?<=[WB,])[GP](?:[a-t]\d{1,2}|\d{1,3}),?")
_SMALL = re.compile(r"[wbk\d,:?.-]+")
_NO_TURN = re.compile(r"[WB]K?(?:\d|[a-t]\d)[^:]*:[WB]")
_COUNTERS = re.compile(r":[HF]\d+")


def positions_of_fen(variant: Variant, text: str) -> tuple[Position, ...]:
    """Positions a FEN of any quality may mean: discs that are already taken (G, P) left out, case forgiven.

    Small letters are capitals where squares are numbers: in a list of names, b is a column.

    Both sides to move if the text does not say. Raises FenError.
    """
    found = _read(variant, text)
    refuse_kings(variant, found[0].placement)
    return found


def _read(variant: Variant, text: str) -> tuple[Position, ...]:
    plain = re.sub(r"\s+", "", text)
    if re.search(r"(?<=[,WBK])[ACDEFHIJ]\d", plain):
        plain = _CAPITAL_SQUARE.sub(lambda m: m[1].lower(), plain)
    if _SMALL.fullmatch(plain):
        plain = plain.upper()
    plain = _COUNTERS.sub("", _GHOST.sub("", plain))
    if _NO_TURN.match(plain):
        plain = f"?:{plain}"
    if plain.startswith("?"):
        return tuple(parse_fen(variant, side.value + plain[1:], uncrowned=True) for side in Side)
    position = parse_fen(variant, plain, uncrowned=True)
    if plain[1:] and not plain.upper().startswith(("W:", "B:")):
        raise FenError(f"saw {text!r}; expected it to begin with W: or B:, the side to move")
    return (position,)


def counters_of_fen(text: str) -> str:
    """The counters that some sites append, such as `:H3:F12`; empty without them."""
    return "".join(_COUNTERS.findall(re.sub(r"\s+", "", text)))
