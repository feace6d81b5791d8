"""How the discs of a game move and capture, in words, and why one may not go where it went."""

from rules.board import NOWHERE, Direction
from rules.move import Move
from rules.piece import Piece, Side
from rules.position import Position
from rules.relaxation import Relaxation
from rules.variant import Directions, Landing, Promotion, Variant
from rules.variants.directions import (
    ALL_EIGHT,
    DIAGONALS,
    FIVE_FORWARD,
    FORWARD_AND_SIDEWAYS,
    FORWARD_DIAGONALS,
    HEXAGON_FILES,
    HEXAGON_FILES_FORWARD,
    HEXAGON_ROWS,
    HEXAGON_ROWS_FORWARD,
    ORTHOGONALS,
)

_WORDS: dict[frozenset[Direction], str] = {
    frozenset(FORWARD_DIAGONALS): "diagonally forward",
    frozenset(DIAGONALS): "diagonally",
    frozenset(ORTHOGONALS): "along rows and columns",
    frozenset(FORWARD_AND_SIDEWAYS): "straight forward or sideways",
    frozenset(FIVE_FORWARD): "forward, sideways or diagonally forward",
    frozenset(ALL_EIGHT): "in any direction",
    frozenset(HEXAGON_ROWS): "in any direction",
    frozenset(HEXAGON_ROWS_FORWARD): "forward or sideways",
    frozenset(HEXAGON_FILES): "in any direction",
    frozenset(HEXAGON_FILES_FORWARD): "forward",
}


def ways_text(directions: Directions) -> str:
    """A set of White's directions in words."""
    return _WORDS.get(frozenset(directions), "along the lines of the board")


def noun(variant: Variant, is_king: bool) -> str:
    """What a player calls the piece; games without kings have discs only."""
    if not variant.king_steps:
        return "a disc"
    return "a king" if is_king else "a man"


def how_it_moves(variant: Variant, is_king: bool) -> str:
    """The step of a man or a king: `a man moves one step diagonally forward`."""
    reach = "any number of empty squares" if is_king and variant.king_flies else "one step"
    steps = variant.king_steps if is_king else variant.man_steps
    return f"{noun(variant, is_king)} moves {reach} {ways_text(steps)}"


def how_it_captures(variant: Variant, is_king: bool) -> str:
    ways = variant.king_captures if is_king else variant.man_captures
    only = (
        "" if frozenset(ways) in (frozenset(ALL_EIGHT), frozenset(HEXAGON_ROWS), frozenset(HEXAGON_FILES)) else " only"
    )
    return f"{noun(variant, is_king)} captures{only} {ways_text(ways)}"


def way_of(variant: Variant, origin: int, over: int) -> Direction | None:
    """The direction in which `over` lies on a line from `origin`."""
    for direction in Direction:
        at = variant.board.neighbours[direction][origin]
        while at not in (NOWHERE, over):
            at = variant.board.neighbours[direction][at]
        if at == over:
            return direction
    return None


def why_unusual(variant: Variant, before: Position, move: Move) -> str | None:
    """What a novice may not know about the first jump of a capture, such as that men also capture backward."""
    piece = before.placement[move.origin]
    way = way_of(variant, move.origin, move.captured[0])
    if way is None or piece.side is None:
        return None
    if piece.is_king:
        near = variant.board.neighbours[way][move.origin] == move.captured[0]
        return "a king captures from any distance" if variant.king_flies and not near else None
    if way in variant.directions(variant.man_steps, piece.side):
        return None
    men = "men" if variant.king_steps else "discs"
    return f"{men} also capture {_bearing(variant, piece.side, way)}"


def _bearing(variant: Variant, side: Side, way: Direction) -> str:
    """A direction in which men capture but do not step, as the player sees it."""
    if way in (Direction.E, Direction.W):
        return "sideways"
    up = side is Side.WHITE or variant.one_way
    forward = way in (Direction.N, Direction.NE, Direction.NW)
    if forward == up:
        return "straight forward" if way in (Direction.N, Direction.S) else "diagonally forward"
    return "straight backward" if way in (Direction.N, Direction.S) else "backward"


_RULES: dict[Relaxation, str] = {
    Relaxation.FAR_ROW: "a disc on the last row leaves it only by capturing",
    Relaxation.TAKE_KINGS: "a man may not capture a king",
    Relaxation.REVERSAL: "a capture may not turn straight back",
    Relaxation.REMOVAL: "captured discs stay until the move is over and may not be passed again",
    Relaxation.CHAIN: "a move captures one disc only",
}


def why_not(variant: Variant, before: Position, move: Move, broken: Relaxation | None) -> str:
    """The rule against a displacement, as the end of a sentence."""
    is_king = before.placement[move.origin].is_king
    if broken in _RULES:
        return _RULES[broken]
    match broken:
        case None:
            return _no_line(variant, before, move)
        case Relaxation.KING_RUN:
            return f"the same king may not make more than {variant.king_run_limit} moves in a row without capturing"
        case Relaxation.LANDING:
            return _landing(variant) or how_it_captures(variant, is_king)
        case Relaxation.PROMOTION_IN_PASSING:
            return _promotion(variant)
        case Relaxation.KING_FLIES if move.is_capture:
            return "a king captures only a disc right beside it"
        case _:
            return how_it_captures(variant, is_king) if move.is_capture else how_it_moves(variant, is_king)


def _landing(variant: Variant) -> str:
    """Where the game binds a king that lands; empty where it may land anywhere."""
    match variant.king_landing:
        case Landing.BEHIND_A_LAST_KING:
            return "a king that captures a king last must stop directly behind it"
        case Landing.BEHIND:
            return "a king lands directly behind the disc it captures"
        case Landing.ANY:
            return ""


def _promotion(variant: Variant) -> str:
    if variant.promotion is Promotion.AT_ONCE_AND_STOP:
        return "a man that reaches the last row is crowned and its move ends there"
    return "a man that passes the last row in a capture goes on as a man"


def _no_line(variant: Variant, before: Position, move: Move) -> str:
    """Why no rule, however relaxed, allows it: what stands on the way, or how the piece moves."""
    placement, side = before.placement, before.to_move
    if placement[move.end] is not Piece.EMPTY and move.end != move.origin:
        return "the square was occupied"
    way = way_of(variant, move.origin, move.end)
    if way is not None:
        met = _between(variant, before, way, move)
        if any(piece.side is side for piece in met):
            return "a disc may not jump over one of its own side"
        if len([p for p in met if p is not Piece.EMPTY]) > 1:
            return "two discs cannot be jumped at once"
    return how_it_moves(variant, placement[move.origin].is_king)


def _between(variant: Variant, before: Position, way: Direction, move: Move) -> list[Piece]:
    table, at = variant.board.neighbours[way], move.origin
    met = []
    while (at := table[at]) not in (NOWHERE, move.end):
        met.append(before.placement[at])
    return met
