"""Games out of PDN text of any quality, one at a time."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain

from rules.pdn_encoding import decode
from rules.pdn_tokens import Token, TokenKind, expanded, tokens_of

__all__ = ["PdnElement", "PdnGame", "PdnProblem", "PdnVariation", "decode", "read_games"]

_DEEPEST = 64
_LONGEST_GAME = 100_000
"""Words of one game; more are read as the next game, so that memory and time are bounded."""

_LETTERS_A_WORD = 6


@dataclass(frozen=True, slots=True)
class PdnProblem:
    """Something wrong in a game: where (from 1), after how many plies, in which position (FEN), and what."""

    line: int
    column: int
    ply: int
    fen: str
    message: str


@dataclass(frozen=True, slots=True)
class PdnVariation:
    """A side line in round brackets; `closed` is false if its closing bracket is missing."""

    elements: "tuple[PdnElement, ...]"
    line: int
    column: int
    closed: bool = True


PdnElement = Token | PdnVariation


@dataclass(frozen=True)
class PdnGame:
    """A game as written: nothing is checked against the rules of any game."""

    tags: tuple[tuple[str, str], ...]
    written: tuple[PdnElement, ...]
    """What follows the tags, plain moves still in one piece; see `moves`."""
    result: str
    """The closing token; empty if the game has none."""
    line: int
    problems: tuple[PdnProblem, ...] = ()
    """What may have lost something, such as a bracket that is never closed."""
    notes: tuple[PdnProblem, ...] = ()
    """What was passed over without harm, such as a stray word."""
    places: tuple[tuple[int, int], ...] = ()
    """Line and column of each tag."""

    @cached_property
    def moves(self) -> tuple[PdnElement, ...]:
        """Moves, numbers, comments, set-ups, marks and variations in order."""
        return expanded_elements(self.written)

    def tag(self, name: str) -> str:
        """The value of a tag, capitals forgiven; empty if there is none."""
        return self._values.get(name.lower(), "")

    @cached_property
    def _values(self) -> dict[str, str]:
        return {key.lower(): value for key, value in reversed(self.tags)}

    def tag_place(self, name: str) -> tuple[int, int]:
        """Line and column of a tag, or of the game if there is none of this name."""
        found = (place for (key, _), place in zip(self.tags, self.places, strict=False) if key.lower() == name.lower())
        return next(found, (self.line, 1))


@dataclass(slots=True)
class _Draft:
    """A game while it is being read."""

    line: int
    tags: list[tuple[str, str]] = field(default_factory=list)
    places: list[tuple[int, int]] = field(default_factory=list)
    levels: list[list[PdnElement]] = field(default_factory=lambda: [[]])
    opened: list[Token] = field(default_factory=list)
    result: str = ""
    problems: list[PdnProblem] = field(default_factory=list)
    notes: list[PdnProblem] = field(default_factory=list)
    words: int = 0

    @property
    def is_empty(self) -> bool:
        if self.tags or self.opened:
            return False
        return all(isinstance(e, Token) and e.kind in _SILENT for e in self.levels[0])

    def complain(self, token: Token, message: str) -> None:
        self.problems.append(PdnProblem(token.line, token.column, 0, "", message))

    def remark(self, token: Token, message: str) -> None:
        self.notes.append(PdnProblem(token.line, token.column, 0, "", message))

    def close_variation(self, *, closed: bool = True) -> None:
        start = self.opened.pop()
        elements = tuple(self.levels.pop())
        self.levels[-1].append(PdnVariation(elements, start.line, start.column, closed))

    def finished(self) -> PdnGame:
        for start in self.opened:
            self.complain(start, "saw '(' without its ')'; expected every variation to be closed")
        while self.opened:
            self.close_variation(closed=False)
        if not self.result:
            self._take_result_that_looks_like_a_move()
        self._complain_of_moves_not_understood()
        told = _tag_value(self.tags, "Result")
        if self.result not in ("", "*") and told not in ("", "*", "?", self.result) and "," not in told:
            place = Token(TokenKind.RESULT, self.result, self.line, 1)
            self.remark(place, f"saw the Result tag {told!r} but {self.result!r} at the end; both are kept")
        notes, problems = tuple(self.notes), tuple(self.problems)
        moves, places = tuple(self.levels[0]), tuple(self.places)
        return PdnGame(tuple(self.tags), moves, self.result, self.line, problems, notes, places)

    def _complain_of_moves_not_understood(self) -> None:
        """Words with numbers and not one move: a way of writing that is not known, which must not pass in silence."""
        strays = [
            e for e in self.levels[0] if isinstance(e, Token) and e.kind is TokenKind.JUNK and _DIGIT.search(e.text)
        ]
        if len(strays) < 2 or any(isinstance(e, PdnVariation) or e.kind in _PLAYABLE for e in self.levels[0]):
            return
        seen = " ".join(stray.text for stray in strays)[:40]
        self.complain(strays[0], f"saw no move that can be read, but {seen!r}; expected moves such as 32-28 or c3-d4")

    def _take_result_that_looks_like_a_move(self) -> None:
        """Scores such as 4-6 look like a move; the Result tag tells them apart."""
        told = _tag_value(self.tags, "Result")
        if not _MOVE_LIKE.match(told):
            return
        self.levels[0] = list(expanded_elements(self.levels[0]))
        last = self.levels[0][-1] if self.levels[0] else None
        same = isinstance(last, Token) and "".join(last.text.split()) == "".join(told.split())
        if isinstance(last, Token) and same and last.kind in (TokenKind.MOVE, TokenKind.JUNK):
            self.result = told
            self.levels[0].pop()
            self.notes = [note for note in self.notes if (note.line, note.column) != (last.line, last.column)]


_DIGIT = re.compile(r"\d")
_PLAYABLE = (TokenKind.MOVE, TokenKind.STRETCH, TokenKind.SETUP)
_NUMBERED = (TokenKind.NUMBER, TokenKind.STRETCH)
_FIRST_NUMBER = re.compile(r"1\s*\.(?!\s*\.)")
_LATER_NUMBER = re.compile(r"(?<!\S)(?:[2-9]|[1-9]\d+)\s*\.")
_RESTART = re.compile(r"\n[ \t]*(?=1\s*\.(?!\s*\.))")
_MOVE_LIKE = re.compile(r"\s*\d")
_COMMON = (TokenKind.MOVE, TokenKind.NUMBER, TokenKind.COMMENT)
_SILENT = (TokenKind.COMMENT, TokenKind.JUNK, TokenKind.NAG, TokenKind.STRENGTH)


def expanded_elements(elements: Iterable[PdnElement]) -> tuple[PdnElement, ...]:
    """The elements with stretches of plain moves made words."""
    return tuple(
        word for element in elements for word in (expanded(element) if isinstance(element, Token) else (element,))
    )


def _tag_value(tags: Iterable[tuple[str, str]], name: str) -> str:
    return next((value for key, value in tags if key.lower() == name.lower()), "")


def read_games(text_chunks: Iterable[str]) -> Iterator[PdnGame]:
    """Every game of a text, in order, holding one game at a time. No text is refused; see each game's problems."""
    draft: _Draft | None = None
    line = 0
    for token in chain.from_iterable(map(_cut_at_restarts, tokens_of(text_chunks))):
        if draft is None:
            draft = _Draft(token.line)
        kind = token.kind
        begins_a_line, line = token.line > line, token.line + token.text.rstrip().count("\n")
        if (kind is TokenKind.TAG and _begins_a_game(draft, token)) or (
            begins_a_line and kind in _NUMBERED and _counts_anew(draft, token)
        ):
            yield draft.finished()
            draft = _Draft(token.line)
        if kind is TokenKind.RESULT and _ends_the_game(draft, token):
            draft.result = token.text
            yield draft.finished()
            draft = None
            continue
        if kind is TokenKind.STRETCH:
            draft.levels[-1].extend(expanded(token) if draft.opened else (token,))
            draft.words += len(token.text) // _LETTERS_A_WORD
        elif kind in _COMMON:
            draft.levels[-1].append(token)
        else:
            _take(draft, token)
        draft.words += 1
        if draft.words >= _LONGEST_GAME:
            draft.complain(token, f"saw {_LONGEST_GAME} words in one game; what follows is read as the next one")
            yield draft.finished()
            draft = None
    if draft is not None and not draft.is_empty:
        yield draft.finished()


def _cut_at_restarts(token: Token) -> Iterator[Token]:
    """A stretch of moves cut where a line begins with move 1 again; any other token as it is."""
    if token.kind is not TokenKind.STRETCH or not _RESTART.search(token.text):
        yield token
        return
    at, line, column = 0, token.line, token.column
    for match in (*_RESTART.finditer(token.text), None):
        end = match.end() if match is not None else len(token.text)
        text = token.text[at:end]
        if text:
            yield token._replace(text=text, line=line, column=column)
        line, column = line + text.count("\n"), len(text) - text.rfind("\n") if "\n" in text else column
        at = end


def _counts_anew(draft: _Draft, token: Token) -> bool:
    """Whether a line that begins with move 1 begins another game: one without tags after one without a result."""
    if draft.opened or _FIRST_NUMBER.match(token.text) is None:
        return False
    return any(isinstance(e, Token) and e.kind in _NUMBERED and _LATER_NUMBER.search(e.text) for e in draft.levels[0])


def _ends_the_game(draft: _Draft, token: Token) -> bool:
    """A result ends the game; within a variation only a star does, which no variation has use for."""
    return not draft.opened or token.text == "*"


def _begins_a_game(draft: _Draft, token: Token) -> bool:
    if draft.levels[0] or draft.opened:
        return not draft.is_empty
    if not draft.tags or draft.tags[0][0] != token.name:
        return False
    names = [name for name, _ in draft.tags]
    # A header may name its Event twice; one that already has its position or result is a game without moves.
    return "FEN" in names or "Result" in names


def _take(draft: _Draft, token: Token) -> None:
    match token.kind:
        case TokenKind.TAG:
            draft.tags.append((token.name, token.text))
            draft.places.append((token.line, token.column))
            if not token.closed:
                draft.complain(token, f"saw the tag {token.name} without its end; expected a quotation mark and ']'")
        case TokenKind.OPEN if len(draft.opened) < _DEEPEST:
            draft.opened.append(token)
            draft.levels.append([])
        case TokenKind.CLOSE if draft.opened:
            draft.close_variation()
        case TokenKind.OPEN | TokenKind.CLOSE | TokenKind.JUNK:
            draft.remark(token, f"saw {token.text[:40]!r}; expected a move, a comment or a result; it is passed over")
            draft.levels[-1].append(token._replace(kind=TokenKind.JUNK))
        case TokenKind.BROKEN:
            draft.complain(token, "saw '{' without its '}'; what follows it up to the next game is read as a comment")
            draft.levels[-1].append(token._replace(kind=TokenKind.COMMENT))
        case _:
            draft.levels[-1].append(token)
