"""`kibitz hint`: the best move of a position."""

import argparse
import time

from rules.fen import parse_fen
from rules.hint import hint
from rules.legal_moves import legal_moves, play
from rules.move import Move
from rules.notation import move_text
from rules.position import Position
from rules.variant import Variant
from rules.variants.catalogue import variant_named
from server.cli.arguments import NAME_OF_THE_GAME
from server.cli.output import say, say_json
from server.errors import UsageError


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("variant", help=NAME_OF_THE_GAME)
    parser.add_argument("fen", help="position as PDN FEN")
    parser.add_argument("--seconds", type=float, default=1.0, help="time to think (default 1)")
    parser.add_argument("--json", action="store_true", help="one JSON object")


def run(given: argparse.Namespace) -> int:
    variant = variant_named(given.variant)
    position = parse_fen(variant, given.fen)
    if not 0.01 <= given.seconds <= 3600:
        raise UsageError(f"saw --seconds {given.seconds}; expected 0.01 to 3600")
    if not legal_moves(variant, position):
        raise UsageError("the side to move has no legal move here: the game is over, so there is nothing to hint")
    found = hint(variant, position, given.seconds, lambda: False, time.monotonic)
    line = line_text(variant, position, found.line)
    best = move_text(variant, position, found.move)
    if given.json:
        say_json(
            {"move": best, "line": line, "score": found.score, "depth": int(found.depth), "nodes": int(found.nodes)}
        )
    else:
        say(f"{best}  line {' '.join(line)}  score {found.score}  depth {found.depth}  nodes {found.nodes}")
    return 0


def line_text(variant: Variant, position: Position, line: tuple[Move, ...]) -> list[str]:
    texts = []
    for move in line:
        texts.append(move_text(variant, position, move))
        position = play(variant, position, move)
    return texts
