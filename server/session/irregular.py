"""An irregular board: it stands, is spoken of once it has stood for long enough, and is put right or played on from."""

from dataclasses import replace

from rules.faults import Fault, FaultKind
from rules.hypotheses import Irregularity
from rules.interpret import CAUSELESS, told_alike
from rules.placement import Placement
from server.session.record_ply import Outcome, Seen, goes_on_from, record_moves
from server.session.rulings import accept, correct, huff, let_stand, resolved, violation
from server.session.state import Look, Mode, Standing, State
from server.session.stories import Story

_LEFT_STANDING_SECONDS = 2.5
"""Discs are taken off one by one, with the hand away in between: a disc left standing is told of later."""
_SLOW = (FaultKind.CAPTURED_NOT_REMOVED, FaultKind.CAPTURE_INCOMPLETE)


def from_standing(state: State, look: Look, story: Story) -> Outcome:
    """The best story begins with the irregular board: it stays, or the game goes on from it."""
    standing = state.standing
    assert standing is not None
    if story.quiet:
        return ripened(replace(state, standing=replace(standing, looks=standing.looks + 1), waiting=None), look.seconds)
    state, effects = accept(state, standing, story.position)
    if story.moves:
        state, said = record_moves(state, story.moves, Seen(story.margin, story.otherwise))
        return state, (*effects, *said)
    state, said = irregular(state, look, story)
    return state, (*effects, *said)


def irregular(state: State, look: Look, story: Story) -> Outcome:
    """The board shows an irregularity: the one that stands already, or a new one."""
    found = story.irregularity
    assert found is not None
    standing = state.standing
    if standing is not None and told_alike(Irregularity(standing.fault, standing.seen), found):
        return ripened(replace(state, standing=_seen_again(state, standing, found)), look.seconds)
    state, effects = correct(state)
    return replace(state, standing=_standing(state, look, story, found.fault, found.placement)), effects


def _seen_again(state: State, standing: Standing, found: Irregularity) -> Standing:
    """The same irregularity in one look more, which may show its crowns better."""
    goes_on, counted = goes_on_from(state, found.fault, found.placement)
    return replace(standing, seen=found.placement, goes_on=goes_on, counted=counted, looks=standing.looks + 1)


def _standing(state: State, look: Look, story: Story, fault: Fault, seen: Placement) -> Standing:
    goes_on, counted = goes_on_from(state, fault, seen)
    frail = (story.hangs_on_one or fault.kind in CAUSELESS) and not _owed(state, fault)
    return Standing(fault, seen, goes_on, counted, look.still_since, frail=frail)


def _owed(state: State, fault: Fault) -> bool:
    """Whether it is about discs that were captured and left standing: they are expected to go."""
    owed = {p for ply in state.plies if ply.move is not None for p in ply.move.captured if ply.after.placement[p]}
    return fault.kind is FaultKind.PIECE_VANISHED and owed.issuperset(fault.squares)


def ripened(state: State, seconds: float) -> Outcome:
    """Tells of the irregular board once it has stood for long enough."""
    standing = state.standing
    if standing is None or standing.told or state.terms.mode is Mode.RECORD:
        return state, ()
    if seconds - standing.since < _needed_seconds(state, standing) - 1e-6:
        return state, ()
    if standing.frail and standing.looks < 2:
        return state, ()
    told = replace(standing, told=True)
    return replace(state, standing=told), (violation(state, told),)


def _needed_seconds(state: State, standing: Standing) -> float:
    if standing.fault.kind is FaultKind.WRONG_SETUP:
        return 3 * state.terms.fault_seconds
    if standing.fault.kind in _SLOW:
        return _LEFT_STANDING_SECONDS
    return state.terms.fault_seconds


def huffed(state: State, story: Story) -> Outcome:
    """The disc that failed to capture is gone; the opponent may have moved already."""
    standing = state.standing
    assert standing is not None
    state, effects = huff(state, standing, story.position)
    if not story.moves:
        return state, effects
    state, said = record_moves(state, story.moves, Seen(story.margin, story.otherwise))
    return state, (*effects, *said)


def dismissed(state: State, story: Story) -> Outcome:
    """The board that the arbiter let pass: it stays, or play has gone on from it, which the record must carry."""
    if not story.moves:
        return replace(state, standing=None, waiting=None), ()
    let = next(s for s in state.dismissed if story.position in s.goes_on)
    state, effects = let_stand(state.settled, let, story.position)
    entry = resolved(state, "accepted", replace(let, told=False), story.position)
    state, said = record_moves(state, story.moves, Seen(story.margin, story.otherwise))
    return state, (*effects, entry, *said)
