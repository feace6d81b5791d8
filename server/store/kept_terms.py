"""What the journal keeps of the terms of a game, and of settings changed while it goes on."""

from dataclasses import replace
from typing import Any

from rules.fen import fen, parse_fen
from rules.piece import Side
from rules.variant import Variant
from server.session.state import House, Mode, Terms


def terms_as_json(terms: Terms, tags: dict[str, str]) -> dict[str, Any]:
    """What the journal keeps of the terms of a game."""
    return {
        "start": fen(terms.variant, terms.start),
        "mode": terms.mode.value,
        "house": terms.house.value,
        "light": terms.light.value,
        "touch": terms.touch,
        "always_hint": terms.always_hint,
        "tags": tags,
    }


def terms_from_json(variant: Variant, data: dict[str, Any]) -> Terms:
    """The terms as they were kept; KeyError, TypeError, ValueError or RulesError for what is none."""
    start = parse_fen(variant, data["start"], uncrowned=True)
    return settled(Terms(variant, start, light=Side(data.get("light", "W"))), data)


def settled(terms: Terms, data: dict[str, Any]) -> Terms:
    """The terms with what `data` says of the mode, the house rule and what is said beside them."""
    return replace(
        terms,
        mode=Mode(data.get("mode", terms.mode.value)),
        house=House(data.get("house", terms.house.value)),
        touch=bool(data.get("touch", terms.touch)),
        always_hint=bool(data.get("always_hint", terms.always_hint)),
    )
