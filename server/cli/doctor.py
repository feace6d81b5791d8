"""`kibitz doctor`: what works here and what does not, with the cure for each."""

import argparse
import os
import platform
import shutil
import sqlite3
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import cv2
import numpy as np

from hardware.cameras.choose import here
from rules.kernel import compiled
from rules.legal_moves import legal_moves
from rules.variant import start_position
from rules.variants.catalogue import VARIANT_NAMES, variant_named
from server.cli.games import JOURNAL
from server.cli.output import complain, say, say_json
from server.errors import StoreError
from server.settings import data_folder
from server.store.journal import COPIES, Journal

_LEAST_FREE_BYTES = 200_000_000
_SPARED = ("camera", "markers")
"""What Kibitz runs without: the simulated board stands in for a camera, and boards are found without markers."""
_PATIENCE_SECONDS = 3.0
"""After so long a silence the user is told what is being waited for."""
_COMPILING = "the rules are being compiled, once; this may take some minutes"
Finding = tuple[str, bool, str, str]
"""What was looked at, whether it works, what was seen, the cure."""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--data", type=Path, metavar="DIR", help="data folder")
    parser.add_argument("--json", action="store_true", help="one JSON object per finding")


def run(given: argparse.Namespace) -> int:
    folder = data_folder(given.data)
    works = True
    for name, fine, seen, cure in _findings(folder):
        works &= fine or name in _SPARED
        if given.json:
            say_json({"check": name, "ok": fine, "seen": seen, "cure": "" if fine else cure})
        else:
            mark = "ok  " if fine else "none" if name in _SPARED else "BAD "
            say(f"{mark} {name}: {seen}" + ("" if fine else f"\n     {cure}"))
    return 0 if works else 1


def _findings(folder: Path) -> Iterator[Finding]:
    yield "python", sys.version_info >= (3, 11), platform.python_version(), "install Python 3.11 or newer"
    yield "libraries", True, f"OpenCV {cv2.__version__}, numpy {np.__version__}, SQLite {sqlite3.sqlite_version}", ""
    yield _markers()
    yield _kernel()
    yield _data(folder)
    yield _disk(folder)
    yield _journal(folder / JOURNAL)
    yield _cameras()
    yield _speed()


def _markers() -> Finding:
    fine = getattr(cv2, "aruco", None) is not None
    seen = "OpenCV can see corner markers" if fine else "this OpenCV comes without its aruco module"
    cure = "boards are found without them; to use `kibitz markers`: install OpenCV 4.7 or newer"
    return "markers", fine, seen, cure


def _kernel() -> Finding:
    began = time.perf_counter()
    word = threading.Timer(_PATIENCE_SECONDS, complain, [_COMPILING])
    word.daemon = True
    word.start()
    fine = compiled.compile_all()
    word.cancel()
    seen = f"compiled kernel ready in {time.perf_counter() - began:.1f} s" if fine else "numba is not installed"
    return "rules kernel", fine, seen, "pip install numba; without it Kibitz works, but hints are weak"


def _data(folder: Path) -> Finding:
    cure = f"make {folder} yours (chown) or choose another folder with --data"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return "data folder", True, str(folder), cure
    except OSError as error:
        return "data folder", False, f"{folder}: {error.strerror}", cure


def _disk(folder: Path) -> Finding:
    place = next((p for p in (folder, *folder.parents) if p.exists()), Path(os.sep))
    free = shutil.disk_usage(place).free
    return "disk", free > _LEAST_FREE_BYTES, f"{free // 1_000_000} MB free", "free at least 200 MB"


def _journal(path: Path) -> Finding:
    """Whether the games can be read; a damaged journal is mended by `kibitz serve`, so this only looks."""
    kept = len(list(path.parent.glob(f"{path.name}.damaged-*")))
    aside = f", {kept} damaged kept aside" if kept else ""
    if not path.exists() and not any((path.parent / COPIES).glob("*.jsonl")):
        return "journal", True, "no game yet", ""
    try:
        journal = Journal(path, read_only=True)
        try:
            count = len(journal.games())
            seen, warning = f"{count} game{'' if count == 1 else 's'}{aside}", journal.warning
        finally:
            journal.close()
    except StoreError as trouble:
        return "journal", False, str(trouble), "check who may read the data folder"
    cure = "start kibitz serve once: it keeps the damaged file aside and writes all that can be read into a new one"
    return "journal", not warning, warning or seen, cure


def _cameras() -> Finding:
    found = here()
    names = [f"usb:{n}" for n in found.usb_numbers()]
    if found.picamera():
        names.insert(0, "picamera")
    cure = "to watch a real board plug in a camera and join the group video"
    return "camera", bool(names), ", ".join(names) or "none found; the simulated board stands in", cure


def _speed() -> Finding:
    seconds = _timed(_all_starts)
    return "speed", seconds < 20, f"moves of {len(VARIANT_NAMES)} games in {seconds:.2f} s", "close other programs"


def _all_starts() -> None:
    for name in VARIANT_NAMES:
        variant = variant_named(name)
        legal_moves(variant, start_position(variant))


def _timed(work: Callable[[], None]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began
