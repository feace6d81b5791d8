"""Games out of PDN text of any quality, one at a time."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from rules.pdn_tokens import Token, TokenKind, decode, tokens_of

__all__ = ["PdnElement", "PdnGame", "PdnProblem", "PdnVariation", "decode", "read_games"]

_DEEPEST = 64


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
    """A side line in round brackets."""

    elements: "tuple[PdnElement, ...]"
    line: int
    column: int


PdnElement = Token | PdnVariation


@dataclass(frozen=True, slots=True)
class PdnGame:
    """A game as written: nothing is checked against the rules of any game."""

    tags: tuple[tuple[str, str], ...]
    moves: tuple[PdnElement, ...]
    """Moves, numbers, comments, set-ups, marks and variations in order."""
    result: str
    """The closing token; empty if the game has none."""
    line: int
    problems: tuple[PdnProblem, ...] = ()

    def tag(self, name: str) -> str:
        """The value of a tag, capitals forgiven; empty if there is none."""
        return next((value for key, value in self.tags if key.lower() == name.lower()), "")


@dataclass(slots=True)
class _Draft:
    """A game while it is being read."""

    line: int
    tags: list[tuple[str, str]] = field(default_factory=list)
    levels: list[list[PdnElement]] = field(default_factory=lambda: [[]])
    opened: list[Token] = field(default_factory=list)
    result: str = ""
    problems: list[PdnProblem] = field(default_factory=list)

    @property
    def is_empty(self) -> bool:
        only_remarks = all(isinstance(e, Token) and e.kind in _SILENT for e in self.levels[0])
        return not self.tags and only_remarks and not self.opened

    def complain(self, token: Token, message: str) -> None:
        self.problems.append(PdnProblem(token.line, token.column, 0, "", message))

    def close_variation(self) -> None:
        start = self.opened.pop()
        elements = tuple(self.levels.pop())
        self.levels[-1].append(PdnVariation(elements, start.line, start.column))

    def finished(self) -> PdnGame:
        for start in self.opened:
            self.complain(start, "saw '(' without its ')'; expected every variation to be closed")
        while self.opened:
            self.close_variation()
        if not self.result:
            self._take_result_that_looks_like_a_move()
        return PdnGame(tuple(self.tags), tuple(self.levels[0]), self.result, self.line, tuple(self.problems))

    def _take_result_that_looks_like_a_move(self) -> None:
        """Scores such as 4-6 look like a move; the Result tag tells them apart."""
        told = next((value for name, value in self.tags if name.lower() == "result"), "")
        last = self.levels[0][-1] if self.levels[0] else None
        if isinstance(last, Token) and last.kind is TokenKind.MOVE and last.text == told:
            self.result = told
            self.levels[0].pop()


_SILENT = (TokenKind.COMMENT, TokenKind.JUNK, TokenKind.NAG, TokenKind.STRENGTH)


def read_games(text_chunks: Iterable[str]) -> Iterator[PdnGame]:
    """Every game of a text, in order, holding one game at a time. No text is refused; see each game's problems."""
    draft: _Draft | None = None
    for token in tokens_of(text_chunks):
        if draft is None:
            draft = _Draft(token.line)
        if token.kind is TokenKind.TAG and _begins_a_game(draft, token):
            yield draft.finished()
            draft = _Draft(token.line)
        if token.kind is TokenKind.RESULT and not draft.opened:
            draft.result = token.text
            yield draft.finished()
            draft = None
            continue
        _take(draft, token)
    if draft is not None and not draft.is_empty:
        yield draft.finished()


def _begins_a_game(draft: _Draft, token: Token) -> bool:
    if draft.is_empty:
        return False
    if len(draft.levels[0]) > 0 or draft.opened:
        return True
    names = [name for name, _ in draft.tags]
    # A header may name its Event twice; one that already has its position or result is a game without moves.
    return names[:1] == [token.name] and ("FEN" in names or "Result" in names)


def _take(draft: _Draft, token: Token) -> None:
    match token.kind:
        case TokenKind.TAG:
            draft.tags.append((token.name, token.text))
        case TokenKind.OPEN if len(draft.opened) < _DEEPEST:
            draft.opened.append(token)
            draft.levels.append([])
        case TokenKind.CLOSE if draft.opened:
            draft.close_variation()
        case TokenKind.OPEN | TokenKind.CLOSE | TokenKind.JUNK:
            draft.complain(token, f"saw {token.text[:40]!r}; expected a move, a comment or a result; it is passed over")
            draft.levels[-1].append(Token(TokenKind.JUNK, token.text, token.line, token.column))
        case _:
            draft.levels[-1].append(token)
