"""The kernel is compiled apart, so that play goes on meanwhile and its memory is given back."""

import platform
import subprocess
import sys
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from rules.kernel import compiled
from server.runtime import warming
from server.runtime.sparing import let_go_of_code, spare_memory


def test_the_other_process_compiles_before_this_one_loads(monkeypatch: pytest.MonkeyPatch) -> None:
    order: list[str] = []

    def run(command: list[str], **_: Any) -> None:
        order.append(" ".join(command))

    monkeypatch.setattr(subprocess, "run", run)
    monkeypatch.setattr(warming, "warm_up", lambda: order.append("loaded") or True)
    assert warming.warm_up_apart(lambda: order.append("board found"))
    assert order == [" ".join([sys.executable, *warming.COMPILE]), "board found", "loaded"]


def test_what_the_other_process_is_told_to_do_can_be_done() -> None:
    assert subprocess.run([sys.executable, *warming.COMPILE], check=False, timeout=300).returncode == 0


def test_where_no_process_can_be_begun_this_one_compiles(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any, **__: Any) -> None:
        raise BlockingIOError("no more processes")

    monkeypatch.setattr(subprocess, "run", refuse)
    monkeypatch.setattr(warming, "warm_up", lambda: True)
    assert warming.warm_up_apart()


def test_search_and_reading_are_loaded_when_they_are_first_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    loaded: list[str] = []
    monkeypatch.setattr(compiled, "_state", compiled._Compiled())
    monkeypatch.setattr(compiled, "_ready", lambda entry, _: loaded.append(entry.__name__) or entry)
    assert compiled.search_some() is None, "nobody has asked for the compiled kernel yet"
    assert compiled.warm_up()
    assert loaded == ["run_generate"]
    assert compiled.search_some() is compiled.search_some() is not None
    assert loaded == ["run_generate", "run_search"]


def test_large_blocks_are_given_back_where_the_allocator_can_be_told_to() -> None:
    assert spare_memory() == (platform.libc_ver()[0] == "glibc")


def _file_memory() -> int:
    """Resident kilobytes of this process that files back."""
    status = Path("/proc/self/status").read_text()
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("RssFile"))


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="only Linux with glibc can be told so")
def test_code_that_was_let_go_comes_back_when_it_is_needed() -> None:
    picture = np.random.default_rng(1).integers(0, 255, (64, 64, 3), np.uint8)
    before = cv2.GaussianBlur(picture, (5, 5), 0)
    held = _file_memory()
    assert let_go_of_code() > 0
    assert _file_memory() < held
    assert np.array_equal(cv2.GaussianBlur(picture, (5, 5), 0), before)


def test_code_is_let_go_before_and_after_the_kernel_is_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    order: list[str] = []
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: None)
    monkeypatch.setattr(warming, "let_go_of_code", lambda: order.append("let go"))
    monkeypatch.setattr(warming, "warm_up", lambda: order.append("loaded") or True)
    assert warming.warm_up_apart()
    assert order == ["let go", "loaded", "let go"]
