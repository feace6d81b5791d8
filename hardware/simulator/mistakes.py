"""Mistakes that players make, planted in a position: for each kind one that is of this kind and of no other."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from hardware.simulator.acts import Act, Displace, Place, Ply, Remove, Shift
from rules.displacement import same_to_the_eye
from rules.faults import FaultKind
from rules.legal_moves import legal_moves, play, promotes_by_stopping, routes
from rules.move import Move
from rules.piece import Piece, Side, king
from rules.placement import Placement
from rules.position import Position
from rules.relaxation import Relaxation, relaxed
from rules.variant import Variant


@dataclass(frozen=True, slots=True)
class Mistake:
    """What is done, and what the board shows after it."""

    kind: FaultKind
    acts: tuple[Act, ...]
    board: Placement


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a mistake is to be made."""

    variant: Variant
    position: Position
    rng: np.random.Generator

    @property
    def board(self) -> Placement:
        return self.position.placement

    @property
    def own(self) -> Side:
        return self.position.to_move

    @property
    def moves(self) -> tuple[Move, ...]:
        return legal_moves(self.variant, self.position)

    def any_of(self, things: list[Move] | list[int]) -> int:
        return int(self.rng.integers(len(things)))

    def carried(self, kind: FaultKind, move: Move, taken: tuple[int, ...]) -> Mistake:
        piece = self.board[move.origin]
        after = self.board.replaced(dict.fromkeys((move.origin, *taken), Piece.EMPTY) | {move.end: piece})
        return Mistake(kind, (Displace(move.origin, move.end, taken),), after)


def plant(kind: FaultKind, variant: Variant, position: Position, rng: np.random.Generator) -> Mistake | None:
    """A mistake of this kind in this position, or None where the position, or the game, gives no room for it.

    What a legal move and its answer lead to as well is none that anybody could tell from the board.
    """
    planter = _PLANTERS.get(kind)
    place = _Place(variant, position, rng)
    mistake = planter(place) if planter is not None and place.moves else None
    return None if mistake is None or _is_two_plies(place, mistake.board) else mistake


def _is_two_plies(at: _Place, board: Placement) -> bool:
    if board == at.board:
        return False
    replied = (play(at.variant, at.position, move) for move in at.moves)
    return any(
        same_to_the_eye(play(at.variant, after, answer).placement, board)
        for after in replied
        for answer in legal_moves(at.variant, after)
    )


def _missed_capture(at: _Place) -> Mistake | None:
    if not at.variant.compulsory or not at.moves[0].is_capture:
        return None
    free = legal_moves(relaxed(at.variant, Relaxation.COMPULSION), at.position)
    quiet = [m for m in free if not m.is_capture and not m.promotes]
    if not quiet:
        return None
    return at.carried(FaultKind.MISSED_CAPTURE, quiet[at.any_of(quiet)], ())


def _not_majority(at: _Place) -> Mistake | None:
    if not at.variant.precedence:
        return None
    due = {(m.origin, m.end) for m in at.moves}
    lesser = [
        m
        for m in legal_moves(relaxed(at.variant, Relaxation.MAJORITY), at.position)
        if m.is_capture and not m.promotes and (m.origin, m.end) not in due
    ]
    if not at.moves[0].is_capture or not lesser:
        return None
    move = lesser[at.any_of(lesser)]
    return at.carried(FaultKind.NOT_MAJORITY, move, move.captured)


def _capture_incomplete(at: _Place) -> Mistake | None:
    """Stops where the first jump of a longer capture lands."""
    whole = {(m.origin, m.end) for m in legal_moves(relaxed(at.variant, Relaxation.MAJORITY), at.position)}
    cut = []
    for move in routes(at.variant, at.position):
        if len(move.captured) < 2 or len(move.path) != len(move.captured) + 1:
            continue
        short = Move(move.path[:2], move.captured[:1])
        if (short.origin, short.end) not in whole and short.end != short.origin:
            cut.append(short)
    if not cut:
        return None
    move = cut[at.any_of(cut)]
    return at.carried(FaultKind.CAPTURE_INCOMPLETE, move, move.captured)


def _captured_not_removed(at: _Place) -> Mistake | None:
    captures = [m for m in at.moves if m.is_capture and not m.promotes and m.end != m.origin]
    if not captures:
        return None
    move = captures[at.any_of(captures)]
    left = move.captured[int(at.rng.integers(len(move.captured)))]
    taken = tuple(p for p in move.captured if p != left)
    after = at.carried(FaultKind.CAPTURED_NOT_REMOVED, move, taken)
    return Mistake(after.kind, (Ply(move, leaving=(left,)),), after.board)


def _wrong_removed(at: _Place) -> Mistake | None:
    """A capture with another disc of the opponent taken off as well."""
    captures = [m for m in at.moves if m.is_capture and not m.promotes and m.end != m.origin]
    if not captures:
        return None
    move = captures[at.any_of(captures)]
    spare = [p for p in at.board.points_of(at.own.opponent) if p not in move.captured]
    taken = {frozenset(m.captured) for m in at.moves if (m.origin, m.end) == (move.origin, move.end)}
    spare = [p for p in spare if frozenset((*move.captured, p)) not in taken]
    if len(spare) < 2:
        return None
    also = spare[at.any_of(spare)]
    after = at.carried(FaultKind.WRONG_REMOVED, move, (*move.captured, also))
    return Mistake(after.kind, (Ply(move, also=(also,)),), after.board)


def _illegal_move(at: _Place) -> Mistake | None:
    """A quiet displacement of an own disc to a near empty point that no rule of any kind leads to."""
    tries = _unreachable(at, at.position)
    return at.carried(FaultKind.ILLEGAL_MOVE, tries[at.any_of(tries)], ()) if tries else None


def _opponent_piece_moved(at: _Place) -> Mistake | None:
    tries = _unreachable(at, Position(at.board, at.own.opponent))
    return at.carried(FaultKind.OPPONENT_PIECE_MOVED, tries[at.any_of(tries)], ()) if tries else None


def _out_of_turn(at: _Place) -> Mistake | None:
    other = Position(at.board, at.own.opponent)
    quiet = [m for m in legal_moves(at.variant, other) if not m.promotes and m.end != m.origin]
    if not quiet:
        return None
    move = quiet[at.any_of(quiet)]
    return at.carried(FaultKind.OUT_OF_TURN, move, move.captured)


def _wrongly_crowned(at: _Place) -> Mistake | None:
    men = [p for p in at.board.points_of(at.own) if not at.board[p].is_king]
    if not men or at.variant.breakthrough:
        return None
    point = men[at.any_of(men)]
    crowned = king(at.own)
    return Mistake(FaultKind.WRONGLY_CROWNED, (Place(point, crowned),), at.board.replaced({point: crowned}))


def _piece_vanished(at: _Place) -> Mistake | None:
    points = [*at.board.points_of(Side.WHITE), *at.board.points_of(Side.BLACK)]
    if len(points) < 4:
        return None
    point = points[at.any_of(points)]
    return Mistake(FaultKind.PIECE_VANISHED, (Remove(point),), at.board.replaced({point: Piece.EMPTY}))


def _piece_appeared(at: _Place) -> Mistake | None:
    empty = [p for p in range(len(at.board)) if at.board[p] is Piece.EMPTY]
    men = [Piece.WHITE_MAN, Piece.BLACK_MAN]
    free = [(p, m) for p in empty for m in men if p not in at.variant.promotion_row(m.side or Side.WHITE)]
    if not free:
        return None
    point, man = free[int(at.rng.integers(len(free)))]
    return Mistake(FaultKind.PIECE_APPEARED, (Place(point, man),), at.board.replaced({point: man}))


def _not_crowned(at: _Place) -> Mistake | None:
    """A promotion without a crown; the violation comes with the opponent's next move."""
    promotions = [m for m in at.moves if m.promotes]
    if not promotions or at.variant.breakthrough:
        return None
    move = promotions[at.any_of(promotions)]
    piece = at.board[move.origin]
    after = at.board.replaced(dict.fromkeys((move.origin, *move.captured), Piece.EMPTY) | {move.end: piece})
    return Mistake(FaultKind.NOT_CROWNED, (Ply(move, crown=False),), after)


def _off_square(at: _Place) -> Mistake | None:
    points = [*at.board.points_of(Side.WHITE), *at.board.points_of(Side.BLACK)]
    point = points[at.any_of(points)]
    sideways = 0.5 if at.variant.board.xy[point][0] < at.variant.board.width / 2 else -0.5
    return Mistake(FaultKind.OFF_SQUARE, (Shift(point, sideways, 0.0),), at.board)


def _unreachable(at: _Place, position: Position) -> list[Move]:
    """Quiet displacements of the mover's discs that no rule allows and that would crown nobody."""
    reached = _reached(at, position)
    return [
        Move((start, end))
        for start in at.board.points_of(position.to_move)
        for end in _near(at, start)
        if (start, end) not in reached and not _would_promote(at, start, end)
    ]


def _reached(at: _Place, position: Position) -> set[tuple[int, int]]:
    """The ends of every move under the rules and under any relaxation of them, captures included."""
    rules = [at.variant, *(relaxed(at.variant, r) for r in (Relaxation.COMPULSION, Relaxation.COMPLETION))]
    return {(m.origin, m.end) for each in rules for m in legal_moves(each, position)}


def _near(at: _Place, start: int) -> list[int]:
    """Empty points within three squares."""
    (x, y), board = at.variant.board.xy[start], at.variant.board
    return [
        p
        for p, (px, py) in enumerate(board.xy)
        if p != start and at.board[p] is Piece.EMPTY and max(abs(px - x), abs(py - y)) < 3.1
    ]


def _would_promote(at: _Place, start: int, end: int) -> bool:
    moved = at.board.replaced({start: Piece.EMPTY, end: at.board[start]})
    return promotes_by_stopping(at.variant, moved, end)


_PLANTERS: dict[FaultKind, Callable[[_Place], Mistake | None]] = {
    FaultKind.MISSED_CAPTURE: _missed_capture,
    FaultKind.NOT_MAJORITY: _not_majority,
    FaultKind.CAPTURE_INCOMPLETE: _capture_incomplete,
    FaultKind.CAPTURED_NOT_REMOVED: _captured_not_removed,
    FaultKind.WRONG_REMOVED: _wrong_removed,
    FaultKind.ILLEGAL_MOVE: _illegal_move,
    FaultKind.OPPONENT_PIECE_MOVED: _opponent_piece_moved,
    FaultKind.OUT_OF_TURN: _out_of_turn,
    FaultKind.WRONGLY_CROWNED: _wrongly_crowned,
    FaultKind.PIECE_VANISHED: _piece_vanished,
    FaultKind.PIECE_APPEARED: _piece_appeared,
    FaultKind.NOT_CROWNED: _not_crowned,
    FaultKind.OFF_SQUARE: _off_square,
}
PLANTED = tuple(_PLANTERS)
"""The kinds that can be planted in a position."""
