"""The Raspberry Pi camera; picamera2 is imported only when it is opened."""

import importlib
import queue
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Self

import numpy as np

from hardware.errors import CameraLost, NoCamera, SourceUnusable
from vision.frame import Frame

WIDTH, HEIGHT = 1280, 720
SILENCE_SECONDS = 5.0
_POLL_SECONDS = 0.1


def open_picamera() -> Any:
    """A started Picamera2 whose main stream is BGR in memory, or NoCamera."""
    try:
        module = importlib.import_module("picamera2")
    except ImportError as missing:
        raise NoCamera(
            "picamera2 is not installed; expected it for the Raspberry Pi camera; on Raspberry Pi OS run "
            "'sudo apt install python3-picamera2' and make the environment with --system-site-packages"
        ) from missing
    # libcamera reports an absent camera as IndexError, a busy one as RuntimeError.
    camera = None
    try:
        camera = module.Picamera2()
        # libcamera's "RGB888" lies in memory as blue, green, red: OpenCV's order (Picamera2 manual, 4.2.2.2).
        camera.configure(
            camera.create_video_configuration(main={"size": (WIDTH, HEIGHT), "format": "RGB888"}, buffer_count=3)
        )
        camera.start()
    except (IndexError, RuntimeError) as trouble:
        if camera is not None:
            camera.close()
        raise NoCamera(
            f"the Raspberry Pi camera does not start ({trouble}); expected one on the ribbon cable; "
            "check the cable, and 'rpicam-hello --list-cameras'"
        ) from trouble
    return camera


@dataclass(slots=True)
class PiCamera:
    """The Pi's own camera. libcamera drops old frames itself: each frame asked for is one taken just now."""

    open: Callable[[], Any] = open_picamera
    clock: Callable[[], float] = time.monotonic
    silence_seconds: float = SILENCE_SECONDS
    _camera: Any = None
    _arrived: "queue.SimpleQueue[Any]" = field(default_factory=queue.SimpleQueue)

    @property
    def description(self) -> str:
        return "Raspberry Pi camera"

    def __enter__(self) -> Self:
        self._camera = self.open()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._camera is not None:
            self._camera.stop()
            self._camera.close()
            self._camera = None

    def frames(self, stop: Callable[[], bool]) -> Iterator[Frame]:
        """The newest picture each time; CameraLost when none has come for `silence_seconds`."""
        if self._camera is None:
            raise SourceUnusable(f"{self.description} is not open; use it in a with block")
        sequence = 0
        while not stop():
            bgr = self._next_picture(stop)
            if bgr is None:
                return
            yield Frame(bgr=bgr, captured_at=self.clock(), sequence=sequence)
            sequence += 1

    def _next_picture(self, stop: Callable[[], bool]) -> np.ndarray[Any, np.dtype[np.uint8]] | None:
        """Asks without blocking for ever: picamera2 signals the finished job through the queue."""
        asked_at = self.clock()
        job = self._camera.capture_array("main", wait=False, signal_function=self._arrived.put)
        while not stop():
            try:
                self._arrived.get(timeout=_POLL_SECONDS)
            except queue.Empty:
                if self.clock() - asked_at > self.silence_seconds:
                    raise CameraLost(
                        f"{self.description} has delivered no picture for {self.silence_seconds:g} seconds; "
                        "check its ribbon cable and the power supply"
                    ) from None
                continue
            return np.ascontiguousarray(self._camera.wait(job)[:, :, :3], dtype=np.uint8)
        return None
