"""How close a game is to a draw by its own rules, and whether it has ended: pure functions over its history."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import partial

from rules.counting import Count, Stop, same_material, since, while_standing
from rules.legal_moves import legal_moves
from rules.move import Move
from rules.piece import Side, king, man
from rules.placement import Placement
from rules.position import Position
from rules.variant import BalanceRule, LoneKingRule, Variant

Entry = tuple[Position, Move | None]
"""A position and the move played from it; the last entry is the position now, with None."""
History = Sequence[Entry]


@dataclass(frozen=True, slots=True)
class Refusal:
    """A draw offer that `side` refused after `ply` plies of the game."""

    side: Side
    ply: int


@dataclass(frozen=True, slots=True)
class DrawCounter:
    """A running count. `value` and `limit` are plies, except for repetition, where they are occurrences, and for a
    refused offer, where they are moves of the player who refused.

    When `value` reaches `limit` the game is drawn, or may be claimed as drawn if `claim`.
    """

    name: str
    value: int
    limit: int
    due_to: str
    claim: bool = False
    resets: str = ""
    """What sets the count back, in words."""
    began_with: str = ""
    """What set it back last, or what it began with."""

    @property
    def is_full(self) -> bool:
        return self.value >= self.limit


class EndReason(StrEnum):
    NO_MOVE = "no legal move"
    NO_DISCS = "no discs left"
    BREAKTHROUGH = "first king"
    ONE_PIECE_EACH = "one disc each"
    DRAW_RULE = "draw rule"
    MORE_DISCS = "more discs"


@dataclass(frozen=True, slots=True)
class Ending:
    """How a game ended; `winner` is None for a draw."""

    winner: Side | None
    reason: EndReason
    text: str


def draw_counters(variant: Variant, history: History, refusal: Refusal | None = None) -> tuple[DrawCounter, ...]:
    """The counters of the variant that are running now, the fullest first."""
    if not history:
        return ()
    counters = [
        *_repetition(variant, history),
        *_quiet_counters(variant, history),
        *_balance_counters(variant, history),
    ]
    counters += _refused(variant, history, refusal)
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
        return _one_each(variant, position)
    for counter in draw_counters(variant, history):
        if counter.is_full and not counter.claim:
            return _by_draw_rule(variant, position, counter)
    return None


def claims(variant: Variant, history: History, refusal: Refusal | None = None) -> tuple[DrawCounter, ...]:
    """The draws that a player may claim now."""
    return tuple(c for c in draw_counters(variant, history, refusal) if c.claim and c.is_full)


def repetitions(history: History) -> int:
    """How often the position of now has been on the board with the same side to move."""
    now = history[-1][0]
    return sum((p.placement, p.to_move) == (now.placement, now.to_move) for p, _ in history)


def _one_each(variant: Variant, position: Position) -> Ending:
    crowned = [side for side in Side if int(king(side)) in position.placement.pieces]
    if variant.draws.king_beats_man and len(crowned) == 1:
        return Ending(crowned[0], EndReason.ONE_PIECE_EACH, f"{crowned[0].title} has a king against a man")
    return Ending(None, EndReason.ONE_PIECE_EACH, "one disc each: a draw")


def _by_draw_rule(variant: Variant, position: Position, counter: DrawCounter) -> Ending:
    """A draw, or a win of the side with more discs in games where nobody may draw so."""
    text = f"{counter.due_to}: {counter.value} of {counter.limit}"
    white, black = (len(position.placement.points_of(side)) for side in (Side.WHITE, Side.BLACK))
    if variant.draws.more_discs_win and white != black:
        winner = Side.WHITE if white > black else Side.BLACK
        return Ending(winner, EndReason.MORE_DISCS, f"{text}; {winner.title} has more discs")
    return Ending(None, EndReason.DRAW_RULE, text)


def _no_move(variant: Variant, position: Position) -> Ending | None:
    mover = position.to_move
    enemy_king = int(king(mover.opponent)) in position.placement.pieces
    if variant.breakthrough and enemy_king:
        return Ending(mover.opponent, EndReason.BREAKTHROUGH, f"{mover.opponent.title} has the first king")
    if legal_moves(variant, position):
        return None
    winner = mover if variant.losing else mover.opponent
    if not position.placement.points_of(mover):
        return Ending(winner, EndReason.NO_DISCS, f"{mover.title} has no discs left")
    return Ending(winner, EndReason.NO_MOVE, f"{mover.title} has no legal move")


def _repetition(variant: Variant, history: History) -> list[DrawCounter]:
    rules = variant.draws
    if not rules.repetitions:
        return []
    claim = rules.repetition_is_claim
    seen = repetitions(history)
    return [DrawCounter("repetition", seen, rules.repetitions, "the same position", claim, "another position")]


def _quiet_counters(variant: Variant, history: History) -> list[DrawCounter]:
    """Plies in a row in which nothing happened that the rule asks for."""
    rules = variant.draws
    told = (
        ("king moves", rules.king_moves, "moves of kings without capture", False, (Stop.CAPTURE, Stop.MAN_MOVE)),
        ("no capture", rules.no_capture, "no capture or promotion", False, (Stop.CAPTURE, Stop.PROMOTION)),
        ("no taking", rules.no_taking, "no capture", False, (Stop.CAPTURE,)),
        (
            "no progress",
            rules.no_progress_claim,
            "no capture and no move of a man",
            True,
            (Stop.CAPTURE, Stop.MAN_MOVE),
        ),
    )
    counters = []
    for name, limit, text, claim, stops in told:
        if limit:
            count = since(history, stops)
            resets = " or ".join(stop.value for stop in stops)
            counters.append(DrawCounter(name, count.plies, limit, text, claim, resets, count.began_with))
    return counters


def _balance_counters(variant: Variant, history: History) -> list[DrawCounter]:
    """Plies since the few pieces that a rule names have been alone on the board."""
    counters = []
    for lone in variant.draws.lone_king:
        count = while_standing(history, partial(applies, variant, lone))
        counters += _counted(lone.name, lone.plies, count, "a change of the balance it is about")
    for rule in variant.draws.balances:
        count = while_standing(history, partial(is_balanced, rule))
        if count is not None:
            count = min(count, same_material(history), key=lambda c: c.plies)
        counters += _counted(rule.name, rule.plies, count, "a capture or a promotion")
    return counters


def _counted(name: str, limit: int, count: Count | None, resets: str) -> list[DrawCounter]:
    if count is None:
        return []
    return [DrawCounter(name, count.plies, limit, name, False, resets, count.began_with)]


def _refused(variant: Variant, history: History, refusal: Refusal | None) -> list[DrawCounter]:
    """Own moves of the player who refused a draw: so many to win or to show a decided advantage (text 001)."""
    limit = variant.draws.moves_after_refusal
    if not limit or refusal is None:
        return []
    later = history[refusal.ply : -1]
    moves = sum(position.to_move is refusal.side for position, _ in later)
    who = refusal.side.title
    text = f"moves of {who} since refusing a draw"
    return [
        DrawCounter("refused draw", moves, limit, text, True, "a new offer", f"the offer refused at ply {refusal.ply}")
    ]


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


def is_balanced(rule: BalanceRule, placement: Placement) -> bool:
    """Whether both sides have a king and the pieces together are as many as the rule names."""
    kings = all(int(king(side)) in placement.pieces for side in Side)
    return kings and sum(value != 0 for value in placement.pieces) in rule.pieces


def main_road(variant: Variant) -> frozenset[int]:
    """The points of the long diagonal from White's left corner."""
    return frozenset(p for p, (x, y) in enumerate(variant.board.xy) if x == y)
