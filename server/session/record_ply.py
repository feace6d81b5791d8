"""Writing turns into the state: legal moves, displacements that were let stand, plies taken back, the end."""

import math
from dataclasses import dataclass, replace

from rules.draws import EndReason, Refusal, ending
from rules.faults import Fault, FaultKind
from rules.fen import fen
from rules.legal_moves import legal_moves, play
from rules.move import Move
from rules.notation import move_text, point_name
from rules.piece import Side
from rules.placement import Placement
from rules.position import Position
from rules.variant import Variant
from server.session import clock as clocks
from server.session.counting import counters_near, history
from server.session.events import Effect, Ended, Moved, TakenBack, clock_changed
from server.session.state import Line, Ply, Standing, State, Uncrowned

_TURN_STAYS = (
    FaultKind.PIECE_VANISHED,
    FaultKind.PIECE_APPEARED,
    FaultKind.WRONGLY_CROWNED,
    FaultKind.NOT_CROWNED,
    FaultKind.OFF_SQUARE,
    FaultKind.WRONG_SETUP,
)
"""Irregularities that use up nobody's turn, unless a disc was moved as well."""


@dataclass(frozen=True, slots=True)
class Seen:
    """How the plies were seen: by what margin (natural log), what else it may have been, and when."""

    margin: float = 12.0
    otherwise: tuple[Line, ...] = ()
    left: Placement | None = None
    """The board, if captured discs were left standing on it."""


Outcome = tuple[State, tuple[Effect, ...]]


def record_moves(state: State, moves: tuple[Move, ...], seen: Seen = Seen()) -> Outcome:
    """The state after legal moves."""
    effects: list[Effect] = []
    for move in moves:
        state, said = _record(state, move, seen)
        effects.extend(said)
        seen = replace(seen, otherwise=())
        if state.result is not None and not state.by_rule:
            break
    return state, tuple(effects)


def _record(state: State, move: Move, seen: Seen) -> Outcome:
    variant, before = state.terms.variant, state.position
    again: tuple[Effect, ...] = ()
    if state.result is not None:
        state, again = replace(state, result=None, by_rule=False), (Ended("*", "play goes on"),)
    text = move_text(variant, before, move)
    after = play(variant, before, move)
    if seen.left is not None:
        after = replace(after, placement=seen.left)
    ply = Ply(before, after, text, move, otherwise=seen.otherwise, seconds=state.seconds)
    state = _went_on(state, ply)
    state = replace(state, uncrowned=_uncrowned(state, move))
    moved = Moved(
        ply=state.ply,
        side=state.terms.shade(before.to_move),
        move=text,
        captured=tuple(point_name(variant, p) for p in move.captured),
        promoted=move.promotes,
        fen=fen(variant, after),
        confidence=round(1.0 - math.exp(-max(0.05, min(seen.margin, 12.0))), 4),
        squares=tuple(point_name(variant, p) for p in move.path),
    )
    state = _clock_turned(state, before.to_move)
    turned = clock_changed(state.clock)
    state, end = over(state)
    return state, (*again, moved, *turned, *counters_near(state), *end)


def _went_on(state: State, ply: Ply) -> State:
    """The record with one entry more, what was asked or offered before it done with."""
    mover = ply.before.to_move
    offer = state.draw_offer if state.draw_offer is mover else None
    played_on = (Refusal(mover, len(state.plies)),) if state.draw_offer is mover.opponent else ()
    question = state.question if state.question is not None and state.question.recorded else None
    return replace(
        state,
        position=ply.after,
        plies=(*state.plies, ply),
        undone=None,
        dismissed=(),
        stood_since=None,
        confirmed=False,
        either_begins=False,
        draw_offer=offer,
        refused=(*state.refused, *played_on),
        question=question,
        leaning=(),
    )


def _uncrowned(state: State, move: Move) -> tuple[Uncrowned, ...]:
    """The kings without a crown after a move: those taken are gone, one that moved is followed, a new one is added."""
    kept = tuple(
        replace(u, point=move.end, moved=True) if u.point == move.origin else u
        for u in state.uncrowned
        if u.point not in move.captured
    )
    return (*kept, Uncrowned(move.end, state.ply)) if move.promotes else kept


def _clock_turned(state: State, mover: Side) -> State:
    """The clock goes over with the move if moves drive it; it starts with the first one."""
    clock = state.clock
    if clock is None or clock.control.driver is not clocks.Driver.MOVES:
        return state
    if clock.running is None:
        return state if clock.turn else replace(state, clock=clocks.started(clock, mover.opponent, state.seconds))
    return replace(state, clock=clocks.pressed(clock, mover, state.seconds))


def over(state: State) -> Outcome:
    """The end of the game by its own rules: the mover has no move, or a draw rule is full."""
    end = ending(state.terms.variant, history(state))
    if end is None:
        return state, ()
    by_rule = end.reason in (EndReason.DRAW_RULE, EndReason.ONE_PIECE_EACH)
    return ended(replace(state, by_rule=by_rule), end.winner, end.text)


def ended(state: State, winner: Side | None, reason: str) -> Outcome:
    """The game is over; the clock stops."""
    result = result_for(state.terms.variant, winner)
    clock = None if state.clock is None else clocks.paused(state.clock, state.seconds)
    state = replace(state, result=result, clock=clock, draw_offer=None, waiting=None, restoring=None)
    return state, (Ended(result, reason),)


def result_for(variant: Variant, winner: Side | None) -> str:
    """PDN result: `2-0` and `0-2` on international scales, `1-0` and `0-1` else, White's score first."""
    full, half = ("1", "1/2") if variant.game_type.split(",")[0] in ("21", "") else ("2", "1")
    if winner is None:
        return f"{half}-{half}"
    return f"{full}-0" if winner is Side.WHITE else f"0-{full}"


def take_back(state: State, count: int, why: str = "") -> Outcome:
    """The record without its last `count` entries; nothing is lost, an event says what became of them."""
    start = state.plies[-count].before
    kept, gone = state.plies[:-count], tuple(p.text for p in state.plies[-count:])
    ply = sum(p.counts for p in kept)
    state = replace(
        state.settled,
        position=start,
        plies=kept,
        question=None,
        uncrowned=tuple(u for u in state.uncrowned if u.ply <= ply and start.placement[u.point].is_king),
        result=None,
        by_rule=False,
        dismissed=(),
        stood_since=None,
        confirmed=False,
        refused=tuple(r for r in state.refused if r.ply <= len(kept)),
    )
    return state, (TakenBack(count, ply, fen(state.terms.variant, start), why, gone),)


def goes_on_from(state: State, fault: Fault, seen: Placement) -> tuple[tuple[Position, ...], Move | None]:
    """From where play may go on if an irregular board is let stand, and the legal move it contains, if any."""
    position = state.position
    other = Position(seen, position.to_move.opponent)
    same = Position(seen, position.to_move)
    counted = _counted(state, fault)
    if counted is not None:
        return (other,), counted
    if fault.kind in _TURN_STAYS and fault.move is None:
        return (same,), None
    mover = _mover(state, fault)
    if fault.kind is FaultKind.OUT_OF_TURN and mover is not position.to_move:
        return (same, other), None
    if mover is position.to_move:
        return (other,), None
    return (other, same), None


def _counted(state: State, fault: Fault) -> Move | None:
    """The legal move behind an irregularity that is about other discs than the one moved, or about its crown."""
    about_others = (FaultKind.CAPTURED_NOT_REMOVED, FaultKind.WRONG_REMOVED, FaultKind.WRONGLY_CROWNED)
    if fault.kind not in about_others or fault.move is None:
        return None
    for move in legal_moves(state.terms.variant, state.position):
        if move.key == fault.move.key:
            return move
    return None


def _mover(state: State, fault: Fault) -> Side | None:
    if fault.move is None:
        return fault.side
    return state.position.placement[fault.move.origin].side or fault.side


def turn_used(state: State, standing: Standing) -> bool:
    """Whether letting the irregular board stand uses up a turn."""
    return standing.fault.kind not in _TURN_STAYS or standing.fault.move is not None


def with_displacement(state: State, standing: Standing, start: Position) -> State:
    """The game goes on from the irregular board; a displacement counts as a turn if the turn went over."""
    text = displacement_text(state, standing.fault)
    counts = turn_used(state, standing)
    state = _went_on(state, Ply(state.position, start, text, None, standing.fault, counts, seconds=state.seconds))
    return replace(state, uncrowned=tuple(u for u in state.uncrowned if start.placement[u.point].is_king))


def displacement_text(state: State, fault: Fault) -> str:
    """A displacement as a move would be written; the kind where no disc was carried."""
    move = fault.move
    if move is None:
        return fault.kind.value
    sign = state.terms.variant.capture_sign if move.captured else "-"
    return sign.join(point_name(state.terms.variant, p) for p in (move.origin, move.end))


def playable(state: State) -> bool:
    """Whether the mover has a move at all."""
    return bool(legal_moves(state.terms.variant, state.position))
