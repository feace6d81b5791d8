"""Which story fits a look best: from the position on record, or from an irregular board that stands."""

from dataclasses import dataclass
from enum import Enum, auto

import numpy as np

from rules.faults import Fault, FaultKind
from rules.hypotheses import CannotSee, Disturbed, Interpretation, Irregularity, NothingHappened, Plies
from rules.interpret import interpret
from rules.move import Move
from rules.piece import Piece
from rules.placement import Placement
from rules.position import Position
from server.session.state import House, Look, State


class Root(Enum):
    """Where a story begins."""

    RECORD = auto()
    """The last position that the record stands by."""
    STANDING = auto()
    """The irregular board: the game goes on from it."""
    EARLIER = auto()
    """A position of one or two plies ago is back."""
    HUFFED = auto()
    """The disc that failed to capture has been taken off."""


@dataclass(frozen=True, slots=True)
class Story:
    """One explanation of a look, with how well it fits (natural log, costs taken off)."""

    root: Root
    placement: Placement
    score: float
    moves: tuple[Move, ...] = ()
    fault: Fault | None = None
    start: Position | None = None
    """The position from which `moves` or `fault` count."""
    back: int = 0
    """How many plies were taken back."""
    disturbed: bool = False
    margin: float = 0.0

    @property
    def quiet(self) -> bool:
        """Nothing was done since its root."""
        return not self.moves and self.fault is None and not self.disturbed


_COST_PER_PLY = 0.7
_COST_OF_FAULT = 3.0
_COST_OF_GOING_BACK = 2.0
_COST_OF_HUFF = 1.0
_COST_OF_DISORDER = 6.0
_TOLD_ALREADY = 1.0
"""An irregularity that everybody knows of is the likelier ground for the next one."""
_SEEN_ALREADY = 0.3
"""So is one that has been seen in a settled look."""
_WORST = -8.0
_FAULT_MARGIN = 0.8
_UNSEEN_CROWN = 1.0
_SAME_SIDE_AGAIN = (FaultKind.OUT_OF_TURN, FaultKind.OPPONENT_PIECE_MOVED, FaultKind.TAKEN_BACK)
"""Faults that, seen from an irregular board, more simply mean that the same player tried something else."""


def fit(look: Look, placement: Placement) -> float:
    """How well a whole placement explains a look: 0 at best, hidden points left out, no point more than WORST.

    A king that looks like a man costs little: its crown may come late, or cannot be seen.
    """
    worth = np.clip(look.evidence - look.evidence.max(axis=1, keepdims=True), _WORST, 0.0)
    worth[:, 3:5] = np.maximum(worth[:, 3:5], worth[:, 1:3] - _UNSEEN_CROWN)
    pieces = np.frombuffer(placement.pieces, dtype=np.uint8)
    return float(worth[np.arange(len(pieces)), pieces][~look.hidden].sum())


def best_story(state: State, look: Look) -> Story | None:
    """The explanation to believe, or None if the look cannot be read or no story wins by enough."""
    terms = state.terms
    reading = interpret(terms.variant, state.position, look.evidence, look.hidden, min_margin=terms.least_margin)
    if isinstance(reading.hypothesis, CannotSee):
        return None
    stories = [_story(Root.RECORD, state.position, reading, look)]
    stories += _from_standing(state, look)
    stories += _earlier(state, look)
    stories.sort(key=lambda s: s.score, reverse=True)
    best = stories[0]
    rivals = [s.score for s in stories[1:] if s.placement != best.placement]
    margin = min([best.margin] + [best.score - r for r in rivals])
    # An irregular board is believed by how long it stands, so a smaller lead is enough to begin with.
    needed = _FAULT_MARGIN if best.fault is not None or best.disturbed else terms.least_margin
    return best if margin >= needed or best.quiet else None


def _story(root: Root, start: Position, reading: Interpretation, look: Look) -> Story:
    hypothesis, margin = reading.hypothesis, float(reading.margin)
    placement = hypothesis.placement
    score = fit(look, placement)
    match hypothesis:
        case NothingHappened():
            return Story(root, placement, score, start=start, margin=margin)
        case Plies(moves=moves):
            return Story(root, placement, score - _COST_PER_PLY * len(moves), moves, start=start, margin=margin)
        case Irregularity(fault=fault):
            return Story(root, placement, score - _COST_OF_FAULT, fault=fault, start=start, margin=margin)
        case Disturbed():
            return Story(root, placement, score - _COST_OF_DISORDER, start=start, disturbed=True, margin=margin)
        case _:
            return Story(root, placement, -1e9, start=start, disturbed=True)


def _from_standing(state: State, look: Look) -> list[Story]:
    standing = state.standing
    if standing is None:
        return []
    stories = []
    for rank, position in enumerate(standing.goes_on):
        reading = interpret(
            state.terms.variant, position, look.evidence, look.hidden, min_margin=state.terms.least_margin
        )
        if isinstance(reading.hypothesis, CannotSee):
            continue
        story = _story(Root.STANDING, position, reading, look)
        stories.append(_weighed(story, standing.told, rank))
    if state.terms.house is House.HUFF and standing.fault.kind is FaultKind.MISSED_CAPTURE:
        stories += _huffed(state, look)
    return stories


def _weighed(story: Story, told: bool, rank: int) -> Story:
    """A story from an irregular board costs what its irregularity cost, unless everybody has been told of it."""
    cost = 0.5 * rank
    if story.fault is not None and story.fault.kind in _SAME_SIDE_AGAIN:
        cost += _COST_OF_FAULT
    elif story.fault is not None:
        cost -= _TOLD_ALREADY if told else _SEEN_ALREADY
    elif not told and not story.quiet:
        cost += 0.5
    if story.quiet:
        cost -= 0.1
    return Story(
        story.root,
        story.placement,
        story.score - cost,
        story.moves,
        story.fault,
        story.start,
        0,
        story.disturbed,
        story.margin,
    )


def _huffed(state: State, look: Look) -> list[Story]:
    standing = state.standing
    if standing is None:
        return []
    offenders = {int(move.origin) for move in standing.fault.due}
    moved = standing.fault.move
    if moved is not None and int(moved.origin) in offenders:
        offenders.add(int(moved.end))
    stories = []
    for point in offenders:
        if standing.seen[point].side is not standing.fault.side:
            continue
        placement = standing.seen.replaced({point: Piece.EMPTY})
        position = Position(placement, standing.fault.side.opponent)
        stories.append(Story(Root.HUFFED, placement, fit(look, placement) - _COST_OF_HUFF, start=position, margin=99.0))
    return stories


def _earlier(state: State, look: Look) -> list[Story]:
    stories = []
    for back in (1, 2):
        if len(state.plies) < back:
            break
        position = state.plies[-back].before
        if position.placement == state.position.placement:
            continue
        score = fit(look, position.placement) - _COST_OF_GOING_BACK - 0.2 * back
        stories.append(Story(Root.EARLIER, position.placement, score, start=position, back=back, margin=99.0))
    return stories
