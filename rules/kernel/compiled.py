"""The kernel compiled by numba, if numba is there and once someone has asked for it.

Importing this module does not import numba. `warm_up` takes seconds on a cold cache; until it has finished,
everything runs uncompiled.
"""

# ruff: noqa: PLR0913 - the kernel passes its flat arrays one by one, as the compiler wants them

from collections.abc import Callable
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np

from rules.kernel import captures, count, jumps, layout, lex, search, set_search, set_walk, sets, walk
from rules.kernel import follow as follower
from rules.kernel import generate as generator

Entry = Callable[..., int]


@dataclass(slots=True)
class _Compiled:
    generate: Entry | None = None
    count_leaves: Entry | None = None
    follow: Entry | None = None
    follow_text: Entry | None = None
    search_some: Entry | None = None


_state = _Compiled()


def generate() -> Entry | None:
    """The compiled generator, or None while there is none."""
    return _state.generate


def count_leaves() -> Entry | None:
    return _state.count_leaves


def follow() -> Entry | None:
    return _state.follow


def follow_text() -> Entry | None:
    return _state.follow_text


def search_some() -> Entry | None:
    return _state.search_some


def _stamp() -> int:
    """A number that changes with the kernel's sources: numba's cache looks at the file of the entry only."""
    digest = blake2b(digest_size=6)
    for module in (jumps, captures, count, generator, follower, layout, lex, search, set_search, set_walk, sets, walk):
        digest.update(Path(str(module.__file__)).read_bytes())
    return int.from_bytes(digest.digest(), "big")


def _entries(stamp: int) -> tuple[Entry, Entry, Entry, Entry, Entry]:  # noqa: C901 - one small function an entry
    """The five ways into the kernel; the stamp in their closures is part of numba's cache key."""
    make_moves, look = generator.generate, set_search.search_any
    tree, tree_on_sets = walk.count_leaves, set_walk.count_on_sets
    play_on, play_text = follower.follow, follower.follow_text

    def run_generate(cells, side, tired, nb, masks, crown, rules, out, base, tally, work):  # type: ignore[no-untyped-def]
        if stamp < 0:
            return -1
        return make_moves(cells, side, tired, nb, masks, crown, rules, out, base, tally, work)

    def run_count(cells, side, depth, nb, masks, crown, rules, sets, out, tally, work, plies):  # type: ignore[no-untyped-def]
        if stamp < 0:
            return -1
        if sets[layout.WAYS_COUNT] > 0:
            return tree_on_sets(cells, side, depth, nb, masks, crown, rules, sets, out, tally, work, plies)
        return tree(cells, side, depth, nb, masks, crown, rules, out, tally, work, plies)

    def run_follow(cells, nb, masks, crown, rules, sets, out, tally, work, plies, words, played, control):  # type: ignore[no-untyped-def]
        if stamp < 0:
            return -1
        return play_on(cells, nb, masks, crown, rules, sets, out, tally, work, plies, words, played, control)

    def run_text(  # type: ignore[no-untyped-def]
        cells, nb, masks, crown, rules, sets, out, tally, work, plies, text, squares, words, played, control
    ):
        if stamp < 0:
            return -1
        return play_text(
            cells, nb, masks, crown, rules, sets, out, tally, work, plies, text, squares, words, played, control
        )

    def run_search(  # type: ignore[no-untyped-def]
        cells, side, nb, masks, crown, rules, sets, values, out, tally, work, plies, line, control
    ):
        if stamp < 0:
            return -1
        return look(cells, side, nb, masks, crown, rules, sets, values, out, tally, work, plies, line, control)

    return run_generate, run_count, run_follow, run_text, run_search


def _register(jitable: Any) -> None:
    """Tells numba which plain functions compiled code may call."""
    for module in (jumps, captures, sets, count, generator, walk, set_walk, lex, follower, search, set_search):
        for function in vars(module).values():
            if callable(function) and getattr(function, "__module__", "") == module.__name__:
                jitable(function)


def warm_up() -> bool:
    """Compiles the kernel, or loads it from numba's cache; false if numba is absent."""
    if _state.search_some is not None:
        return True
    try:
        from numba import njit, types
        from numba.extending import register_jitable
    except ImportError:
        return False
    _register(register_jitable)
    jit = njit(cache=True, nogil=True)
    run_generate, run_count, run_follow, run_text, run_search = (jit(entry) for entry in _entries(_stamp()))
    one, many = types.int64, types.int64[::1]
    run_generate.compile((many, one, one, *([many] * 5), one, many, many))
    _state.generate = run_generate
    run_count.compile((many, one, one, *([many] * 9)))
    _state.count_leaves = run_count
    run_follow.compile(tuple([many] * 13))
    _state.follow = run_follow
    run_text.compile(tuple([many] * 15))
    _state.follow_text = run_text
    run_search.compile((many, one, *([many] * 12)))
    _state.search_some = run_search
    return True


def workspace(size: int) -> np.ndarray[Any, np.dtype[np.int64]]:
    return np.zeros(size, dtype=np.int64)
