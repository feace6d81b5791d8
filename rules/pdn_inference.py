"""Which game a record may be of: from its tags, or else from the squares and signs it uses."""

import re
from functools import cache, lru_cache

from rules.errors import UnknownVariant
from rules.pdn_fen import positions_of_fen
from rules.pdn_matching import PLAIN, Reading
from rules.pdn_reader import PdnGame
from rules.pdn_tokens import Token, TokenKind
from rules.position import Position
from rules.variant import Variant, start_position
from rules.variants.catalogue import VARIANT_NAMES, variant_named

_NUMBERS_32 = ("english", "italian", "brazilian", "russian", "czech", "pool", "spanish", "portuguese", "thai")
_NUMBERS_50 = ("international", "frisian")
_NUMBERS_72 = ("canadian",)
_LETTERS = ("brazilian", "czech", "russian", "english", "pool", "italian", "turkish", "spantsiretti")
_SITES = {"american": "english", "standard": "international", "checkers": "english", "frysk!": "frysk"}
_MOVES = (TokenKind.MOVE, TokenKind.STRETCH)
_NAMED = re.compile(r"[a-t]\d")
_NAMED_IN_FEN = re.compile(r"[a-t]\d|[,WBK][ACD-JL-T]\d")
_OVER_32 = re.compile(r"(?<!\d)(?:3[3-9]|[4-9]\d)(?!\d|\.\.?\s*\S)")
_OVER_50 = re.compile(r"(?<!\d)(?:5[1-9]|[6-9]\d)(?!\d|\.\.?\s*\S)")
_EXTRA_TYPES = {"96": "breakthrough", "97": "frysk", "98": "antidraughts", "32": "english"}


@cache
def _types() -> dict[str, tuple[str, ...]]:
    """Names of the variants of each GameType number."""
    known: dict[str, tuple[str, ...]] = {number: (name,) for number, name in _EXTRA_TYPES.items()}
    for name in VARIANT_NAMES:
        number = variant_named(name).game_type.split(",")[0]
        if number:
            known[number] = (*known.get(number, ()), name)
    return known | {"23": ("pool", "pool+light-squares")}


def readings(game: PdnGame, variant: Variant | None, likely: tuple[str, ...] = ()) -> tuple[Reading, ...]:
    """Ways to read a game, the likeliest first; `likely` are the games that its neighbours in the file are of."""
    if variant is not None:
        return _both_ways((variant.name,), variant)
    return _both_ways(named_by_tags(game) or in_order(guessed(game), likely))


def other_readings(game: PdnGame, likely: tuple[str, ...] = ()) -> tuple[Reading, ...]:
    """Ways to read a game whose tags name the wrong variant."""
    named = named_by_tags(game)
    return _both_ways(tuple(name for name in in_order(guessed(game), likely) if name not in named)) if named else ()


def in_order(names: tuple[str, ...], likely: tuple[str, ...]) -> tuple[str, ...]:
    """The names, those that are likely before the others."""
    return tuple(sorted(names, key=lambda name: likely.index(name) if name in likely else len(likely)))


@lru_cache(maxsize=256)
def _both_ways(names: tuple[str, ...], given: Variant | None = None) -> tuple[Reading, ...]:
    variants = (given,) if given is not None else tuple(variant_named(name) for name in names)
    plain = tuple(Reading(variant) for variant in variants)
    return (*plain, *(Reading(variant, turned=True) for variant in variants))


def named_by_tags(game: PdnGame) -> tuple[str, ...]:
    """What GameType or a Variant tag says; empty if they say nothing known."""
    number = game.tag("GameType").split(",")[0].strip()
    if number in _types():
        return _types()[number]
    word = game.tag("Variant").lower().replace(" ", "-")
    base = word.partition("+")[0]
    if base in VARIANT_NAMES:
        return (word if _has_options(word) else base,)
    return tuple(name for site, name in _SITES.items() if site in word)[:1] if word else ()


def _has_options(word: str) -> bool:
    """Whether a game is known with the house options that stand behind it: `german+takes-backward`."""
    try:
        return bool(variant_named(word))
    except UnknownVariant:
        return False


def is_unknown_type(game: PdnGame) -> bool:
    """Whether there is a GameType tag that names no game that Kibitz knows."""
    number = game.tag("GameType").split(",")[0].strip()
    return bool(number) and number not in _types()


def is_unknown_option(game: PdnGame) -> bool:
    """Whether a Variant tag names a game that Kibitz knows, with house options that it does not."""
    word = game.tag("Variant").lower().replace(" ", "-")
    base, plus, _ = word.partition("+")
    return bool(plus) and base in VARIANT_NAMES and not _has_options(word)


def guessed(game: PdnGame) -> tuple[str, ...]:
    """Variants whose board has the squares the moves and the FEN name."""
    texts = " ".join(_plainly(e) for e in game.written if isinstance(e, Token) and e.kind in _MOVES)
    position = game.tag("FEN")
    if _NAMED.search(texts) or (not texts and _NAMED_IN_FEN.search(position)):
        first = ("russian",) if any(":" in e.text for e in game.written if isinstance(e, Token)) else ()
        return tuple(dict.fromkeys((*first, *_LETTERS)))
    if any(_OVER_50.search(text) for text in (texts, position)):
        return _NUMBERS_72
    return _NUMBERS_50 if any(_OVER_32.search(text) for text in (texts, position)) else (*_NUMBERS_32, *_NUMBERS_50)


def _plainly(token: Token) -> str:
    return token.text if token.kind is TokenKind.STRETCH else PLAIN[token.text]


def starts(reading: Reading, game: PdnGame) -> tuple[Position, ...]:
    """The position a game starts from; both sides to move if the FEN does not say. Raises FenError."""
    text = game.tag("FEN")
    return positions_of_fen(reading.variant, text) if text else (start_position(reading.variant),)
