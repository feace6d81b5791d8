"""A USB camera through OpenCV, watched so that one that falls silent is noticed."""

import logging
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
    _newest: tuple[Any, float] | None = None
    _arrived: threading.Condition = field(default_factory=threading.Condition)
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
            picture = self._take_newest()
            if picture is None:
                if self.clock() - heard_at > self.silence_seconds:
                    raise CameraLost(
                        f"{self.description} has delivered no picture for {self.silence_seconds:g} seconds; "
                        "check its cable and its power, then plug it in again"
                    )
                continue
            bgr, captured_at = picture
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
                self._offer((bgr, self.clock()))
        except cv2.error as trouble:
            _log.warning("%s: OpenCV says %s", self.description, trouble)
        finally:
            capture.release()

    def _offer(self, picture: tuple[Any, float]) -> None:
        with self._arrived:
            self._newest = picture
            self._arrived.notify()

    def _take_newest(self) -> tuple[Any, float] | None:
        """The newest picture not yet taken, waiting a moment for one."""
        with self._arrived:
            if self._newest is None:
                self._arrived.wait(_POLL_SECONDS)
            picture, self._newest = self._newest, None
            return picture
