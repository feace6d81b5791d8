"""`kibitz perft`: counts the leaves of the tree of moves."""

import argparse
import signal

from rules.perft import perft
from rules.variants.catalogue import variant_named
from server.cli.arguments import NAME_OF_THE_GAME, whole
from server.cli.moves import position_of
from server.cli.output import say


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("variant", help=NAME_OF_THE_GAME)
    parser.add_argument("depth", type=whole(0, 30))
    parser.add_argument("fen", nargs="?", help="position as PDN FEN; the start position if left out")


def run(given: argparse.Namespace) -> int:
    variant = variant_named(given.variant)
    position = position_of(variant, given.fen)
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        # Compiled counting never comes back to the interpreter to be asked to stop, so Ctrl-C ends it outright.
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    say(str(perft(variant, position, given.depth)))
    return 0
