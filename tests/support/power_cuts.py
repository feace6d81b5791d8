"""Kills a playing companion at chance moments and looks whether everything it had shown is still there.

    python tests/support/power_cuts.py --kills 200

plays chance moves through the dashboard as fast as they are taken, watches what is shown, sends SIGKILL after a
chance time (also while it starts), starts it again on the same data and compares.
"""

import argparse
import contextlib
import http.client
import json
import os
import random
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
PIN = "2468"
LONGEST_START_SECONDS = 60.0
Shown = tuple[int, list[str]]
"""Number of the game and its moves."""


@dataclass
class Report:
    """What the kills showed."""

    kills: int = 0
    shown: int = 0
    """Plies that were shown before some kill."""
    lost: list[str] = field(default_factory=list)
    ready: list[float] = field(default_factory=list)
    """Seconds from each kill, and the start after it at once, to the first answer."""

    def text(self) -> str:
        ready = sorted(self.ready)
        return (
            f"{self.kills} kills, {self.shown} plies shown, {len(self.lost)} losses; from kill to ready: median "
            f"{statistics.median(ready):.2f} s, 95th percentile {ready[int(0.95 * (len(ready) - 1))]:.2f} s, "
            f"longest {ready[-1]:.2f} s"
        )


def free_port() -> int:
    """A port that nothing listens at now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Served:
    """A companion in a process of its own, without a camera, and what was shown of it."""

    def __init__(self, folder: Path, port: int) -> None:
        words = ["serve", "--data", str(folder), "--camera", "usb:61", "--variant", "english", "--pin", PIN]
        words += ["--port", str(port)]
        self.address = f"http://127.0.0.1:{port}"
        self.shown: Shown | None = None
        self._died = False
        self._process = subprocess.Popen(
            [sys.executable, "-m", "server", *words], cwd=ROOT, stderr=subprocess.DEVNULL, start_new_session=True
        )

    def state(self) -> dict[str, Any] | None:
        return self._asked(urllib.request.Request(f"{self.address}/api/state"))

    def wait(self) -> dict[str, Any]:
        """Its first answer."""
        end = time.monotonic() + LONGEST_START_SECONDS
        while time.monotonic() < end:
            if (state := self.state()) is not None:
                return state
            if self._process.poll() is not None:
                raise RuntimeError("the companion ended by itself")
            time.sleep(0.02)
        raise RuntimeError(f"no answer within {LONGEST_START_SECONDS:g} seconds")

    def play(self, chance: random.Random) -> None:
        """Chance moves and take-backs until it dies; keeps what was shown last."""
        while not self._died:
            legal, state = self._asked(urllib.request.Request(f"{self.address}/api/legal")), self.state()
            if legal is None or state is None:
                continue
            self.shown = shown_in(state)
            if state["result"] is not None or not legal["moves"]:
                order = {"do": "new_game"}
            elif state["moves"] and chance.random() < 0.1:
                order = {"do": "take_back"}
            else:
                order = {"do": "choose", "candidate": chance.choice(legal["moves"])}
            self._asked(self._order(order))

    def kill(self) -> None:
        self._died = True
        os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()

    def _order(self, order: dict[str, str]) -> urllib.request.Request:
        headers = {"Content-Type": "application/json", "X-Kibitz-Pin": PIN}
        return urllib.request.Request(f"{self.address}/api/command", json.dumps(order).encode(), headers)

    def _asked(self, request: urllib.request.Request) -> dict[str, Any] | None:
        try:
            with urllib.request.urlopen(request, timeout=5) as answer:
                return json.load(answer)
        except (OSError, ValueError, http.client.HTTPException):
            return None


def power_cuts(folder: Path, kills: int, seed: int, port: int | None = None, longest: float = 2.0) -> Report:
    """Kills and starts again `kills` times; every loss is told in the report."""
    chance, report, port = random.Random(seed), Report(), port or free_port()
    last: Shown = (1, [])
    served, began = Served(folder, port), None
    for _ in range(kills):
        if chance.random() < 0.15 and began is not None:
            time.sleep(chance.uniform(0.0, 1.0))
        else:
            state = served.wait()
            if began is not None:
                report.ready.append(time.monotonic() - began)
            _compare(report, last, shown_in(state))
            player = threading.Thread(target=served.play, args=(random.Random(chance.random()),))
            player.start()
            time.sleep(chance.uniform(0.0, longest))
            served.kill()
            player.join()
            last = served.shown or shown_in(state)
            report.shown += len(last[1])
        with contextlib.suppress(ProcessLookupError):
            served.kill()
        report.kills += 1
        began = time.monotonic()
        served = Served(folder, port)
    _compare(report, last, shown_in(served.wait()))
    report.ready.append(time.monotonic() - (began or 0.0))
    served.kill()
    return report


def shown_in(state: dict[str, Any]) -> Shown:
    return state["game"], state["moves"]


def _compare(report: Report, shown: Shown, now: Shown) -> None:
    """At most the one order that was under way may have come in besides: a move, a take-back or a new game."""
    (old_game, old), (game, moves) = shown, now
    one_more = moves[: len(old)] == old and len(moves) <= len(old) + 1
    if game == old_game and (one_more or moves == old[:-1]):
        return
    if game == old_game + 1 and not moves:
        return
    report.lost.append(f"after kill {report.kills}: shown {old_game}: {old[-3:]}, now {game}: {moves[-3:]}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--port", type=int, help="port of the dashboard (default: a free one)")
    parser.add_argument("--data", type=Path, help="data folder (default: a fresh one)")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        report = power_cuts(given.data or Path(folder), given.kills, given.seed, given.port)
    sys.stdout.write("\n".join([report.text(), *report.lost]) + "\n")
    return 1 if report.lost else 0


if __name__ == "__main__":
    sys.exit(main())
