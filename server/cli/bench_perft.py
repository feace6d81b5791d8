"""`kibitz bench perft`: moves generated per second on one thread, and what starting costs."""

import argparse
import os
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
_WARM = """
import pathlib, resource
from rules.legal_moves import warm_up
warm_up()
used = resource.getrusage(resource.RUSAGE_SELF)
told = pathlib.Path("/proc/self/status")
peaks = [line.split()[1] for line in told.read_text().splitlines() if line[:5] == "VmHWM"] if told.exists() else []
print(used.ru_utime + used.ru_stime, *(peaks or [used.ru_maxrss]))
"""
"""What a fresh process does and tells. On Linux `ru_maxrss` also counts the process that started it."""


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


def _timed(work: Callable[[], object]) -> float:
    """Seconds of processor time, which other programs on the machine hardly change."""
    began = time.process_time()
    work()
    return max(1e-9, time.process_time() - began)


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
    """What being ready costs in a process of its own, with an empty cache and with a filled one; and its memory."""
    with tempfile.TemporaryDirectory() as cache:
        cold = _fresh(cache)
        warm = [_fresh(cache) for _ in range(_TIMES)]
    seconds, processor, memory = (median(values) for values in zip(*warm, strict=True))
    say(f"ready after {seconds:.1f} s ({processor:.1f} s of processor time) with a filled cache")
    say(f"ready after {cold[0]:.1f} s ({cold[1]:.1f} s of processor time) with an empty one: the kernel is compiled")
    say(f"resident memory at most: {memory:.0f} MB when ready with a filled cache, {cold[2]:.0f} MB compiling")


def _fresh(cache: str) -> tuple[float, float, float]:
    """Seconds, seconds of processor time and megabytes that a process needs to make the kernel ready."""
    began, variables = time.perf_counter(), os.environ | {"NUMBA_CACHE_DIR": cache}
    done = subprocess.run([sys.executable, "-c", _WARM], env=variables, check=True, capture_output=True, text=True)
    processor, kilobytes = done.stdout.split()
    return time.perf_counter() - began, float(processor), float(kilobytes) / 1024
