"""The kernel beside the plain rules: the same positions, the same moves.

A developer counts deeper than the tests do with `python -m tests.support.plain_rules.compare gothic-10 4`.
"""

import sys

from rules.legal_moves import legal_moves
from rules.move import Move
from rules.perft import perft
from rules.piece import Piece, Side, king, man
from rules.placement import Placement
from rules.position import KingRun, Position
from rules.variant import Variant, start_position
from rules.variants.catalogue import variant_named
from tests.support.plain_rules.game import Disc, Game, Situation, start_of
from tests.support.plain_rules.games import plain_game
from tests.support.plain_rules.lattice import Place
from tests.support.plain_rules.moves import Turn, leaves, legal_turns


def situation_of(variant: Variant, game: Game, position: Position) -> Situation:
    places = [game.lattice.places[name] for name in variant.board.names]
    discs = {
        places[point]: Disc(Piece(value).side.value, Piece(value).is_king)
        for point, value in enumerate(position.placement.pieces)
        if value != Piece.EMPTY
    }
    runs = {Side.WHITE: position.white_run, Side.BLACK: position.black_run}
    kept = {side.value: (places[run.point], run.moves) for side, run in runs.items() if run is not None}
    return Situation(discs, position.to_move.value, kept)


def position_of(variant: Variant, game: Game, situation: Situation) -> Position:
    name_at = {place: name for name, place in game.lattice.places.items()}
    point = {place: variant.board.point_by_name[name] for place, name in name_at.items()}
    changes = {point[place]: (king if disc.king else man)(Side(disc.side)) for place, disc in situation.discs.items()}
    runs = {side: KingRun(point[place], moves) for side, (place, moves) in situation.runs.items()}
    placement = Placement.empty(variant.board.size).replaced(changes)
    return Position(placement, Side(situation.to_move), runs.get("W"), runs.get("B"))


def _turn(variant: Variant, game: Game, position: Position, move: Move) -> Turn:
    def place(point: int) -> Place:
        return game.lattice.places[variant.board.names[point]]

    piece = position.placement[move.origin]
    becomes = Disc(position.to_move.value, piece.is_king or move.promotes)
    return Turn(place(move.origin), place(move.end), frozenset(map(place, move.captured)), becomes)


def kernel_turns(variant: Variant, game: Game, position: Position) -> list[Turn]:
    """The kernel's moves as turns on the lattice, doubles kept."""
    return [_turn(variant, game, position, move) for move in legal_moves(variant, position)]


def difference(variant: Variant, game: Game, position: Position) -> str:
    """What only one of the two finds, or an empty text."""
    ours = kernel_turns(variant, game, position)
    plain = legal_turns(game, situation_of(variant, game, position))
    doubles = len(ours) - len(set(ours))
    if set(ours) == plain and not doubles:
        return ""
    return f"kernel only {set(ours) - plain}, plain only {plain - set(ours)}, doubles {doubles}"


def main(name: str, depth: str) -> None:
    variant, game = variant_named(name), plain_game(name)
    kernel = perft(variant, start_position(variant), int(depth))
    plain = leaves(game, start_of(game), int(depth))
    sys.stdout.write(f"{name} depth {depth}: kernel {kernel}, plain rules {plain}\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
