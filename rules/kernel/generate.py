"""The move generator: plain functions over flat integer sequences.

This one source runs in two ways: compiled by numba over int64 arrays (see compiled.py), and as it stands over
lists. So it keeps to indexing, integers and loops. `side` is 0 for White and 1 for Black; a man of that side is
1 + side and a king 3 + side. Arguments that come in every function:

cells   (n,)      what stands on each point
nb      (8 * n,)  nb[direction * n + point] is the next point that way, or -1
masks   (10 * n,) masks[piece * n + point] are the step directions as bits; 5 * n further the capture directions
crown   (2 * n,)  crown[side * n + point] is 1 where a man of that side promotes
rules   (RULES_SIZE,) the flags of layout.py
sets    (SETS_SIZE,)  where there is one: the board as words of bits, see lattice.py
"""

# ruff: noqa: PLR0913 - the kernel passes its flat arrays one by one, as the compiler wants them

from rules.kernel.captures import captures_from
from rules.kernel.jumps import Ints, can_jump
from rules.kernel.layout import (
    BEST,
    BREAKTHROUGH,
    COMPULSORY,
    COUNT,
    CROWNS,
    END,
    EVERYWHERE,
    FLYING,
    LEFT,
    ORIGIN,
    PATH,
    POINT_BITS,
    POINTS,
    PROMOTES,
    PROMOTION,
    RECORD,
    ROOM,
    SET_0,
    SET_1,
    SET_2,
    STANDING,
    STOPS,
    TAKEN,
    VALUE,
    WAY,
    WAY_FROM,
    WAY_STEP,
    WAYS,
    WAYS_COUNT,
)
from rules.kernel.sets import before, next_to, point_at, takers


def emit_quiet(origin: int, end: int, promotes: int, out: Ints, base: int, tally: Ints) -> None:
    r = base + tally[COUNT] * RECORD
    if r + 2 * RECORD > tally[ROOM]:
        tally[LEFT] = -1
        return
    out[r + ORIGIN] = origin
    out[r + END] = end
    out[r + PROMOTES] = promotes
    out[r + TAKEN] = 0
    out[r + SET_0] = 0
    out[r + SET_1] = 0
    out[r + SET_2] = 0
    out[r + VALUE] = 0
    out[r + STOPS] = 2
    out[r + PATH] = origin
    out[r + PATH + 1] = end
    tally[COUNT] += 1


def quiet_from(
    cells: Ints,
    origin: int,
    side: int,
    nb: Ints,
    masks: Ints,
    crown: Ints,
    rules: Ints,
    out: Ints,
    base: int,
    tally: Ints,
) -> None:
    """Writes the moves without capture of the disc on `origin`."""
    n = rules[POINTS]
    piece = cells[origin]
    mask = masks[piece * n + origin]
    for way in range(8):
        if (mask >> way) & 1 == 0:
            continue
        at = nb[way * n + origin]
        while at >= 0 and cells[at] == 0:
            promotes = 0
            if piece < 3 and rules[PROMOTION] > 0:
                promotes = crown[side * n + at]
            emit_quiet(origin, at, promotes, out, base, tally)
            if piece < 3 or rules[FLYING] == 0:
                break
            at = nb[way * n + at]


def generate(
    cells: Ints,
    side: int,
    tired: int,
    nb: Ints,
    masks: Ints,
    crown: Ints,
    rules: Ints,
    out: Ints,
    base: int,
    tally: Ints,
    work: Ints,
) -> int:
    """Writes the legal moves from `out[base]` on and returns their number.

    `tired` is the point of a king that may only capture (Frisian limit), or -1. tally[LEFT] bounds the
    effort for captures: if it is under 0 afterwards, some moves may be missing. tally[ROOM] is the length of `out`.
    """
    n = rules[POINTS]
    tally[COUNT] = 0
    tally[BEST] = -1
    if rules[BREAKTHROUGH] == 1:
        for point in range(n):
            if cells[point] == 4 - side:
                return 0
    for point in range(n):
        if cells[point] == 1 + side or cells[point] == 3 + side:
            is_king = 1 if cells[point] >= 3 else 0
            if can_jump(cells, point, -1, side, is_king, nb, masks, rules):
                captures_from(cells, point, side, nb, masks, crown, rules, out, base, tally, work)
    if tally[COUNT] == 0 or rules[COMPULSORY] == 0:
        for point in range(n):
            if point != tired and (cells[point] == 1 + side or cells[point] == 3 + side):
                quiet_from(cells, point, side, nb, masks, crown, rules, out, base, tally)
    return tally[COUNT]


def quiet_by_sets(
    side: int, tired: int, plies: Ints, f: int, rules: Ints, sets: Ints, out: Ints, base: int, tally: Ints
) -> None:
    """Writes the moves without capture, direction by direction."""
    men = plies[f + STANDING + side]
    kings = plies[f + STANDING + 2 + side]
    empty = sets[EVERYWHERE] & ~(men | kings | plies[f + STANDING + 1 - side] | plies[f + STANDING + 3 - side])
    crowned = sets[CROWNS + side] if rules[PROMOTION] > 0 else 0
    if tired >= 0:
        kings &= ~sets[POINT_BITS + tired]
    for k in range(sets[WAYS_COUNT]):
        w = WAYS + k * WAY
        ends = next_to(men & sets[w + WAY_STEP + side], w, sets) & empty
        while ends != 0:
            end = ends & -ends
            ends ^= end
            promotes = 1 if end & crowned != 0 else 0
            emit_quiet(point_at(before(end, w, sets), sets), point_at(end, sets), promotes, out, base, tally)
        far = kings & sets[w + WAY_STEP + 2 + side]
        while far != 0:
            start = far & -far
            far ^= start
            origin = point_at(start, sets)
            end = next_to(start, w, sets) & empty
            while end != 0:
                emit_quiet(origin, point_at(end, sets), 0, out, base, tally)
                end = 0 if rules[FLYING] == 0 else next_to(end & sets[w + WAY_FROM], w, sets) & empty


def generate_by_sets(
    cells: Ints,
    side: int,
    tired: int,
    plies: Ints,
    f: int,
    nb: Ints,
    masks: Ints,
    crown: Ints,
    rules: Ints,
    sets: Ints,
    out: Ints,
    base: int,
    tally: Ints,
    work: Ints,
) -> int:
    """As `generate`, where the ply at `f` holds the board as sets; the moves without capture come in another order."""
    tally[COUNT] = 0
    tally[BEST] = -1
    if rules[BREAKTHROUGH] == 1 and plies[f + STANDING + 3 - side] != 0:
        return 0
    taking = takers(side, plies, f, rules, sets)
    while taking != 0:
        taker = taking & -taking
        taking ^= taker
        captures_from(cells, point_at(taker, sets), side, nb, masks, crown, rules, out, base, tally, work)
    if tally[COUNT] == 0 or rules[COMPULSORY] == 0:
        quiet_by_sets(side, tired, plies, f, rules, sets, out, base, tally)
    return tally[COUNT]
