"""Before the first move: how the board lies, whether it is set up, which shade begins, joining in the middle."""

from dataclasses import replace

import numpy as np

from rules.board import Board
from rules.faults import Fault, FaultKind
from rules.fen import fen
from rules.hypotheses import Ground, Plies
from rules.interpret import interpret_from
from rules.placement import Placement
from rules.position import Position
from rules.readings import likely_readings
from rules.scoring import Scores, scores
from rules.variant import start_position
from server.session.events import Ready, SidesLearnt, Violation
from server.session.irregular import ripened
from server.session.mending import guidance
from server.session.record_ply import Outcome, Seen, record_moves
from server.session.rulings import accept, begin_from, correct
from server.session.state import Look, Mode, Standing, State
from server.session.stories import Root, Start, Story, may_be_either, story_from

_JOIN_SECONDS = 5.0
"""How long another board than the start must stand before a game that only records begins with it."""
_FEW = 6
"""More squares than this are still being set up: that is waited for much longer."""
_STILL_SETTING_UP = 5.0


def lies(state: State, mirrored: bool) -> Outcome:
    """How the board lies on the table. Its mirror image is said once; the game is played on the mirrored squares."""
    said = state.mirrored or not mirrored or bool(state.plies) or state.terms.mode is Mode.RECORD
    state = replace(state, mirrored=mirrored)
    if said:
        return state, ()
    text = (
        "A light corner lies at the players' left; please turn the board, or play on: it is read as its mirror image."
    )
    side = state.terms.shade(state.position.to_move)
    seen = fen(state.terms.variant, state.position)
    return state, (Violation(FaultKind.WRONG_ORIENTATION.value, side, (), (), text, seen),)


def look_before_start(state: State, look: Look) -> Outcome:
    """The game is ready once the board shows its start, or its start and the first moves."""
    seen = scores(look.evidence, look.hidden)
    story = story_from(state, _starts(state), seen)
    if story is None:
        return state, ()
    if story.sure and (story.quiet or story.moves):
        if story.root is Root.RECORD:
            return _begin(state, story)
        return _from_wrong_setup(state, look, story)
    return _not_set_up(state, look, likely_readings(seen, state.position.placement)[0])


def _starts(state: State) -> tuple[Start, ...]:
    found = [Start(Root.RECORD, Ground(state.position, Root.RECORD, fault_cost=None))]
    standing = state.standing
    if standing is not None:
        ground = Ground(standing.goes_on[0], Root.STANDING, 1.0, deepest=1, fault_cost=None)
        found.append(Start(Root.STANDING, ground))
    return tuple(found)


def _begin(state: State, story: Story) -> Outcome:
    ready = Ready(fen(state.terms.variant, state.position))
    state, corrected = correct(state)
    state, said = record_moves(replace(state, started=True), story.moves, Seen(story.margin, story.otherwise))
    return state, (*corrected, ready, *said)


def _from_wrong_setup(state: State, look: Look, story: Story) -> Outcome:
    """The wrong start stands on: said, or joined in a game that only records; or played on from."""
    standing = state.standing
    assert standing is not None
    if story.quiet:
        state = replace(state, standing=replace(standing, looks=standing.looks + 1))
        if state.terms.mode is Mode.RECORD:
            return _joined(state, look)
        return ripened(state, look.seconds)
    if not standing.told:
        return state, ()
    state, effects = accept(state, standing, story.position)
    state, said = record_moves(state, story.moves, Seen(story.margin))
    return state, (*effects, *said)


def _joined(state: State, look: Look) -> Outcome:
    """A game that only records goes on from any board that stands; the first move shows whose turn it was."""
    standing = state.standing
    assert standing is not None
    both = all(standing.seen.points_of(side) for side in type(state.position.to_move))
    if look.seconds - standing.since < _JOIN_SECONDS or standing.looks < 2 or not both:
        return state, ()
    state, effects = begin_from(replace(state, standing=None), standing.goes_on[0])
    return replace(state, either_begins=True), effects


def _not_set_up(state: State, look: Look, seen: Placement) -> Outcome:
    """The board shows something else than the start."""
    standing = state.standing
    if standing is not None and standing.seen == seen:
        return state, ()
    wrong = seen.difference(state.position.placement)
    if not wrong:
        return state, ()
    terms, position = state.terms, Position(seen, state.position.to_move)
    text = f"The board is not yet set up. {guidance(terms, state.position.placement, seen)}"
    fault = Fault(FaultKind.WRONG_SETUP, position.to_move, wrong, (), text)
    patient = len(wrong) > _FEW and terms.mode is not Mode.RECORD
    since = look.still_since + (_STILL_SETTING_UP if patient else 0.0)
    state = replace(state, standing=Standing(fault, seen, (position,), None, since, frail=True))
    return state, ()


def learn_sides(state: State, look: Look) -> Outcome | None:
    """In a game that only records: whether the first move was made by the shade that was not expected to begin.

    The board is then the record's seen from its other side, and the shades change places.
    """
    board = state.terms.variant.board
    start = state.position
    if (
        not may_be_either(state)
        or start != start_position(state.terms.variant)
        or not _symmetric(start.placement, board)
    ):
        return None
    turned = _turned(look, board.half_turn)
    expected = _first_plies(state, scores(look.evidence, look.hidden))
    other = _first_plies(state, turned)
    if other is None or (expected is not None and expected.best.score > other.best.score - state.terms.least_margin):
        return None
    light = state.terms.light.opponent
    state = replace(state, terms=replace(state.terms, light=light), standing=None, waiting=None)
    state, said = record_moves(state, other.moves, Seen(other.margin, other.otherwise))
    return state, (SidesLearnt(light.value), *said)


def _first_plies(state: State, seen: Scores) -> Story | None:
    start = Start(Root.RECORD, Ground(state.position, Root.RECORD, deepest=2, fault_cost=None))
    reading = interpret_from(state.terms.variant, (start.ground,), seen, min_margin=state.terms.least_margin)
    if not reading.sure or not isinstance(reading.hypothesis, Plies):
        return None
    return Story(start, reading.best, reading.margin, True, reading.hangs_on_one, reading.runners_up, reading.alike)


_OTHER_SHADE = (0, 2, 1, 4, 3)


def _turned(look: Look, half_turn: tuple[int, ...]) -> Scores:
    """The look with the board turned round and the shades changed over."""
    order = list(half_turn)
    return scores(look.evidence[order][:, list(_OTHER_SHADE)], look.hidden[order])


def _symmetric(placement: Placement, board: Board) -> bool:
    """Whether both sides see the same board before them."""
    pieces = np.frombuffer(placement.pieces, dtype=np.uint8)
    other = np.asarray(_OTHER_SHADE, dtype=np.uint8)
    return bool((other[pieces[list(board.half_turn)]] == pieces).all())
