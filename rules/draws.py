"""How close a game is to a draw by its own rules, and whether it has ended: pure functions over its history."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from rules.legal_moves import legal_moves
from rules.move import Move
from rules.piece import Side, king, man
from rules.placement import Placement
from rules.position import Position
from rules.variant import LoneKingRule, Variant

Entry = tuple[Position, Move | None]
"""A position and the move played from it; the last entry is the position now, with None."""
History = Sequence[Entry]


@dataclass(frozen=True, slots=True)
class DrawCounter:
    """A running count. `value` and `limit` are plies, except for repetition, where they are occurrences.

    When `value` reaches `limit` the game is drawn, or may be claimed as drawn if `claim`.
    """

    name: str
    value: int
    limit: int
    due_to: str
    claim: bool = False

    @property
    def is_full(self) -> bool:
        return self.value >= self.limit


class EndReason(StrEnum):
    NO_MOVE = "no legal move"
    NO_DISCS = "no discs left"
    BREAKTHROUGH = "first king"
    ONE_PIECE_EACH = "one disc each"
    DRAW_RULE = "draw rule"


@dataclass(frozen=True, slots=True)
class Ending:
    """How a game ended; `winner` is None for a draw."""

    winner: Side | None
    reason: EndReason
    text: str


def draw_counters(variant: Variant, history: History) -> tuple[DrawCounter, ...]:
    """The counters of the variant that are running now, the fullest first."""
    if not history:
        return ()
    rules = variant.draws
    counters = []
    if rules.repetitions:
        seen = repetitions(history)
        counters.append(
            DrawCounter("repetition", seen, rules.repetitions, "the same position", rules.repetition_is_claim)
        )
    if rules.king_moves:
        plies = _plies_since(history, _breaks_king_moves)
        counters.append(DrawCounter("king moves", plies, rules.king_moves, "moves of kings without capture"))
    if rules.no_capture:
        plies = _plies_since(history, _captures_or_promotes)
        counters.append(DrawCounter("no capture", plies, rules.no_capture, "no capture or promotion"))
    if rules.no_progress_claim:
        plies = _plies_since(history, _breaks_king_moves)
        text = "no capture and no move of a man"
        counters.append(DrawCounter("no progress", plies, rules.no_progress_claim, text, claim=True))
    counters.extend(_lone_king_counters(variant, history))
    running = [c for c in counters if c.value > (1 if c.name == "repetition" else 0)]
    return tuple(sorted(running, key=lambda c: c.value / c.limit, reverse=True))


def ending(variant: Variant, history: History) -> Ending | None:
    """Whether the game has ended by itself; claims do not end it."""
    if not history:
        return None
    position = history[-1][0]
    decided = _no_move(variant, position)
    if decided is not None:
        return decided
    if variant.draws.one_piece_each and all(len(position.placement.points_of(side)) == 1 for side in Side):
        return Ending(None, EndReason.ONE_PIECE_EACH, "one disc each: a draw")
    for counter in draw_counters(variant, history):
        if counter.is_full and not counter.claim:
            return Ending(None, EndReason.DRAW_RULE, f"{counter.due_to}: {counter.value} of {counter.limit}")
    return None


def claims(variant: Variant, history: History) -> tuple[DrawCounter, ...]:
    """The draws that a player may claim now."""
    return tuple(c for c in draw_counters(variant, history) if c.claim and c.is_full)


def repetitions(history: History) -> int:
    """How often the position of now has been on the board with the same side to move."""
    now = history[-1][0]
    return sum((p.placement, p.to_move) == (now.placement, now.to_move) for p, _ in history)


def _no_move(variant: Variant, position: Position) -> Ending | None:
    mover = position.to_move
    enemy_king = int(king(mover.opponent)) in position.placement.pieces
    if variant.breakthrough and enemy_king:
        return Ending(mover.opponent, EndReason.BREAKTHROUGH, f"{mover.opponent.name} has the first king")
    if legal_moves(variant, position):
        return None
    winner = mover if variant.losing else mover.opponent
    if not position.placement.points_of(mover):
        return Ending(winner, EndReason.NO_DISCS, f"{mover.name} has no discs left")
    return Ending(winner, EndReason.NO_MOVE, f"{mover.name} has no legal move")


def _breaks_king_moves(position: Position, move: Move) -> bool:
    return move.is_capture or not position.placement[move.origin].is_king


def _captures_or_promotes(position: Position, move: Move) -> bool:
    return move.is_capture or move.promotes


def _plies_since(history: History, breaks: Callable[[Position, Move], bool]) -> int:
    """Plies played since the last one that breaks the count."""
    plies = 0
    for position, move in reversed(history[:-1]):
        if move is None or breaks(position, move):
            break
        plies += 1
    return plies


def _lone_king_counters(variant: Variant, history: History) -> list[DrawCounter]:
    counters = []
    for rule in variant.draws.lone_king:
        plies = _plies_under(variant, rule, history)
        if plies is not None:
            counters.append(DrawCounter(rule.name, plies, rule.plies, rule.name))
    return counters


def _plies_under(variant: Variant, rule: LoneKingRule, history: History) -> int | None:
    """Plies since the balance arose that the rule is about, or None if it is not on the board.

    The move that creates the balance is not counted, a capture inside the rule's balances does not restart it.
    """
    count = None
    for position, _ in reversed(history):
        if not applies(variant, rule, position.placement):
            break
        count = 0 if count is None else count + 1
    return count


def applies(variant: Variant, rule: LoneKingRule, placement: Placement) -> bool:
    """Whether one king stands alone against the pieces the rule names."""
    return any(_alone(variant, rule, placement, side) for side in Side)


def _alone(variant: Variant, rule: LoneKingRule, placement: Placement, side: Side) -> bool:
    pieces = placement.pieces
    own = [p for p, value in enumerate(pieces) if value in (man(side), king(side))]
    if len(own) != 1 or not placement[own[0]].is_king:
        return False
    other = side.opponent
    kings, men = pieces.count(int(king(other))), pieces.count(int(man(other)))
    if kings < rule.kings or kings + men not in rule.attackers:
        return False
    return rule.main_road is None or rule.main_road == (own[0] in main_road(variant))


def main_road(variant: Variant) -> frozenset[int]:
    """The points of the long diagonal from White's left corner."""
    return frozenset(p for p, (x, y) in enumerate(variant.board.xy) if x == y)
