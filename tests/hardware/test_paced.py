"""Recordings shown at their own pace."""

from collections.abc import Callable, Iterator
from types import TracebackType

import numpy as np

from hardware.cameras.paced import Paced
from vision.frame import Frame


class _Three:
    """Three frames, 1.5 seconds apart."""

    description = "three frames"

    def __enter__(self) -> "_Three":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, trouble: BaseException | None, trace: TracebackType | None
    ) -> None:
        return None

    def frames(self, stop: Callable[[], bool]) -> Iterator[Frame]:
        for k in range(3):
            yield Frame(np.zeros((4, 4, 3), np.uint8), 10.0 + 1.5 * k, k)


class _Clock:
    """Time that passes only while somebody sleeps."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds


def test_a_recording_is_shown_at_its_own_pace() -> None:
    clock = _Clock()
    with Paced(_Three(), 1.0, clock, clock.sleep) as source:
        shown = [(clock.now, f.captured_at) for f in source.frames(lambda: False)]
    assert [round(at - 100.0, 6) for at, _ in shown] == [0.0, 1.5, 3.0]
    assert [stamp for _, stamp in shown] == [10.0, 11.5, 13.0]


def test_a_recording_shown_faster_keeps_its_timestamps() -> None:
    clock = _Clock()
    with Paced(_Three(), 3.0, clock, clock.sleep) as source:
        shown = [(clock.now, f.captured_at) for f in source.frames(lambda: False)]
    assert [round(at - 100.0, 6) for at, _ in shown] == [0.0, 0.5, 1.0]
    assert shown[-1][1] == 13.0


def test_a_recording_can_be_stopped_while_it_waits() -> None:
    clock = _Clock()
    with Paced(_Three(), 1.0, clock, clock.sleep) as source:
        shown = list(source.frames(lambda: clock.now > 100.5))
    assert len(shown) == 1
