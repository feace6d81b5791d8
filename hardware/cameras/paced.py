"""A recording shown at the pace at which it was made, or a multiple of it."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import TracebackType
from typing import Self

from hardware.cameras.source import FrameSource
from vision.frame import Frame

_LONGEST_SLEEP_SECONDS = 0.2


@dataclass
class Paced:
    """Hands on the frames of `source` when their time has come; `captured_at` stays what it was."""

    source: FrameSource
    speed: float = 1.0
    clock: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep

    @property
    def description(self) -> str:
        return self.source.description

    def __enter__(self) -> Self:
        self.source.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, trouble: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.source.__exit__(kind, trouble, trace)

    def frames(self, stop: Callable[[], bool]) -> Iterator[Frame]:
        began, first = self.clock(), None
        for frame in self.source.frames(stop):
            first = frame.captured_at if first is None else first
            due = began + (frame.captured_at - first) / self.speed
            while not stop() and (ahead := due - self.clock()) > 0:
                self.sleep(min(ahead, _LONGEST_SLEEP_SECONDS))
            if stop():
                return
            yield frame
