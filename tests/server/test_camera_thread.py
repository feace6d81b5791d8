"""The capture thread and cameras that come and go."""

import logging
import threading

import numpy as np
import pytest

from hardware.cameras.source import FrameSource
from hardware.errors import HardwareError
from server.runtime import camera_thread
from server.runtime.camera_thread import Camera
from vision.frame import Frame


class _Impatient(threading.Event):
    def wait(self, timeout: float | None = None) -> bool:
        """Passes no time."""
        return self.is_set()


def test_a_camera_that_stays_away_is_told_of_once_for_each_reason(caplog: pytest.LogCaptureFixture) -> None:
    stop = _Impatient()
    troubles = ["not plugged in", "not plugged in", "not plugged in", "in use", "in use", "not plugged in"]
    left = list(troubles)

    def opened() -> FrameSource:
        trouble = left.pop(0)
        if not left:
            stop.set()
        raise HardwareError(trouble)

    camera = Camera(opened, stop, 80)
    with caplog.at_level(logging.WARNING):
        camera.run()
    assert left == []
    assert [record.getMessage() for record in caplog.records] == ["not plugged in", "in use", "not plugged in"]
    assert camera.view()["message"] == "not plugged in"


class _TwoPictures:
    def __enter__(self):
        return self

    def __exit__(self, *_):
        return None

    def frames(self, _):
        for number in range(2):
            yield Frame(np.full((9, 16, 3), 90 * number, np.uint8), number / 10, number)


def test_a_picture_is_encoded_when_somebody_looks_and_once_for_all_who_do(monkeypatch: pytest.MonkeyPatch) -> None:
    encoded, imencode, stop = [], camera_thread.cv2.imencode, _Impatient()
    monkeypatch.setattr(camera_thread.cv2, "imencode", lambda *call: (encoded.append(call), imencode(*call))[1])

    def opened() -> FrameSource:
        if stop.is_set():
            raise HardwareError("gone")
        return _TwoPictures()

    camera = Camera(opened, stop, 80)
    camera._stop.wait = lambda _=None: stop.set() or True  # type: ignore[method-assign,assignment]
    camera.run()
    assert encoded == []
    frame, jpeg = camera.jpeg()
    assert frame is camera.newest()
    assert jpeg is not None
    assert jpeg[:2] == b"\xff\xd8"
    assert camera.jpeg() == (frame, jpeg)
    assert len(encoded) == 1
