"""`kibitz bench perft`: moves generated per second on one thread, and what starting costs."""

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from statistics import median

from rules.legal_moves import warm_up
from rules.perft import perft
from rules.variant import start_position
from rules.variants.catalogue import variant_named
from server.cli.bench_peers import DAME_RS, PY_DRAUGHTS, Peer
from server.cli.output import say

_DEPTHS = {"international": 8, "english": 9, "russian": 8, "frisian": 7, "italian": 9}
_BESIDE: tuple[tuple[str, Peer, tuple[str, ...]], ...] = (
    ("international", PY_DRAUGHTS, ("perft", "international", "6")),
    ("english", PY_DRAUGHTS, ("perft", "english", "6")),
    ("international", DAME_RS, ("perft", "8")),
)
"""What others are asked for. Each counts leaves as fast as it offers to: dame-rs in compiled Rust, py-draughts in
Python by its lists of legal moves (its English game lets captures be declined, so its tree is another one)."""
_TIMES = 3
_WARM = "from rules.legal_moves import warm_up; warm_up()"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = "Counts leaves of the tree of moves: median of three runs on one thread."


def run(given: argparse.Namespace) -> int:
    if not warm_up():
        say("numba is not installed: the uncompiled rules are measured")
    for name, depth in _DEPTHS.items():
        leaves, rate = _rate(name, depth)
        say(f"{name} perft {depth}: {leaves} leaves, {rate / 1e6:.2f} million a second")
    for name, peer, words in _BESIDE:
        _beside(name, peer, words)
    _starting()
    return 0


def _rate(name: str, depth: int) -> tuple[int, float]:
    variant = variant_named(name)
    counts: list[int] = []
    seconds = median(
        _timed(lambda: counts.append(perft(variant, start_position(variant), depth))) for _ in range(_TIMES)
    )
    return counts[0], counts[0] / seconds


def _timed(work: Callable[[], object], clock: Callable[[], float] = time.process_time) -> float:
    """Seconds by a clock; by default those of the processor, which other programs on the machine do not change."""
    began = clock()
    work()
    return max(1e-9, clock() - began)


def _beside(name: str, peer: Peer, words: tuple[str, ...]) -> None:
    """Kibitz and another library in turn, so that both meet the same machine; each rate is its own median."""
    ours, theirs = [], []
    for _ in range(_TIMES):
        ours.append(_rate(name, _DEPTHS[name])[1])
        figures = peer.measure(*words)
        if isinstance(figures, str):
            say(f"{name} beside {peer.name}: skipped: {figures}")
            return
        theirs.append(figures["leaves"] / figures["seconds"])
    ratio = median(ours) / median(theirs)
    say(f"{name}: Kibitz {median(ours):,.0f}, {peer.name} {median(theirs):,.0f} leaves a second: {ratio:.1f} times")


def _starting() -> None:
    """Seconds to be ready with a filled and with an empty cache, and the memory this process holds at most."""
    with tempfile.TemporaryDirectory() as empty:
        cold = _timed(lambda: _fresh({"NUMBA_CACHE_DIR": empty}), time.perf_counter)
        warm = median(_timed(lambda: _fresh({"NUMBA_CACHE_DIR": empty}), time.perf_counter) for _ in range(_TIMES))
    kilobytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    say(f"ready after {warm:.1f} s with a filled cache, {cold:.1f} s with an empty one")
    say(f"resident memory at most: {kilobytes / 1024:.0f} MB")


def _fresh(variables: dict[str, str]) -> None:
    subprocess.run([sys.executable, "-c", _WARM], env=os.environ | variables, check=True)
