"""`kibitz bench`: the project's own figures on this machine."""

import argparse
import importlib
import time

from rules.legal_moves import warm_up
from rules.perft import perft
from rules.variant import start_position
from rules.variants.catalogue import variant_named
from server.cli.output import say

_MEASURES = {
    "vision": "how right Kibitz sees, on pictures whose truth is known",
    "games": "how right whole simulated games and planted mistakes are ruled, over all variants",
}
"""What else can be measured; `server/cli/bench_NAME.py` holds its `arguments` and `run`."""
_DEPTHS = {"international": 7, "english": 8, "russian": 7}


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = "Counts leaves of the tree of moves and says how many a second."
    measures = parser.add_subparsers(title="measures", dest="measure", metavar="MEASURE")
    for name, text in _MEASURES.items():
        importlib.import_module(f"server.cli.bench_{name}").arguments(measures.add_parser(name, help=text))


def run(given: argparse.Namespace) -> int:
    if given.measure:
        return int(importlib.import_module(f"server.cli.bench_{given.measure}").run(given))
    warm_up()
    for name, depth in _DEPTHS.items():
        variant = variant_named(name)
        began = time.perf_counter()
        leaves = perft(variant, start_position(variant), depth)
        seconds = max(1e-9, time.perf_counter() - began)
        say(f"{name} perft {depth}: {leaves} leaves, {leaves / seconds / 1e6:.2f} million a second")
    return 0
