"""`kibitz doctor`: what works here and what does not."""

import json
import threading

import cv2
import pytest

from hardware.cameras.choose import Found
from server.cli.main import main


@pytest.fixture
def found(tmp_path, monkeypatch, capsys):
    """The findings with no camera plugged in, and the exit status."""
    monkeypatch.setattr("server.cli.doctor.here", lambda: Found(lambda: False, lambda: (), lambda _: False))
    monkeypatch.setattr("server.cli.doctor._speed", lambda: ("speed", True, "fast", ""))
    status = main(["doctor", "--json", "--data", str(tmp_path)])
    return status, {told["check"]: told for told in map(json.loads, capsys.readouterr().out.splitlines())}


def test_without_a_camera_all_is_well_because_the_simulated_board_stands_in(found):
    status, findings = found
    assert status == 0
    assert not findings["camera"]["ok"]
    assert "simulated board" in findings["camera"]["seen"]
    assert "plug in a camera" in findings["camera"]["cure"]


def test_a_full_disk_is_a_fault(tmp_path, monkeypatch):
    monkeypatch.setattr("server.cli.doctor._LEAST_FREE_BYTES", 10**18)
    monkeypatch.setattr("server.cli.doctor._speed", lambda: ("speed", True, "fast", ""))
    assert main(["doctor", "--data", str(tmp_path)]) == 1


def test_an_opencv_that_cannot_see_markers_is_named_with_its_cure(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(cv2, "aruco", None, raising=False)
    main(["doctor", "--json", "--data", str(tmp_path)])
    told = {told["check"]: told for told in map(json.loads, capsys.readouterr().out.splitlines())}["markers"]
    assert "aruco" in told["seen"]
    assert "OpenCV 4.7" in told["cure"]


def test_while_the_rules_are_compiled_the_user_is_told_what_takes_so_long(tmp_path, monkeypatch):
    told, lines = threading.Event(), []
    monkeypatch.setattr("server.cli.doctor._PATIENCE_SECONDS", 0.0)
    monkeypatch.setattr("server.cli.doctor.complain", lambda line: (lines.append(line), told.set()))
    monkeypatch.setattr("server.cli.doctor.compiled.compile_all", lambda: told.wait(30))
    monkeypatch.setattr("server.cli.doctor._speed", lambda: ("speed", True, "fast", ""))
    assert main(["doctor", "--data", str(tmp_path)]) == 0
    assert lines == ["the rules are being compiled, once; this may take some minutes"]
