"""A good move for a position: alpha-beta with iterative deepening on the kernel."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from rules.errors import IllegalMove
from rules.kernel import compiled, layout
from rules.kernel.jumps import Ints
from rules.kernel.lattice import sets_of
from rules.kernel.set_search import search_any, weigh
from rules.kernel.sets import write_sets
from rules.kernel.tables import tables_of
from rules.legal_moves import legal_moves, play
from rules.move import Move
from rules.perft import runs_of
from rules.piece import Piece, Side
from rules.position import Position
from rules.variant import Variant

_COMPILED_SLICE = 5_000
_UNCOMPILED_SLICE = 100
_ROOM = 6_000
_DEEPEST = 40
_MAN, _FLYING_KING, _SHORT_KING = 100, 300, 140


@dataclass(frozen=True, slots=True)
class Hint:
    """The best move found: `score` in hundredths of a man (a win is near 10,000 men), `depth` in plies."""

    move: Move
    line: tuple[Move, ...]
    score: int
    depth: int
    nodes: int


def hint(
    variant: Variant,
    position: Position,
    seconds: float,
    stop: Callable[[], bool],
    clock: Callable[[], float],
) -> Hint:
    """The best move found until `seconds` have passed on `clock` or `stop` says so. At least one ply is searched.

    The search runs in slices between which it asks for the time, so it may overrun by a slice (some milliseconds).
    """
    moves = legal_moves(variant, position)
    if not moves:
        raise IllegalMove("saw a position without a legal move; expected one where the game goes on")
    until = clock() + seconds
    search = _Search(variant, position)
    best = Hint(moves[0], (moves[0],), 0, 0, 0)
    first = 0
    for depth in range(1, _DEEPEST + 1):
        search.begin(depth, first)
        while not search.done:
            search.go_on()
            if best.depth > 0 and not search.done and (stop() or clock() >= until):
                return best
        first = search.chosen
        line = _line(variant, position, search.line)
        best = Hint(line[0], line, search.score, depth, search.nodes)
        decided = abs(search.score) > layout.WIN - layout.MAX_PLIES
        if decided or len(moves) == 1 or stop() or clock() >= until:
            break
    return best


class _Search:
    """The arrays of one search, run by the compiled kernel if that is ready, else by its source."""

    def __init__(self, variant: Variant, position: Position) -> None:
        self._side = 0 if position.to_move is Side.WHITE else 1
        self._runs = runs_of(position)
        tables, sets = tables_of(variant), sets_of(variant)
        run = compiled.search_some()
        self._run = run or search_any
        self._slice = _COMPILED_SLICE if run else _UNCOMPILED_SLICE
        sizes = (
            _ROOM * layout.RECORD,
            layout.TALLY_SIZE,
            layout.WORK_SIZE,
            layout.PLY * (layout.MAX_PLIES + 1),
            layout.LINE_ENTRY * layout.MAX_PLIES * (layout.MAX_PLIES + 1),
            layout.CONTROL_SIZE,
        )
        blank: list[Ints] = [[0] * size for size in sizes]
        blank[1][layout.ROOM] = sizes[0]
        own: list[Ints] = [list(position.placement.pieces), _values(variant)]
        flat: tuple[Ints, ...] = (tables.neighbours, tables.masks, tables.crown, tables.rules, sets[0])
        if sets[0][layout.WAYS_COUNT] > 0:
            write_sets(own[0], variant.board.size, blank[3], 0, sets[0])
            weigh(blank[3], 0, own[1], tables.rules, sets[0])
        if run is None:
            self._set(own, flat, blank)
        else:
            self._set(_arrays(own), (*tables.arrays, sets[1]), _arrays(blank))

    def _set(self, own: list[Ints], flat: tuple[Any, ...], blank: list[Ints]) -> None:
        self._cells, values = own
        self._plies, self._line, self._control = blank[3:]
        self._rest = (*flat, values, *blank)

    def begin(self, depth: int, first: int) -> None:
        """Starts an iteration whose root tries move number `first` first."""
        nodes = self._control[layout.NODES]
        for index, value in enumerate((nodes, self._slice, depth, 0, 1, first, 0)):
            self._control[index] = value
        self._plies[layout.BASE] = 0
        self._plies[layout.ALPHA] = -layout.INFINITE
        self._plies[layout.BETA] = layout.INFINITE
        for index, value in enumerate(self._runs):
            self._plies[layout.RUNS + index] = value

    def go_on(self) -> None:
        self._run(self._cells, self._side, *self._rest)

    @property
    def done(self) -> bool:
        return bool(self._control[layout.DONE])

    @property
    def nodes(self) -> int:
        return int(self._control[layout.NODES])

    @property
    def score(self) -> int:
        return int(self._plies[layout.SCORE])

    @property
    def chosen(self) -> int:
        return int(self._plies[layout.CHOSEN])

    @property
    def line(self) -> list[int]:
        return [int(value) for value in self._line[: layout.MAX_PLIES * layout.LINE_ENTRY]]


def _arrays(lists: list[Ints]) -> list[Ints]:
    arrays: list[Ints] = []
    for values in lists:
        arrays.append(np.array(values, dtype=np.int64))  # type: ignore[arg-type]  # noqa: PERF401
    return arrays


def _values(variant: Variant) -> list[int]:
    """Worth of each piece on each point for White: material, and a little for men well on their way."""
    rows = variant.board.row_of
    top = max(rows)
    king = _FLYING_KING if variant.king_flies else _SHORT_KING
    table = {
        Piece.EMPTY: [0 for _ in rows],
        Piece.WHITE_MAN: [_MAN + 2 * row for row in rows],
        Piece.BLACK_MAN: [-_MAN - 2 * (row if variant.one_way else top - row) for row in rows],
        Piece.WHITE_KING: [king for _ in rows],
        Piece.BLACK_KING: [-king for _ in rows],
    }
    return [value for piece in Piece for value in table[piece]]


def _line(variant: Variant, position: Position, entries: list[int]) -> tuple[Move, ...]:
    """The best line as moves; the kernel gives ends and a bit set of captures for each."""
    line = []
    for k in range(0, len(entries), layout.LINE_ENTRY):
        origin, end, *words = entries[k : k + layout.LINE_ENTRY]
        if origin < 0:
            break
        key = (origin, end, frozenset(_points(words)))
        move = next((m for m in legal_moves(variant, position) if m.key == key), None)
        if move is None:
            break
        line.append(move)
        position = play(variant, position, move)
    return tuple(line)


def _points(words: list[int]) -> list[int]:
    bits = range(layout.SET_BITS)
    return [layout.SET_BITS * w + b for w, word in enumerate(words) for b in bits if word >> b & 1]
