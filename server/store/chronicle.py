"""The events of a game in the journal, followed one by one: what was played, what was ruled, where it stands.

A journal that was damaged may lack events. Where a move does not fit the position any more, the board it left is
put up instead, so that the rest of the game can still be read.
"""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any

from rules.draws import Refusal
from rules.errors import RulesError
from rules.faults import FaultKind
from rules.fen import parse_fen
from rules.legal_moves import play
from rules.move import Move
from rules.notation import parse_move, point_named
from rules.piece import Side
from rules.position import Position
from rules.variant import Variant
from rules.variants.catalogue import variant_named
from server.errors import StoreError
from server.session.clock import Bonus, Clock, Driver, TimeControl
from server.session.state import Terms
from server.store.kept_terms import settled, terms_from_json
from server.store.wording import outcome


@dataclass(frozen=True, slots=True)
class Line:
    """One turn, or a board that was put up (`move` is None), with what was said about it."""

    before: Position
    after: Position
    text: str
    move: Move | None = None
    counts: bool = True
    comments: tuple[str, ...] = ()
    clock: tuple[float, float] | None = None
    """Seconds White and Black have left after it."""
    jumps: bool = False
    """The board after the move is not the one the rules give: discs were left standing, or taken off."""
    put_up: bool = False
    """The arbiter put up the position: the record begins anew from it."""


@dataclass(frozen=True, slots=True)
class Ruled:
    """An irregularity that was told: its kind and the position play would go on from."""

    kind: FaultKind
    position: Position


@dataclass(slots=True)
class Chronicle:
    """A game as far as its events tell. It is only written to while the events are followed."""

    terms: Terms
    position: Position
    lines: list[Line] = field(default_factory=list)
    opening: list[str] = field(default_factory=list)
    """What was said before the first turn."""
    started: bool = False
    result: str | None = None
    offer: Side | None = None
    tags: dict[str, str] = field(default_factory=dict)
    uncrowned: list[tuple[int, int]] = field(default_factory=list)
    """Kings of whose crown nothing was said: (point, ply at which it promoted)."""
    ruled: Ruled | None = None
    """The last irregularity."""
    dismissed: list[Ruled] = field(default_factory=list)
    refused: list[Refusal] = field(default_factory=list)
    """Draws that were refused."""
    clock: Clock | None = None
    replaced: tuple[str, ...] = ()
    """What was just taken back because the record was wrong; what is told in the same moment takes its place."""
    replaced_at: float | None = None
    doubtful: bool = False
    """The last thing told was that it could not be seen what was played."""

    @property
    def ply(self) -> int:
        return sum(line.counts for line in self.lines)

    @property
    def variant(self) -> Variant:
        return self.terms.variant

    def forget_remark(self) -> None:
        """Takes off the newest comment of the last turn."""
        if self.lines:
            last = self.lines[-1]
            self.lines[-1] = replace(last, comments=last.comments[:-1])
        else:
            del self.opening[-1:]

    def lapse(self, before: Position) -> None:
        """A draw offer is over when the other side plays on from `before`, the last line: that refuses it."""
        if self.offer is before.to_move.opponent:
            self.refused.append(Refusal(before.to_move, len(self.lines) - 1))
            self.offer = None

    def remark(self, text: str) -> None:
        """Adds a comment to the last turn."""
        if not text:
            return
        if self.lines:
            last = self.lines[-1]
            self.lines[-1] = replace(last, comments=(*last.comments, text))
        else:
            self.opening.append(text)


def opened(game: dict[str, Any]) -> Chronicle:
    """A game of the journal before its first event. Raises StoreError if what it began with is damaged."""
    variant = variant_named(str(game["variant"]))
    try:
        terms = terms_from_json(variant, game["terms"])
        return Chronicle(terms, terms.start, tags=dict(game["terms"].get("tags", {})))
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        raise StoreError(
            f"saw damaged terms of game {game.get('game', '?')} ({error!r:.80}); expected a start position, "
            "a mode and tags; `kibitz games N --json` shows what is left of it"
        ) from error


def follow(told: Chronicle, event: dict[str, Any]) -> None:
    """Takes in one event; what it does not understand is passed over."""
    step = _STEPS.get(str(event.get("type", "")))
    if step is None:
        return
    told.doubtful &= event.get("type") == "result"
    with suppress(RulesError, KeyError, ValueError, TypeError):
        step(told, event)


def chronicle(game: dict[str, Any]) -> Chronicle:
    """Follows all events of a game of the journal."""
    told = opened(game)
    for event in game["events"]:
        follow(told, event)
    return told


def _ready(told: Chronicle, event: dict[str, Any]) -> None:
    told.started = True


def _move(told: Chronicle, event: dict[str, Any]) -> None:
    variant, before, instead = told.variant, told.position, _corrected(told, event)
    try:
        move: Move | None = parse_move(variant, before, event["move"])
        after = play(variant, before, move) if move is not None else before
    except RulesError:
        move, after = None, before
    try:
        written = parse_fen(variant, event["fen"], uncrowned=True)
    except (KeyError, RulesError):
        written = after
    jumps = move is not None and written.placement != after.placement
    if move is None or jumps:
        after = written
    told.lines.append(Line(before, after, event["move"], move, clock=_clock(event), jumps=jumps))
    told.remark(instead)
    told.lapse(before)
    told.position, told.result, told.started = after, None, True
    told.dismissed.clear()
    if event.get("promoted") and event.get("squares"):
        told.uncrowned.append((point_named(variant, event["squares"][-1]), told.ply))


def _crowned(told: Chronicle, event: dict[str, Any]) -> None:
    point = point_named(told.variant, event["square"])
    told.uncrowned = [known for known in told.uncrowned if known[0] != point]


def _displaced(told: Chronicle, event: dict[str, Any]) -> None:
    """The board went on from elsewhere without any other event saying so (in record mode nobody is told)."""
    after = parse_fen(told.variant, event["fen"], uncrowned=True)
    counts = after.to_move is not told.position.to_move
    told.lines.append(Line(told.position, after, str(event.get("move", "")), None, counts, (event["reason"],)))
    told.position = after


def _resolved(told: Chronicle, event: dict[str, Any]) -> None:
    variant = told.variant
    how, kind = str(event["how"]), str(event["kind"])
    if how in ("accepted", "huffed"):
        after = parse_fen(variant, event["fen"], uncrowned=True)
        if after.placement != told.position.placement or after.to_move is not told.position.to_move:
            counts = after.to_move is not told.position.to_move
            told.lines.append(Line(told.position, after, str(event.get("move", "")), None, counts))
            told.lapse(told.position)
            told.position = after
    if how == "dismissed" and told.ruled is not None and told.ruled.kind == kind:
        told.dismissed.append(told.ruled)
    told.remark(outcome(kind, how))


def _takeback(told: Chronicle, event: dict[str, Any]) -> None:
    gone = min(int(event["plies"]), sum(not line.put_up for line in told.lines))
    taken = told.lines[len(told.lines) - gone :]
    if taken:
        told.position = taken[0].before
        del told.lines[len(told.lines) - gone :]
        told.refused = [refusal for refusal in told.refused if refusal.ply <= len(told.lines)]
        for said in (text for line in taken for text in line.comments):
            told.remark(said)
        told.remark(f"Taken back: {' '.join(line.text or 'a board let stand' for line in taken)}")
        if event.get("why"):
            told.replaced, told.replaced_at = tuple(line.text for line in taken), event.get("t")
    told.result = None
    told.uncrowned.clear()


def _corrected(told: Chronicle, event: dict[str, Any]) -> str:
    """`Corrected: 34-29 instead of 42-38`, in place of the word that the latter was taken back; else nothing."""
    gone, told.replaced = told.replaced, ()
    if not gone or event.get("t") != told.replaced_at or event["move"] == gone[0]:
        return ""
    told.forget_remark()
    later = f"; {' '.join(gone[1:])} was taken back with it" if gone[1:] else ""
    return f"Corrected: {event['move']} instead of {gone[0] or 'a board let stand'}{later}"


def _position_set(told: Chronicle, event: dict[str, Any]) -> None:
    after = parse_fen(told.variant, event["fen"], uncrowned=True)
    told.lines.append(Line(told.position, after, "", None, False, ("The position was put up",), put_up=True))
    told.position, told.result, told.started, told.offer = after, None, False, None


def _violation(told: Chronicle, event: dict[str, Any]) -> None:
    due = ", ".join(event.get("due") or ())
    with suppress(RulesError, KeyError, ValueError):
        position = parse_fen(told.variant, event["fen"], uncrowned=True)
        told.ruled = Ruled(FaultKind(event["kind"]), position)
    told.remark(str(event.get("message", "")) + (f" Due: {due}." if due and due not in event["message"] else ""))


def _result(told: Chronicle, event: dict[str, Any]) -> None:
    was_over, told.offer = told.result is not None, None
    told.result = None if event["result"] == "*" else event["result"]
    if told.doubtful and told.result is not None:
        told.forget_remark()  # it was waited for, and nothing came of it
    told.doubtful = False
    over = f"{told.result}: {event.get('reason', '')}".removesuffix(": ")
    told.remark(over if told.result else "The game goes on" if was_over else "")


def _draw_offer(told: Chronicle, event: dict[str, Any]) -> None:
    side = event.get("side")
    if side is None and event.get("refused") and told.offer is not None:
        told.refused.append(Refusal(told.offer.opponent, len(told.lines)))
    told.offer = Side(side) if side in ("W", "B") else None
    told.remark(f"{'White' if side == 'W' else 'Black'} offers a draw" if told.offer else "The draw was refused")


def _tags(told: Chronicle, event: dict[str, Any]) -> None:
    told.tags = {k: v for k, v in {**told.tags, **event["tags"]}.items() if v}


def _settings(told: Chronicle, event: dict[str, Any]) -> None:
    told.terms = settled(told.terms, event)


def _sides(told: Chronicle, event: dict[str, Any]) -> None:
    """Which shade begins was learnt from the first move."""
    told.terms = replace(told.terms, light=Side(event["light"]))


def _clock_changed(told: Chronicle, event: dict[str, Any]) -> None:
    """The clock as it was; whoever was thinking thinks on once the game goes on."""
    control = dict(event["control"])
    control |= {"bonus": Bonus(control["bonus"]), "driver": Driver(control["driver"])}
    turn = Side(event["running"]) if event.get("running") else None
    if told.lines and told.lines[-1].clock is None and told.lines[-1].move is not None:
        told.lines[-1] = replace(told.lines[-1], clock=(float(event["white"]), float(event["black"])))
    told.clock = Clock(TimeControl(**control), float(event["white"]), float(event["black"]), turn=turn)


def _clock_off(told: Chronicle, event: dict[str, Any]) -> None:
    told.clock = None


def _message(told: Chronicle, event: dict[str, Any]) -> None:
    told.remark(str(event.get("message", "")))


def _attention(told: Chronicle, event: dict[str, Any]) -> None:
    """That the camera does not find the board is no part of what happened in the game."""
    if event.get("reason") != "board_not_found":
        _message(told, event)
        told.doubtful = event.get("reason") == "unsure" and bool(event.get("message"))


def _clock(event: dict[str, Any]) -> tuple[float, float] | None:
    clock = event.get("clock")
    return (float(clock["W"]), float(clock["B"])) if isinstance(clock, dict) and {"W", "B"} <= set(clock) else None


_STEPS: dict[str, Callable[[Chronicle, dict[str, Any]], None]] = {
    "ready": _ready,
    "move": _move,
    "resolved": _resolved,
    "crowned": _crowned,
    "displaced": _displaced,
    "takeback": _takeback,
    "position_set": _position_set,
    "violation": _violation,
    "reminder": _message,
    "attention": _attention,
    "board_moved": _message,
    "comment": _message,
    "result": _result,
    "draw_offer": _draw_offer,
    "tags": _tags,
    "settings": _settings,
    "sides": _sides,
    "clock": _clock_changed,
    "clock_off": _clock_off,
}
