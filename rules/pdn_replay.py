"""A written game played through by the rules: what is legal of it, and where and why the rest is not."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

from rules.errors import PdnError, RulesError
from rules.move import Move
from rules.pdn_inference import named_by_tags, other_readings, readings, starts
from rules.pdn_lines import Line, Ply, line_of, words_of
from rules.pdn_matching import Reading
from rules.pdn_reader import PdnElement, PdnGame, PdnProblem, PdnVariation
from rules.pdn_refusals import mended, refused
from rules.pdn_search import Attempt, longest_reading
from rules.pdn_tokens import Token, TokenKind
from rules.position import Position
from rules.variant import Variant, start_position

__all__ = ["Line", "Ply", "ReplayedGame", "likely_variants", "replay"]

_SPLITS = 60
_HARDLY_ANY = 2
"""Words that must be legal at least before a variant that the tags name is believed."""


@dataclass(frozen=True)
class ReplayedGame:
    """The legal part of a game. `result` is the closing token, or else the Result tag.

    Its plies are made when they are first asked for; `ply_count` costs nothing.
    """

    variant: Variant
    start: Position
    result: str
    problems: tuple[PdnProblem, ...]
    """What is not legal or was lost."""
    notes: tuple[PdnProblem, ...]
    """What is odd and does no harm."""
    attempt: Attempt
    words: tuple[Token, ...]
    elements: tuple[PdnElement, ...]

    @cached_property
    def line(self) -> Line:
        """The main line with everything written around it."""
        return line_of(self.attempt, self.words, self.elements)[0]

    @property
    def plies(self) -> tuple[Ply, ...]:
        return self.line.plies

    @property
    def ply_count(self) -> int:
        """Moves and set-ups of the main line."""
        return self.attempt.plies

    @cached_property
    def moves(self) -> tuple[Move, ...]:
        every = chain.from_iterable(step.moves for step in self.attempt.steps)
        return tuple(move for move in every if move is not None)


def replay(game: PdnGame, variant: Variant | None = None, likely: tuple[str, ...] = ()) -> ReplayedGame:
    """Plays a game through under the given variant, or under the one that makes most of it legal.

    `likely` names the variants to try first where the game does not say; see `likely_variants`.
    """
    try:
        return _replayed(game, variant, likely)
    except PdnError:
        raise
    except RulesError as error:
        raise PdnError(f"line {game.line}: {error}") from error


def likely_variants(games: Iterable[PdnGame]) -> tuple[str, ...]:
    """The variants that most of the games can be of, the likeliest first, from those that do not say."""
    wholly: dict[str, int] = {}
    for game in games:
        words = words_of(game.moves)
        if not words or named_by_tags(game):
            continue
        for reading in readings(game, None):
            try:
                fits = any(longest_reading(reading, p, words).reached == len(words) for p in starts(reading, game))
            except RulesError:
                continue
            if fits and not reading.turned:
                wholly[reading.variant.name] = wholly.get(reading.variant.name, 0) + 1
    return tuple(sorted(wholly, key=lambda name: -wholly[name]))


def _replayed(game: PdnGame, variant: Variant | None, likely: tuple[str, ...]) -> ReplayedGame:
    elements = game.moves
    words = words_of(elements)
    problems, notes = list(game.problems), list(game.notes)
    best, refusal = _best_attempt(game, words, readings(game, variant, likely))
    if variant is None and (best is None or best.reached < len(words)):
        best, told = _without_the_tags(game, words, best, likely)
        notes.extend(told)
    if best is None:
        reading = readings(game, variant, likely)[0]
        line, column = game.tag_place("FEN")
        problems.append(PdnProblem(line, column, 0, "", f"the FEN tag cannot be read: {refusal}"))
        best = Attempt(reading, start_position(reading.variant), (), 0)
    else:
        best, words, elements = _with_open_variation(best, words, elements)
        if best.reached < len(words):
            problems.append(refused(best, words, best.plies))
    problems.extend(_in_the_lines(best, words, elements))
    return ReplayedGame(
        best.reading.variant,
        best.start,
        game.result or game.tag("Result"),
        tuple(problems),
        tuple(notes),
        best,
        words,
        elements,
    )


def _in_the_lines(attempt: Attempt, words: tuple[Token, ...], elements: tuple[PdnElement, ...]) -> Iterator[PdnProblem]:
    """Illegal moves that a set-up mends, and what is wrong in side lines."""
    has_side_lines = any(isinstance(element, PdnVariation) for element in elements)
    if has_side_lines or any(step.mended for step in attempt.steps):
        line, problems = line_of(attempt, words, elements)
        yield from mended(line.plies)
        yield from problems


def _best_attempt(game: PdnGame, words: tuple[Token, ...], ways: Sequence[Reading]) -> tuple[Attempt | None, str]:
    """The reading that gets furthest; the first of those that read everything. Or why no start can be read."""
    best: Attempt | None = None
    refusal = ""
    for reading in ways:
        try:
            positions = starts(reading, game)
        except RulesError as error:
            refusal = refusal or str(error)
            continue
        for start in positions:
            attempt = longest_reading(reading, start, words)
            if best is None or attempt.reached > best.reached:
                best = attempt
            if attempt.reached == len(words):
                return attempt, ""
    return best, refusal


def _without_the_tags(
    game: PdnGame, words: tuple[Token, ...], best: Attempt | None, likely: tuple[str, ...]
) -> tuple[Attempt | None, list[PdnProblem]]:
    """Another reading than that of the tags, if they are no help and it makes everything legal."""
    helps = best is not None and best.reached > _HARDLY_ANY and not best.reading.turned
    if helps or (best is not None and not words):
        return best, []
    other, _ = _best_attempt(game, words, other_readings(game, likely))
    if other is None or other.reached < len(words) or (best is not None and len(words) <= best.reached + 1):
        return best, []
    tag = "GameType" if game.tag("GameType") else "Variant"
    line, column = game.tag_place(tag)
    message = (
        f"saw {tag} {game.tag(tag)!r}, under which the moves are not legal; "
        f"all of them are in {other.reading.variant.name}, which it is read as"
    )
    return other, [PdnProblem(line, column, 0, "", message)]


def _with_open_variation(
    best: Attempt, words: tuple[Token, ...], elements: tuple[PdnElement, ...]
) -> tuple[Attempt, tuple[Token, ...], tuple[PdnElement, ...]]:
    """Takes the rest of the game out of a variation whose closing bracket is missing, if it can be played on."""
    last = elements[-1] if elements else None
    if not isinstance(last, PdnVariation) or last.closed or best.reached < len(words):
        return best, words, elements
    chosen = (best, words, elements)
    inside = last.elements
    cuts = [k for k, e in enumerate(inside) if k > 0 and isinstance(e, Token) and e.kind is TokenKind.NUMBER]
    for cut in cuts[:_SPLITS]:
        closed = PdnVariation(inside[:cut], last.line, last.column)
        longer = (*elements[:-1], closed, *inside[cut:])
        more = words_of(longer)
        attempt = longest_reading(best.reading, best.start, more)
        if attempt.reached > chosen[0].reached:
            chosen = (attempt, more, longer)
        if attempt.reached == len(more) > len(words):
            return attempt, more, longer
    return chosen if chosen[0].reached > best.reached else (best, words, elements)
