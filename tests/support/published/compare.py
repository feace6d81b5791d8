"""Counts every published row and tells which differ.

For a developer: `python -m tests.support.published.compare ../shared/rules/perft.json 10000000`.
"""

import sys
import time
from pathlib import Path

from rules.perft import perft
from tests.support.published.table import Row, game_named, position_of, published_rows


def ours(row: Row) -> int:
    variant = game_named(row.game)
    assert variant is not None
    return perft(variant, position_of(variant, row), row.depth)


def main(path: str, most: str = "10000000") -> None:
    wrong = right = 0
    for row in published_rows(Path(path)):
        if row.convention != "dedup" or row.leaves > int(most):
            continue
        began = time.perf_counter()
        count = ours(row)
        right, wrong = right + (count == row.leaves), wrong + (count != row.leaves)
        verdict = "same" if count == row.leaves else f"DIFFERENT: ours {count}"
        source = "" if row.confirmed else " (one source)"
        took = f"{time.perf_counter() - began:.1f} s"
        what = f"{row.game} {row.fen or 'start'} depth {row.depth}: {row.leaves}{source}"
        sys.stdout.write(f"{what} {verdict} {took}\n")
        sys.stdout.flush()
    sys.stdout.write(f"{right} the same, {wrong} different\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
