"""The plug is pulled at chance moments: every move that was shown is in the journal, and the game goes on."""

import csv
import json
import random
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest

from server.cli.games import JOURNAL
from server.store.journal import Journal

GAME = Path(__file__).resolve().parents[3] / "shared" / "frames" / "games" / "english-whole"
KILLS = 3
LONGEST_SECONDS = 90.0

needs_recording = pytest.mark.skipif(not GAME.is_dir(), reason=f"no recorded game at {GAME}")


def shown(port: int) -> dict | None:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/api/state", timeout=2) as answer:
            return json.load(answer)
    except OSError:
        return None


def recording_from(folder: Path, first: int) -> Path:
    """The recording without the frames that were shown before the plug was pulled."""
    with (GAME / "frames" / "frames.csv").open() as lines:
        rows = list(csv.reader(lines))[1 + first :]
    folder.mkdir()
    for name, _ in rows:
        (folder / name).symlink_to(GAME / "frames" / name)
    (folder / "frames.csv").write_text("file,seconds\n" + "".join(f"{name},{t}\n" for name, t in rows))
    return folder


def moves_until(served: subprocess.Popen, port: int, plies: int) -> list[str]:
    """The moves shown once there are at least `plies`."""
    end = time.monotonic() + LONGEST_SECONDS
    while time.monotonic() < end:
        snapshot = shown(port)
        if snapshot is not None and snapshot["ply"] >= plies:
            return snapshot["moves"]
        assert served.poll() is None, "the companion ended by itself"
    pytest.fail(f"no {plies} plies were shown within {LONGEST_SECONDS:g} seconds")


@needs_recording
def test_moves_that_were_shown_survive_the_plug_being_pulled(tmp_path, plug):
    port = plug.free_port()
    chance, first, plies, known = random.Random(7), 0, 0, []
    expected = json.loads((GAME / "expected.json").read_text())["moves"]
    for kill in range(KILLS):
        camera = recording_from(tmp_path / f"frames-{kill}", first)
        words = ["--camera", str(camera), "--speed", "10", "--variant", "english", "--port", str(port)]
        served = subprocess.Popen(
            [sys.executable, "-m", "server", "serve", "--data", str(tmp_path / "data"), *words],
            stderr=subprocess.DEVNULL,
        )
        try:
            assert moves_until(served, port, plies)[:plies] == known
            plies += chance.randint(1, 3)
            known = moves_until(served, port, plies)
            plies = len(known)
        finally:
            served.kill()
            served.wait()
        journal = Journal(tmp_path / "data" / JOURNAL, read_only=True)
        moves = [event for event in journal.events(1) if event["type"] == "move"]
        assert len(journal.games()) == 1
        journal.close()
        assert [move["move"] for move in moves][:plies] == known
        # The frames that the journal speaks of have been seen; a ply written but not shown counts as well.
        known, plies = [move["move"] for move in moves], len(moves)
        first = frame_at(moves[-1]["t"])
    assert known == expected[:plies]


def frame_at(seconds: float) -> int:
    with (GAME / "frames" / "frames.csv").open() as lines:
        times = [float(t) for _, t in list(csv.reader(lines))[1:]]
    return max(k for k, t in enumerate(times) if t <= seconds + 1e-3)


def test_nothing_that_was_shown_is_lost_by_kills_at_chance_moments(tmp_path, plug):
    report = plug.power_cuts(tmp_path / "data", 3, seed=11, longest=1.0)
    assert report.lost == []
    assert report.kills == 3
    assert report.shown > 0
