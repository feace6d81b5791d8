"""`kibitz bench judge`: planted mistakes by family and kind, and how often the judge named them rightly."""

import argparse
import time
from collections.abc import Sequence

from rules.legal_moves import warm_up
from rules.variants.catalogue import FAMILIES, variant_named
from server.benchmarks.rulings import LEGAL, POSITIONS, Rulings, Tally, rulings
from server.cli.arguments import whole
from server.cli.output import complain, say

_SHOWN = 2
"""Wrong rulings of one sort that are told in full."""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--each", type=whole(1, 100_000), default=200, help="mistakes of each kind (default: 200)")
    text = f"looked at for each mistake wanted; more find more of the rare kinds (default: {POSITIONS})"
    parser.add_argument("--positions", type=whole(1, 10_000), default=POSITIONS, help=text)
    parser.add_argument("--family", choices=tuple(FAMILIES), action="append", help="only this family of games")
    parser.add_argument("--seed", type=whole(0, 2**31 - 1), default=1, help="of the positions (default: 1)")


def run(given: argparse.Namespace) -> int:
    """Prints a table a family; 1 if a legal move was accused."""
    warm_up()
    accused = 0
    for family in given.family or FAMILIES:
        began = time.process_time()
        variants = tuple(variant_named(name) for name in FAMILIES[family])
        table = rulings(family, variants, given.each, given.seed, given.positions)
        say(f"{family}: {', '.join(FAMILIES[family])}; {time.process_time() - began:.0f} s of processor time")
        for line in (*rows(table), *examples(table)):
            say(line)
        accused += table.accused
    if accused:
        complain(f"{accused} legal moves were accused")
    return 1 if accused else 0


def rows(table: Rulings) -> list[str]:
    """A line for each kind: how many, how many named rightly, and what was said of the others."""
    names = (LEGAL, *sorted(name for name in table.tallies if name != LEGAL))
    return [f"  {name:<34} {_row(table.tallies[name])}" for name in names]


def _row(tally: Tally) -> str:
    telling = tally.planted - tally.either
    share = f"{tally.right / telling:7.2%}" if telling else "      -"
    others = [f"{count} as {said}" for said, count in tally.said.most_common()]
    if tally.either:
        others.append(f"{tally.either} by another mistake that explains it as well")
    return f"{tally.planted:>6} {share} {', '.join(others)}".rstrip()


def examples(table: Rulings) -> Sequence[str]:
    """Some of the wrong rulings, to be looked at with `kibitz judge`."""
    told: dict[tuple[str, str], int] = {}
    lines = []
    for wrong in table.wrong:
        sort = (wrong.planted, wrong.said)
        told[sort] = told.get(sort, 0) + 1
        if told[sort] <= _SHOWN:
            lines.append(f"    {wrong.planted} as {wrong.said}: {wrong.variant} {wrong.before} {wrong.after}")
    return lines
