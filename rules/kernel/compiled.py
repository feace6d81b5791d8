"""The generator compiled by numba, if numba is there and once someone has asked for it.

Importing this module does not import numba. `warm_up` takes seconds on a cold cache; until it has finished,
everything runs uncompiled.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from rules.kernel import generate as source
from rules.kernel import layout


@dataclass(slots=True)
class _Compiled:
    generate: Callable[..., int] | None = None
    perft: Callable[..., int] | None = None
    search: Callable[..., int] | None = None


_state = _Compiled()


def generate() -> Callable[..., int] | None:
    """The compiled generator, or None while there is none."""
    return _state.generate


def perft() -> Callable[..., int] | None:
    return _state.perft


def search() -> Callable[..., int] | None:
    return _state.search


def _registered(register: Any) -> None:
    """Tells numba that the helper functions may be called from compiled code."""
    for name in (
        "find_victim",
        "can_jump",
        "king_after",
        "goes_on_from",
        "open_direction",
        "next_landing",
        "same_move",
        "emit_capture",
        "may_stop",
        "captures_from",
        "emit_quiet",
        "quiet_from",
    ):
        register(getattr(source, name))


def warm_up() -> bool:
    """Compiles the kernel, or loads it from numba's cache; false if numba is absent."""
    if _state.generate is not None:
        return True
    try:
        from numba import njit
        from numba.extending import register_jitable
    except ImportError:
        return False
    _registered(register_jitable)
    run = njit(cache=True, nogil=True)(source.generate)
    ints = [np.zeros(layout.WORK_SIZE * layout.RECORD, dtype=np.int64) for _ in range(8)]
    ints[4][layout.POINTS] = 1
    run(ints[0], 0, -1, ints[1], ints[2], ints[3], ints[4], ints[5], 0, ints[6], ints[7])
    _state.generate = run
    return True
