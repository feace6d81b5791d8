"""What a command does when nobody takes its output, and when it is interrupted."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from server.cli import moves, output
from server.cli.main import UNUSABLE, main

ROOT = Path(__file__).resolve().parents[2]
PDN = '[Event "one"]\n[GameType "21"]\n\n1. 11-15 23-19 *\n\n'


def kibitz(shell: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Runs `shell` with `kibitz` standing for the command."""
    script = f'kibitz() {{ "{sys.executable}" -m server "$@"; }}\n{shell}'
    return subprocess.run(
        ["bash", "-c", script],
        cwd=ROOT,
        env=os.environ | environment,
        text=True,
        encoding="utf-8",
        errors="surrogateescape",
        capture_output=True,
        timeout=60,
        check=False,
    )


def test_a_closed_standard_output_is_no_fault():
    done = kibitz("kibitz moves english >&-")
    assert (done.returncode, done.stderr) == (0, "")


def test_a_refusal_keeps_its_status_where_standard_error_is_closed():
    assert kibitz("kibitz moves klingon 2>&-").returncode == UNUSABLE


def test_a_reader_that_goes_away_from_many_files_is_not_told_about(tmp_path):
    for number in range(3):
        (tmp_path / f"{number}.pdn").write_text(PDN * 400)
    done = kibitz(f"kibitz pdn check {tmp_path}/*.pdn | head -1; exit ${{PIPESTATUS[0]}}")
    assert done.returncode == 0
    assert done.stderr == ""


def test_text_that_the_terminal_cannot_show_is_written_escaped(capsys, monkeypatch):
    monkeypatch.setattr(sys.stdout, "_encoding", "utf-8", raising=False)
    output.say_json({"image": "na\udcff.jpg"})
    assert json.loads(capsys.readouterr().out) == {"image": "na\udcff.jpg"}


def test_a_fault_of_its_own_is_one_sentence(capsys, monkeypatch):
    def broken(_: object) -> int:
        raise ZeroDivisionError("a quotient")

    monkeypatch.setattr(moves, "run", broken)
    assert main(["moves", "english"]) == UNUSABLE
    said = capsys.readouterr().err
    assert "Traceback" not in said
    assert said.startswith("kibitz: saw a fault inside Kibitz (ZeroDivisionError: a quotient")
    assert said.count("\n") == 1


@pytest.mark.skipif(not hasattr(signal, "SIGINT"), reason="needs signals")
def test_a_count_that_would_take_for_ever_can_be_interrupted():
    """Ctrl-C is let through even where the tests were begun in the background, which ignores it."""
    words = (
        "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); "
        "from server.cli.main import main; print('up', flush=True); main(['perft', 'english', '30'])"
    )
    with subprocess.Popen(
        [sys.executable, "-c", words], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as counting:
        try:
            assert counting.stdout is not None
            assert counting.stdout.readline() == "up\n"
            while counting.poll() is None and _cpu_seconds(counting.pid) < 3:
                time.sleep(0.05)
            counting.send_signal(signal.SIGINT)
            _, said = counting.communicate(timeout=10)
        finally:
            counting.kill()
    assert "Traceback" not in said
    assert counting.returncode in (-signal.SIGINT, 130)


def _cpu_seconds(process: int) -> float:
    fields = Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
