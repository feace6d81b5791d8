"""Whole captures: the stack of jumps of one disc, their rank, and the records of those that may be played.

Plain functions over flat integer sequences; generate.py tells what the arguments are.
"""

# ruff: noqa: PLR0913 - the kernel passes its flat arrays one by one, as the compiler wants them

from rules.kernel.jumps import Ints, goes_on_from, king_after, next_landing
from rules.kernel.layout import (
    AT,
    AT_ONCE,
    BEST,
    CAME,
    CAPTURED,
    CHAIN,
    COUNT,
    DIRECTION,
    END,
    EVERY_ROUTE,
    FRAME,
    GHOST,
    GOES_ON,
    KIND,
    KINDS,
    KING,
    LAND,
    LANDING,
    LEFT,
    LOOKS_A_LANDING,
    MAX_CAPTURES,
    MEMO,
    MEMO_ENTRY,
    MEMO_FROM,
    MEMO_SLOTS,
    ORIGIN,
    PATH,
    POINTS,
    PROMOTES,
    PROMOTION,
    RECORD,
    REVERSE,
    ROOM,
    SET_0,
    SET_1,
    SET_2,
    SET_BITS,
    STAMP,
    STOPS,
    TAKEN,
    VALUE,
    VICTIM,
    W_BY_KING,
    W_EARLY,
    W_KINGS,
    W_NUMBER,
    W_WORTH,
)


def same_move(out: Ints, a: int, b: int) -> bool:
    """Whether two records have the same ends and the same captures."""
    return (
        out[a + ORIGIN] == out[b + ORIGIN]
        and out[a + END] == out[b + END]
        and out[a + SET_0] == out[b + SET_0]
        and out[a + SET_1] == out[b + SET_1]
        and out[a + SET_2] == out[b + SET_2]
    )


def rank(depth: int, was_king: int, rules: Ints, work: Ints) -> int:
    """The rank of the capture on the stack down to frame `depth`: the criteria of the variant as one number."""
    kings = 0
    early = 0
    for k in range(depth + 1):
        if work[k * FRAME + KIND] >= 3:
            kings += 1
            if k < 32:
                early += 1 << (31 - k)
    taken = depth + 1
    value = taken * rules[W_NUMBER] + (100 * taken + 99 * kings) * rules[W_WORTH]
    return value + was_king * rules[W_BY_KING] + kings * rules[W_KINGS] + early * rules[W_EARLY]


def write_capture(depth: int, promotes: int, value: int, out: Ints, r: int, work: Ints) -> None:
    """Writes the capture on the stack down to frame `depth` as the record at `out[r]`."""
    taken = depth + 1
    out[r + ORIGIN] = work[AT]
    out[r + END] = work[depth * FRAME + LAND]
    out[r + PROMOTES] = promotes
    out[r + TAKEN] = taken
    for k in range(3):
        out[r + SET_0 + k] = 0
    out[r + VALUE] = value
    out[r + STOPS] = taken + 1
    out[r + PATH] = work[AT]
    for k in range(taken):
        victim = work[k * FRAME + VICTIM]
        out[r + PATH + 1 + k] = work[k * FRAME + LAND]
        out[r + CAPTURED + k] = victim
        out[r + KINDS + k] = work[k * FRAME + KIND]
        out[r + SET_0 + victim // SET_BITS] |= 1 << (victim % SET_BITS)


def emit_capture(
    depth: int, side: int, was_king: int, crown: Ints, rules: Ints, out: Ints, base: int, tally: Ints, work: Ints
) -> None:
    """Adds the capture on the stack to the moves, unless a better one or the same is among them."""
    value = rank(depth, was_king, rules, work)
    if value < tally[BEST]:
        return
    if value > tally[BEST]:
        tally[BEST] = value
        tally[COUNT] = 0
    r = base + tally[COUNT] * RECORD
    if r + 2 * RECORD > tally[ROOM]:
        tally[LEFT] = -1
        return
    f = depth * FRAME
    promotes = 0
    if was_king == 0 and rules[PROMOTION] > 0:
        promotes = 1 if work[f + KING] == 1 else crown[side * rules[POINTS] + work[f + LAND]]
    write_capture(depth, promotes, value, out, r, work)
    if rules[EVERY_ROUTE] == 0:
        tally[LEFT] -= tally[COUNT] // LOOKS_A_LANDING
        for k in range(tally[COUNT]):
            if same_move(out, base + k * RECORD, r):
                return
    tally[COUNT] += 1


def gone_on_before(depth: int, land: int, is_king: int, rules: Ints, work: Ints) -> bool:
    """Whether this capture, with the same discs taken in another order, went on from `land` before.

    Nothing new can come of it then; without this a king among many men explodes.
    """
    if depth + 1 < MEMO_FROM or rules[EVERY_ROUTE] == 1 or rules[W_EARLY] > 0:
        return False
    word_0 = 0
    word_1 = 0
    word_2 = 0
    for k in range(depth + 1):
        victim = work[k * FRAME + VICTIM]
        bit = 1 << (victim % SET_BITS)
        if victim < SET_BITS:
            word_0 |= bit
        elif victim < 2 * SET_BITS:
            word_1 |= bit
        else:
            word_2 |= bit
    place = 2 * land + is_king
    if rules[REVERSE] == 0:
        place = 8 * place + work[depth * FRAME + DIRECTION]
    mixed = word_0 % MEMO_SLOTS * 31 + word_1 % MEMO_SLOTS * 17 + word_2 % MEMO_SLOTS * 7 + place * 101
    m = MEMO + mixed % MEMO_SLOTS * MEMO_ENTRY
    stamp = work[STAMP]
    same_place = work[m] == stamp and work[m + 1] == place
    if same_place and work[m + 2] == word_0 and work[m + 3] == word_1 and work[m + 4] == word_2:
        return True
    work[m] = stamp
    work[m + 1] = place
    work[m + 2] = word_0
    work[m + 3] = word_1
    work[m + 4] = word_2
    return False


def may_stop(f: int, ahead: bool, nb: Ints, rules: Ints, work: Ints) -> bool:
    """Whether the capture may end on the landing point of frame `f`; `ahead`: it could go on from there."""
    if rules[CHAIN] == 0:
        if ahead or work[f + GOES_ON] == 1:
            return False
        if rules[LANDING] == 2 and work[f + KING] == 1 and work[f + KIND] >= 3:
            return work[f + LAND] == nb[work[f + DIRECTION] * rules[POINTS] + work[f + VICTIM]]
    return True


def put_back(cells: Ints, depth: int, work: Ints) -> None:
    """Puts the discs back that the frames above `depth` have taken."""
    for k in range(depth):
        cells[work[k * FRAME + VICTIM]] = work[k * FRAME + KIND]


def captures_from(
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
    work: Ints,
) -> None:
    """Writes the captures of the disc on `origin`, by an explicit stack of jumps, while tally[LEFT] lasts."""
    piece = cells[origin]
    was_king = 1 if piece >= 3 else 0
    cells[origin] = 0
    work[STAMP] += 1
    work[AT] = origin
    work[DIRECTION] = -1
    work[LAND] = -1
    work[KING] = was_king
    work[CAME] = -1
    depth = 0
    while depth >= 0:
        f = depth * FRAME
        if not next_landing(cells, f, side, nb, masks, crown, rules, work):
            depth -= 1
            if depth >= 0:
                cells[work[f - FRAME + VICTIM]] = work[f - FRAME + KIND]
            continue
        tally[LEFT] -= 1
        if tally[LEFT] < 0:
            put_back(cells, depth, work)
            break
        land = work[f + LAND]
        way = work[f + DIRECTION]
        victim = work[f + VICTIM]
        is_king = work[f + KING]
        cells[victim] = 0 if rules[AT_ONCE] == 1 else GHOST
        ahead = goes_on_from(cells, land, way, side, is_king, nb, masks, crown, rules)
        if may_stop(f, ahead, nb, rules, work):
            emit_capture(depth, side, was_king, crown, rules, out, base, tally, work)
        king_now = king_after(is_king, land, side, crown, rules)
        if ahead and depth + 1 < MAX_CAPTURES and not gone_on_before(depth, land, king_now, rules, work):
            depth += 1
            f += FRAME
            work[f + AT] = land
            work[f + DIRECTION] = -1
            work[f + LAND] = -1
            work[f + KING] = king_now
            work[f + CAME] = way
        else:
            cells[victim] = work[f + KIND]
    cells[origin] = piece
