"""A USB camera through OpenCV, watched so that one that falls silent is noticed."""

import logging
import queue
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Protocol, Self

import cv2
import numpy as np

from hardware.errors import CameraLost, NoCamera, SourceUnusable
from vision.frame import Frame

WIDTH, HEIGHT = 1280, 720
SILENCE_SECONDS = 5.0
"""How long a camera may deliver nothing before it counts as lost."""

_POLL_SECONDS = 0.1
_log = logging.getLogger(__name__)


class Capture(Protocol):
    """The part of cv2.VideoCapture that is used."""

    def isOpened(self) -> bool: ...  # noqa: N802
    def read(self) -> tuple[bool, Any]: ...
    def release(self) -> None: ...


def open_capture(number: int) -> Capture:
    """Camera `number` at 1280x720, MJPEG where it can, holding as few old frames as it can."""
    capture = cv2.VideoCapture(number)
    capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
    capture.set(cv2.CAP_PROP_FRAME_WIDTH, WIDTH)
    capture.set(cv2.CAP_PROP_FRAME_HEIGHT, HEIGHT)
    capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)
    return capture


@dataclass(slots=True)
class UsbCamera:
    """A USB camera; a reader thread keeps only its newest picture, so a slow pipeline never sees old ones."""

    number: int
    open_capture: Callable[[int], Capture] = open_capture
    clock: Callable[[], float] = time.monotonic
    silence_seconds: float = SILENCE_SECONDS
    _capture: Capture | None = None
    _newest: "queue.Queue[tuple[Any, float]]" = field(default_factory=lambda: queue.Queue(maxsize=1))
    _closing: threading.Event = field(default_factory=threading.Event)
    _thread: threading.Thread | None = None

    @property
    def description(self) -> str:
        return f"USB camera {self.number}"

    def __enter__(self) -> Self:
        capture = self.open_capture(self.number)
        if not capture.isOpened():
            capture.release()
            raise NoCamera(
                f"USB camera {self.number} does not open; expected /dev/video{self.number}; plug it in, see that no "
                "other program uses it and that this user is in the group video, or choose another camera"
            )
        self._capture = capture
        self._closing.clear()
        self._thread = threading.Thread(
            target=self._read_on, args=(capture,), name=f"usb-camera-{self.number}", daemon=True
        )
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._closing.set()
        if self._thread is not None:
            # A driver that hangs in read() must not hang the program: the thread is a daemon and releases later.
            self._thread.join(timeout=1.0)
        self._thread = None
        self._capture = None

    def frames(self, stop: Callable[[], bool]) -> Iterator[Frame]:
        """The newest picture each time one is asked for; CameraLost after `silence_seconds` without any."""
        if self._capture is None:
            raise SourceUnusable(f"{self.description} is not open; use it in a with block")
        sequence = 0
        heard_at = self.clock()
        while not stop():
            try:
                bgr, captured_at = self._newest.get(timeout=_POLL_SECONDS)
            except queue.Empty:
                if self.clock() - heard_at > self.silence_seconds:
                    raise CameraLost(
                        f"{self.description} has delivered no picture for {self.silence_seconds:g} seconds; "
                        "check its cable and its power, then plug it in again"
                    ) from None
                continue
            yield Frame(bgr=np.asarray(bgr, np.uint8), captured_at=captured_at, sequence=sequence)
            sequence += 1
            heard_at = self.clock()

    def _read_on(self, capture: Capture) -> None:
        """Runs in the reader thread until the camera is closed; failed reads are left to the watchdog."""
        try:
            while not self._closing.is_set():
                arrived, bgr = capture.read()
                if not arrived or bgr is None:
                    self._closing.wait(_POLL_SECONDS / 2)
                    continue
                self._replace_newest((bgr, self.clock()))
        except cv2.error as trouble:
            _log.warning("%s: OpenCV says %s", self.description, trouble)
        finally:
            capture.release()

    def _replace_newest(self, picture: tuple[Any, float]) -> None:
        while True:
            try:
                self._newest.put_nowait(picture)
            except queue.Full:
                try:
                    self._newest.get_nowait()
                except queue.Empty:
                    continue
            else:
                return
