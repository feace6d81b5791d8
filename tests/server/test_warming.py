"""The kernel is compiled apart, so that play goes on meanwhile and its memory is given back."""

import subprocess
import sys
from typing import Any

import pytest

from server.runtime import warming


def test_the_other_process_compiles_before_this_one_loads(monkeypatch: pytest.MonkeyPatch) -> None:
    order: list[str] = []

    def run(command: list[str], **_: Any) -> None:
        order.append(" ".join(command))

    monkeypatch.setattr(subprocess, "run", run)
    monkeypatch.setattr(warming, "warm_up", lambda: order.append("loaded") or True)
    assert warming.warm_up_apart()
    assert order == [" ".join([sys.executable, *warming.COMPILE]), "loaded"]


def test_what_the_other_process_is_told_to_do_can_be_done() -> None:
    assert subprocess.run([sys.executable, *warming.COMPILE], check=False, timeout=300).returncode == 0


def test_where_no_process_can_be_begun_this_one_compiles(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any, **__: Any) -> None:
        raise BlockingIOError("no more processes")

    monkeypatch.setattr(subprocess, "run", refuse)
    monkeypatch.setattr(warming, "warm_up", lambda: True)
    assert warming.warm_up_apart()
