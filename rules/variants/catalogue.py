"""Every game Kibitz knows, by name."""

from difflib import get_close_matches

from rules.errors import UnknownVariant
from rules.variant import Variant
from rules.variants import english, international

_VARIANTS = {v.name: v for family in (international, english) for v in family.VARIANTS}

VARIANT_NAMES: tuple[str, ...] = tuple(_VARIANTS)


def variant_named(name: str) -> Variant:
    """The variant of this name; capitals, blanks and underscores are forgiven."""
    key = name.strip().lower().replace("_", "-").replace(" ", "-")
    if key not in _VARIANTS:
        close = get_close_matches(key, VARIANT_NAMES, n=1)
        hint = f"; did you mean {close[0]!r}?" if close else ""
        raise UnknownVariant(f"saw the variant {name!r}{hint} Expected one of: {', '.join(VARIANT_NAMES)}")
    return _VARIANTS[key]
