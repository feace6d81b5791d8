"""`kibitz moves`: the legal moves of a position."""

import argparse

from rules.fen import fen, parse_fen
from rules.legal_moves import legal_moves, play
from rules.notation import full_text, move_text, point_name
from rules.position import Position
from rules.variant import Variant, start_position
from rules.variants.catalogue import variant_named
from server.cli.arguments import NAME_OF_THE_GAME
from server.cli.output import say, say_json


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("variant", help=NAME_OF_THE_GAME)
    parser.add_argument("fen", nargs="?", help="position as PDN FEN; the start position if left out")
    parser.add_argument("--json", action="store_true", help="one JSON object per move")


def run(given: argparse.Namespace) -> int:
    variant = variant_named(given.variant)
    position = position_of(variant, given.fen)
    for move in sorted(legal_moves(variant, position), key=lambda m: (m.path, m.captured)):
        text = move_text(variant, position, move)
        if not given.json:
            say(text)
            continue
        say_json(
            {
                "move": text,
                "path": [point_name(variant, int(p)) for p in move.path],
                "long": full_text(variant, move),
                "captured": [point_name(variant, int(p)) for p in move.captured],
                "promoted": bool(move.promotes),
                "fen": fen(variant, play(variant, position, move)),
            }
        )
    return 0


def position_of(variant: Variant, text: str | None) -> Position:
    return start_position(variant) if text is None else parse_fen(variant, text)
