"""Input that `kibitz serve` cannot use: one sentence on stderr, no traceback, exit status 2."""

import os
import socket
from pathlib import Path

import cv2
import numpy as np
import pytest

from rules.variants.catalogue import VARIANT_NAMES
from server.cli.main import UNUSABLE, main
from server.cli.output import complain
from server.errors import UsageError
from server.settings import read_settings
from server.store.door import kept_door
from server.store.text_copy import TextCopy
from server.web.serving import _unservable


def refused(capsys: pytest.CaptureFixture[str], folder: Path, *words: str) -> str:
    """What `serve` says on stderr as it refuses."""
    status = main(["serve", "--data", str(folder / "data"), "--port", "0", *words])
    said = capsys.readouterr()
    assert status == UNUSABLE
    assert said.out == ""
    assert "Traceback" not in said.err
    assert said.err.startswith("kibitz: ")
    return said.err


def test_a_port_in_use_is_refused_before_a_game_is_begun(capsys, tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = str(other.getsockname()[1])
        said = refused(capsys, tmp_path, "--camera", "simulated", "--port", port)
    assert port in said
    assert not (tmp_path / "data").exists()


def test_an_empty_folder_is_refused(capsys, tmp_path):
    (tmp_path / "empty").mkdir()
    assert "holds no jpg or png" in refused(capsys, tmp_path, "--camera", str(tmp_path / "empty"))


def test_a_path_where_nothing_is_is_refused(capsys, tmp_path):
    assert "there is no such file" in refused(capsys, tmp_path, "--camera", str(tmp_path / "missing"))


def test_an_empty_video_is_refused(capsys, tmp_path):
    (tmp_path / "empty.mp4").write_bytes(b"")
    assert "empty file" in refused(capsys, tmp_path, "--camera", str(tmp_path / "empty.mp4"))


def test_a_video_without_frames_is_refused(capsys, tmp_path):
    path = tmp_path / "none.avi"
    cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 5.0, (64, 48)).release()
    path.touch()
    refused(capsys, tmp_path, "--camera", str(path))


def test_a_folder_of_one_truncated_picture_is_refused(capsys, tmp_path):
    (tmp_path / "cut").mkdir()
    _, data = cv2.imencode(".jpg", np.full((64, 64, 3), 90, np.uint8))
    (tmp_path / "cut" / "f0.jpg").write_bytes(data.tobytes()[:-200])
    assert "cut short" in refused(capsys, tmp_path, "--camera", str(tmp_path / "cut"))


def test_a_broken_calibration_that_was_asked_for_is_refused(capsys, tmp_path):
    (tmp_path / "broken.json").write_text("{not a calibration")
    picture = tmp_path / "f0.png"
    cv2.imwrite(str(picture), np.full((64, 64, 3), 90, np.uint8))
    said = refused(capsys, tmp_path, "--camera", str(picture), "--calibration", str(tmp_path / "broken.json"))
    assert "broken.json" in said


def test_an_unknown_variant_is_refused(capsys, tmp_path):
    assert "martian" in refused(capsys, tmp_path, "--camera", "simulated", "--variant", "martian")


def test_settings_that_cannot_be_read_are_refused(capsys, tmp_path):
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "settings.toml").write_text("settle_seconds = 'soon'")
    assert "settle_seconds" in refused(capsys, tmp_path, "--camera", "simulated")


def test_looking_at_a_folder_names_the_pictures_to_give_instead(capsys, tmp_path):
    assert main(["look", str(tmp_path)]) == UNUSABLE
    said = capsys.readouterr().err
    assert "is a folder" in said
    assert f"{tmp_path}/*.jpg" in said


def test_the_help_names_every_game(capsys):
    with pytest.raises(SystemExit) as ended:
        main(["--help"])
    assert ended.value.code == 0
    words = capsys.readouterr().out.replace("\n", " ").replace(",", " ").replace(".", " ").split()
    assert {name for name in VARIANT_NAMES if name not in words} == set()


def test_a_byte_order_mark_before_settings_or_a_script_is_no_obstacle(capsys, tmp_path):
    (tmp_path / "settings.toml").write_text("\ufeffhint_seconds = 3.0")
    assert read_settings(tmp_path / "settings.toml").hint_seconds == 3.0
    (tmp_path / "script.txt").write_text("\ufeffwait -1")
    assert main(["simulate", str(tmp_path / "script.txt")]) == UNUSABLE
    assert "saw '-1'" in capsys.readouterr().err


def test_settings_nested_without_end_are_refused(tmp_path):
    (tmp_path / "settings.toml").write_text("settle_seconds = " + 100_000 * "[")
    with pytest.raises(UsageError, match=r"expected TOML"):
        read_settings(tmp_path / "settings.toml")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_pipes_in_the_data_folder_are_refused_or_passed_over_and_never_waited_for(tmp_path):
    for name in ("settings.toml", "pin.json", "000001-english.jsonl"):
        os.mkfifo(tmp_path / name)
    with pytest.raises(UsageError, match="saw no plain file"):
        read_settings(tmp_path / "settings.toml")
    door = kept_door(tmp_path / "pin.json", None)
    assert kept_door(tmp_path / "pin.json", None) == door
    copies = TextCopy(tmp_path)
    assert copies.count() == 0
    assert list(copies.games()) == []
    assert copies.game(1) is None


@pytest.mark.parametrize("in_the_way", ["pin.json", "pin.json.new"])
def test_a_pin_that_cannot_be_kept_is_spoken_of(tmp_path, caplog, in_the_way):
    (tmp_path / in_the_way / "within").mkdir(parents=True)
    assert kept_door(tmp_path / "pin.json", None).pin
    assert "the PIN cannot be kept" in caplog.text
    assert "--pin" in caplog.text


def test_a_pdn_file_that_cannot_be_written_is_refused_before_anything_is_played(capsys, tmp_path):
    (tmp_path / "script.txt").write_text("wait 5")
    cv2.imwrite(str(tmp_path / "f0.png"), np.full((64, 64, 3), 90, np.uint8))
    nowhere = ["--pdn", str(tmp_path / "missing" / "game.pdn")]
    for words in (["simulate", str(tmp_path / "script.txt")], ["replay", str(tmp_path), "--variant", "english"]):
        assert main([*words, *nowhere]) == UNUSABLE
        said = capsys.readouterr()
        assert said.out == ""
        assert "missing/game.pdn: No such file or directory" in said.err


@pytest.mark.parametrize("seed", ["-1", "99999999999999999999", "x"])
@pytest.mark.parametrize("command", ["serve", "calibrate"])
def test_a_seed_that_is_none_is_refused(capsys, tmp_path, command, seed):
    with pytest.raises(SystemExit) as ended:
        main([command, "--camera", "simulated", "--data", str(tmp_path), f"--seed={seed}"])
    assert ended.value.code == UNUSABLE
    assert f"argument --seed: saw {seed if seed != 'x' else repr(seed)}; expected" in capsys.readouterr().err


def test_what_a_file_says_gives_the_terminal_no_orders(capsys, tmp_path):
    path = tmp_path / "game.pdn"
    path.write_text('[White "A\x1b[2J\x9bB"]\n[Black "\u0416"]\n[GameType "21"]\n1. 11-15 *\n', encoding="utf-8")
    assert main(["pdn", "check", str(path)]) == 0
    said = capsys.readouterr().out
    assert "A\ufffd[2J\ufffdB - \u0416" in said
    complain("saw \x1b[2J")
    assert capsys.readouterr().err == "kibitz: saw \\x1b[2J\n"


def test_of_a_message_too_long_to_be_read_both_ends_are_told(capsys):
    assert main(["moves", "z" * 100_000]) == UNUSABLE
    said = capsys.readouterr().err
    assert len(said) < 4100
    assert said.startswith("kibitz: saw the variant 'zzz")
    assert said.endswith("hexdame\n")


def test_a_calibration_that_is_not_there_is_refused_on_the_simulated_board_too(capsys, tmp_path):
    said = refused(capsys, tmp_path, "--camera", "simulated", "--calibration", str(tmp_path / "nothere.json"))
    assert "nothere.json" in said
    assert not (tmp_path / "data").exists()


def test_an_address_of_another_machine_is_refused_in_words(capsys, tmp_path):
    said = refused(capsys, tmp_path, "--camera", "simulated", "--host", "192.0.2.7")
    assert "192.0.2.7, which is no address of this machine" in said
    assert "Errno" not in said


def test_a_port_of_the_system_is_refused_in_words():
    said = str(_unservable("127.0.0.1", 80, PermissionError(13, "Permission denied")))
    assert "port 80" in said
    assert "8000" in said
    assert "Errno" not in said


def test_a_data_folder_that_is_a_file_is_refused(capsys, tmp_path):
    (tmp_path / "text.jpg").write_text("hello")
    assert main(["games", "--data", str(tmp_path / "text.jpg")]) == UNUSABLE
    assert "which is a file" in capsys.readouterr().err


def test_a_folder_without_games_is_said_to_have_none(capsys, tmp_path):
    assert main(["games", "--data", str(tmp_path)]) == 0
    said = capsys.readouterr()
    assert said.out == ""
    assert f"no games have been recorded in {tmp_path} yet" in said.err
