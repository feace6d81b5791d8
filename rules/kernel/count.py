"""Counting the moves of a position without listing them, where the board is held as sets.

Plain functions over integers; generate.py and sets.py tell what the arguments are.
"""

# ruff: noqa: PLR0913 - the kernel passes its flat arrays one by one, as the compiler wants them

from rules.kernel.jumps import Ints
from rules.kernel.layout import (
    AT_ONCE,
    BEST,
    BREAKTHROUGH,
    CHAIN,
    COMPULSORY,
    COUNT,
    CROWNS,
    ENDS,
    ENDS_ENTRY,
    EVERYWHERE,
    FLYING,
    POINT_BITS,
    PROMOTION,
    STANDING,
    TRAIL,
    TRAIL_MOST,
    W_KINGS,
    W_NUMBER,
    W_WORTH,
    WAY,
    WAY_BACK,
    WAY_FROM,
    WAY_STEP,
    WAY_TAKE,
    WAYS,
    WAYS_COUNT,
)
from rules.kernel.sets import kings_take, men_takers, next_to, prey_of_men, size_of


def count_quiet(side: int, men: int, kings: int, empty: int, rules: Ints, sets: Ints) -> int:
    """How many moves without capture there are."""
    count = 0
    for k in range(sets[WAYS_COUNT]):
        w = WAYS + k * WAY
        count += size_of(next_to(men & sets[w + WAY_STEP + side], w, sets) & empty)
        if kings != 0:
            ends = next_to(kings & sets[w + WAY_STEP + 2 + side], w, sets) & empty
            count += size_of(ends)
            while rules[FLYING] == 1 and ends != 0:
                ends = next_to(ends & sets[w + WAY_FROM], w, sets) & empty
                count += size_of(ends)
    return count


def note_end(origin: int, end: int, taken: int, store: int, rules: Ints, tally: Ints, work: Ints) -> bool:
    """Stores a whole capture by a man unless there is a better one or the same; false if there are too many."""
    value = 0
    if rules[W_NUMBER] > 0 or rules[W_WORTH] > 0:
        value = size_of(taken)
    if value < tally[BEST]:
        return True
    if value > tally[BEST]:
        tally[BEST] = value
        tally[COUNT] = 0
    e = store
    for _ in range(tally[COUNT]):
        if work[e] == origin and work[e + 1] == end and work[e + 2] == taken:
            return True
        e += ENDS_ENTRY
    if tally[COUNT] == TRAIL_MOST:
        return False
    work[e] = origin
    work[e + 1] = end
    work[e + 2] = taken
    tally[COUNT] += 1
    return True


def stops_at(side: int, at: int, taken: int, rules: Ints, sets: Ints) -> bool:
    """Whether a man that has captured ends its move here whatever else it could take."""
    return taken != 0 and (rules[CHAIN] == 2 or (rules[PROMOTION] == 2 and at & sets[CROWNS + side] != 0))


def count_from(
    side: int,
    origin: int,
    prey: int,
    foe_kings: int,
    empty: int,
    store: int,
    rules: Ints,
    sets: Ints,
    tally: Ints,
    work: Ints,
) -> bool:
    """Stores the captures of the man on `origin` in `work` from `store` on; false if they must be listed instead.

    That is so where a man goes on as a king, where kings taken count, and where it captures in very many ways.
    """
    work[TRAIL] = origin
    work[TRAIL + 1] = 0
    work[TRAIL + 2] = -1
    left = TRAIL_MOST
    top = 1
    while top > 0:
        top -= 1
        left -= 1
        at = work[TRAIL + 3 * top]
        taken = work[TRAIL + 3 * top + 1]
        back = work[TRAIL + 3 * top + 2]
        ahead = False
        room = empty | origin | (taken if rules[AT_ONCE] == 1 else 0)
        ways = 0 if stops_at(side, at, taken, rules, sets) else sets[WAYS_COUNT]
        for k in range(ways):
            w = WAYS + k * WAY
            hit = next_to(at & sets[w + WAY_TAKE + side], w, sets) & prey & ~taken
            land = next_to(hit & sets[w + WAY_FROM], w, sets) & room
            if land == 0 or k == back:
                continue
            if top >= left or (hit & foe_kings != 0 and (rules[W_WORTH] > 0 or rules[W_KINGS] > 0)):
                return False
            if rules[PROMOTION] == 3 and land & sets[CROWNS + side] != 0:
                return False
            ahead = True
            work[TRAIL + 3 * top] = land
            work[TRAIL + 3 * top + 1] = taken | hit
            work[TRAIL + 3 * top + 2] = sets[w + WAY_BACK]
            top += 1
        ends = taken != 0 and (not ahead or rules[CHAIN] == 1)
        if ends and not note_end(origin, at, taken, store, rules, tally, work):
            return False
    return True


def count_captures(
    side: int,
    men: int,
    kings: int,
    foe_men: int,
    foe_kings: int,
    empty: int,
    store: int,
    rules: Ints,
    sets: Ints,
    tally: Ints,
    work: Ints,
) -> int:
    """How many captures there are, or -1 if they must be listed to be counted, as those of kings.

    They are in `work` from `store` on: origin, end and what is taken, all as sets.
    """
    if kings != 0 and kings_take(side, kings, foe_men | foe_kings, empty, rules, sets):
        return -1
    prey = prey_of_men(foe_men, foe_kings, rules)
    taking = men_takers(side, men, prey, empty, sets)
    if taking == 0:
        return 0
    tally[COUNT] = 0
    tally[BEST] = -1
    while taking != 0:
        origin = taking & -taking
        taking ^= origin
        if not count_from(side, origin, prey, foe_kings, empty, store, rules, sets, tally, work):
            return -1
    return tally[COUNT]


def count_at_once(side: int, tired: int, plies: Ints, f: int, rules: Ints, sets: Ints, tally: Ints, work: Ints) -> int:
    """How many legal moves the position of ply `f` has, or -1 if they must be listed to be counted."""
    men = plies[f + STANDING + side]
    kings = plies[f + STANDING + 2 + side]
    foe_men = plies[f + STANDING + 1 - side]
    foe_kings = plies[f + STANDING + 3 - side]
    if rules[BREAKTHROUGH] == 1 and foe_kings != 0:
        return 0
    empty = sets[EVERYWHERE] & ~(men | kings | foe_men | foe_kings)
    captures = count_captures(side, men, kings, foe_men, foe_kings, empty, ENDS, rules, sets, tally, work)
    if captures < 0 or (captures > 0 and rules[COMPULSORY] == 1):
        return captures
    if tired >= 0:
        kings &= ~sets[POINT_BITS + tired]
    return captures + count_quiet(side, men, kings, empty, rules, sets)
