"""The kernel put to reading: written moves played in one go until one of them needs thought."""

from array import array
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import chain
from typing import Any

import numpy as np

from rules.kernel import compiled, layout
from rules.kernel.compiled import Entry
from rules.kernel.follow import follow_text
from rules.kernel.lattice import sets_of
from rules.kernel.tables import tables_of
from rules.move import Move
from rules.pdn_matching import Reading
from rules.perft import runs_of
from rules.piece import Side
from rules.placement import Placement
from rules.position import KingRun, Position
from rules.variant import Variant

_MOVES_AT_ONCE = 400
_WORDS_AT_ONCE = 1_000
_FILLED_PER_WORD = 12
_NONE_PLAYED = b""
_NO_TEXT = np.zeros(0, dtype=np.int64)


class _Desk:
    """The arrays in which the kernel plays on from positions. Only one reading at a time may use it."""

    def __init__(self, is_compiled: bool) -> None:
        self.is_compiled = is_compiled
        self._out = self._blank(_MOVES_AT_ONCE * layout.RECORD)
        self._tally, self._work = self._blank(layout.TALLY_SIZE), self._blank(layout.WORK_SIZE)
        self._tally[layout.ROOM] = len(self._out)
        self._plies, self._control = self._blank(2 * layout.PLY), self._blank(layout.FOLLOW_SIZE)
        self._played = self._blank(0)
        self.words = self._blank(0)
        self.make_room(_WORDS_AT_ONCE)

    def make_room(self, words: int) -> None:
        """Room for so many integers of words, and for the moves they may mean."""
        if words > len(self.words):
            self.words = self._blank(words)
            self._played = self._blank(_FILLED_PER_WORD * words + 2 * layout.RECORD)

    def _blank(self, size: int) -> Any:
        return np.zeros(size, dtype=np.int64) if self.is_compiled else [0] * size

    def play(
        self, variant: Variant, position: Position, span: tuple[int, int], *words: Any
    ) -> tuple[int, bytes, Position]:
        """What can be played of a span of words: how many moves, what `moves_in` unpacks, where they lead.

        `words` are a text, its squares and room for the words in it; or two empty ones and the words.
        """
        run: Entry = (compiled.follow_text() if self.is_compiled else None) or follow_text
        pieces, control, plies = position.placement.pieces, self._control, self._plies
        cells = np.frombuffer(pieces, dtype=np.uint8).astype(np.int64) if self.is_compiled else list(pieces)
        plies[layout.RUNS : layout.RUNS + 4] = runs_of(position)
        control[layout.FOLLOW_SIDE] = 0 if position.to_move is Side.WHITE else 1
        control[layout.FOLLOW_AT], control[layout.FOLLOW_UNTIL] = span
        control[layout.FOLLOW_LETTERS], control[layout.FOLLOW_ROOM] = len(words[0]), len(self._played)
        tables = _tables(variant, self.is_compiled)
        done = run(cells, *tables, self._out, self._tally, self._work, plies, *words, self._played, control)
        if done <= 0:
            return int(done), _NONE_PLAYED, position
        played = self._played[: int(control[layout.FOLLOW_FILLED])]
        packed = played.tobytes() if self.is_compiled else array("q", played).tobytes()
        return int(done), packed, _position(cells, control, plies)


_idle: list[_Desk] = []
"""Desks no reading uses: making one costs as much as reading a few games. Taking and leaving one is atomic."""


def _take_desk() -> _Desk:
    is_compiled = compiled.follow_text() is not None
    while _idle:
        try:
            desk = _idle.pop()
        except IndexError:
            break
        if desk.is_compiled == is_compiled:
            return desk
    return _Desk(is_compiled)


@lru_cache(maxsize=64)
def _tables(variant: Variant, is_compiled: bool) -> tuple[Any, ...]:
    tables, sets = tables_of(variant), sets_of(variant)
    if is_compiled:
        return (*tables.arrays, sets[1])
    return (tables.neighbours, tables.masks, tables.crown, tables.rules, sets[0])


class Follower:
    """Plays the words of one game; `codes` are those of Reading.codes, one per word."""

    def __init__(self, variant: Variant, codes: Sequence[tuple[int, ...]]) -> None:
        self._variant = variant
        self._offsets = [0]
        for code in codes:
            self._offsets.append(self._offsets[-1] + len(code))
        self._words = list(chain.from_iterable(codes))
        self._array = np.array(self._words, dtype=np.int64)

    def play_on(self, position: Position, word: int) -> tuple[int, bytes, Position]:
        """Moves played from the word on, what `moves_in` unpacks, and the position after them."""
        desk = _take_desk()
        try:
            desk.make_room(len(self._words))
            nothing, words = (_NO_TEXT, self._array) if desk.is_compiled else ([], self._words)
            span = (self._offsets[word], len(self._words))
            return desk.play(self._variant, position, span, nothing, nothing, words)
        finally:
            _idle.append(desk)


def played_text(reading: Reading, position: Position, text: str) -> tuple[int, bytes, Position]:
    """The plain moves of a text as by Follower; -1 if one of them is not legal or has several meanings."""
    desk = _take_desk()
    try:
        desk.make_room(len(text) + 2)
        letters = text.encode("ascii")
        if desk.is_compiled:
            raw = np.frombuffer(letters, dtype=np.uint8).astype(np.int64)
            return desk.play(reading.variant, position, (0, 0), raw, _squares(reading), desk.words)
        return desk.play(reading.variant, position, (0, 0), list(letters), _squares(reading).tolist(), desk.words)
    finally:
        _idle.append(desk)


@lru_cache(maxsize=64)
def _squares(reading: Reading) -> Any:
    """The point of every square as the kernel's lexer looks it up."""
    texts = [str(number) for number in range(layout.NUMBERS)]
    texts += [f"{chr(97 + k)}{row}" for k in range(20) for row in range(layout.LETTER_ROWS)]
    found = [points[0] if len(points := reading.points_of(text)) == 1 else -1 for text in texts]
    return np.array(found + [-1] * (layout.SQUARES_SIZE - len(found)), dtype=np.int64)


def _position(cells: Any, control: Any, plies: Any) -> Position:
    side = Side.WHITE if control[layout.FOLLOW_SIDE] == 0 else Side.BLACK
    white, black = (
        KingRun(int(plies[k]), int(plies[k + 1])) if plies[k] >= 0 else None for k in (layout.RUNS, layout.RUNS + 2)
    )
    placement = Placement(bytes(cells) if isinstance(cells, list) else cells.astype(np.uint8).tobytes())
    return Position(placement, side, white, black)


def moves_in(packed: bytes) -> Iterator[Move]:
    """The moves that `play_on` wrote down."""
    flat = array("q", packed).tolist()
    at = 0
    while at < len(flat):
        promotes, stops, taken = flat[at : at + 3]
        middle = at + 3 + stops
        yield Move(tuple(flat[at + 3 : middle]), tuple(flat[middle : middle + taken]), bool(promotes))
        at = middle + taken
