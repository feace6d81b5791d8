"""The capture thread and cameras that come and go."""

import logging
import threading

import pytest

from hardware.cameras.source import FrameSource
from hardware.errors import HardwareError
from server.runtime.camera_thread import Camera


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
