"""When a board that is not in view is looked for again: less and less often, at once when the picture changes."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Frame

FIRST_WAIT_SECONDS = 1.0
LONGEST_WAIT_SECONDS = 10.0
AWAITED_SECONDS = 20.0
"""How long it may take to lay another kind of board on the table."""
_COLUMNS, _ROWS = 32, 18
_CHANGE = 0.25
"""Change of the logarithm of brightness, less the usual one, from which a part of the picture is another."""
_MUCH = 0.06
"""Share of the picture that must be another before the board is looked for at once."""
_DARK = 14.0
_STRIDE = 8
"""Of the picture's pixels, one in so many each way is enough to tell that it changed."""


@dataclass(frozen=True, slots=True, eq=False)
class Search:
    """`next_at` and `soonest` in seconds of the frames; `glimpse` (h, w) of the picture that was searched last."""

    next_at: float = float("-inf")
    soonest: float = float("-inf")
    wait_seconds: float = FIRST_WAIT_SECONDS
    glimpse: NDArray[np.float32] | None = None
    awaited_until: float = float("-inf")
    """Until then the board may still be on its way; infinite if nothing was searched yet."""


def is_due(search: Search, frame: Frame) -> bool:
    """Whether to search this frame: the wait is over, or the picture has changed much since the last search."""
    if frame.captured_at >= search.next_at:
        return True
    if search.glimpse is None or frame.captured_at < search.soonest:
        return False
    away = _glimpse(frame) - search.glimpse
    return bool(np.mean(np.abs(away - np.median(away)) > _CHANGE) > _MUCH)


def in_vain(search: Search, frame: Frame) -> Search:
    """The search after this frame showed no board: the next wait is twice as long, unless the picture changed."""
    patient = frame.captured_at >= search.next_at
    until = min(search.awaited_until, frame.captured_at + AWAITED_SECONDS)
    awaited = frame.captured_at < until
    wait = search.wait_seconds if patient and not awaited else FIRST_WAIT_SECONDS
    return Search(
        next_at=frame.captured_at + wait,
        soonest=frame.captured_at + FIRST_WAIT_SECONDS,
        wait_seconds=wait if awaited else min(2 * wait, LONGEST_WAIT_SECONDS),
        glimpse=_glimpse(frame),
        awaited_until=until,
    )


def is_awaited(search: Search, frame: Frame) -> bool:
    """Whether nobody should be told yet that there is no board: another kind of it is just being laid on the table."""
    return frame.captured_at < search.awaited_until


def _glimpse(frame: Frame) -> NDArray[np.float32]:
    """The logarithm of brightness of a very small picture (h, w)."""
    few = np.ascontiguousarray(frame.bgr[::_STRIDE, ::_STRIDE])
    grey = cv2.resize(cv2.cvtColor(few, cv2.COLOR_BGR2GRAY), (_COLUMNS, _ROWS), interpolation=cv2.INTER_AREA)
    return np.asarray(np.log(grey.astype(np.float32) + _DARK), np.float32)
