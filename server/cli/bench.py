"""`kibitz bench`: the project's own figures on this machine."""

import argparse
import importlib

_MEASURES = {
    "perft": "moves generated per second, beside other libraries where they are installed; and what starting costs",
    "pdn": "games and plies read per second, beside other libraries where they are installed",
    "seeing": "what watching and reading cost, as ratios measured side by side, and memory",
    "vision": "how right Kibitz sees, on pictures whose truth is known",
    "judge": "how right the judge is on boards: legal moves and planted mistakes, by family and kind",
    "games": "how right whole simulated games and planted mistakes are ruled, over all variants",
}
"""What can be measured; `server/cli/bench_NAME.py` holds its `arguments` and `run`."""
_PLAIN = ("seeing", "perft", "pdn")
"""Memory first: what the others took would be counted with it."""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = "Without a measure: seeing, perft and pdn."
    measures = parser.add_subparsers(title="measures", dest="measure", metavar="MEASURE")
    for name, text in _MEASURES.items():
        importlib.import_module(f"server.cli.bench_{name}").arguments(measures.add_parser(name, help=text))


def run(given: argparse.Namespace) -> int:
    """Runs one measure or the plain ones; the worst of their statuses."""
    names = (given.measure,) if given.measure else _PLAIN
    return max(int(importlib.import_module(f"server.cli.bench_{name}").run(given)) for name in names)
