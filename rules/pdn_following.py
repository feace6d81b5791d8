"""The kernel put to reading: written moves played in one go until one of them needs thought."""

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any

import numpy as np

from rules.kernel import compiled, layout
from rules.kernel.compiled import Entry
from rules.kernel.follow import follow
from rules.kernel.tables import tables_of
from rules.move import Move
from rules.perft import runs_of
from rules.piece import Side
from rules.placement import Placement
from rules.position import KingRun, Position
from rules.variant import Variant

_MOVES_AT_ONCE = 400
_FILLED_PER_WORD = 12


class Follower:
    """Plays the words of one game; `codes` are those of Reading.codes, one per word.

    Holds the arrays that the kernel works in, so that they are made once a game. Not for use by two threads.
    """

    def __init__(self, variant: Variant, codes: Sequence[tuple[int, ...]]) -> None:
        self._size = variant.board.size
        self._run = compiled.follow()
        self._tables = tables_of(variant)
        self._offsets: list[int] | None = None
        self._codes = codes
        self._words = self._array(list(chain.from_iterable(codes)))
        self._out = self._blank(_MOVES_AT_ONCE * layout.RECORD)
        self._work = self._blank(layout.WORK_SIZE)
        self._played = self._blank(_FILLED_PER_WORD * len(codes) + 2 * layout.RECORD)
        self._tally = self._blank(layout.TALLY_SIZE)

    def _array(self, values: list[int]) -> Any:
        return values if self._run is None else np.array(values, dtype=np.int64)

    def _blank(self, size: int) -> Any:
        return [0] * size if self._run is None else np.zeros(size, dtype=np.int64)

    def play_on(self, position: Position, word: int) -> tuple[int, list[int], Position]:
        """Moves played from the word on, what `moves_in` unpacks, and the position after them."""
        if word and self._offsets is None:
            self._offsets = [0]
            for code in self._codes:
                self._offsets.append(self._offsets[-1] + len(code))
        at = self._offsets[word] if self._offsets else 0
        cells = self._array(list(position.placement.pieces))
        side = 0 if position.to_move is Side.WHITE else 1
        plies = self._array([0] * (2 * layout.PLY))
        plies[layout.RUNS : layout.RUNS + 4] = runs_of(position)
        control = self._array([side, at, 0])
        tables = self._tables
        flat = tables.arrays if self._run else (tables.neighbours, tables.masks, tables.crown, tables.rules)
        places = (self._out, self._tally, self._work, plies, self._words, self._played, control)
        run: Entry = self._run or follow
        done = run(cells, *flat, *places)
        if done == 0:
            return 0, [], position
        played = self._played[: int(control[layout.FOLLOW_FILLED])]
        return int(done), played if self._run is None else played.tolist(), _position(cells, control, plies)


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
