"""What every source of frames offers."""

from collections.abc import Callable, Iterator
from types import TracebackType
from typing import Protocol, Self

from vision.frame import Frame


class FrameSource(Protocol):
    """A source of frames, opened by `with` and closed when the block ends."""

    @property
    def description(self) -> str:
        """What this is, in words for people: "USB camera 0", "37 pictures in games/whole"."""

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...

    def frames(self, stop: Callable[[], bool]) -> Iterator[Frame]:
        """Frames in order until `stop()` is true or the source ends; raises CameraLost if a camera falls silent."""
