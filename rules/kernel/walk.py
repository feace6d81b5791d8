"""Making and taking back moves on the flat board, and counting the leaves of the tree of moves."""

# ruff: noqa: PLR0913 - the kernel passes its flat arrays one by one, as the compiler wants them

from rules.kernel.count import count_at_once, count_captures
from rules.kernel.generate import generate, generate_by_sets
from rules.kernel.jumps import Ints
from rules.kernel.layout import (
    BASE,
    BREAKTHROUGH,
    CAPTURED,
    COMPULSORY,
    END,
    ENDS_ABOVE,
    ENDS_ENTRY,
    EVERYWHERE,
    FLYING,
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
    STANDING,
    TAKEN,
    WAY,
    WAY_FROM,
    WAY_STEP,
    WAYS,
    WAYS_COUNT,
)
from rules.kernel.sets import before, lay_out, move_sets, next_to, step_sets, write_sets


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


def count_after(
    was_king: int,
    start: int,
    end: int,
    taken: int,
    cells: Ints,
    side: int,
    plies: Ints,
    f: int,
    nb: Ints,
    masks: Ints,
    crown: Ints,
    rules: Ints,
    sets: Ints,
    out: Ints,
    tally: Ints,
    work: Ints,
) -> int:
    """The number of legal moves after a move from ply `f` that is given by sets."""
    step_sets(side, was_king, start, end, taken, plies, f, rules, sets)
    moves = count_at_once(1 - side, -1, plies, f + PLY, rules, sets, tally, work)
    if moves >= 0:
        return moves
    base, other = plies[f + BASE], 1 - side
    lay_out(cells, rules[POINTS], plies, f + PLY, sets)
    moves = generate_by_sets(cells, other, -1, plies, f + PLY, nb, masks, crown, rules, sets, out, base, tally, work)
    lay_out(cells, rules[POINTS], plies, f, sets)
    return moves


def count_after_captures(
    captures: int,
    cells: Ints,
    side: int,
    plies: Ints,
    f: int,
    nb: Ints,
    masks: Ints,
    crown: Ints,
    rules: Ints,
    sets: Ints,
    out: Ints,
    tally: Ints,
    work: Ints,
) -> int:
    """The legal moves after each of the captures by men that are stored in `work`."""
    leaves = 0
    for k in range(captures):
        e = ENDS_ABOVE + k * ENDS_ENTRY
        leaves += count_after(
            0, work[e], work[e + 1], work[e + 2], cells, side, plies, f, nb, masks, crown, rules, sets, out, tally, work
        )
    return leaves


def count_two(
    cells: Ints,
    side: int,
    plies: Ints,
    f: int,
    nb: Ints,
    masks: Ints,
    crown: Ints,
    rules: Ints,
    sets: Ints,
    out: Ints,
    tally: Ints,
    work: Ints,
) -> int:
    """Leaves two plies on, or -1 if the moves must be listed: kings capture, or kings' runs are counted."""
    men = plies[f + STANDING + side]
    kings = plies[f + STANDING + 2 + side]
    foe_men = plies[f + STANDING + 1 - side]
    foe_kings = plies[f + STANDING + 3 - side]
    if rules[RUN_LIMIT] > 0 or (rules[BREAKTHROUGH] == 1 and foe_kings != 0):
        return -1
    empty = sets[EVERYWHERE] & ~(men | kings | foe_men | foe_kings)
    captures = count_captures(side, men, kings, foe_men, foe_kings, empty, ENDS_ABOVE, rules, sets, tally, work)
    if captures < 0:
        return -1
    leaves = count_after_captures(captures, cells, side, plies, f, nb, masks, crown, rules, sets, out, tally, work)
    if captures > 0 and rules[COMPULSORY] == 1:
        return leaves
    for was_king in range(2):
        discs = kings if was_king == 1 else men
        flies = was_king == 1 and rules[FLYING] == 1
        for k in range(sets[WAYS_COUNT]):
            w = WAYS + k * WAY
            ends = next_to(discs & sets[w + WAY_STEP + 2 * was_king + side], w, sets) & empty
            while ends != 0:
                end = ends & -ends
                ends ^= end
                start = before(end, w, sets)
                while end != 0:
                    leaves += count_after(
                        was_king, start, end, 0, cells, side, plies, f, nb, masks, crown, rules, sets, out, tally, work
                    )
                    end = next_to(end & sets[w + WAY_FROM], w, sets) & empty if flies else 0
    return leaves


def enter_ply(
    left: int,
    cells: Ints,
    side: int,
    plies: Ints,
    f: int,
    nb: Ints,
    masks: Ints,
    crown: Ints,
    rules: Ints,
    sets: Ints,
    out: Ints,
    tally: Ints,
    work: Ints,
) -> int:
    """Counts the leaves `left` plies on if that needs no list of moves; else writes the list and returns -1."""
    tired = tired_at(cells, side, plies, f, rules)
    fits = sets[WAYS_COUNT] > 0
    leaves = -1
    if fits and left == 1:
        leaves = count_at_once(side, tired, plies, f, rules, sets, tally, work)
    elif fits and left == 2:
        leaves = count_two(cells, side, plies, f, nb, masks, crown, rules, sets, out, tally, work)
    if leaves >= 0:
        return leaves
    base = plies[f + BASE]
    if fits:
        moves = generate_by_sets(cells, side, tired, plies, f, nb, masks, crown, rules, sets, out, base, tally, work)
    else:
        moves = generate(cells, side, tired, nb, masks, crown, rules, out, base, tally, work)
    plies[f + MOVES] = moves
    return moves if left == 1 else -1


def count_leaves(
    cells: Ints,
    side: int,
    depth: int,
    nb: Ints,
    masks: Ints,
    crown: Ints,
    rules: Ints,
    sets: Ints,
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
    if sets[WAYS_COUNT] > 0:
        write_sets(cells, rules[POINTS], plies, 0, sets)
    while ply >= 0:
        f = ply * PLY
        if plies[f + MOVES] < 0:
            found = enter_ply(depth - ply, cells, side, plies, f, nb, masks, crown, rules, sets, out, tally, work)
            plies[f + NEXT] = 0
            if found >= 0:
                leaves += found
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
        if sets[WAYS_COUNT] > 0:
            move_sets(plies[f + MOVED], out, r, side, plies, f, sets)
        plies[f + PLY + BASE] = plies[f + BASE] + plies[f + MOVES] * RECORD
        plies[f + PLY + MOVES] = -1
        side = 1 - side
        ply += 1
    return leaves
