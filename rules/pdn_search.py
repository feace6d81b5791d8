"""The longest legal reading of the moves of a game: every meaning of a short capture is tried, within a bound."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from rules.errors import RulesError
from rules.legal_moves import play
from rules.move import Move
from rules.pdn_fen import positions_of_fen
from rules.pdn_following import Follower, moves_in, played_text
from rules.pdn_matching import PLAIN, Reading, fitting
from rules.pdn_reader import PdnElement, PdnVariation
from rules.pdn_tokens import Token, TokenKind
from rules.piece import Side
from rules.position import Position
from rules.variant import Variant

_SPARE_NODES = 2000
"""Moves tried beyond one per move written before the search for another reading is given up."""
_HOPS = 12
_NEEDS_THOUGHT = (TokenKind.SETUP, TokenKind.UNKNOWN)
_NO_MOVE = "0-0"
_NO_CODE = (0,)


@dataclass(frozen=True, slots=True)
class Step:
    """One way to go on: where it leads, how many words it uses up and how many plies those are."""

    position: Position
    used: int = 1
    plies: int = 1
    move: Move | None = None
    """The move if it is one ply; None for a set-up, and for an illegal move that a set-up follows."""
    packed: bytes = b""
    """Several moves of one word each, packed as by Follower."""
    mended: bool = False
    """An illegal move that a set-up follows."""

    @property
    def moves(self) -> tuple[Move | None, ...]:
        return tuple(moves_in(self.packed)) if self.packed else (self.move,)


@dataclass(frozen=True, slots=True)
class Attempt:
    """How far one reading of a game gets from a position."""

    reading: Reading
    start: Position
    steps: tuple[Step, ...]
    reached: int
    """Words read."""
    is_complete: bool
    """Whether those are all there are."""

    @property
    def end(self) -> Position:
        return self.steps[-1].position if self.steps else self.start

    @property
    def plies(self) -> int:
        return sum(step.plies for step in self.steps)


class _Search:
    """The ways on from a word in a position, for one reading of one game."""

    def __init__(self, reading: Reading, words: Sequence[Token]) -> None:
        self.variant = reading.variant
        self.words = words
        codes = reading.codes
        self.codes = [codes[word.text] if word.kind is TokenKind.MOVE else _NO_CODE for word in words]
        self.follower = Follower(reading.variant, self.codes)

    def ways(self, position: Position, at: int) -> Iterator[Step]:
        if at >= len(self.words) or self.words[at].kind is TokenKind.UNKNOWN:
            return
        if self.words[at].kind is TokenKind.SETUP:
            for placed in set_up(self.variant, position, self.words[at].text):
                yield Step(placed)
            return
        done, packed, after = self.follower.play_on(position, at)
        if done:
            yield Step(after, done, done, None, packed)
            return
        found = False
        for move, used in self._meant(position, at):
            found = True
            yield Step(play(self.variant, position, move), used, move=move)
        if not found and at + 1 < len(self.words) and self.words[at + 1].kind is TokenKind.SETUP:
            yield Step(position, mended=True)

    def _meant(self, position: Position, at: int) -> Iterator[tuple[Move, int]]:
        """Moves that the words from `at` may mean; some sites write each jump of a capture as a move of its own."""
        joined = self.codes[at][1:]
        moves = fitting(self.variant, position, joined)
        if moves:
            yield from ((move, 1) for move in moves)
            return
        for last in range(at + 1, min(at + _HOPS, len(self.codes))):
            hop = self.codes[last][1:]
            if not joined or not hop or hop[0] != joined[-1]:
                return
            joined = joined + hop[1:]
            for move in fitting(self.variant, position, joined):
                yield move, last - at + 1


def longest_reading(reading: Reading, start: Position, words: Sequence[Token]) -> Attempt:
    """The longest legal reading of the words from a position."""
    search = _Search(reading, words)
    budget = len(words) + _SPARE_NODES
    steps: list[Step] = []
    best: tuple[Step, ...] = ()
    reached = at = 0
    open_ways = [search.ways(start, 0)]
    while open_ways and budget > 0:
        step = next(open_ways[-1], None)
        if step is None:
            open_ways.pop()
            if steps:
                at -= steps.pop().used
            continue
        budget -= step.plies
        steps.append(step)
        at += step.used
        if at > reached:
            reached, best = at, tuple(steps)
        if at == len(words):
            break
        open_ways.append(search.ways(step.position, at))
    return Attempt(reading, start, best, reached, reached == len(words))


def quick_reading(reading: Reading, start: Position, elements: Iterable[PdnElement]) -> Attempt | None:
    """The reading of a game in which every move is written plainly and can mean one only; None of any other."""
    texts = []
    for element in elements:
        if isinstance(element, PdnVariation) or element.kind in _NEEDS_THOUGHT:
            return None
        if element.kind is TokenKind.STRETCH:
            texts.append(element.text)
        elif element.kind is TokenKind.MOVE:
            texts.append(PLAIN[element.text] or _NO_MOVE)
    text = " ".join(texts)
    if not text or not text.isascii():
        return None
    done, packed, end = played_text(reading, start, text)
    if done <= 0:
        return None
    return Attempt(reading, start, (Step(end, done, done, None, packed),), done, True)


def set_up(variant: Variant, position: Position, text: str) -> tuple[Position, ...]:
    """The position of a set-up; `B::` only hands over the turn."""
    bare = text.replace(" ", "").rstrip(".")
    if bare in ("W::", "B::", "W:", "B:"):
        return (replace(position, to_move=Side(bare[0])),)
    try:
        return positions_of_fen(variant, text)
    except RulesError:
        return ()
