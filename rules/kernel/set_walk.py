"""Counting the leaves of the tree of moves where the board is held as sets: moves are four words each.

Only where kings capture, and in a few rare cases, are the moves listed by generate.py first. Arguments as there.
"""

# ruff: noqa: PLR0913 - the kernel passes its flat arrays one by one, as the compiler wants them

from rules.kernel.count import count_at_once, count_from, count_moves
from rules.kernel.generate import generate_by_sets
from rules.kernel.jumps import Ints
from rules.kernel.layout import (
    BASE,
    BEST,
    BREAKTHROUGH,
    CAPTURED,
    COMPULSORY,
    COUNT,
    CROWNS,
    END,
    EVERYWHERE,
    FINISH,
    FLYING,
    LEFT,
    MOVER,
    MOVES,
    NEXT,
    ORIGIN,
    PLY,
    POINT_BITS,
    POINTS,
    PREY,
    PROMOTES,
    PROMOTION,
    RECORD,
    ROOM,
    ROOM_FOR_QUIET,
    RUN_LIMIT,
    RUNS,
    SET_MOVE,
    STANDING,
    START,
    TAKEN,
    WAY,
    WAY_FROM,
    WAY_STEP,
    WAYS,
    WAYS_COUNT,
)
from rules.kernel.sets import (
    before,
    kings_take,
    lay_out,
    men_takers,
    next_to,
    point_at,
    prey_of_men,
    step_sets,
    write_set_move,
    write_sets,
)


def tired_on_sets(side: int, plies: Ints, f: int, rules: Ints) -> int:
    """The point of the king that may not move without capturing, or -1."""
    run = f + RUNS + 2 * side
    if rules[RUN_LIMIT] == 0 or plies[run] < 0 or plies[run + 1] < rules[RUN_LIMIT]:
        return -1
    return plies[run] if plies[f + STANDING + side] != 0 else -1


def run_on_sets(side: int, moves: Ints, m: int, plies: Ints, f: int, rules: Ints, sets: Ints) -> None:
    """Writes the king runs after the set move just made from ply `f` into the next ply."""
    for k in range(4):
        plies[f + PLY + RUNS + k] = plies[f + RUNS + k]
    if rules[RUN_LIMIT] == 0:
        return
    own = RUNS + 2 * side
    other = RUNS + 2 * (1 - side)
    taken = moves[m + PREY]
    if moves[m + MOVER] == 1 and taken == 0 and plies[f + PLY + STANDING + side] != 0:
        made = plies[f + own + 1] if plies[f + own] == point_at(moves[m + START], sets) else 0
        plies[f + PLY + own] = point_at(moves[m + FINISH], sets)
        plies[f + PLY + own + 1] = made + 1
    else:
        plies[f + PLY + own] = -1
        plies[f + PLY + own + 1] = 0
    if plies[f + other] >= 0 and taken & sets[POINT_BITS + plies[f + other]] != 0:
        plies[f + PLY + other] = -1
        plies[f + PLY + other + 1] = 0


def list_quiet(
    side: int, men: int, kings: int, empty: int, rules: Ints, sets: Ints, moves: Ints, base: int, tally: Ints
) -> None:
    """Appends the moves without capture."""
    m = base + tally[COUNT] * SET_MOVE
    crowned = sets[CROWNS + side] if rules[PROMOTION] > 0 else 0
    for k in range(sets[WAYS_COUNT]):
        w = WAYS + k * WAY
        stepping = men & sets[w + WAY_STEP + side]
        ends = next_to(stepping, w, sets) & empty if stepping != 0 else 0
        while ends != 0:
            end = ends & -ends
            ends ^= end
            write_set_move(before(end, w, sets), end, 0, 2 if end & crowned != 0 else 0, moves, m)
            m += SET_MOVE
        ends = next_to(kings & sets[w + WAY_STEP + 2 + side], w, sets) & empty if kings != 0 else 0
        while ends != 0:
            end = ends & -ends
            ends ^= end
            start = before(end, w, sets)
            while end != 0:
                write_set_move(start, end, 0, 1, moves, m)
                m += SET_MOVE
                end = next_to(end & sets[w + WAY_FROM], w, sets) & empty if rules[FLYING] == 1 else 0
    tally[COUNT] = (m - base) // SET_MOVE


def as_set_moves(count: int, kings: int, sets: Ints, out: Ints, base: int) -> None:
    """Turns records of generate.py into set moves at the same place; `kings` are those of the mover."""
    for k in range(count):
        r = base + k * RECORD
        start = sets[POINT_BITS + out[r + ORIGIN]]
        end = sets[POINT_BITS + out[r + END]]
        mover = 1 if start & kings != 0 else 2 * out[r + PROMOTES]
        taken = 0
        for j in range(out[r + TAKEN]):
            taken |= sets[POINT_BITS + out[r + CAPTURED + j]]
        write_set_move(start, end, taken, mover, out, base + k * SET_MOVE)


def list_captures(
    side: int, plies: Ints, f: int, empty: int, rules: Ints, sets: Ints, out: Ints, base: int, tally: Ints, work: Ints
) -> bool:
    """Writes the captures of men; false if they must be listed by generate.py, as those of kings."""
    men = plies[f + STANDING + side]
    kings = plies[f + STANDING + 2 + side]
    foe_men = plies[f + STANDING + 1 - side]
    foe_kings = plies[f + STANDING + 3 - side]
    tally[COUNT] = 0
    tally[BEST] = -1
    if kings != 0 and kings_take(side, kings, foe_men | foe_kings, empty, rules, sets):
        return False
    prey = prey_of_men(foe_men, foe_kings, rules)
    taking = men_takers(side, men, prey, empty, sets)
    while taking != 0:
        origin = taking & -taking
        taking ^= origin
        if not count_from(side, origin, prey, foe_kings, empty, out, base, rules, sets, tally, work):
            return False
    return True


def list_on_sets(
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
    """Writes the legal moves of ply `f` as set moves and returns their number; `cells` is room to work in."""
    base = plies[f + BASE]
    tired = tired_on_sets(side, plies, f, rules)
    men = plies[f + STANDING + side]
    kings = plies[f + STANDING + 2 + side]
    foes = plies[f + STANDING + 1 - side] | plies[f + STANDING + 3 - side]
    if base + ROOM_FOR_QUIET > tally[ROOM]:
        tally[LEFT] = -1
        return 0
    if rules[BREAKTHROUGH] == 1 and plies[f + STANDING + 3 - side] != 0:
        return 0
    empty = sets[EVERYWHERE] & ~(men | kings | foes)
    if not list_captures(side, plies, f, empty, rules, sets, out, base, tally, work):
        lay_out(cells, rules[POINTS], plies, f, sets)
        generate_by_sets(cells, side, tired, plies, f, nb, masks, crown, rules, sets, out, base, tally, work)
        as_set_moves(tally[COUNT], kings, sets, out, base)
    elif tally[COUNT] == 0 or rules[COMPULSORY] == 0:
        if tired >= 0:
            kings &= ~sets[POINT_BITS + tired]
        list_quiet(side, men, kings, empty, rules, sets, out, base, tally)
    return tally[COUNT]


def count_here(
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
    """How many legal moves the position of ply `f` has."""
    tired = tired_on_sets(side, plies, f, rules)
    moves = count_at_once(side, tired, plies, f, rules, sets, tally, work)
    if moves >= 0:
        return moves
    base = plies[f + BASE]
    lay_out(cells, rules[POINTS], plies, f, sets)
    return generate_by_sets(cells, side, tired, plies, f, nb, masks, crown, rules, sets, out, base, tally, work)


def count_after(
    side: int, plies: Ints, f: int, moves: Ints, m: int, rules: Ints, sets: Ints, tally: Ints, work: Ints
) -> int:
    """How many legal moves there are after the set move at `moves[m]` from ply `f`, or -1 as `count_moves`."""
    mover = moves[m + MOVER]
    start, end, left = moves[m + START], moves[m + FINISH], ~moves[m + PREY]
    men = plies[f + STANDING + side]
    kings = plies[f + STANDING + 2 + side]
    if mover == 1:
        kings = (kings ^ start) ^ end
    else:
        men ^= start
        if mover == 2:
            kings |= end
        else:
            men |= end
    foe_men = plies[f + STANDING + 1 - side] & left
    foe_kings = plies[f + STANDING + 3 - side] & left
    return count_moves(1 - side, foe_men, foe_kings, men, kings, rules, sets, tally, work)


def count_last_two(
    moves: int,
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
    """The legal moves after each of the `moves` listed for ply `f`."""
    leaves = 0
    base = plies[f + BASE]
    plies[f + PLY + BASE] = base + moves * SET_MOVE
    for k in range(moves):
        m = base + k * SET_MOVE
        found = -1
        if rules[RUN_LIMIT] == 0:
            found = count_after(side, plies, f, out, m, rules, sets, tally, work)
        if found < 0:
            step_sets(side, out, m, plies, f)
            run_on_sets(side, out, m, plies, f, rules, sets)
            found = count_here(cells, 1 - side, plies, f + PLY, nb, masks, crown, rules, sets, out, tally, work)
        leaves += found
    return leaves


def count_on_sets(
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
    write_sets(cells, rules[POINTS], plies, 0, sets)
    plies[BASE] = 0
    if depth == 1:
        return count_here(cells, side, plies, 0, nb, masks, crown, rules, sets, out, tally, work)
    leaves = 0
    ply = 0
    plies[MOVES] = -1
    while ply >= 0:
        f = ply * PLY
        if plies[f + MOVES] < 0:
            moves = list_on_sets(cells, side, plies, f, nb, masks, crown, rules, sets, out, tally, work)
            plies[f + NEXT] = 0
            plies[f + MOVES] = moves
            if depth - ply == 2:
                leaves += count_last_two(moves, cells, side, plies, f, nb, masks, crown, rules, sets, out, tally, work)
                plies[f + MOVES] = 0
        if plies[f + NEXT] >= plies[f + MOVES]:
            ply -= 1
            side = 1 - side
            continue
        m = plies[f + BASE] + plies[f + NEXT] * SET_MOVE
        plies[f + NEXT] += 1
        step_sets(side, out, m, plies, f)
        run_on_sets(side, out, m, plies, f, rules, sets)
        plies[f + PLY + BASE] = plies[f + BASE] + plies[f + MOVES] * SET_MOVE
        plies[f + PLY + MOVES] = -1
        side = 1 - side
        ply += 1
    return leaves
