"""`kibitz simulate`: a script through the whole pipeline, or written as frames that `kibitz replay` reads."""

import json
from pathlib import Path

import pytest

from server.cli.main import main

SCRIPT = """variant english
11-15 22-18
15x22 leaving 18
wait 2.5
take 18
"""
SMALL = ["--size", "480x270", "--rate", "5"]


def _written(tmp_path: Path, text: str = SCRIPT) -> str:
    path = tmp_path / "script.txt"
    path.write_text(text, encoding="utf-8")
    return str(path)


def _events(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_a_script_is_watched_and_its_events_and_pdn_are_written(tmp_path: Path) -> None:
    events, pdn = tmp_path / "events.jsonl", tmp_path / "game.pdn"
    asked = ["simulate", _written(tmp_path), *SMALL, "--events", str(events), "--pdn", str(pdn)]
    assert main(asked) == 0
    said = [(e["type"], e.get("move") or e.get("kind")) for e in _events(events)]
    assert said == [
        ("ready", None),
        ("move", "11-15"),
        ("move", "22-18"),
        ("violation", "captured_not_removed"),
        ("resolved", "captured_not_removed"),
        ("move", "15x22"),
    ]
    assert "15x22" in pdn.read_text(encoding="utf-8")


def test_written_frames_replay_to_the_same_moves(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder, events = tmp_path / "recording", tmp_path / "events.jsonl"
    text = "variant english\nstart B:W21,22,23:B1,2,14\n14-17 21x14\n"
    assert main(["simulate", _written(tmp_path, text), *SMALL, "--frames", str(folder)]) == 0
    assert "--start" in capsys.readouterr().err
    expected = json.loads((folder / "expected.json").read_text(encoding="utf-8"))
    truth = json.loads((folder / "truth.json").read_text(encoding="utf-8"))
    assert expected["moves"] == ["14-17", "21x14"]
    assert truth[-1]["state"] == {"c3": "white", "e3": "white", "c5": "white", "b8": "black", "d8": "black"}
    asked = ["replay", str(folder / "frames"), "--variant", "english", "--start", expected["start"]]
    assert main([*asked, "--events", str(events)]) == 0
    assert [e["move"] for e in _events(events) if e["type"] == "move"] == expected["moves"]


def test_the_same_seed_writes_the_same_pictures(tmp_path: Path) -> None:
    for name in ("one", "two"):
        assert main(["simulate", _written(tmp_path, "wait 0.4"), *SMALL, "--frames", str(tmp_path / name)]) == 0
    one, two = (tmp_path / name / "frames" / "f000001.jpg" for name in ("one", "two"))
    assert one.read_bytes() == two.read_bytes()


@pytest.mark.parametrize(
    ("text", "more", "said"),
    [
        ("variant english\n\n11-17\n", [], "line 3: saw '11-17'"),
        ("wait 1", ["--size", "3x3"], "saw the size '3x3'"),
    ],
)
def test_what_cannot_be_played_is_refused_with_a_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, more: list[str], said: str
) -> None:
    assert main(["simulate", _written(tmp_path, text), *more]) == 2
    assert said in capsys.readouterr().err


@pytest.mark.parametrize("text", ["", "# nothing but a remark", "variant english"])
def test_a_script_in_which_nothing_is_done_says_so(
    text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["simulate", _written(tmp_path, text)]) == 2
    assert "nothing is done" in capsys.readouterr().err
