"""When the pictures cannot tell: wait, say so, and ask a person only for what the record would tell apart."""

from dataclasses import replace

from rules.hypotheses import Candidate, Plies
from rules.legal_moves import play
from rules.move import Move
from rules.notation import move_text
from rules.position import Position
from rules.variant import Variant
from server.errors import CommandRefused
from server.session.events import Attention, Effect
from server.session.record_ply import Outcome, record_moves, take_back
from server.session.state import Look, Option, Question, State
from server.session.stories import Root, Story
from server.session.takebacks import waited

_MOST_OPTIONS = 4
_CLOSE = 2.5


def undecided(state: State, look: Look, story: Story | None) -> Outcome:
    """No story wins. Said only if it lasts; a person is asked if every reading left is lawful and moves something."""
    state, ripe = waited(state, "unsure", None, look.seconds, state.terms.doubt_seconds)
    if not ripe:
        return state, ()
    left = () if story is None else _left(story)
    if story is None or len(left) < 2:
        text = "I cannot tell what was played; a clear view of the board helps."
        return state, (Attention("unsure", text),)
    options = tuple(_option(state.terms.variant, story.position, c.moves) for c in left)
    state = replace(state, question=Question(state.position, options, len(state.plies)))
    return state, (_asked(options),)


def _left(story: Story) -> tuple[Candidate, ...]:
    """The readings left if all are lines of moves from the record, else none."""
    close = [story.best, *(c for c in story.rivals if story.best.score - c.score < _CLOSE)]
    fit = all(isinstance(c.hypothesis, Plies) and c.ground is story.best.ground for c in close)
    return tuple(close[:_MOST_OPTIONS]) if fit and story.root is Root.RECORD else ()


def leaning(story: Story | None) -> tuple[Move, ...]:
    """The lawful moves that a look fits best, though it does not show them surely."""
    if story is None or story.root is not Root.RECORD:
        return ()
    return next((c.moves for c in (story.best, *story.rivals) if c.lawful), ())


def in_the_order_seen(state: State, story: Story) -> Story:
    """Of several orders of the same plies the only one that begins as an undecided look before it leaned to."""
    known = state.leaning
    fits = [c for c in (story.best, *story.alike) if c.moves[: len(known)] == known]
    if not known or not story.alike or len(fits) != 1:
        return story
    return replace(story, best=fits[0], alike=())


def orders(state: State, story: Story, before: int) -> Outcome:
    """Several orders of the same plies lead to this board: one is recorded for now, and a person may choose."""
    if not story.alike or story.root is not Root.RECORD:
        return state, ()
    lines = (story.best, *story.alike)[:_MOST_OPTIONS]
    options = tuple(_option(state.terms.variant, story.position, c.moves) for c in lines)
    question = Question(story.position, options, before, len(story.moves))
    return replace(state, question=question), (_asked(options),)


def _asked(options: tuple[Option, ...]) -> Attention:
    texts = tuple(option.text for option in options)
    return Attention("which", f"Which was played: {' or '.join(texts)}?", texts)


def _option(variant: Variant, position: Position, moves: tuple[Move, ...]) -> Option:
    words = []
    for move in moves:
        words.append(move_text(variant, position, move))
        position = play(variant, position, move)
    return Option(" ".join(words), moves)


def choose(state: State, text: str) -> Outcome:
    """A person says which of the readings it was."""
    question = state.question
    if question is None:
        raise CommandRefused("no question stands, so there is nothing to choose")
    option = next((o for o in question.options if o.text == text.strip()), None)
    if option is None:
        known = ", ".join(o.text for o in question.options)
        raise CommandRefused(f"saw {text!r}; expected one of {known}")
    if not question.recorded:
        return record_moves(replace(state.settled, question=None), option.moves)
    return _exchanged(state, question, option)


def _exchanged(state: State, question: Question, option: Option) -> Outcome:
    """The order chosen in place of the one recorded, what came later behind it."""
    recorded = tuple(p.move for p in state.plies[question.plies : question.plies + question.recorded])
    later = state.plies[question.plies + question.recorded :]
    if recorded == option.moves:
        return replace(state, question=None), ()
    if any(ply.move is None for ply in later):
        raise CommandRefused("an irregularity was let stand since; take back to before it, then enter the moves")
    open_ends = state
    state, effects = take_back(state, len(state.plies) - question.plies, "choice")
    said: tuple[Effect, ...]
    state, said = record_moves(state, (*option.moves, *(ply.move for ply in later if ply.move is not None)))
    return replace(state, standing=open_ends.standing, confirmed=open_ends.confirmed), (*effects, *said)
