"""The kernel compiled by numba, if numba is there and once someone has asked for it.

Importing this module does not import numba. `warm_up` takes seconds on a cold cache; until it has finished,
everything runs uncompiled.

The entries take arrays and hand bare pointers on: an array is seven values in every call and each access looks whether
its index is negative, which made the kernel slower by half and longer to compile. So compiled code sees no lengths and
must keep to its bounds by itself; tests/rules/test_kernel_bounds.py watches every index of the source.
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
    jit: Any = None
    """What compiles an entry; None until `warm_up`."""
    generate: Entry | None = None
    count_leaves: Entry | None = None
    follow_text: Entry | None = None
    search: Entry | None = None


_state = _Compiled()
_at: Any = None
"""Within an entry the pointer to an array's first integer. A global: numba's cache would take what is in a closure for
new in every process."""


def generate() -> Entry | None:
    """The compiled generator, or None while there is none."""
    return _state.generate


def follow_text() -> Entry | None:
    """The compiled reader of moves; like search and counter it is loaded, or compiled, when it is first needed."""
    if _state.follow_text is None and _state.jit is not None:
        _state.follow_text = _ready(_follower(_stamp()), "n" * 15)
    return _state.follow_text


def search_some() -> Entry | None:
    if _state.search is None and _state.jit is not None:
        _state.search = _ready(_searcher(_stamp()), "ni" + "n" * 12)
    return _state.search


def count_leaves() -> Entry | None:
    if _state.count_leaves is None and _state.jit is not None:
        _state.count_leaves = _ready(_counter(_stamp()), "nii" + "n" * 9)
    return _state.count_leaves


def compile_all() -> bool:
    """Fills numba's cache with whatever play, reading and hints may need; false if numba is absent."""
    return warm_up() and None not in (follow_text(), search_some())


def _stamp() -> int:
    """A number that changes with the kernel's sources: numba's cache looks at the file of the entry only."""
    digest = blake2b(digest_size=6)
    for module in (jumps, captures, count, generator, follower, layout, lex, search, set_search, set_walk, sets, walk):
        digest.update(Path(str(module.__file__)).read_bytes())
    return int.from_bytes(digest.digest(), "big")


def _generator(stamp: int) -> Entry:
    """A way into the kernel, as the next ones; the stamp in their closures is part of numba's cache key."""
    make_moves = generator.generate

    def run_generate(cells, side, tired, nb, masks, crown, rules, out, base, tally, work):  # type: ignore[no-untyped-def]
        if stamp < 0:
            return -1
        return make_moves(
            _at(cells), side, tired, _at(nb), _at(masks), _at(crown), _at(rules), _at(out), base, _at(tally), _at(work)
        )

    return run_generate


def _counter(stamp: int) -> Entry:
    tree, tree_on_sets = walk.count_leaves, set_walk.count_on_sets

    def run_count(cells, side, depth, nb, masks, crown, rules, sets, out, tally, work, plies):  # type: ignore[no-untyped-def]
        if stamp < 0:
            return -1
        board, points, ways, row, game = _at(cells), _at(nb), _at(masks), _at(crown), _at(rules)
        list_, told, room, frames = _at(out), _at(tally), _at(work), _at(plies)
        if sets[layout.WAYS_COUNT] > 0:
            return tree_on_sets(board, side, depth, points, ways, row, game, _at(sets), list_, told, room, frames)
        return tree(board, side, depth, points, ways, row, game, list_, told, room, frames)

    return run_count


def _follower(stamp: int) -> Entry:
    play_text = follower.follow_text

    def run_text(  # type: ignore[no-untyped-def]
        cells, nb, masks, crown, rules, sets, out, tally, work, plies, text, squares, words, played, control
    ):
        if stamp < 0:
            return -1
        board, points, ways, row, game, bits = _at(cells), _at(nb), _at(masks), _at(crown), _at(rules), _at(sets)
        list_, told, room, frames, letters = _at(out), _at(tally), _at(work), _at(plies), _at(text)
        lexed, noted, state = _at(words), _at(played), _at(control)
        return play_text(
            board, points, ways, row, game, bits, list_, told, room, frames, letters, _at(squares), lexed, noted, state
        )

    return run_text


def _searcher(stamp: int) -> Entry:
    look, look_on_sets = search.search_some, set_search.search_on_sets

    def run_search(  # type: ignore[no-untyped-def]
        cells, side, nb, masks, crown, rules, sets, values, out, tally, work, plies, line, control
    ):
        if stamp < 0:
            return -1
        board, points, ways, row, game, worth = _at(cells), _at(nb), _at(masks), _at(crown), _at(rules), _at(values)
        list_, told, room, frames, best, state = _at(out), _at(tally), _at(work), _at(plies), _at(line), _at(control)
        if sets[layout.WAYS_COUNT] > 0:
            return look_on_sets(
                board, side, points, ways, row, game, _at(sets), worth, list_, told, room, frames, best, state
            )
        return look(board, side, points, ways, row, game, worth, list_, told, room, frames, best, state)

    return run_search


def _ready(entry: Entry, arguments: str) -> Entry:
    """An entry compiled, or loaded from numba's cache, for arguments that are integers (i) or arrays of them (n)."""
    from numba import types

    made: Any = _state.jit(entry)
    made.compile(tuple(types.int64 if kind == "i" else types.int64[::1] for kind in arguments))
    compiled: Entry = made
    return compiled


def _pointer_to_first() -> Any:
    """What gives compiled code the address of an array's integers; it is indexed like the array, unchecked."""
    from numba import types
    from numba.extending import intrinsic

    pointer: Any = types.CPointer

    def first(_: Any, array: Any) -> Any:
        def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return context.make_array(signature.args[0])(context, builder, arguments[0]).data

        return pointer(array.dtype)(array), build

    return intrinsic(first)


def _register(jitable: Any) -> None:
    """Tells numba which plain functions compiled code may call."""
    for module in (jumps, captures, sets, count, generator, walk, set_walk, lex, follower, search, set_search):
        for function in vars(module).values():
            if callable(function) and getattr(function, "__module__", "") == module.__name__:
                jitable(function)


def warm_up() -> bool:
    """Compiles what play needs, or loads it from numba's cache; false if numba is absent.

    The kernel makes no arrays, so references to them need no counting (`_nrt`, as in numba's own sorting): it runs
    nearly twice as fast without.
    """
    global _at
    if _state.generate is not None:
        return True
    try:
        from numba import njit
        from numba.core.options import DefaultOptions
        from numba.extending import register_jitable
    except ImportError:
        return False
    options: dict[str, Any] = {"nogil": True, **({"_nrt": False} if hasattr(DefaultOptions, "_nrt") else {})}
    _register(register_jitable(**options))
    _at = _pointer_to_first()
    _state.jit = njit(cache=True, **options)
    _state.generate = _ready(_generator(_stamp()), "niinnnnninn")
    return True


def workspace(size: int) -> np.ndarray[Any, np.dtype[np.int64]]:
    return np.zeros(size, dtype=np.int64)
