"""The referee: `step(state, event) -> (state, effects)`, pure."""

from dataclasses import dataclass, replace

import numpy as np

from rules.faults import FaultKind
from rules.legal_moves import legal_moves
from rules.notation import move_text, point_name
from server.session.commands import Command, obey
from server.session.crowns import look_at_crowns
from server.session.events import Effect, Reminder
from server.session.irregular import dismissed, from_standing, huffed, irregular, ripened
from server.session.questions import in_the_order_seen, leaning, orders, undecided
from server.session.record_ply import Outcome, Seen, record_moves
from server.session.restoring import being_put_back, disturbed, look_while_restoring, still_undone
from server.session.rulings import correct, names_of
from server.session.setting_up import learn_sides, lies, look_before_start
from server.session.state import Look, Mode, State
from server.session.stories import Root, Story, best_story
from server.session.strays import look_at_strays
from server.session.takebacks import gone_back, repaired, waited
from server.session.timekeeping import handed_over, time_passed

__all__ = ["BoardLies", "Command", "Event", "Lasted", "Look", "Outcome", "Tick", "step"]


_COVERED_SECONDS = 15.0
"""How long the board must be still before a disc is believed to stand under what lies there."""
_BESIDE = 1.5
"""In squares: how near to what lies over the board a change may belong to it."""


@dataclass(frozen=True, slots=True)
class Lasted:
    """What the last look showed stood unchanged until now: a hand comes, or the pictures end."""

    seconds: float
    frame: int


@dataclass(frozen=True, slots=True)
class Tick:
    """Time passes; nothing was looked at."""

    seconds: float


@dataclass(frozen=True, slots=True)
class BoardLies:
    """The board was found; `mirrored` if a dark corner lies at the players' right."""

    mirrored: bool


Event = Look | Lasted | Tick | BoardLies | Command


def step(state: State, event: Event) -> Outcome:
    """What a session becomes through an event, and what it says."""
    return handed_over(state, _through(state, event))


def _through(state: State, event: Event) -> Outcome:
    match event:
        case Look(seconds=seconds):
            state, fallen = time_passed(state, seconds)
            state, effects = _look(state, event)
        case Lasted(seconds=seconds):
            state, fallen = time_passed(state, seconds)
            state, effects = _lasted(state, seconds)
        case Tick(seconds=seconds):
            return time_passed(state, seconds)
        case BoardLies(mirrored=mirrored):
            return lies(state, mirrored)
        case _:
            return obey(state, event)
    return state, (*fallen, *effects)


def _lasted(state: State, seconds: float) -> Outcome:
    if state.result is not None:
        return state, ()
    return ripened(_stood(state, seconds), seconds)


def _stood(state: State, seconds: float) -> State:
    """The position of the record has been seen to stand until now."""
    since = state.stood_since
    if state.standing is not None or since is None or seconds - since < state.terms.fault_seconds - 1e-6:
        return state
    return replace(state, confirmed=True)


def _look(state: State, look: Look) -> Outcome:
    if state.result is not None:
        return _after_the_end(state, look)
    if not state.started:
        return _reminded(look_before_start(state, look))
    if state.restoring is not None:
        return look_while_restoring(state, look)
    learnt = learn_sides(state, look)
    if learnt is not None:
        return learnt
    story = best_story(state, look)
    if story is None or not story.sure:
        return _unsure(state, look, story)
    if state.undone is not None:
        if being_put_back(state, state.undone, story.placement):
            return still_undone(state, state.undone, look, story.placement)
        state = replace(state, undone=None)
    if look.still_seconds < _COVERED_SECONDS and _goes_under_cover(state, look, story):
        return state, ()
    known, story = len(state.plies), in_the_order_seen(state, story)
    state, effects = _tell(state, look, story)
    if len(state.plies) == known:
        state = replace(state, leaning=() if story.quiet else leaning(story))
    else:
        state, asked = orders(state, story, known)
        state, effects = _reminded((replace(state, stood_since=look.seconds), (*effects, *asked)))
    return _beside_the_moves(state, look, effects)


def _goes_under_cover(state: State, look: Look, story: Story) -> bool:
    """Whether a disc would have come to stand where something lies, or a fault lies beside it.

    Finger tips may look like a disc, and what the arm hides like a bare square. That is told when the thing has gone,
    or if it stays. Moves are believed beside it: a stack's shadow may make the next square look strange, too.
    """
    before, after = state.position.placement, story.placement
    changed = before.difference(after)
    if any(look.hidden[p] and before[p].side is None and after[p].side is not None for p in changed):
        return True
    if look.under is None or story.best.lawful or not changed:
        return False
    places = np.array(state.terms.variant.board.xy, np.float64)
    apart = np.linalg.norm(places[list(changed), None] - places[None, look.under], axis=2)
    return bool((apart < _BESIDE).any())


def _reminded(outcome: Outcome) -> Outcome:
    state, effects = outcome
    return state, (*effects, *due_captures(state, effects))


def _beside_the_moves(state: State, look: Look, effects: tuple[Effect, ...]) -> Outcome:
    """Crowns and strays, looked at in every sure look."""
    state, crowns = look_at_crowns(state, look)
    state, strays = look_at_strays(state, look)
    return state, (*effects, *crowns, *strays)


def _tell(state: State, look: Look, story: Story) -> Outcome:
    if story.disturbed:
        return disturbed(state, look, story)
    match story.root:
        case Root.STANDING:
            return from_standing(state, look, story)
        case Root.HUFFED:
            return huffed(state, story)
        case Root.DISMISSED:
            return dismissed(state, story)
        case Root.EARLIER:
            return gone_back(state, look, story)
        case Root.REPAIRED:
            return repaired(state, look, story)
        case _:
            return _from_record(state, look, story)


def _from_record(state: State, look: Look, story: Story) -> Outcome:
    """The board fits the position on record, moves from it, or an irregularity from it."""
    if story.irregularity is not None:
        return irregular(state, look, story)
    if story.moves and story.hangs_on_one:
        state, ripe = waited(state, "frail", story.placement, look.seconds, state.terms.fault_seconds / 2)
        if not ripe:
            return state, ()
    state, touched = _touched(state)
    state, effects = correct(state)
    if not story.moves:
        since = look.seconds if state.stood_since is None else state.stood_since
        return _stood(replace(state, stood_since=since), look.seconds), (*touched, *effects)
    if story.root is Root.OTHER_SIDE:
        state = replace(state, position=story.position)
    state, said = record_moves(state, story.moves, Seen(story.margin, story.otherwise))
    return state, (*touched, *effects, *said)


def _touched(state: State) -> Outcome:
    """A disc lifted and put back, or left for another: advisory, where the house wants it."""
    standing = state.standing
    if not state.terms.touch or standing is None or standing.fault.kind is not FaultKind.PIECE_VANISHED:
        return state, ()
    side = state.position.to_move
    points = tuple(p for p in standing.fault.squares if state.position.placement[p].side is side)
    if not points:
        return state, ()
    names = names_of(state, points)
    text = f"The disc on {', '.join(names)} was touched; where touch-move is kept, it moves if it can."
    return state, (Reminder(FaultKind.TOUCHED.value, names, text),)


def _unsure(state: State, look: Look, story: Story | None) -> Outcome:
    """Nothing wins. What looks as it was is no reason to speak."""
    if story is not None and story.quiet:
        return state, ()
    return undecided(replace(state, leaning=leaning(story)), look, story)


def _after_the_end(state: State, look: Look) -> Outcome:
    """A draw by rule does not stop players who go on; any other end does."""
    if not state.by_rule:
        return state, ()
    story = best_story(state, look)
    if story is None or not story.sure or story.root is not Root.RECORD or not story.moves or story.hangs_on_one:
        return state, ()
    return record_moves(state, story.moves, Seen(story.margin, story.otherwise))


def due_captures(state: State, effects: tuple[Effect, ...]) -> tuple[Effect, ...]:
    """In training a due capture is told before the move."""
    variant = state.terms.variant
    if state.terms.mode is not Mode.TRAINING or state.result is not None or not effects or not state.started:
        return ()
    due = [m for m in legal_moves(variant, state.position) if m.is_capture]
    if not due or not variant.compulsory:
        return ()
    texts = ", ".join(move_text(variant, state.position, m) for m in due[:6])
    squares = tuple(point_name(variant, p) for p in sorted({m.origin for m in due}))
    return (Reminder("capture_due", squares, f"A capture is due: {texts}."),)
