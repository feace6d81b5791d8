"""The capture thread: the newest frame and, for those who ask, its JPEG; and patience with cameras that come and go."""

import logging
import threading
from collections.abc import Callable
from typing import Any

import cv2

from hardware.cameras.simulated import SimulatedBoard
from hardware.cameras.source import FrameSource
from hardware.errors import HardwareError
from vision.frame import Frame

_log = logging.getLogger(__name__)
_FIRST_RETRY_SECONDS = 0.5
_LONGEST_RETRY_SECONDS = 15.0
_RATE_OVER = 0.9
_PATIENCE_SECONDS = 10.0


class Camera:
    """Blocks on the camera and publishes the newest frame; the game is never told to wait."""

    def __init__(
        self,
        open_source: Callable[[], FrameSource],
        stop: threading.Event,
        jpeg_quality: int,
        *,
        patient: bool = False,
        rest: threading.Event | None = None,
    ) -> None:
        """A `patient` camera is recorded or simulated: no frame is passed over, however slow the game loop is.

        `rest` is set while the simulated players are to pause.
        """
        self._open, self._stop, self._quality, self._patient = open_source, stop, jpeg_quality, patient
        self._arrived = threading.Condition()
        self._frame: Frame | None = None
        self._picture: tuple[Frame | None, bytes | None] = (None, None)
        self._encoding = threading.Lock()
        self._state, self._message, self._rate = "lost", "Opening the camera.", 0.0
        self._count = self._taken = 0
        self.simulated = False
        self.arranging: Callable[[], bool] = _never
        """Whether simulated players are laying the board that somebody asked for."""
        self.rest = rest or threading.Event()
        self._changed = False

    def run(self) -> None:
        """Until stopped: opens the source, hands on its frames, tries again when it is lost."""
        wait = _FIRST_RETRY_SECONDS
        while not self._stop.is_set():
            try:
                with self._open() as source:
                    self.simulated = isinstance(source, SimulatedBoard)
                    self.arranging = source.is_arranging if isinstance(source, SimulatedBoard) else _never
                    name = "simulated" if self.simulated else "ok"
                    for frame in source.frames(self._stop.is_set):
                        self._publish(frame, name)
                        wait = _FIRST_RETRY_SECONDS
                if not self._stop.is_set():
                    self._lost("The recording has ended.")
                    self._stop.wait()
            except HardwareError as trouble:
                if self._message != str(trouble):  # said once, though it is tried again and again
                    _log.warning("%s", trouble)
                self._lost(str(trouble))
            self._stop.wait(wait)
            wait = min(2 * wait, _LONGEST_RETRY_SECONDS)

    def newest(self) -> Frame | None:
        with self._arrived:
            return self._frame

    def jpeg(self) -> tuple[Frame | None, bytes | None]:
        """The newest frame and its picture: made when the first viewer asks, once however many look on."""
        with self._encoding:
            frame = self.newest()
            if frame is not None and frame is not self._picture[0]:
                done, data = cv2.imencode(".jpg", frame.bgr, [cv2.IMWRITE_JPEG_QUALITY, self._quality])
                self._picture = (frame, data.tobytes() if done else None)
            return self._picture

    def next_after(self, sequence: int, seconds: float) -> Frame | None:
        """A frame newer than the one numbered `sequence`, waiting a little for it."""
        with self._arrived:
            self._arrived.wait_for(lambda: self._count != sequence and self._frame is not None, seconds)
            if self._frame is None or self._frame.sequence == sequence:
                return None
            self._taken = self._frame.sequence
            self._arrived.notify_all()
            return self._frame

    def wake(self) -> None:
        with self._arrived:
            self._arrived.notify_all()

    def state_changed(self) -> bool:
        """True once after the camera was lost or found."""
        with self._arrived:
            changed, self._changed = self._changed, False
            return changed

    def view(self) -> dict[str, Any]:
        with self._arrived:
            view = {"state": self._state, "fps": round(self._rate, 1), "message": self._message}
            return view | ({"paused": self.rest.is_set()} if self.simulated else {})

    def _publish(self, frame: Frame, state: str) -> None:
        with self._arrived:
            # Frames are numbered here, so that a source that was opened again cannot repeat a number.
            self._count += 1
            if self._frame is not None and frame.captured_at > self._frame.captured_at:
                gap = frame.captured_at - self._frame.captured_at
                self._rate = _RATE_OVER * self._rate + (1 - _RATE_OVER) / gap if self._rate else 1 / gap
            self._frame = Frame(frame.bgr, frame.captured_at, self._count)
            self._changed |= self._state != state
            self._state, self._message = state, ""
            self._arrived.notify_all()
            if self._patient:
                self._arrived.wait_for(lambda: self._taken == self._count or self._stop.is_set(), _PATIENCE_SECONDS)

    def _lost(self, message: str) -> None:
        with self._arrived:
            self._changed |= self._state != "lost" or self._message != message
            self._state, self._message, self._rate = "lost", message, 0.0
            self._arrived.notify_all()


def _never() -> bool:
    """A real board is arranged by people, who tell nobody."""
    return False
