"""USB and Pi cameras with fakes in place of the devices, and the choice between sources."""

import itertools
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hardware.cameras.choose import Found, open_camera, usb_numbers
from hardware.cameras.picamera import PiCamera
from hardware.cameras.simulated import SimulatedBoard
from hardware.cameras.usb import UsbCamera
from hardware.errors import CameraLost, NoCamera, SourceUnusable


class FakeCapture:
    """Delivers `count` pictures and then nothing."""

    def __init__(self, count: int, opened: bool = True) -> None:
        self.left = count
        self.opened = opened
        self.released = False

    def isOpened(self) -> bool:  # noqa: N802
        return self.opened

    def read(self) -> tuple[bool, Any]:
        if self.left == 0:
            return False, None
        self.left -= 1
        return True, np.full((4, 6, 3), self.left % 200, np.uint8)

    def release(self) -> None:
        self.released = True


def _ticking() -> Any:
    ticks: Iterator[int] = itertools.count()
    return lambda: float(next(ticks))


def test_a_usb_camera_that_falls_silent_is_reported_lost_with_the_cure() -> None:
    capture = FakeCapture(1)
    camera = UsbCamera(3, open_capture=lambda _: capture, clock=_ticking(), silence_seconds=4.0)
    with camera:
        frames = camera.frames(lambda: False)
        assert next(frames).bgr.shape == (4, 6, 3)
        with pytest.raises(CameraLost, match=r"USB camera 3 .* 4 seconds.* cable"):
            next(frames)
    assert capture.released


def test_a_usb_camera_numbers_its_frames_until_told_to_stop() -> None:
    camera = UsbCamera(0, open_capture=lambda _: FakeCapture(10_000_000))
    with camera:
        frames = list(itertools.islice(camera.frames(lambda: False), 3))
        assert list(camera.frames(lambda: True)) == []
    assert [f.sequence for f in frames] == [0, 1, 2]
    assert frames[0].captured_at <= frames[1].captured_at <= frames[2].captured_at


def test_a_usb_camera_that_does_not_open_is_no_camera() -> None:
    capture = FakeCapture(0, opened=False)
    with pytest.raises(NoCamera, match="/dev/video2"), UsbCamera(2, open_capture=lambda _: capture):
        pass
    assert capture.released


class FakePicamera:
    """Answers as Picamera2 does: a job that signals when it is done."""

    def __init__(self, answers: bool = True) -> None:
        self.answers = answers
        self.closed = False

    def capture_array(self, name: str, wait: bool, signal_function: Any) -> str:
        if self.answers:
            signal_function("job")
        return "job"

    def wait(self, job: str) -> Any:
        return np.zeros((4, 6, 4), np.uint8)

    def stop(self) -> None:
        pass

    def close(self) -> None:
        self.closed = True


def test_the_pi_camera_gives_pictures_of_three_channels() -> None:
    device = FakePicamera()
    with PiCamera(open=lambda: device) as camera:
        frames = list(itertools.islice(camera.frames(lambda: False), 2))
    assert [f.bgr.shape for f in frames] == [(4, 6, 3)] * 2
    assert device.closed


def test_a_pi_camera_that_falls_silent_is_reported_lost() -> None:
    with (
        PiCamera(open=lambda: FakePicamera(answers=False), clock=_ticking(), silence_seconds=1.0) as camera,
        pytest.raises(CameraLost, match="ribbon"),
    ):
        next(camera.frames(lambda: False))


def test_without_picamera2_the_message_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "picamera2", None)
    with pytest.raises(NoCamera, match="apt install python3-picamera2"), PiCamera():
        pass


def _found(picamera: bool, *working: int) -> Found:
    return Found(picamera=lambda: picamera, usb_numbers=lambda: (0, 1, 2), usb_works=lambda n: n in working)


def test_auto_prefers_the_pi_camera_then_usb_then_the_simulated_board() -> None:
    chosen = [open_camera("auto", "english", 1, found) for found in (_found(True, 1), _found(False, 1), _found(False))]
    assert [c.description for c in chosen] == [
        "Raspberry Pi camera",
        "USB camera 1",
        "simulated board (english, seed 1)",
    ]


def test_every_form_of_name_opens_its_source(tmp_path: Path) -> None:
    (tmp_path / "a.png").write_bytes(b"x")
    assert isinstance(open_camera("simulated", "english", 0), SimulatedBoard)
    assert isinstance(open_camera("picamera", "english", 0), PiCamera)
    assert open_camera("usb:7", "english", 0).description == "USB camera 7"
    assert str(tmp_path) in open_camera(str(tmp_path), "english", 0).description


@pytest.mark.parametrize("spec", ["", "usb", "usb:", "usb:x", "usb:-1", "webcam", "x" * 5000, "a\0b"])
def test_an_unknown_name_is_refused_with_the_forms_there_are(spec: str) -> None:
    with pytest.raises(SourceUnusable, match="usb:N"):
        open_camera(spec, "english", 0)


def test_the_pis_own_video_nodes_are_no_usb_cameras(tmp_path: Path) -> None:
    for number, name in ((0, "HD Webcam"), (10, "bcm2835-codec-decode"), (2, "")):
        (tmp_path / "dev").mkdir(exist_ok=True)
        (tmp_path / "dev" / f"video{number}").touch()
        if name:
            (tmp_path / "names" / f"video{number}").mkdir(parents=True)
            (tmp_path / "names" / f"video{number}" / "name").write_text(name + "\n")
    assert usb_numbers(tmp_path / "dev", tmp_path / "names") == (0, 2)


def test_the_paced_simulated_board_sleeps_until_each_frame_is_due() -> None:
    now = [100.0]

    def sleep(seconds: float) -> None:
        now[0] += seconds

    with SimulatedBoard("english", 3, clock=lambda: now[0], sleep=sleep) as board:
        frames = list(itertools.islice(board.frames(lambda: False), 4))
    assert [f.captured_at for f in frames] == pytest.approx([100.0, 100.1, 100.2, 100.3])
    assert now[0] == pytest.approx(100.3)
    assert frames[0].bgr.shape == (720, 1280, 3)
