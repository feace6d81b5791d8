"""Which capture goes before which, criterion by criterion, in words."""

from rules.move import Move
from rules.piece import Piece
from rules.position import Position
from rules.variant import Criterion, Variant

_MAN, _KING = 100, 199
"""The Frisian worth of a man and of a king."""


def measure(criterion: Criterion, position: Position, move: Move) -> int:
    """How a capture stands by one criterion; more is better."""
    kings = [position.placement[p].is_king for p in move.captured]
    match criterion:
        case Criterion.NUMBER:
            return len(kings)
        case Criterion.WORTH:
            return sum(_KING if k else _MAN for k in kings)
        case Criterion.BY_KING:
            return int(position.placement[move.origin].is_king)
        case Criterion.KINGS:
            return sum(kings)
        case Criterion.KINGS_EARLY:
            return sum(1 << (len(kings) - 1 - k) for k, king in enumerate(kings) if king)


def first_difference(variant: Variant, position: Position, best: Move, made: Move) -> Criterion | None:
    """The criterion by which `made` falls short of `best`, or None if it does not."""
    for criterion in variant.precedence:
        if measure(criterion, position, best) != measure(criterion, position, made):
            return criterion
    return None


def broken_precedence(variant: Variant, position: Position, best: Move, made: Move) -> str:
    """The rule that puts `best` first, as the rest of a sentence; `{best}` stands for the move."""
    criterion = first_difference(variant, position, best, made)
    match criterion:
        case Criterion.NUMBER:
            return f"you must take the most: {{best}} takes {len(best.captured)}, this took {len(made.captured)}."
        case Criterion.WORTH:
            worth = f"{{best}} takes {_prey(position, best)}, this took {_prey(position, made)}"
            return f"you must take what is worth most, a king counting just under two men: {worth}."
        case Criterion.BY_KING:
            equal = "" if variant.precedence[0] is Criterion.BY_KING else "as well as a man "
            return f"a king that can capture {equal}must do it: {{best}} was due."
        case Criterion.KINGS:
            worth = f"{{best}} takes {_prey(position, best)}, this took {_prey(position, made)}"
            return f"of captures of the same number you must take the most kings: {worth}."
        case Criterion.KINGS_EARLY:
            return "of captures of the same worth you must make the one that meets a king first: {best} was due."
        case None:
            return "another capture goes first: {best} was due."


def _prey(position: Position, move: Move) -> str:
    """What a capture takes, such as `1 king and 2 men`."""
    kings = sum(position.placement[p] in (Piece.WHITE_KING, Piece.BLACK_KING) for p in move.captured)
    men = len(move.captured) - kings
    words = [f"{kings} king{'s' if kings != 1 else ''}"] if kings else []
    if men or not kings:
        words.append(f"{men} {'man' if men == 1 else 'men'}")
    return " and ".join(words)
