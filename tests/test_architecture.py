"""The shape of the repository: what the owner fixed and what every folder promises."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PURE = ("rules", "vision", "server/session")
BANNED = {
    "threading",
    "time",
    "datetime",
    "random",
    "socket",
    "sqlite3",
    "subprocess",
    "os",
    "asyncio",
    "multiprocessing",
}


def _sources(folder: str) -> list[Path]:
    return sorted((ROOT / folder).rglob("*.py"))


def _imports(path: Path) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found.update(alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module.split(".")[0])
    return found


@pytest.mark.parametrize("folder", PURE)
def test_pure_folders_do_no_io_no_threads_and_read_no_clock(folder: str) -> None:
    guilty = {str(p.relative_to(ROOT)): sorted(_imports(p) & BANNED) for p in _sources(folder) if _imports(p) & BANNED}
    assert guilty == {}


def test_every_package_docstring_says_what_it_is_for() -> None:
    silent = [
        str(p.relative_to(ROOT))
        for folder in ("rules", "vision", "calibration", "hardware", "server")
        for p in _sources(folder)
        if ast.get_docstring(ast.parse(p.read_text(encoding="utf-8"))) is None
    ]
    assert silent == []


def test_no_file_is_named_after_nothing() -> None:
    vague = {"utils.py", "helpers.py", "misc.py", "manager.py", "core.py", "base.py", "common.py"}
    assert [
        p
        for folder in ("rules", "vision", "calibration", "hardware", "server")
        for p in _sources(folder)
        if p.name in vague
    ] == []


def test_picamera2_is_imported_only_where_the_camera_is_opened() -> None:
    at_top = [
        str(p.relative_to(ROOT))
        for folder in ("rules", "vision", "calibration", "hardware", "server")
        for p in _sources(folder)
        for node in ast.parse(p.read_text(encoding="utf-8")).body
        if isinstance(node, ast.Import | ast.ImportFrom) and "picamera2" in ast.unparse(node)
    ]
    assert at_top == []
