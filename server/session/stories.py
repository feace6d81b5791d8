"""Which story fits a look best, from everywhere a story may begin: the record, an irregular board, an earlier turn."""

from dataclasses import dataclass, replace
from enum import StrEnum

from rules.faults import FaultKind
from rules.huffing import discs_to_huff
from rules.hypotheses import (
    Candidate,
    CannotSee,
    Disturbed,
    Ground,
    Interpretation,
    Irregularity,
    NothingHappened,
    Plies,
)
from rules.interpret import cost_of, interpret_from
from rules.legal_moves import play
from rules.move import Move
from rules.piece import Piece
from rules.placement import Placement
from rules.position import Position
from rules.scoring import Scores, scores
from server.session.state import House, Line, Look, Mode, Standing, State


class Root(StrEnum):
    """Where a story begins: the labels of its ground."""

    RECORD = "record"
    """The last position that the record stands by."""
    OTHER_SIDE = "other side"
    """The same, the other side to move: a game joined in the middle."""
    STANDING = "standing"
    """The irregular board: the game goes on from it."""
    DISMISSED = "dismissed"
    """An irregular board that the arbiter let pass."""
    HUFFED = "huffed"
    """The disc that failed to capture has been taken off."""
    EARLIER = "earlier"
    """A position of one or two plies ago is back."""
    REPAIRED = "repaired"
    """An earlier look meant something else."""


@dataclass(frozen=True, slots=True)
class Start:
    """What a root is about."""

    root: Root
    ground: Ground
    back: int = 0
    """How many entries of the record it takes back."""
    line: tuple[Move, ...] = ()
    """What is recorded in their place."""


@dataclass(frozen=True, slots=True)
class Story:
    """The best explanation of a look."""

    start: Start
    best: Candidate
    margin: float
    sure: bool
    hangs_on_one: bool
    rivals: tuple[Candidate, ...]
    alike: tuple[Candidate, ...]

    @property
    def root(self) -> Root:
        return self.start.root

    @property
    def placement(self) -> Placement:
        return self.best.hypothesis.placement

    @property
    def position(self) -> Position:
        return self.best.ground.position

    @property
    def moves(self) -> tuple[Move, ...]:
        return self.best.moves

    @property
    def quiet(self) -> bool:
        """Nothing was done since its root."""
        return isinstance(self.best.hypothesis, NothingHappened)

    @property
    def disturbed(self) -> bool:
        return isinstance(self.best.hypothesis, Disturbed)

    @property
    def irregularity(self) -> Irregularity | None:
        return self.best.hypothesis if isinstance(self.best.hypothesis, Irregularity) else None

    @property
    def otherwise(self) -> tuple[Line, ...]:
        """What else the look may have meant, as lines of moves from the same ground."""
        lines = [c for c in self.rivals if c.lawful and c.ground is self.best.ground]
        return tuple(Line(c.moves, self.best.score - c.score) for c in lines)


_COST_OF_GOING_BACK = 2.3
_COST_OF_ANOTHER_TRY = 2.5
"""A move taken back and another played at once."""
_COST_OF_HUFF = 1.0
_COST_OF_REPAIR = 1.5
_DOUBT_KEPT = 0.6
"""Share of what spoke against a reading then that still speaks against it now: looks err alike."""
_MOST_DOUBT = 16.0
_TOLD_ALREADY = -1.0
"""An irregularity that everybody knows of is the likelier ground for the next one."""
_SEEN_ALREADY = -0.3
"""So is one that has been seen in a settled look."""
_UNTOLD = 0.6
_SEEN_AGAIN = 1.5
"""An irregularity that one misread point could pretend, seen in a second look; after one look it costs as at first."""
_RIGHT_ALREADY = 3.0
_WONDERS = (FaultKind.PIECE_APPEARED, FaultKind.PIECE_VANISHED)
_FAULT_MARGIN = 0.8
"""An irregular board is believed by how long it stands, so a smaller lead is enough to begin with."""
_PLIES_OF_REPAIR = 3


def best_story(state: State, look: Look) -> Story | None:
    """The explanation that fits best, or None if the look cannot be read.

    An irregular board that nobody was told of does not make a lawful reading doubtful.
    """
    seen = scores(look.evidence, look.hidden)
    story = story_from(state, starts(state), seen)
    untold = state.standing is not None and not state.standing.told
    if story is None or story.sure or not untold or story.root is not Root.RECORD or not story.best.lawful:
        return story
    return story_from(state, starts(replace(state, standing=None)), seen)


def story_from(state: State, roots: tuple[Start, ...], seen: Scores) -> Story | None:
    """The best explanation from the given roots; the first is the one that disorder is measured by."""
    terms = state.terms
    grounds = tuple(start.ground for start in roots)
    reading = interpret_from(terms.variant, grounds, seen, min_margin=terms.least_margin)
    if isinstance(reading.hypothesis, CannotSee):
        return None
    best = reading.best
    start = next(s for s in roots if s.ground is best.ground)
    needed = terms.least_margin if best.lawful else _FAULT_MARGIN
    sure = reading.margin >= needed
    lasting = not sure and start.root is Root.RECORD and _likelier_than_wonders(reading, needed)
    frail = reading.hangs_on_one or lasting
    return Story(start, best, reading.margin, sure or lasting, frail, reading.runners_up, reading.alike)


def _likelier_than_wonders(reading: Interpretation, needed: float) -> bool:
    """Whether all that speaks against lawful moves is that a disc came from nowhere, or went, and left it looking so.

    Believed once it lasts: a square from which a disc moved may look much like the disc.
    """
    if not reading.best.moves or reading.margin < _FAULT_MARGIN:
        return False
    close = (rival for rival in reading.runners_up if reading.score - rival.score < needed)
    kinds = [rival.irregularity.fault.kind if rival.irregularity else None for rival in close]
    return all(kind in _WONDERS for kind in kinds)


def starts(state: State) -> tuple[Start, ...]:
    """Everywhere a story may begin, the likeliest explanation of an unchanged board first."""
    standing = state.standing
    found = [] if standing is None else _standing(state, standing)
    found.append(Start(Root.RECORD, Ground(state.position, Root.RECORD)))
    if state.either_begins:
        other = Position(state.position.placement, state.position.to_move.opponent)
        found.append(Start(Root.OTHER_SIDE, Ground(other, Root.OTHER_SIDE, 0.1, quiet=False)))
    for dismissed in state.dismissed:
        crowns = _wrong_crowns(dismissed)
        found += [_let_stand(p, Root.DISMISSED, 0.2 * k, crowns) for k, p in enumerate(dismissed.goes_on)]
    if standing is None or not standing.told:
        found += _repairs(state)
    return (*found, *_earlier(state))


def _standing(state: State, standing: Standing) -> list[Start]:
    """The irregular board as ground: it stays, is played on from, or a second irregularity follows."""
    cost = _cost_of_standing(standing)
    extra = _TOLD_ALREADY if standing.told else _SEEN_ALREADY
    found = []
    for rank, position in enumerate(standing.goes_on):
        ground = Ground(
            position,
            Root.STANDING,
            cost + 0.5 * rank,
            fault_cost=extra,
            quiet=rank == 0,
            same_side_cost=_RIGHT_ALREADY,
            crowned=_wrong_crowns(standing),
            stands=Irregularity(standing.fault, standing.seen),
        )
        found.append(Start(Root.STANDING, ground, standing.back, standing.instead))
    if state.terms.house is House.HUFF and standing.fault.kind is FaultKind.MISSED_CAPTURE:
        found += [_let_stand(p, Root.HUFFED, _COST_OF_HUFF) for p in huffed(standing)]
    return found


def _cost_of_standing(standing: Standing) -> float:
    if standing.told:
        return 0.0
    if not standing.frail:
        return _UNTOLD
    return cost_of(standing.fault) - 1.0 if standing.looks < 2 else _SEEN_AGAIN


def _wrong_crowns(standing: Standing) -> frozenset[int]:
    wrong = standing.fault.kind is FaultKind.WRONGLY_CROWNED
    return frozenset(p for p in standing.fault.squares if standing.seen[p].is_king) if wrong else frozenset()


def _let_stand(position: Position, root: Root, cost: float, crowned: frozenset[int] = frozenset()) -> Start:
    return Start(root, Ground(position, root, cost, deepest=2, fault_cost=None, crowned=crowned))


def huffed(standing: Standing) -> tuple[Position, ...]:
    """The positions in which a disc that failed to capture has been taken off, the opponent to move."""
    offenders = discs_to_huff(standing.fault.due, standing.fault.move)
    side = standing.fault.side
    points = [p for p in offenders if standing.seen[p].side is side]
    return tuple(Position(standing.seen.replaced({p: Piece.EMPTY}), side.opponent) for p in points)


def _earlier(state: State) -> list[Start]:
    """One or two plies taken back, and perhaps another move made instead."""
    found = []
    for back in (1, 2):
        if len(state.plies) < back:
            break
        position = state.plies[-back].before
        if position.placement == state.position.placement:
            continue
        cost = _COST_OF_GOING_BACK + 0.2 * back
        quiet = Ground(position, Root.EARLIER, cost, deepest=0, fault_cost=None, last_resort=True)
        found.append(Start(Root.EARLIER, quiet, back))
        again = replace(quiet, cost=cost + _COST_OF_ANOTHER_TRY, deepest=1, quiet=False)
        found.append(Start(Root.EARLIER, again, back))
    return found


def _repairs(state: State) -> list[Start]:
    """Positions that other readings of the newest plies lead to."""
    found = []
    for back in range(1, min(_PLIES_OF_REPAIR, len(state.plies)) + 1):
        ply = state.plies[-back]
        for line in ply.otherwise:
            if line.deficit > _MOST_DOUBT or (not line.moves and back == 1 and state.confirmed):
                continue
            position = ply.before
            for move in line.moves:
                position = play(state.terms.variant, position, move)
            cost = _COST_OF_REPAIR + _DOUBT_KEPT * line.deficit
            ground = Ground(position, Root.REPAIRED, cost, deepest=2, fault_cost=None, last_resort=True)
            found.append(Start(Root.REPAIRED, ground, back, line.moves))
    return found


def may_be_either(state: State) -> bool:
    """Whether the shade that begins is still to be learnt: nothing is written yet in a game that only records."""
    return state.terms.mode is Mode.RECORD and not state.plies


def lines_of(story: Story) -> tuple[Candidate, ...]:
    """The readings within reach that are lawful: the best and its close rivals."""
    near = [c for c in story.rivals if story.best.score - c.score < 2.5]
    return tuple(c for c in (story.best, *near) if isinstance(c.hypothesis, Plies | NothingHappened))
