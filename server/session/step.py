"""The referee: `step(state, event) -> (state, effects)`, pure."""

from dataclasses import dataclass, replace

from rules.faults import Fault, FaultKind
from rules.fen import fen
from rules.legal_moves import legal_moves
from rules.notation import move_text
from rules.placement import Placement
from rules.position import Position
from server.session.commands import Command, obey
from server.session.crowns import look_at_crowns
from server.session.events import Attention, Effect, Ready, Reminder, TakenBack, Violation
from server.session.explain import Root, Story, best_story
from server.session.record_ply import goes_on_from, record_moves, with_displacement
from server.session.rulings import accept, names_of, resolved, violation
from server.session.state import Look, Mode, Standing, State, Waiting

Outcome = tuple[State, tuple[Effect, ...]]


@dataclass(frozen=True, slots=True)
class Lasted:
    """What the last look showed stood unchanged until now: a hand comes, or the pictures end."""

    seconds: float
    frame: int


Event = Look | Lasted | Command

_LEFT_STANDING_SECONDS = 2.5
"""Discs are taken off one by one, with the hand away in between: a disc left standing is told of later."""


def step(state: State, event: Event) -> Outcome:
    """What a session becomes through an event, and what it says."""
    match event:
        case Look():
            return _look(state, event)
        case Lasted(seconds=seconds):
            return _ripen(state, seconds)
        case _:
            return obey(state, event)


def _look(state: State, look: Look) -> Outcome:
    if state.result is not None:
        return state, ()
    story = best_story(state, look)
    if story is None:
        return _wait_for_better(state, look)
    if not state.started:
        state, before = _begin(state, look, story)
        if not state.started:
            return state, before
    else:
        before = ()
    state, effects = _tell(state, look, story)
    state, crowns = look_at_crowns(state, look)
    return state, (*before, *effects, *crowns)


def _begin(state: State, look: Look, story: Story) -> Outcome:
    """The game is ready once the board shows its start, or its start and the first moves."""
    if story.root is Root.RECORD and (story.quiet or story.moves):
        ready = Ready(fen(state.terms.variant, state.position))
        return _remind_of_captures(replace(state, started=True, waiting=None), (ready,))
    return _wrong_setup(state, look, story)


def _wrong_setup(state: State, look: Look, story: Story) -> Outcome:
    wrong = story.placement.difference(state.position.placement)
    state, ripe = _waited(state, "setup", story.placement, look.seconds, 3 * state.terms.fault_seconds)
    if not ripe or state.terms.mode is Mode.RECORD:
        return state, ()
    names = names_of(state, wrong)
    message = f"The board is not yet set up: see square{'s' if len(names) > 1 else ''} {', '.join(names)}."
    seen = fen(state.terms.variant, Position(story.placement, state.position.to_move))
    side = state.terms.shade(state.position.to_move)
    return state, (Violation(FaultKind.WRONG_SETUP.value, side, names, (), message, seen),)


def _tell(state: State, look: Look, story: Story) -> Outcome:
    if story.disturbed:
        return _disturbed(state, look, story)
    if story.root is Root.EARLIER:
        return _taken_back(state, look, story)
    if story.root is Root.HUFFED:
        return _huffed(state, story)
    if story.root is Root.STANDING:
        return _from_standing(state, look, story)
    return _from_record(state, look, story)


def _from_record(state: State, look: Look, story: Story) -> Outcome:
    """The board fits the position on record, moves from it, or an irregularity from it."""
    if story.fault is not None:
        return _irregular(state, look, story.fault, story.placement)
    effects: tuple[Effect, ...] = ()
    if state.standing is not None and state.standing.told:
        effects = (resolved(state, "corrected", state.standing, state.position),)
    state = replace(state, standing=None, waiting=None, candidates=())
    if not story.moves:
        return state, effects
    state, said = record_moves(state, story.moves, story.margin)
    return _remind_of_captures(state, (*effects, *said))


def _from_standing(state: State, look: Look, story: Story) -> Outcome:
    standing = state.standing
    if standing is None or story.start is None:
        return state, ()
    if story.quiet:
        return _ripen(replace(state, waiting=None), look.seconds)
    state, effects = accept(state, standing, story.start)
    if story.moves:
        state, said = record_moves(state, story.moves, story.margin)
        return _remind_of_captures(state, (*effects, *said))
    if story.fault is None:
        return state, effects
    state, said = _irregular(state, look, story.fault, story.placement)
    return state, (*effects, *said)


def _irregular(state: State, look: Look, fault: Fault, seen: Placement) -> Outcome:
    """An irregular board: the same one that stands already, a new one, or one that the arbiter let pass."""
    if seen in state.dismissed:
        return state, ()
    standing = state.standing
    if standing is None or standing.seen != seen or standing.fault.kind is not fault.kind:
        effects: tuple[Effect, ...] = ()
        if standing is not None and standing.told:
            effects = (resolved(state, "corrected", standing, state.position),)
        goes_on, counted = goes_on_from(state, fault, seen)
        standing = Standing(fault, seen, goes_on, counted, look.still_since)
        return replace(state, standing=standing, waiting=None), effects
    return _ripen(state, look.seconds)


def _ripen(state: State, seconds: float) -> Outcome:
    """Tells of the irregular board once it has stood for long enough."""
    standing = state.standing
    if standing is None or standing.told or state.terms.mode is Mode.RECORD:
        return state, ()
    needed = state.terms.fault_seconds
    if standing.fault.kind in (FaultKind.CAPTURED_NOT_REMOVED, FaultKind.CAPTURE_INCOMPLETE):
        needed = _LEFT_STANDING_SECONDS
    if seconds - standing.since < needed - 1e-6:
        return state, ()
    told = replace(standing, told=True)
    return replace(state, standing=told), (violation(state, told),)


def _huffed(state: State, story: Story) -> Outcome:
    standing = state.standing
    if standing is None or story.start is None:
        return state, ()
    told = () if standing.told else (violation(state, standing),)
    state = with_displacement(state, standing, story.start)
    state = replace(state, standing=None, waiting=None)
    return state, (*told, resolved(state, "huffed", standing, story.start))


def _taken_back(state: State, look: Look, story: Story) -> Outcome:
    state, ripe = _waited(state, "takeback", story.placement, look.seconds, state.terms.fault_seconds)
    if not ripe or story.start is None:
        return state, ()
    effects: tuple[Effect, ...] = ()
    if state.standing is not None and state.standing.told:
        effects = (resolved(state, "corrected", state.standing, state.position),)
    kept = state.plies[: -story.back]
    state = replace(state, position=story.start, plies=kept, standing=None, waiting=None, uncrowned=())
    return state, (*effects, TakenBack(story.back, state.ply, fen(state.terms.variant, story.start)))


def _disturbed(state: State, look: Look, story: Story) -> Outcome:
    state, ripe = _waited(state, "disturbed", None, look.seconds, 2 * state.terms.fault_seconds)
    if not ripe:
        return state, ()
    base = state.standing.seen if state.standing is not None else state.position.placement
    names = names_of(state, story.placement.difference(base))
    message = f"The board was disturbed. Please put right {', '.join(names) or 'the discs'}."
    return state, (Attention("board_disturbed", message, (), names),)


def _wait_for_better(state: State, look: Look) -> Outcome:
    """No story wins: say so only if it lasts."""
    state, ripe = _waited(state, "unsure", None, look.seconds, state.terms.doubt_seconds)
    if not ripe or not state.started:
        return state, ()
    return state, (Attention("unsure", "I cannot tell what was played; a clear view of the board helps."),)


def _waited(state: State, what: str, placement: Placement | None, seconds: float, needed: float) -> tuple[State, bool]:
    """Whether the same thing has been seen for long enough; true only once."""
    waiting = state.waiting
    if waiting is None or waiting.what != what or (placement is not None and waiting.placement != placement):
        return replace(state, waiting=Waiting(what, seconds, placement)), False
    if waiting.told or seconds - waiting.since < needed - 1e-6:
        return state, False
    return replace(state, waiting=replace(waiting, told=True)), True


def _remind_of_captures(state: State, effects: tuple[Effect, ...]) -> Outcome:
    """In training a due capture is told before the move."""
    if state.terms.mode is not Mode.TRAINING or state.result is not None:
        return state, effects
    due = [m for m in legal_moves(state.terms.variant, state.position) if m.is_capture]
    if not due or not state.terms.variant.compulsory:
        return state, effects
    texts = ", ".join(move_text(state.terms.variant, state.position, m) for m in due[:6])
    squares = names_of(state, tuple(sorted({int(m.origin) for m in due})))
    return state, (*effects, Reminder("capture_due", squares, f"A capture is due: {texts}."))
