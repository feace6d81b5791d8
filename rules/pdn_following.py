"""The kernel put to reading: written moves played in one go until one of them needs thought."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import chain
from typing import Any

import numpy as np

from rules.kernel import compiled, layout
from rules.kernel.compiled import Entry
from rules.kernel.follow import follow, follow_text
from rules.kernel.tables import tables_of
from rules.move import Move
from rules.pdn_matching import Reading
from rules.perft import runs_of
from rules.piece import Side
from rules.placement import Placement
from rules.position import KingRun, Position
from rules.variant import Variant

_MOVES_AT_ONCE = 400
_FILLED_PER_WORD = 12


class Desk:
    """The arrays in which the kernel plays on from positions of one variant. Not for use by two threads."""

    def __init__(self, variant: Variant, words: int) -> None:
        self.is_compiled = compiled.follow_text() is not None
        self._tables = tables_of(variant)
        self._work = self.blank(layout.WORK_SIZE)
        self._out = self.blank(_MOVES_AT_ONCE * layout.RECORD)
        self._tally = self.blank(layout.TALLY_SIZE)
        self._played = self.blank(_FILLED_PER_WORD * words + 2 * layout.RECORD)

    def array(self, values: list[int]) -> Any:
        return np.array(values, dtype=np.int64) if self.is_compiled else values

    def blank(self, size: int) -> Any:
        return np.zeros(size, dtype=np.int64) if self.is_compiled else [0] * size

    def play(self, run: Entry, position: Position, at: int, *words: Any) -> tuple[int, list[int], Position]:
        """What `run` played of the words from `at`: how many moves, what `moves_in` unpacks, where they lead."""
        pieces = position.placement.pieces
        cells = np.frombuffer(pieces, dtype=np.uint8).astype(np.int64) if self.is_compiled else list(pieces)
        plies = self.blank(2 * layout.PLY)
        plies[layout.RUNS : layout.RUNS + 4] = runs_of(position)
        control = self.array([0 if position.to_move is Side.WHITE else 1, at, 0])
        tables = self._tables
        flat = tables.arrays if self.is_compiled else (tables.neighbours, tables.masks, tables.crown, tables.rules)
        done = run(cells, *flat, self._out, self._tally, self._work, plies, *words, self._played, control)
        if done <= 0:
            return int(done), [], position
        played = self._played[: int(control[layout.FOLLOW_FILLED])]
        return int(done), played.tolist() if self.is_compiled else played, _position(cells, control, plies)


class Follower:
    """Plays the words of one game; `codes` are those of Reading.codes, one per word."""

    def __init__(self, variant: Variant, codes: Sequence[tuple[int, ...]]) -> None:
        self._desk = Desk(variant, len(codes))
        self._offsets = [0]
        for code in codes:
            self._offsets.append(self._offsets[-1] + len(code))
        self._words = self._desk.array(list(chain.from_iterable(codes)))

    def play_on(self, position: Position, word: int) -> tuple[int, list[int], Position]:
        """Moves played from the word on, what `moves_in` unpacks, and the position after them."""
        return self._desk.play(compiled.follow() or follow, position, self._offsets[word], self._words)


def played_text(reading: Reading, position: Position, text: str) -> tuple[int, list[int], Position]:
    """The plain moves of a text as by Follower; -1 if one of them is not legal or has several meanings."""
    desk = Desk(reading.variant, len(text) // 3 + 1)
    letters = np.frombuffer(text.encode("ascii"), dtype=np.uint8).astype(np.int64)
    raw = letters if desk.is_compiled else letters.tolist()
    squares = _squares(reading)
    words = desk.blank(len(text) + 2)
    run = compiled.follow_text() or follow_text
    return desk.play(run, position, 0, raw, squares if desk.is_compiled else squares.tolist(), words)


@lru_cache(maxsize=64)
def _squares(reading: Reading) -> Any:
    """The point of every square as the kernel's lexer looks it up."""
    texts = [str(number) for number in range(layout.NUMBERS)]
    texts += [f"{chr(97 + k)}{row}" for k in range(20) for row in range(layout.LETTER_ROWS)]
    found = [points[0] if len(points := reading.points_of(text)) == 1 else -1 for text in texts]
    return np.array(found + [-1] * (layout.SQUARES_SIZE - len(found)), dtype=np.int64)


def _position(cells: Any, control: Any, plies: Any) -> Position:
    side = Side.WHITE if control[layout.FOLLOW_SIDE] == 0 else Side.BLACK
    runs = [int(value) for value in plies[layout.RUNS : layout.RUNS + 4]]
    white, black = (KingRun(runs[k], runs[k + 1]) if runs[k] >= 0 else None for k in (0, 2))
    placement = Placement(bytes(cells) if isinstance(cells, list) else cells.astype(np.uint8).tobytes())
    return Position(placement, side, white, black)


def moves_in(flat: list[int]) -> Iterator[Move]:
    """The moves that `play_on` wrote down."""
    at = 0
    while at < len(flat):
        promotes, stops, taken = flat[at : at + 3]
        middle = at + 3 + stops
        yield Move(tuple(flat[at + 3 : middle]), tuple(flat[middle : middle + taken]), bool(promotes))
        at = middle + taken
