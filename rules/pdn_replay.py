"""A written game played through by the rules: what is legal of it, and where and why the rest is not."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from rules.errors import PdnError, RulesError
from rules.fen import fen
from rules.legal_moves import legal_moves, play
from rules.move import Move
from rules.notation import move_text
from rules.pdn_inference import positions_of_fen, readings, starts
from rules.pdn_matching import Reading, fitting
from rules.pdn_reader import PdnGame, PdnProblem
from rules.pdn_tokens import Token, TokenKind
from rules.piece import Side
from rules.position import Position
from rules.variant import Variant, start_position

_SPARE_NODES = 2000
"""Moves tried beyond one per move written before the search for another reading is given up."""
_PLAYED = (TokenKind.MOVE, TokenKind.SETUP, TokenKind.UNKNOWN)


@dataclass(frozen=True, slots=True)
class Ply:
    """One move as played. `move` is None for a set-up, or for an illegal move that a set-up follows."""

    move: Move | None
    text: str
    position: Position
    """The position after it."""
    comments: tuple[str, ...] = ()
    line: int = 0
    column: int = 0


@dataclass(frozen=True, slots=True)
class ReplayedGame:
    """The legal part of a game. `result` is the closing token, or else the Result tag."""

    variant: Variant
    start: Position
    plies: tuple[Ply, ...]
    result: str
    problems: tuple[PdnProblem, ...]

    @property
    def moves(self) -> tuple[Move, ...]:
        return tuple(ply.move for ply in self.plies if ply.move is not None)


@dataclass(frozen=True, slots=True)
class _Step:
    """One way to go on: what is played, where that leads, and how many tokens it uses up."""

    move: Move | None
    position: Position
    used: int


@dataclass(frozen=True, slots=True)
class _Attempt:
    reading: Reading
    start: Position
    steps: tuple[_Step, ...]
    reached: int
    """Tokens read."""


def replay(game: PdnGame, variant: Variant | None = None) -> ReplayedGame:
    """Plays a game through under the given variant, or under the one that makes most of it legal."""
    try:
        return _replayed(game, variant)
    except PdnError:
        raise
    except RulesError as error:
        raise PdnError(f"line {game.line}: {error}") from error


def _replayed(game: PdnGame, variant: Variant | None) -> ReplayedGame:
    words = _words(game)
    best, refusal = _best_attempt(game, words, variant)
    problems = list(game.problems)
    if best is None:
        reading = readings(game, variant)[0]
        problems.append(PdnProblem(game.line, 1, 0, "", f"the FEN tag cannot be read: {refusal}"))
        best = _Attempt(reading, start_position(reading.variant), (), len(words))
    plies = _plies(best, words, _remarks(game))
    position = plies[-1].position if plies else best.start
    if best.reached < len(words):
        problems.append(_illegal(best, position, words[best.reached], len(plies)))
    problems.extend(_repeated(plies))
    result = game.result or game.tag("Result")
    return ReplayedGame(best.reading.variant, best.start, plies, result, tuple(problems))


def _words(game: PdnGame) -> tuple[Token, ...]:
    """What is played of the main line. Dots before a move only say that it is Black's, or that Black begins."""
    words = [e for e in game.moves if isinstance(e, Token) and e.kind in _PLAYED]
    while words and words[-1].kind is TokenKind.UNKNOWN:
        words.pop()
    return tuple(
        word
        for place, word in enumerate(words)
        if word.kind is not TokenKind.UNKNOWN or (place > 0 and word.text != "...")
    )


def _best_attempt(game: PdnGame, words: tuple[Token, ...], variant: Variant | None) -> tuple[_Attempt | None, str]:
    best: _Attempt | None = None
    refusal = ""
    for reading in readings(game, variant):
        try:
            positions = starts(reading, game)
        except RulesError as error:
            refusal = refusal or str(error)
            continue
        for start in positions:
            attempt = _attempt(reading, start, words)
            if best is None or attempt.reached > best.reached:
                best = attempt
            if attempt.reached == len(words):
                return attempt, ""
    return best, refusal


def _attempt(reading: Reading, start: Position, words: tuple[Token, ...]) -> _Attempt:
    """The longest legal reading of the words: every meaning of a short capture is tried, within a bound."""
    points = tuple(reading.points(w.text) if w.kind is TokenKind.MOVE else () for w in words)
    budget = len(words) + _SPARE_NODES
    steps: list[_Step] = []
    best: tuple[_Step, ...] = ()
    reached = at = 0
    open_ways: list[Iterator[_Step]] = [_ways(reading, start, words, points, 0)]
    while open_ways and budget:
        budget -= 1
        step = next(open_ways[-1], None)
        if step is None:
            open_ways.pop()
            if steps:
                at -= steps.pop().used
            continue
        steps.append(step)
        at += step.used
        if at > reached:
            reached, best = at, tuple(steps)
        if at == len(words):
            break
        open_ways.append(_ways(reading, step.position, words, points, at))
    return _Attempt(reading, start, best, reached)


def _ways(
    reading: Reading, position: Position, words: tuple[Token, ...], points: tuple[tuple[int, ...], ...], at: int
) -> Iterator[_Step]:
    """The ways to go on from a position at word `at`."""
    if at >= len(words) or words[at].kind is TokenKind.UNKNOWN:
        return
    if words[at].kind is TokenKind.SETUP:
        for placed in _set_up(reading.variant, position, words[at].text):
            yield _Step(None, placed, 1)
        return
    found = False
    for move, used in _meant(reading.variant, position, points, at):
        found = True
        yield _Step(move, play(reading.variant, position, move), used)
    if not found and at + 1 < len(words) and words[at + 1].kind is TokenKind.SETUP:
        yield _Step(None, position, 1)


def _meant(
    variant: Variant, position: Position, points: tuple[tuple[int, ...], ...], at: int
) -> Iterator[tuple[Move, int]]:
    """Moves that the words from `at` may mean; some sites write each jump of a capture as a move of its own."""
    joined = points[at]
    moves = fitting(variant, position, joined)
    if moves:
        yield from ((move, 1) for move in moves)
        return
    for last in range(at + 1, min(at + 12, len(points))):
        if not joined or not points[last] or points[last][0] != joined[-1]:
            return
        joined = joined + points[last][1:]
        for move in fitting(variant, position, joined):
            yield move, last - at + 1


def _set_up(variant: Variant, position: Position, text: str) -> tuple[Position, ...]:
    """The position of a set-up; `B::` only hands over the turn."""
    bare = text.replace(" ", "").rstrip(".")
    if bare in ("W::", "B::", "W:", "B:", "W:W:B", "B:W:B"):
        return (replace(position, to_move=Side(bare[0])),)
    try:
        return positions_of_fen(variant, text)
    except RulesError:
        return ()


def _remarks(game: PdnGame) -> dict[tuple[int, int], tuple[str, ...]]:
    """Comments by the place of the word they follow; those before the first move belong to (0, 0)."""
    found: dict[tuple[int, int], tuple[str, ...]] = {}
    place = (0, 0)
    for element in game.moves:
        if not isinstance(element, Token):
            continue
        if element.kind in _PLAYED:
            place = (element.line, element.column)
        elif element.kind is TokenKind.COMMENT:
            found[place] = (*found.get(place, ()), element.text)
    return found


def _plies(
    attempt: _Attempt, words: tuple[Token, ...], remarks: dict[tuple[int, int], tuple[str, ...]]
) -> tuple[Ply, ...]:
    plies = []
    at = 0
    for step in attempt.steps:
        used = words[at : at + step.used]
        comments = tuple(text for word in used for text in remarks.get((word.line, word.column), ()))
        text = " ".join(word.text for word in used)
        plies.append(Ply(step.move, text, step.position, comments, used[0].line, used[0].column))
        at += step.used
    return tuple(plies)


def _repeated(plies: tuple[Ply, ...]) -> Iterator[PdnProblem]:
    """Illegal moves that the record mends by a set-up."""
    for number, ply in enumerate(plies, start=1):
        following = plies[number] if number < len(plies) else None
        if ply.move is None and following is not None and following.move is None and following.column != ply.column:
            message = f"saw {ply.text!r}, which is not legal; the set-up after it counts"
            yield PdnProblem(ply.line, ply.column, number, "", message)


def _illegal(attempt: _Attempt, position: Position, word: Token, ply: int) -> PdnProblem:
    variant = attempt.reading.variant
    moves = legal_moves(variant, position)
    if word.kind is TokenKind.UNKNOWN:
        expected = "expected a move; nothing after it can be read"
    elif word.kind is TokenKind.SETUP:
        expected = "which is no position of this game; nothing after it can be read"
    elif not moves:
        expected = f"but {position.to_move.name} has no legal move: the game is over"
    else:
        due = ", ".join(move_text(variant, position, move) for move in moves[:8])
        expected = f"which is not legal in {variant.name}; {position.to_move.name} may play {due}"
    message = f"saw {word.text!r}, {expected}"
    return PdnProblem(word.line, word.column, ply + 1, fen(variant, position), message)
