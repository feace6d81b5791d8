"""A written game as plies with everything that is written around them: comments, marks and side lines."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from rules.legal_moves import play
from rules.move import Move
from rules.pdn_clocks import Clocks, clocks_in
from rules.pdn_reader import PdnElement, PdnProblem, PdnVariation
from rules.pdn_refusals import mended, refused
from rules.pdn_search import Attempt, longest_reading
from rules.pdn_tokens import Token, TokenKind
from rules.position import Position

_PLAYED = (TokenKind.MOVE, TokenKind.SETUP, TokenKind.UNKNOWN)
_NOTED = (TokenKind.COMMENT, TokenKind.NAG, TokenKind.STRENGTH)
_AROUND = {TokenKind.COMMENT: "{%s}", TokenKind.SETUP: '/FEN "%s"/'}


@dataclass(frozen=True, slots=True)
class Ply:
    """One move as played. `move` is None for a set-up, or for an illegal move that a set-up follows."""

    move: Move | None
    text: str
    position: Position
    """The position after it."""
    notes: "tuple[Note, ...]" = ()
    """Comments, marks and side lines that follow it, in order; a side line may take its place."""
    line: int = 0
    column: int = 0
    is_setup: bool = False

    @property
    def comments(self) -> tuple[str, ...]:
        return comments_among(self.notes)

    @property
    def clocks(self) -> Clocks | None:
        """What the clocks showed after the move, if a comment says so."""
        mover = self.position.to_move.opponent
        return next((clocks for text in self.comments if (clocks := clocks_in(text, mover)) is not None), None)


@dataclass(frozen=True, slots=True)
class Line:
    """Plies from a position. `opening` stands before the first; `rest` is the written text that cannot be played."""

    start: Position
    plies: tuple[Ply, ...]
    opening: "tuple[Note, ...]" = ()
    rest: str = ""


Note = Token | Line


def comments_among(notes: Iterable[Note]) -> tuple[str, ...]:
    return tuple(note.text for note in notes if isinstance(note, Token) and note.kind is TokenKind.COMMENT)


def words_of(elements: Iterable[PdnElement]) -> tuple[Token, ...]:
    """What is played of a line. Dots before a move only say that it is Black's, or that Black begins."""
    words = [e for e in elements if isinstance(e, Token) and e.kind in _PLAYED]
    if not any(word.kind is TokenKind.UNKNOWN for word in words):
        return tuple(words)
    while words and words[-1].kind is TokenKind.UNKNOWN:
        words.pop()
    return tuple(
        word
        for place, word in enumerate(words)
        if word.kind is not TokenKind.UNKNOWN or (place > 0 and word.text != "...")
    )


def line_of(attempt: Attempt, words: Sequence[Token], elements: Sequence[PdnElement]) -> tuple[Line, list[PdnProblem]]:
    """The plies of an attempt with their notes, and what is wrong in the side lines."""
    plies = list(_bare_plies(attempt, words))
    places: dict[tuple[int, int], int] = {}
    at = number = 0
    for step in attempt.steps:
        for k in range(step.used):
            places[words[at + k].line, words[at + k].column] = number + (k if step.plies > 1 else 0)
        at, number = at + step.used, number + step.plies
    ends = {(word.line, word.column) for word in words[attempt.reached : attempt.reached + 1]}
    notes: list[list[Note]] = [[] for _ in range(len(plies) + 1)]
    problems: list[PdnProblem] = []
    current = -1
    for place, element in enumerate(elements):
        if isinstance(element, PdnVariation):
            side_line = _side_line(attempt, plies, current, element)
            notes[current + 1].append(side_line[0])
            problems.extend(side_line[1])
        elif (element.line, element.column) in ends:
            noted = tuple(replace(ply, notes=tuple(notes[k + 1])) for k, ply in enumerate(plies))
            return Line(attempt.start, noted, tuple(notes[0]), text_of_elements(elements[place:])), problems
        elif element.kind in _NOTED:
            notes[current + 1].append(element)
        elif element.kind is TokenKind.JUNK:
            _keep(element, notes[current + 1], elements[place - 1] if place else None)
        else:
            current = places.get((element.line, element.column), current)
    noted = tuple(replace(ply, notes=tuple(notes[k + 1])) if notes[k + 1] else ply for k, ply in enumerate(plies))
    return Line(attempt.start, noted, tuple(notes[0])), problems


def _keep(stray: Token, notes: list[Note], before: PdnElement | None) -> None:
    """Keeps a stray word as a comment, together with the stray words before it."""
    if not any(letter.isalnum() for letter in stray.text):
        return
    last = notes[-1] if notes else None
    follows = isinstance(before, Token) and before.kind is TokenKind.JUNK
    if follows and isinstance(last, Token) and last.kind is TokenKind.COMMENT:
        notes[-1] = last._replace(text=f"{last.text} {stray.text}")
    else:
        notes.append(stray._replace(kind=TokenKind.COMMENT))


def _bare_plies(attempt: Attempt, words: Sequence[Token]) -> Iterator[Ply]:
    position, at = attempt.start, 0
    for step in attempt.steps:
        each = 1 if step.plies > 1 else step.used
        moves = step.moves
        for k, move in enumerate(moves):
            if move is None or k == len(moves) - 1:
                position = step.position
            else:
                position = play(attempt.reading.variant, position, move)
            used = words[at : at + each]
            text = " ".join(word.text for word in used)
            yield Ply(move, text, position, (), used[0].line, used[0].column, used[0].kind is TokenKind.SETUP)
            at += each


def _side_line(
    attempt: Attempt, plies: Sequence[Ply], current: int, variation: PdnVariation
) -> tuple[Line, list[PdnProblem]]:
    """A variation from before the ply it follows or, if that reads further, from after it."""
    words = words_of(variation.elements)
    after = plies[current].position if current >= 0 else attempt.start
    before = plies[current - 1].position if current >= 1 else attempt.start
    tries = [longest_reading(attempt.reading, start, words) for start in dict.fromkeys((before, after))]
    best = max(tries, key=lambda one: one.reached)
    line, problems = line_of(best, words, variation.elements)
    ply = current + 1 if best.start is after else max(current, 0)
    problems[:0] = [replace(found, ply=found.ply + ply) for found in mended(line.plies)]
    if not best.is_complete:
        found = refused(best, words, len(line.plies))
        problems.insert(0, replace(found, ply=found.ply + ply, message=f"in a variation: {found.message}"))
    return line, problems


def text_of_elements(elements: Sequence[PdnElement]) -> str:
    """The words as they stand in a file."""
    return " ".join(_written(element) for element in elements)


def _written(element: PdnElement) -> str:
    if isinstance(element, PdnVariation):
        return f"({text_of_elements(element.elements)})"
    return _AROUND.get(element.kind, "%s") % element.text
