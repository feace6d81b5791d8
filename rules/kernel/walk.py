"""Making and taking back moves on the flat board, and counting the leaves of the tree of moves."""

# ruff: noqa: PLR0913 - the kernel passes its flat arrays one by one, as the compiler wants them

from rules.kernel.generate import generate
from rules.kernel.jumps import Ints
from rules.kernel.layout import (
    BASE,
    CAPTURED,
    END,
    KINDS,
    MOVED,
    MOVES,
    NEXT,
    ORIGIN,
    PLY,
    POINTS,
    PROMOTES,
    RECORD,
    RUN_LIMIT,
    RUNS,
    TAKEN,
)


def make(cells: Ints, out: Ints, r: int, side: int) -> int:
    """Makes the move recorded at `out[r]` and returns the piece that moved, for `unmake`."""
    piece = cells[out[r + ORIGIN]]
    cells[out[r + ORIGIN]] = 0
    for k in range(out[r + TAKEN]):
        cells[out[r + CAPTURED + k]] = 0
    cells[out[r + END]] = 3 + side if out[r + PROMOTES] == 1 else piece
    return piece


def unmake(cells: Ints, out: Ints, r: int, piece: int) -> None:
    cells[out[r + END]] = 0
    for k in range(out[r + TAKEN]):
        cells[out[r + CAPTURED + k]] = out[r + KINDS + k]
    cells[out[r + ORIGIN]] = piece


def has_man(cells: Ints, side: int, n: int) -> bool:
    for point in range(n):  # noqa: SIM110 - numba compiles no generator
        if cells[point] == 1 + side:
            return True
    return False


def run_on(cells: Ints, out: Ints, r: int, side: int, plies: Ints, f: int, rules: Ints) -> None:
    """Writes the king runs after the move just made from ply `f` into the next ply."""
    for k in range(4):
        plies[f + PLY + RUNS + k] = plies[f + RUNS + k]
    if rules[RUN_LIMIT] == 0:
        return
    own = RUNS + 2 * side
    other = RUNS + 2 * (1 - side)
    if plies[f + MOVED] >= 3 and out[r + TAKEN] == 0 and has_man(cells, side, rules[POINTS]):
        made = plies[f + own + 1] if plies[f + own] == out[r + ORIGIN] else 0
        plies[f + PLY + own] = out[r + END]
        plies[f + PLY + own + 1] = made + 1
    else:
        plies[f + PLY + own] = -1
        plies[f + PLY + own + 1] = 0
    for k in range(out[r + TAKEN]):
        if out[r + CAPTURED + k] == plies[f + other]:
            plies[f + PLY + other] = -1
            plies[f + PLY + other + 1] = 0


def tired_at(cells: Ints, side: int, plies: Ints, f: int, rules: Ints) -> int:
    """The point of the king that may not move without capturing, or -1."""
    run = f + RUNS + 2 * side
    if rules[RUN_LIMIT] == 0 or plies[run] < 0 or plies[run + 1] < rules[RUN_LIMIT]:
        return -1
    if not has_man(cells, side, rules[POINTS]):
        return -1
    return plies[run]


def count_leaves(
    cells: Ints,
    side: int,
    depth: int,
    nb: Ints,
    masks: Ints,
    crown: Ints,
    rules: Ints,
    out: Ints,
    tally: Ints,
    work: Ints,
    plies: Ints,
) -> int:
    """Leaves at exactly `depth` plies (at least 1); `plies` holds the king runs of ply 0."""
    leaves = 0
    ply = 0
    plies[BASE] = 0
    plies[MOVES] = -1
    while ply >= 0:
        f = ply * PLY
        if plies[f + MOVES] < 0:
            tired = tired_at(cells, side, plies, f, rules)
            moves = generate(cells, side, tired, nb, masks, crown, rules, out, plies[f + BASE], tally, work)
            plies[f + NEXT] = 0
            plies[f + MOVES] = moves
            if depth - ply == 1:
                leaves += moves
                plies[f + MOVES] = 0
        if plies[f + NEXT] >= plies[f + MOVES]:
            ply -= 1
            if ply >= 0:
                side = 1 - side
                f = ply * PLY
                r = plies[f + BASE] + (plies[f + NEXT] - 1) * RECORD
                unmake(cells, out, r, plies[f + MOVED])
            continue
        r = plies[f + BASE] + plies[f + NEXT] * RECORD
        plies[f + NEXT] += 1
        plies[f + MOVED] = make(cells, out, r, side)
        run_on(cells, out, r, side, plies, f, rules)
        plies[f + PLY + BASE] = plies[f + BASE] + plies[f + MOVES] * RECORD
        plies[f + PLY + MOVES] = -1
        side = 1 - side
        ply += 1
    return leaves
