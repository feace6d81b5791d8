"""`kibitz pdn check` and `kibitz pdn convert` as their users meet them."""

import json
from pathlib import Path

import pytest

from server.cli.main import main

_GAMES = """[White "Ann"]
[Black "Bob"]
[Result "2-0"]

1. 32-28 19-23 2. 28x19 14x23 2-0

[White "Cas"]
1. 32-28 {c} 19-24 (19-23) 2. 1-50 3. 33-29 *
"""


@pytest.fixture
def games(tmp_path: Path) -> Path:
    path = tmp_path / "games.pdn"
    path.write_text(_GAMES, encoding="utf-8")
    return path


def test_check_tells_of_each_game_and_where_it_goes_wrong(games: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["pdn", "check", str(games)]) == 1
    said = capsys.readouterr().out
    assert "game 1 (line 1): Ann - Bob\n  international, 4 plies, result 2-0" in said
    assert "line 8, column 31, ply 3: saw '1-50'" in said
    assert "1 holds a disc of Black, whose turn it is not" in said
    assert said.endswith("2 games, 6 plies, 1 with something wrong\n")


def test_check_as_json_has_a_line_a_game(games: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["pdn", "check", "--json", str(games)]) == 1
    first, second = (json.loads(line) for line in capsys.readouterr().out.splitlines())
    assert (first["tags"]["White"], first["plies"], first["result"], first["problems"]) == ("Ann", 4, "2-0", [])
    assert [(p["line"], p["column"], p["ply"]) for p in second["problems"]] == [(8, 31, 3)]


def test_files_without_fault_are_done(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "good.pdn"
    path.write_text("1. 32-28 19-23 *\n")
    assert main(["pdn", "check", "--quiet", str(path)]) == 0
    assert capsys.readouterr().out == f"{path}: 1 game, 2 plies, none with something wrong\n"


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "saw no game"),
        (b" \n\n", "saw no game"),
        (b"# Shopping\n\nBread and cheese.\n", "saw no game"),
        (b"\x7fELF\0\0\1", "binary"),
        (None, "folder"),
    ],
    ids=["empty", "blank", "prose", "binary", "folder"],
)
def test_what_holds_no_games_is_unusable_and_says_why(
    content: bytes | None, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path if content is None else tmp_path / "x.pdn"
    if content is not None:
        path.write_bytes(content)
    assert main(["pdn", "check", str(path)]) == 2
    assert words in capsys.readouterr().err


def test_one_unusable_file_does_not_keep_the_others_from_being_read(
    games: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["pdn", "check", str(tmp_path / "none.pdn"), str(games)]) == 2
    said = capsys.readouterr()
    assert "none.pdn" in said.err
    assert "2 games, 6 plies" in said.out


def test_convert_writes_the_full_form_with_everything(games: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["pdn", "convert", str(games), "--to", "full"]) == 0
    said = capsys.readouterr()
    assert "1. 32-28 {c} 19-24 (1... 19-23) {not legal here: 1-50 3. 33-29} *" in said.out
    assert "games.pdn:8:31: game 2" in said.err


def test_convert_writes_the_strict_form_in_letters(games: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["pdn", "convert", str(games), "--to", "strict", "--notation", "algebraic"]) == 0
    said = capsys.readouterr().out
    assert '[GameType "20,W,10,10,A0,0"]' in said
    assert "1. d4-e5 g7-f6 2. e5xg7 h8xf6 2-0" in said


def test_convert_to_json_tells_every_ply(games: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["pdn", "convert", str(games), "--to", "json"]) == 0
    first, second = (json.loads(line) for line in capsys.readouterr().out.splitlines())
    assert first["moves"] == ["32-28", "19-23", "28x19", "14x23"]
    assert first["main_line"]["plies"][2]["captured"] == ["23"]
    assert second["main_line"]["plies"][0]["comments"] == ["c"]
    assert second["main_line"]["plies"][1]["variations"][0]["plies"][0]["move"] == "19-23"
    assert second["main_line"]["unread"] == "1-50 3. 33-29"


@pytest.mark.parametrize("stray", [b"\0", b"\x07\0", b"\x1a"])
def test_a_stray_control_character_costs_no_game(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], stray: bytes
) -> None:
    path = tmp_path / "stray.pdn"
    path.write_bytes(b"1. 32-28" + stray + b" 19-23 *" + stray)
    assert main(["pdn", "check", str(path)]) == 0
    assert "1 game, 2 plies, none with something wrong" in capsys.readouterr().out
