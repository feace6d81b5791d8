"""Memory that is no longer used goes back to the system: a small computer has other things to do with it."""

import ctypes
import sys

_ARENA_MAX, _MMAP_THRESHOLD = -8, -3
"""Names of settings in the C library's malloc.h."""
_ARENAS = 2
"""Heaps; by default every thread may have one of its own."""
_LARGE_BYTES = 512 * 1024
"""From this size a block is a mapping of its own: pictures and what is made of them leave no holes in a heap."""


def spare_memory() -> bool:
    """Sets up the allocator of this process; false where it is none that can be (other systems than Linux with glibc).

    Left to itself glibc takes the largest block that was ever freed for one to be kept in the heap.
    """
    if not sys.platform.startswith("linux"):
        return False
    try:
        mallopt = ctypes.CDLL(None).mallopt
    except (OSError, AttributeError):
        return False
    return bool(mallopt(_ARENA_MAX, _ARENAS)) and bool(mallopt(_MMAP_THRESHOLD, _LARGE_BYTES))
