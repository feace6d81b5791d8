"""`kibitz bench`: the project's own figures on this machine."""

import argparse
import time

from rules.legal_moves import warm_up
from rules.perft import perft
from rules.variant import start_position
from rules.variants.catalogue import variant_named
from server.cli.output import say

_DEPTHS = {"international": 7, "english": 8, "russian": 7}


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = "Counts leaves of the tree of moves and says how many a second."


def run(given: argparse.Namespace) -> int:
    warm_up()
    for name, depth in _DEPTHS.items():
        variant = variant_named(name)
        began = time.perf_counter()
        leaves = perft(variant, start_position(variant), depth)
        seconds = max(1e-9, time.perf_counter() - began)
        say(f"{name} perft {depth}: {leaves} leaves, {leaves / seconds / 1e6:.2f} million a second")
    return 0
