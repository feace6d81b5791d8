"""The board went back: a move taken back, or an earlier look that was misread."""

from dataclasses import replace

from rules.faults import Fault, FaultKind
from rules.legal_moves import play
from rules.notation import move_text
from rules.placement import Placement
from rules.position import Position
from server.session.events import Effect
from server.session.record_ply import Outcome, Seen, record_moves, take_back
from server.session.rulings import correct, violation
from server.session.state import Look, Mode, Standing, State, Waiting
from server.session.stories import Story


def waited(state: State, what: str, placement: Placement | None, seconds: float, needed: float) -> tuple[State, bool]:
    """Whether the same thing has been seen for long enough; true only once."""
    waiting = state.waiting
    if waiting is None or waiting.what != what or (placement is not None and waiting.placement != placement):
        return replace(state, waiting=Waiting(what, seconds, placement)), False
    if waiting.told or seconds - waiting.since < needed - 1e-6:
        return state, False
    return replace(state, waiting=replace(waiting, told=True)), True


def gone_back(state: State, look: Look, story: Story) -> Outcome:
    """An earlier position is back, or what another move from it leads to.

    A ply that hardly stood was a reading of a moment: it is corrected without a word. A referee says of one that
    stood that it may not be taken back; elsewhere the take-back is recorded.
    """
    state, ripe = waited(state, "takeback", story.placement, look.seconds, state.terms.fault_seconds)
    if not ripe:
        return state, ()
    state, effects = correct(state)
    if not state.confirmed:
        return _replaced(state, story, effects, "reading")
    if state.terms.mode is not Mode.REFEREE:
        return _replaced(state, story, effects, "")
    standing = _taken_back(state, look, story)
    state = replace(state, standing=standing, waiting=None)
    return state, (*effects, violation(state, standing))


def _replaced(state: State, story: Story, before: tuple[Effect, ...], why: str) -> Outcome:
    line = (*story.start.line, *story.moves)
    state, effects = take_back(state, story.start.back, why)
    state, said = record_moves(state, line, Seen(story.margin))
    return state, (*before, *effects, *said)


def _taken_back(state: State, look: Look, story: Story) -> Standing:
    back, variant = story.start.back, state.terms.variant
    gone = state.plies[-back:]
    after = _after(state, story)
    texts = ", ".join(ply.text for ply in gone)
    text = f"{texts} was taken back; a move that was made stands."
    if story.moves:
        instead = ", ".join(move_text(variant, story.position, m) for m in story.moves[:1])
        text = f"{texts} was taken back and {instead} played instead; a move that was made stands."
    points = [p for ply in gone if ply.move is not None for p in (ply.move.origin, ply.move.end)]
    side = gone[-1].before.to_move
    fault = Fault(FaultKind.TAKEN_BACK, side, tuple(dict.fromkeys(points)), (), text)
    return Standing(fault, story.placement, (after,), None, look.still_since, told=True, back=back, instead=story.moves)


def _after(state: State, story: Story) -> Position:
    position = story.position
    for move in story.moves:
        position = play(state.terms.variant, position, move)
    return position


def repaired(state: State, look: Look, story: Story) -> Outcome:
    """Another reading of an earlier look explains this one as well: the record is corrected by what is appended."""
    state, ripe = waited(state, "repair", story.placement, look.seconds, state.terms.fault_seconds)
    if not ripe:
        return state, ()
    return _replaced(replace(state, standing=None), story, (), "reading")
