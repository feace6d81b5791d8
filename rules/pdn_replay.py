"""A written game played through by the rules: what is legal of it, and where and why the rest is not."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

from rules.errors import PdnError, RulesError
from rules.move import Move
from rules.pdn_inference import is_unknown_option, is_unknown_type, named_by_tags, other_readings, readings, starts
from rules.pdn_lines import Line, Ply, line_of, words_of
from rules.pdn_matching import Reading
from rules.pdn_outcome import result_against_the_board
from rules.pdn_reader import PdnElement, PdnGame, PdnProblem, PdnVariation, expanded_elements
from rules.pdn_refusals import mended, refused
from rules.pdn_search import Attempt, longest_reading, quick_reading
from rules.pdn_tokens import Token, TokenKind
from rules.position import Position
from rules.variant import Variant, start_position

__all__ = ["Line", "Ply", "ReplayedGame", "likely_variants", "replay"]

_SPLITS = 60
_HARDLY_ANY = 2
"""Words that must be legal at least before a variant that the tags name is believed."""


@dataclass(frozen=True)
class ReplayedGame:
    """The legal part of a game. `result` is the closing token, or else (a star says nothing) the tag.

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
    written: tuple[PdnElement, ...]

    @cached_property
    def line(self) -> Line:
        """The main line with everything written around it."""
        elements = expanded_elements(self.written)
        return line_of(self.attempt, words_of(elements), elements)[0]

    @property
    def plies(self) -> tuple[Ply, ...]:
        return self.line.plies

    @property
    def ply_count(self) -> int:
        """Legal moves of the main line."""
        return sum(step.plies for step in self.attempt.steps if step.packed or step.move is not None)

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
        if named_by_tags(game) or not words_of(game.moves):
            continue
        for reading in readings(game, None):
            attempt = None if reading.turned else _best_attempt(game, (reading,))[0]
            if attempt is not None and attempt.is_complete:
                wholly[reading.variant.name] = wholly.get(reading.variant.name, 0) + 1
    return tuple(sorted(wholly, key=lambda name: -wholly[name]))


def _replayed(game: PdnGame, variant: Variant | None, likely: tuple[str, ...]) -> ReplayedGame:
    written = game.written
    problems, notes = list(game.problems), [*game.notes, *_set_up_without_position(game)]
    ways = readings(game, variant, likely)
    best, refusal = _best_attempt(game, ways)
    if variant is None and (best is None or not best.is_complete):
        best, told = _without_the_tags(game, best, likely)
        notes.extend(told)
    if best is None:
        line, column = game.tag_place("FEN")
        problems.append(PdnProblem(line, column, 0, "", f"the FEN tag cannot be read: {refusal}"))
        best = Attempt(ways[0], start_position(ways[0].variant), (), 0, False)
    else:
        best, written = _with_open_variation(best, written)
        if not best.is_complete:
            problems.append(refused(best, words_of(expanded_elements(written)), best.plies))
    problems.extend(_in_the_lines(best, written))
    if variant is None and is_unknown_type(game):
        notes.append(_unknown_type(game, best.reading.variant))
    if variant is None and is_unknown_option(game):
        notes.append(_unknown_option(game, best.reading.variant))
    result = game.result if game.result not in ("", "*") else game.tag("Result") or game.result
    notes.extend(result_against_the_board(game, result, best))
    return ReplayedGame(best.reading.variant, best.start, result, tuple(problems), tuple(notes), best, written)


def _unknown_type(game: PdnGame, variant: Variant) -> PdnProblem:
    message = (
        f"saw GameType {game.tag('GameType')!r}, which is no game that Kibitz knows; it is read as {variant.name}, as "
        "its moves suggest"
    )
    return PdnProblem(*game.tag_place("GameType"), 0, "", message)


def _unknown_option(game: PdnGame, variant: Variant) -> PdnProblem:
    message = (
        f"saw Variant {game.tag('Variant')!r}, with a house option that Kibitz does not know; it is read as "
        f"{variant.name}"
    )
    return PdnProblem(*game.tag_place("Variant"), 0, "", message)


def _set_up_without_position(game: PdnGame) -> Iterator[PdnProblem]:
    if game.tag("SetUp") == "1" and not game.tag("FEN"):
        message = "saw SetUp '1' but no FEN tag; expected the position: the game is read from the start position"
        yield PdnProblem(*game.tag_place("SetUp"), 0, "", message)


def _in_the_lines(attempt: Attempt, written: tuple[PdnElement, ...]) -> Iterator[PdnProblem]:
    """Illegal moves that a set-up mends, and what is wrong in side lines."""
    has_side_lines = any(isinstance(element, PdnVariation) for element in written)
    if has_side_lines or any(step.mended for step in attempt.steps):
        elements = expanded_elements(written)
        line, problems = line_of(attempt, words_of(elements), elements)
        yield from mended(line.plies)
        yield from problems


def _best_attempt(game: PdnGame, ways: Sequence[Reading]) -> tuple[Attempt | None, str]:
    """The reading that gets furthest; the first of those that read everything. Or why no start can be read."""
    best: Attempt | None = None
    refusal = ""
    words: tuple[Token, ...] | None = None
    for reading in ways:
        try:
            positions = starts(reading, game)
        except RulesError as error:
            refusal = refusal or str(error)
            continue
        for start in positions:
            attempt = quick_reading(reading, start, game.written)
            if attempt is None:
                words = words_of(game.moves) if words is None else words
                attempt = longest_reading(reading, start, words)
            if best is None or attempt.reached > best.reached:
                best = attempt
            if attempt.is_complete:
                return attempt, ""
    return best, refusal


def _without_the_tags(
    game: PdnGame, best: Attempt | None, likely: tuple[str, ...]
) -> tuple[Attempt | None, list[PdnProblem]]:
    """Another reading than that of the tags, if they are no help and it makes everything legal."""
    if best is not None and best.reached > _HARDLY_ANY and not best.reading.turned:
        return best, []
    other, _ = _best_attempt(game, other_readings(game, likely))
    if other is None or not other.is_complete or (best is not None and other.reached <= best.reached + 1):
        return best, []
    tag = "GameType" if game.tag("GameType") else "Variant"
    line, column = game.tag_place(tag)
    message = (
        f"saw {tag} {game.tag(tag)!r}, under which the moves are not legal; "
        f"all of them are in {other.reading.variant.name}, which it is read as"
    )
    return other, [PdnProblem(line, column, 0, "", message)]


def _with_open_variation(best: Attempt, written: tuple[PdnElement, ...]) -> tuple[Attempt, tuple[PdnElement, ...]]:
    """Takes the rest of the game out of a variation whose closing bracket is missing, if it can be played on."""
    last = written[-1] if written else None
    if not isinstance(last, PdnVariation) or last.closed or not best.is_complete:
        return best, written
    chosen = (best, written)
    before, inside = expanded_elements(written[:-1]), last.elements
    cuts = [k for k, e in enumerate(inside) if k > 0 and isinstance(e, Token) and e.kind is TokenKind.NUMBER]
    for cut in cuts[:_SPLITS]:
        longer = (*before, PdnVariation(inside[:cut], last.line, last.column), *inside[cut:])
        attempt = longest_reading(best.reading, best.start, words_of(longer))
        if attempt.reached > chosen[0].reached:
            chosen = (attempt, longer)
        if attempt.is_complete:
            break
    return chosen
