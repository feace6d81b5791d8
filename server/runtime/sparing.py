"""Memory that is no longer used goes back to the system: a small computer has other things to do with it."""

import ctypes
import sys
from pathlib import Path

_ARENA_MAX, _MMAP_THRESHOLD = -8, -3
"""Names of settings in the C library's malloc.h."""
_ARENAS = 2
"""Heaps; by default every thread may have one of its own."""
_CODE, _DONT_NEED = "r-xp", 4
"""Rights of a mapping of machine code in Linux's list of them; advice to the system about such a range."""
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


def let_go_of_code() -> int:
    """Gives back the memory that holds machine code, most of which is used once; how many bytes at most.

    What is still used comes back from its file in some milliseconds. Nothing is done on other systems than Linux.
    """
    try:
        libc = ctypes.CDLL(None)
        madvise, trim = libc.madvise, libc.malloc_trim
        maps = Path("/proc/self/maps").read_text(encoding="utf-8", errors="replace")
    except (OSError, AttributeError):
        return 0
    trim(0)
    madvise.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int)
    let_go = 0
    for line in maps.splitlines():
        place, rights, _, _, inode, *_ = line.split(maxsplit=5)
        if rights == _CODE and inode != "0":  # of a file and never written, so that the file has all of it
            start, end = (int(address, 16) for address in place.split("-"))
            let_go += end - start if madvise(start, end - start, _DONT_NEED) == 0 else 0
    return let_go
