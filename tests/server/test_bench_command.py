"""`kibitz bench` beside other libraries, and without them."""

import sys
from pathlib import Path

import pytest

from server.cli import bench_pdn, bench_perft
from server.cli.bench_peers import Peer


def _installed(tmp_path: Path, program: str) -> Peer:
    """A peer whose environment is this one and whose program is the given text."""
    bin_folder = tmp_path / "toy" / "bin"
    bin_folder.mkdir(parents=True)
    (bin_folder / "python").symlink_to(sys.executable)
    path = tmp_path / "toy.py"
    path.write_text(program)
    return Peer("toy", str(path))


def test_a_library_that_is_not_installed_is_skipped_with_the_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KIBITZ_BENCH_DIR", str(tmp_path))
    told = Peer("toy", "toy.py").measure("perft", "english", "3")
    assert isinstance(told, str)
    assert "toy is not installed" in told
    assert "make bench" in told


def test_a_library_says_its_figures_in_json_or_why_it_failed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KIBITZ_BENCH_DIR", str(tmp_path))
    peer = _installed(tmp_path, "import sys; print('{\"leaves\": %s}' % sys.argv[1])")
    assert peer.measure("7") == {"leaves": 7}
    (tmp_path / "toy.py").write_text("raise SystemExit('no such board')")
    assert peer.measure() == "toy failed: no such board"


def test_reading_is_measured_on_a_file_without_any_other_library(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("KIBITZ_BENCH_DIR", str(tmp_path))
    games = tmp_path / "games.pdn"
    games.write_text('[Event "a"]\n1. 32-28 19-23 *\n[Event "b"]\n1. 33-29 *\n')
    monkeypatch.setattr(bench_pdn, "warm_up", lambda: False)
    bench_pdn._compare(games)
    said = capsys.readouterr().out
    assert "pdn: 2 games of 3 plies; Kibitz" in said
    assert "pdn beside py-draughts: skipped" in said


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="only Linux tells the memory of one process alone")
def test_the_memory_of_a_fresh_process_is_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench_perft, "_WARM", bench_perft._WARM.replace("\nwarm_up()\n", "\n"))
    ballast = bytearray(b"1") * 300_000_000
    _, processor, megabytes = bench_perft._fresh(str(tmp_path))
    assert len(ballast) == 300_000_000
    assert processor > 0
    assert 10 < megabytes < 200
