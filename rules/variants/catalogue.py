"""Every game Kibitz knows, by name."""

from difflib import get_close_matches
from functools import cache

from rules.errors import UnknownVariant
from rules.variant import Variant
from rules.variants import eight, english, frisian, international, lines_and_hexagons, orthogonal
from rules.variants.options import with_option

_FAMILIES: dict[str, tuple[Variant, ...]] = {
    "international": international.VARIANTS,
    "english": english.VARIANTS,
    "eight": eight.VARIANTS,
    "frisian": frisian.VARIANTS,
    "orthogonal": orthogonal.VARIANTS,
    "lines-and-hexagons": lines_and_hexagons.VARIANTS,
}
_VARIANTS: dict[str, Variant] = {variant.name: variant for family in _FAMILIES.values() for variant in family}

FAMILIES: dict[str, tuple[str, ...]] = {
    family: tuple(variant.name for variant in variants) for family, variants in _FAMILIES.items()
}
"""The names of the games by family."""

VARIANT_NAMES: tuple[str, ...] = tuple(_VARIANTS)


@cache
def variant_named(name: str) -> Variant:
    """The variant of this name; capitals, blanks and underscores are forgiven.

    A plus sign adds a house option: `german+takes-backward`.
    """
    key, *options = name.strip().lower().replace("_", "-").replace(" ", "-").split("+")
    if key not in _VARIANTS:
        close = get_close_matches(key, VARIANT_NAMES, n=1)
        hint = f" (did you mean {close[0]!r}?)" if close else ""
        raise UnknownVariant(f"saw the variant {name!r}{hint}; expected one of: {', '.join(VARIANT_NAMES)}")
    variant = _VARIANTS[key]
    for option in options:
        variant = with_option(variant, option)
    return variant
