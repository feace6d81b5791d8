"""Whether a capture stopped though it had to go on."""

from rules.legal_moves import moves_of_disc
from rules.move import Move
from rules.piece import Piece, king
from rules.position import Position
from rules.relaxation import Relaxation, relaxed
from rules.variant import Chain, Landing, Promotion, Variant
from rules.ways import way_of


def could_go_on(variant: Variant, before: Position, made: Move) -> bool:
    """Whether the disc could jump on from where it stopped, or from another landing behind the last disc it took."""
    if variant.chain is not Chain.MUST:
        return False
    return any(_jumps_on(variant, before, made, land) for land in _landings(variant, before, made))


def _landings(variant: Variant, before: Position, made: Move) -> list[int]:
    """Every point on which the last jump of a capture could have ended, as it did or farther or nearer."""
    came = made.path[-2]
    way = way_of(variant, came, made.captured[-1])
    if way is None or not variant.king_flies or not _jumped_as_king(variant, before, made):
        return [made.end]
    table, free = variant.board.neighbours[way], {made.origin}
    if variant.removed_at_once:
        free |= set(made.captured[:-1])
    lands, at = [], table[made.captured[-1]]
    while at >= 0 and (before.placement[at] is Piece.EMPTY or at in free):
        lands.append(at)
        at = table[at]
        if variant.king_landing is Landing.BEHIND:
            break
    return lands


def _jumped_as_king(variant: Variant, before: Position, made: Move) -> bool:
    """Whether the last jump was that of a king: one from the start, or a man crowned on the way (Russian)."""
    if before.placement[made.origin].is_king:
        return True
    row = variant.promotion_row(before.to_move)
    return variant.promotion is Promotion.AT_ONCE_AND_GO_ON and any(p in row for p in made.path[1:-1])


def _jumps_on(variant: Variant, before: Position, made: Move, land: int) -> bool:
    side = before.to_move
    piece = before.placement[made.origin]
    touched = not piece.is_king and any(p in variant.promotion_row(side) for p in (*made.path[1:-1], land))
    if touched and variant.promotion is Promotion.AT_ONCE_AND_STOP:
        return False
    if touched and variant.promotion is Promotion.AT_ONCE_AND_GO_ON:
        piece = king(side)
    # Discs that stay until the move is over block like discs of the mover's own.
    stands = Piece.EMPTY if variant.removed_at_once else piece
    placement = before.placement.replaced({made.origin: Piece.EMPTY} | dict.fromkeys(made.captured, stands))
    position = Position(placement.replaced({land: piece}), side)
    prey = frozenset(position.placement.points_of(side.opponent))
    came = way_of(variant, made.path[-2], made.captured[-1])
    for move in moves_of_disc(relaxed(variant, Relaxation.ONE_JUMP), position, land, prey):
        if not move.is_capture:
            continue
        way = way_of(variant, land, move.captured[0])
        if variant.may_reverse or came is None or way is not came.opposite:
            return True
    return False
