"""The sentences said to the players about a fault, naming the game and its rule."""

from collections.abc import Iterable, Sequence

from rules.legal_moves import legal_moves
from rules.move import Move
from rules.notation import full_text, move_text, point_name
from rules.piece import Side
from rules.position import Position
from rules.precedence import broken_precedence
from rules.relaxation import Relaxation, relaxed
from rules.variant import Variant, start_position
from rules.ways import why_not, why_unusual

_COMMON_WORDS = (
    *("international", "alquerque", "fighting", "corner", "one-way", "parachute", "honeycomb", "diagonal", "killer"),
    *("breakthrough", "antidraughts", "pool"),
)
"""First words of titles that are no proper names, so that a sentence writes them small."""
_NAMED = 4
"""So many due captures are spelt out in a sentence; the fault lists all."""
_WAYS_ON = 2
"""So many whole paths of a capture that stopped early are spelt out."""


def squares_text(variant: Variant, points: Iterable[int]) -> str:
    return ", ".join(point_name(variant, p) for p in points)


def side_text(side: Side) -> str:
    return side.title


def game_text(variant: Variant) -> str:
    """The game as a sentence names it: `international draughts`, `English draughts`, `pool checkers`."""
    title = variant.title.split("(")[0].split(",")[0].strip()
    first = title.split()[0]
    return title[0].lower() + title[1:] if first.lower() in _COMMON_WORDS else title


def due_text(variant: Variant, before: Position, due: Sequence[Move]) -> str:
    texts = list(dict.fromkeys(move_text(variant, before, move) for move in due))
    if len(texts) > _NAMED:
        return f"{', '.join(texts[:_NAMED])} or another of {len(texts)} captures"
    return " or ".join(texts)


def captures_due(variant: Variant, position: Position) -> tuple[Move, ...]:
    """Every capture that may be played; none where capturing is free."""
    if not variant.compulsory:
        return ()
    return tuple(m for m in legal_moves(variant, position) if m.is_capture)


def missed_capture(variant: Variant, before: Position, due: Sequence[Move], made: Move) -> str:
    """Why the quiet move `made` is wrong; a capture that novices do not expect is explained."""
    reasons = {why_unusual(variant, before, move) for move in due}
    reason = reasons.pop() if len(reasons) == 1 else None
    also = f", and {reason}" if reason else ""
    seen = full_text(variant, made)
    return (
        f"In {game_text(variant)} a capture must be made{also}: {due_text(variant, before, due)} was due, not {seen}."
    )


def not_majority(variant: Variant, before: Position, due: Sequence[Move], made: Move) -> str:
    best = due[0] if due else made
    rule = broken_precedence(variant, before, best, made)
    return f"In {game_text(variant)} {rule.format(best=full_text(variant, best))}"


def capture_incomplete(variant: Variant, before: Position, due: Sequence[Move], made: Move) -> str:
    """Where the capture goes on; the captures due where a better one than this was to be made."""
    on = _continuations(due, made)
    if not on:
        on = _continuations(legal_moves(relaxed(variant, Relaxation.MAJORITY), before), made)
        best = f"; {due_text(variant, before, due)} was due"
    else:
        best = ""
    goes = f"it goes on: {' or '.join(full_text(variant, m) for m in on[:_WAYS_ON])}" if on else "it goes on"
    return f"In {game_text(variant)} a capture runs to its end; {goes}{best}."


def _continuations(moves: Iterable[Move], made: Move) -> list[Move]:
    return [m for m in moves if m.origin == made.origin and set(made.captured) < set(m.captured)]


def not_allowed(variant: Variant, before: Position, move: Move, broken: Relaxation | None) -> str:
    """Why this disc may not go there: the rule broken, or how it moves at all."""
    sign = variant.capture_sign if move.is_capture else "-"
    text = sign.join(point_name(variant, p) for p in (move.origin, move.end))
    if not legal_moves(variant, before):
        return f"{side_text(before.to_move)} has no move left, so {game_text(variant)} is over; {text} is not allowed."
    return f"In {game_text(variant)} the move {text} is not allowed: {why_not(variant, before, move, broken)}."


def wrongly_crowned(variant: Variant, before: Position, points: Sequence[int], move: Move | None) -> str:
    where = squares_text(variant, points)
    if move is not None and list(points) == [move.end]:
        row = variant.promotion_row(before.to_move)
        if any(p in row for p in move.path[1:-1]):
            rule = "a man that only passes the last row in a capture stays a man"
            return f"In {game_text(variant)} {rule}: the one on {where} is no king."
    if not variant.king_steps:
        return f"In {game_text(variant)} there are no kings; please take the crown off {where}."
    return f"In {game_text(variant)} a man is crowned only by ending a move on the last row; {where} is no king."


def moved_out_of_turn(variant: Variant, before: Position, move: Move) -> str:
    """Said when the side not to move has moved."""
    mover, turn = side_text(before.to_move.opponent), side_text(before.to_move)
    text = f"{mover} moved from {squares_text(variant, [move.origin])} to {squares_text(variant, [move.end])}"
    if before == start_position(variant):
        return f"{text}, but in {game_text(variant)} {turn} begins."
    return f"{text}, but it is {turn}'s turn."


def moved_again(variant: Variant, before: Position, first: Move, second: Move) -> str:
    mover, turn = side_text(before.to_move), side_text(before.to_move.opponent)
    moves = f"{move_text(variant, before, first)} and {full_text(variant, second)}"
    return f"{mover} moved twice, {moves}; after the first it was {turn}'s turn."


def disc_moved(variant: Variant, before: Position, origin: int, end: int) -> str:
    owner = side_text(before.to_move.opponent)
    where = f"from {squares_text(variant, [origin])} to {squares_text(variant, [end])}"
    return f"A disc of {owner} changed place {where} without a move of its own; please put it back."
