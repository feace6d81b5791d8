"""Fixtures of the server's tests."""

import importlib.util
import shutil
import sys
from pathlib import Path
from types import ModuleType

import pytest
from flask.testing import FlaskClient

from server.store.journal import Journal
from server.web.app import create_app
from tests.server.written_games import write_games


def _support(name: str) -> ModuleType:
    """A module of tests/support, which is no package."""
    path = Path(__file__).resolve().parent.parent / "support" / f"{name}.py"
    spec = importlib.util.spec_from_file_location(f"support_{name}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def fake() -> ModuleType:
    """tests/support/fake_companion.py"""
    return _support("fake_companion")


@pytest.fixture(scope="session")
def games() -> ModuleType:
    """tests/support/played_games.py"""
    return _support("played_games")


@pytest.fixture(scope="session")
def plug() -> ModuleType:
    """tests/support/power_cuts.py"""
    return _support("power_cuts")


@pytest.fixture(scope="session")
def table() -> ModuleType:
    """tests/support/quiet_table.py"""
    return _support("quiet_table")


@pytest.fixture
def companion(fake: ModuleType):  # type: ignore[no-untyped-def]
    return fake.FakeCompanion()


@pytest.fixture
def browser(companion) -> FlaskClient:  # type: ignore[no-untyped-def]
    """A browser that has not entered the PIN."""
    return create_app(companion, heartbeat_seconds=0).test_client()


@pytest.fixture(scope="session")
def simulated() -> ModuleType:
    """tests/support/simulated.py"""
    return _support("simulated")


@pytest.fixture(scope="session")
def left_behind(tmp_path_factory, games):
    """A data folder as a killed process leaves it, with the moves that were written."""
    live = tmp_path_factory.mktemp("live")
    journal = Journal(live / "games.sqlite3")
    known = write_games(journal, games, 4)
    folder = tmp_path_factory.mktemp("left") / "data"
    shutil.copytree(live, folder)
    journal.close()
    return folder, known


@pytest.fixture
def killed(tmp_path, left_behind):
    folder, known = left_behind
    shutil.copytree(folder, tmp_path / "left")
    return tmp_path / "left" / "games.sqlite3", known
