"""A disturbed board: no irregularity, but a guide that says disc by disc how the position comes back."""

from dataclasses import replace

from rules.faults import FaultKind
from rules.fen import fen
from rules.interpret import CAUSELESS
from rules.placement import Placement
from rules.position import Position
from rules.readings import likely_readings
from rules.scoring import scores
from server.session.events import Attention, Resolved
from server.session.mending import guidance, squares_to_mend
from server.session.record_ply import Outcome, Seen, record_moves
from server.session.state import Look, Restoring, State, Undone
from server.session.stories import Root, Story, best_story
from server.session.takebacks import waited

_MOVED_SECONDS = 2.0
"""How long a board that moves could explain must stand while it is being put right, before the moves are believed."""
_IRREGULAR_SECONDS = 4.0


def wanted(state: State) -> Position:
    """What should stand on the board: the record, or the irregular board that stands told."""
    if state.standing is not None and state.standing.told:
        return state.standing.goes_on[0]
    return state.position


def disturbed(state: State, look: Look, story: Story) -> Outcome:
    """Too much changed: once that has stood, the guide begins."""
    state, ripe = waited(state, "disturbed", None, look.seconds, 2 * state.terms.fault_seconds)
    if not ripe:
        return state, ()
    state = replace(state, restoring=Restoring(story.placement, story.placement, look.seconds))
    return state, (_guide(state, story.placement),)


def _guide(state: State, seen: Placement) -> Attention:
    terms, due = state.terms, wanted(state).placement
    text = f"The board was disturbed. {guidance(terms, due, seen)}"
    return Attention("board_disturbed", text, (), squares_to_mend(terms.variant, due, seen))


def being_put_back(state: State, undone: Undone, seen: Placement) -> bool:
    """Whether the board shows what a press led away from, or some of it put right already."""
    due = state.position.placement
    shown = all(any(board[p] is seen[p] for board in undone.boards) for p in seen.difference(due))
    return shown and seen != due


def still_undone(state: State, undone: Undone, look: Look, seen: Placement) -> Outcome:
    """A disc of a move taken back, or one that was huffed, still stands there: once that has stood it is asked for."""
    if undone.since is None or seen != undone.placement:
        return replace(state, undone=replace(undone, placement=seen, since=look.seconds)), ()
    if undone.told or look.seconds - undone.since < state.terms.fault_seconds - 1e-6:
        return state, ()
    terms, due = state.terms, state.position.placement
    text = f"{undone.word} {guidance(terms, due, undone.placement)}"
    said = Attention(undone.reason, text, (), squares_to_mend(terms.variant, due, undone.placement))
    return replace(state, undone=replace(undone, told=True)), (said,)


def look_while_restoring(state: State, look: Look) -> Outcome:
    """One look at a board that is being put right; None effects while nothing new is to be said."""
    restoring = state.restoring
    assert restoring is not None
    story = best_story(state, look)
    if story is None:
        return state, ()
    if story.quiet and story.sure and story.root in (Root.RECORD, Root.STANDING):
        return _restored(state)
    seen = likely_readings(scores(look.evidence, look.hidden), wanted(state).placement)[0]
    if seen != restoring.seen:
        return replace(state, restoring=replace(restoring, seen=seen, since=look.seconds)), ()
    stood = look.seconds - restoring.since
    if story.sure and _believable(story, stood):
        return _gone_on(state, story)
    lawful = story.sure and story.root is Root.RECORD and bool(story.moves)
    if lawful or seen == restoring.said or stood < state.terms.fault_seconds - 1e-6:
        return state, ()
    return replace(state, restoring=replace(restoring, said=seen)), (_guide(state, seen),)


def _believable(story: Story, stood: float) -> bool:
    if story.root is not Root.RECORD:
        return False
    if story.moves:
        return stood >= _MOVED_SECONDS
    found = story.irregularity
    return found is not None and found.fault.kind not in CAUSELESS and stood >= _IRREGULAR_SECONDS


def _restored(state: State) -> Outcome:
    text = fen(state.terms.variant, wanted(state))
    done = Resolved("corrected", FaultKind.BOARD_DISTURBED.value, text, state.ply)
    return replace(state, restoring=None, waiting=None), (done,)


def _gone_on(state: State, story: Story) -> Outcome:
    """They put it right and moved on at once; an irregularity is left to the next look."""
    state, effects = _restored(state)
    state, said = record_moves(state, story.moves, Seen(story.margin))
    return state, (*effects, *said)
