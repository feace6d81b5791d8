"""The sentences said to the players about a fault."""

from collections.abc import Iterable, Sequence

from rules.legal_moves import legal_moves
from rules.move import Move
from rules.notation import full_text, move_text, point_name
from rules.piece import Side
from rules.position import Position
from rules.variant import Criterion, Variant


def squares_text(variant: Variant, points: Iterable[int]) -> str:
    return ", ".join(point_name(variant, p) for p in points)


def side_text(side: Side) -> str:
    return side.name.capitalize()


def game_text(variant: Variant) -> str:
    title = variant.title.split("(")[0].strip()
    return title if "draughts" in title.lower() or "checkers" in title.lower() else f"{title} draughts"


def due_text(variant: Variant, before: Position, due: Sequence[Move]) -> str:
    return " or ".join(dict.fromkeys(move_text(variant, before, move) for move in due))


def missed_capture(variant: Variant, before: Position, due: Sequence[Move]) -> str:
    text = f"A capture was due in {game_text(variant)}: {due_text(variant, before, due)}."
    backward = [m for m in due if _takes_backward(variant, before, m)]
    if backward and len(backward) == len(due):
        text += " Men also capture backward in this game."
    return text


def _takes_backward(variant: Variant, before: Position, move: Move) -> bool:
    """Whether a man captures with its first jump away from its promotion row."""
    piece = before.placement[move.origin]
    if piece.is_king or not variant.man_steps:
        return False
    up = 1 if piece.side is Side.WHITE or variant.one_way else -1
    rows = [variant.board.xy[p][1] * up for p in move.path]
    return rows[1] < rows[0]


def not_majority(variant: Variant, due: Sequence[Move], made: Move) -> str:
    best = full_text(variant, due[0]) if due else "another capture"
    most, took = len(due[0].captured) if due else 0, len(made.captured)
    if most > took:
        return f"In {game_text(variant)} you must take the most: {best} takes {most}, this took {took}."
    rule = "the capture that ranks first"
    if Criterion.BY_KING in variant.precedence or Criterion.WORTH in variant.precedence:
        rule = "with the king, or take the most worth, where the rules rank captures"
    return f"In {game_text(variant)} you must choose {rule}: {best} was due."


def capture_incomplete(variant: Variant, due: Sequence[Move], made: Move) -> str:
    on = [full_text(variant, m) for m in due if set(made.captured) < set(m.captured) and m.origin == made.origin]
    goes = f"it goes on: {' or '.join(on)}" if on else f"due: {', '.join(full_text(variant, m) for m in due)}"
    return f"In {game_text(variant)} a capture runs to its end; {goes}."


def captures_due(variant: Variant, position: Position) -> tuple[Move, ...]:
    """Every capture that may be played; none where capturing is free."""
    if not variant.compulsory:
        return ()
    return tuple(m for m in legal_moves(variant, position) if m.is_capture)
