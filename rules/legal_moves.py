"""The moves of a position and what they lead to."""

from functools import lru_cache

import numpy as np

from rules.errors import IllegalMove
from rules.kernel import compiled, layout
from rules.kernel.generate import generate
from rules.kernel.jumps import Ints
from rules.kernel.tables import Tables, tables_of
from rules.move import Move
from rules.piece import Piece, Side, king, man
from rules.placement import Placement
from rules.position import KingRun, Position
from rules.variant import Promotion, Variant

_FEW = 400
_MANY = 40_000


def warm_up() -> bool:
    """Compiles the kernel or loads it from the cache; false if numba is absent. Meant for a background thread."""
    return compiled.warm_up()


def compile_all() -> bool:
    """Fills the cache with all of the kernel that anything at the board may need; false if numba is absent."""
    return compiled.compile_all()


@lru_cache(maxsize=8192)
def legal_moves(variant: Variant, position: Position) -> tuple[Move, ...]:
    """Every legal move, routes with the same ends and captures once; empty if the game is over for the mover.

    A flying king among some twenty scattered discs may have more captures than can be tried: see `all_found`.
    """
    return _moves(position, tables_of(variant), tired_king(variant, position))[0]


@lru_cache(maxsize=1024)
def all_found(variant: Variant, position: Position) -> bool:
    """Whether `legal_moves` is complete. If not, a move that it lacks may be legal, and one that it has may take
    less than another; nobody may be accused by it then."""
    return _moves(position, tables_of(variant), tired_king(variant, position))[1]


@lru_cache(maxsize=256)
def routes(variant: Variant, position: Position) -> tuple[Move, ...]:
    """Every route of every legal move, a king's choice of landing points included."""
    return _moves(position, tables_of(variant, every_route=True), tired_king(variant, position))[0]


@lru_cache(maxsize=4096)
def moves_of_disc(variant: Variant, position: Position, origin: int, prey: frozenset[int]) -> tuple[Move, ...]:
    """The moves of the disc on `origin` alone if it may take only the discs on `prey`; all others stand in the way.

    Quick in the most crowded position, where all that relaxed rules allow would be tens of thousands of captures.
    """
    kept = {origin, *prey}
    pieces = bytes(v if not v or p in kept else layout.GHOST for p, v in enumerate(position.placement.pieces))
    masked = Position(Placement(pieces), position.to_move)
    return _moves(masked, tables_of(variant), tired_king(variant, position))[0]


def _moves(position: Position, tables: Tables, tired: int) -> tuple[tuple[Move, ...], bool]:
    """The moves, and whether these are all: captures are tried within a bound, the same compiled or not."""
    for capacity in (_FEW, _MANY):
        count, left, out = _generate(position, tables, tired, capacity)
        if count < capacity - 2:
            break
    return tuple(_move(out, k * layout.RECORD) for k in range(count)), left >= 0


def _generate(position: Position, tables: Tables, tired: int, capacity: int) -> tuple[int, int, Ints]:
    """The number of moves, the effort left, and the moves."""
    side = 0 if position.to_move is Side.WHITE else 1
    pieces = position.placement.pieces
    run = compiled.generate()
    tally_list = [0, 0, layout.LANDINGS, capacity * layout.RECORD]
    if run is not None:
        cells = np.frombuffer(pieces, dtype=np.uint8).astype(np.int64)
        out = np.empty(capacity * layout.RECORD, dtype=np.int64)
        tally = np.array(tally_list, dtype=np.int64)
        work = np.zeros(layout.WORK_SIZE, dtype=np.int64)
        count = int(run(cells, side, tired, *tables.arrays, out, 0, tally, work))
        return count, int(tally[layout.LEFT]), out[: count * layout.RECORD].tolist()
    listed = [0] * (capacity * layout.RECORD)
    work_list = [0] * layout.WORK_SIZE
    flat = (tables.neighbours, tables.masks, tables.crown, tables.rules)
    count = generate(list(pieces), side, tired, *flat, listed, 0, tally_list, work_list)
    return count, tally_list[layout.LEFT], listed


def _move(out: Ints, r: int) -> Move:
    path = tuple(out[r + layout.PATH : r + layout.PATH + out[r + layout.STOPS]])
    captured = tuple(out[r + layout.CAPTURED : r + layout.CAPTURED + out[r + layout.TAKEN]])
    return Move(path, captured, bool(out[r + layout.PROMOTES]))


def run_of(position: Position, side: Side) -> KingRun | None:
    return position.white_run if side is Side.WHITE else position.black_run


def tired_king(variant: Variant, position: Position) -> int:
    """The point of a king of the mover that may not move again without capturing (Frisian limit), or -1."""
    run = run_of(position, position.to_move)
    if variant.king_run_limit == 0 or run is None or run.moves < variant.king_run_limit:
        return -1
    return run.point if int(man(position.to_move)) in position.placement.pieces else -1


def play(variant: Variant, position: Position, move: Move) -> Position:
    """The position after a move. The move is checked against the board, not against the rules of capture."""
    side = position.to_move
    placement = placement_after(position.placement, side, move)
    own = _run_after(variant, position, placement, move)
    other = run_of(position, side.opponent)
    if other is not None and other.point in move.captured:
        other = None
    white, black = (own, other) if side is Side.WHITE else (other, own)
    return Position(placement, side.opponent, white, black)


def placement_after(placement: Placement, side: Side, move: Move) -> Placement:
    """What stands where after `side` has made a move."""
    piece = placement[move.origin]
    strangers = [p for p in move.captured if placement[p].side is not side.opponent]
    free = (move.origin, *move.captured)
    taken_end = move.end not in free and placement[move.end] is not Piece.EMPTY
    if piece.side is not side or strangers or taken_end:
        raise IllegalMove(
            f"saw the move {move.path} taking {move.captured} by {side.title}, but these points do not hold what "
            "it needs; expected a move of this position: ask legal_moves for them"
        )
    changes = dict.fromkeys((*move.captured, move.origin), Piece.EMPTY)
    changes[move.end] = king(side) if move.promotes else piece
    return placement.replaced(changes)


def _run_after(variant: Variant, position: Position, after: Placement, move: Move) -> KingRun | None:
    side = position.to_move
    if variant.king_run_limit == 0 or move.is_capture or not position.placement[move.origin].is_king:
        return None
    if int(man(side)) not in after.pieces:
        return None
    run = run_of(position, side)
    made = run.moves if run is not None and run.point == move.origin else 0
    return KingRun(move.end, made + 1)


def promotes_by_stopping(variant: Variant, placement: Placement, point: int) -> bool:
    """Whether the man on `point` would promote if its move ended there."""
    side = placement[point].side
    if side is None or placement[point].is_king or variant.promotion is Promotion.NEVER:
        return False
    return point in variant.promotion_row(side)
