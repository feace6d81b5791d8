"""How to put a board right, disc by disc, in words."""

from rules.notation import point_name
from rules.piece import Piece, Side
from rules.placement import Placement
from rules.variant import Variant
from server.session.state import Terms

_MOST_STEPS = 6


def steps_to_mend(terms: Terms, wanted: Placement, seen: Placement) -> tuple[str, ...]:
    """What to do, each square once: discs to take off first, then those to put up or crown."""
    off, on = [], []
    for point in seen.difference(wanted):
        there, due = seen[point], wanted[point]
        if due.is_king and there.side is due.side:
            continue
        name = point_name(terms.variant, point)
        if due is Piece.EMPTY:
            off.append(f"take the {_disc(terms, there)} off {name}")
        elif there is Piece.EMPTY:
            on.append(f"put a {_disc(terms, due)} on {name}")
        elif there.side is due.side:
            on.append(f"take the crown off {name}")
        else:
            on.append(f"put a {_disc(terms, due)} on {name} in place of the {_disc(terms, there)}")
    return (*off, *on)


def guidance(terms: Terms, wanted: Placement, seen: Placement) -> str:
    """One sentence with the steps, the first few of many."""
    steps = list(steps_to_mend(terms, wanted, seen))
    if len(steps) > _MOST_STEPS:
        steps = [*steps[:_MOST_STEPS], f"then {len(steps) - _MOST_STEPS} squares more"]
    text = "; ".join(steps)
    return text[:1].upper() + text[1:] + "." if text else "The board is as it should be."


def squares_to_mend(variant: Variant, wanted: Placement, seen: Placement) -> tuple[str, ...]:
    return tuple(point_name(variant, p) for p in seen.difference(wanted))


def _disc(terms: Terms, piece: Piece) -> str:
    shade = "white" if piece.side is Side.WHITE else "black"
    if terms.light is Side.BLACK:
        shade = "black" if shade == "white" else "white"
    return f"{shade} {'king' if piece.is_king else 'man'}"
