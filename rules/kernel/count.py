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
    EVERYWHERE,
    FINISH,
    FLYING,
    POINT_BITS,
    PREY,
    PROMOTION,
    SET_MOVE,
    STANDING,
    START,
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
from rules.kernel.sets import (
    before,
    kings_take,
    men_land,
    men_takers,
    next_to,
    prey_of_men,
    size_of,
    write_set_move,
)


def count_quiet(side: int, men: int, kings: int, empty: int, rules: Ints, sets: Ints) -> int:
    """How many moves without capture there are."""
    count = 0
    for k in range(sets[WAYS_COUNT]):
        w = WAYS + k * WAY
        stepping = men & sets[w + WAY_STEP + side]
        if stepping != 0:
            count += size_of(next_to(stepping, w, sets) & empty)
        if kings != 0:
            ends = next_to(kings & sets[w + WAY_STEP + 2 + side], w, sets) & empty
            count += size_of(ends)
            while rules[FLYING] == 1 and ends != 0:
                ends = next_to(ends & sets[w + WAY_FROM], w, sets) & empty
                count += size_of(ends)
    return count


def note_end(
    side: int, origin: int, end: int, taken: int, moves: Ints, base: int, rules: Ints, sets: Ints, tally: Ints
) -> bool:
    """Stores a whole capture by a man unless there is a better one or the same; false if there are too many."""
    value = 0
    if rules[W_NUMBER] > 0 or rules[W_WORTH] > 0:
        value = size_of(taken)
    if value < tally[BEST]:
        return True
    if value > tally[BEST]:
        tally[BEST] = value
        tally[COUNT] = 0
    m = base
    for _ in range(tally[COUNT]):
        if moves[m + START] == origin and moves[m + FINISH] == end and moves[m + PREY] == taken:
            return True
        m += SET_MOVE
    if tally[COUNT] == TRAIL_MOST:
        return False
    mover = 2 if rules[PROMOTION] > 0 and end & sets[CROWNS + side] != 0 else 0
    write_set_move(origin, end, taken, mover, moves, m)
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
    moves: Ints,
    base: int,
    rules: Ints,
    sets: Ints,
    tally: Ints,
    work: Ints,
) -> bool:
    """Stores the captures of the man on `origin` from `moves[base]` on; false if they must be listed instead.

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
        if ends and not note_end(side, origin, at, taken, moves, base, rules, sets, tally):
            return False
    return True


def going_on(side: int, back: int, land: int, prey: int, empty: int, rules: Ints, sets: Ints) -> int:
    """Of the points where men have landed, those from which they can take another disc; `back` is where they came from.

    What the first jump has changed is out of reach: the disc taken and the point left lie straight behind.
    """
    if rules[CHAIN] == 2:
        return 0
    if rules[PROMOTION] == 2:
        land &= ~sets[CROWNS + side]
    found = 0
    for k in range(sets[WAYS_COUNT]):
        w = WAYS + k * WAY
        if k != back and land & sets[w + WAY_TAKE + side] != 0:
            found |= jumping(side, w, land, prey, empty, sets)
    return found


def jumping(side: int, w: int, men: int, prey: int, empty: int, sets: Ints) -> int:
    """The men that can capture in way `w`."""
    return before(before(men_land(side, w, men, prey, empty, sets), w, sets), w, sets)


def size_of_captures(
    side: int, men: int, prey: int, foe_kings: int, empty: int, rules: Ints, sets: Ints, tally: Ints, work: Ints
) -> int:
    """How many captures men have, or -1 as `count_moves`: single jumps all at once, others disc by disc."""
    kings_matter = rules[W_WORTH] > 0 or rules[W_KINGS] > 0
    singles = 0
    chains = 0
    for k in range(sets[WAYS_COUNT]):
        w = WAYS + k * WAY
        land = men_land(side, w, men, prey, empty, sets)
        if land == 0:
            continue
        passing = rules[PROMOTION] == 3 and land & sets[CROWNS + side] != 0
        if passing or (kings_matter and before(land, w, sets) & foe_kings != 0):
            return -1
        singles += size_of(land)
        longer = going_on(side, sets[w + WAY_BACK], land, prey, empty, rules, sets)
        chains |= before(before(longer, w, sets), w, sets)
    if chains == 0:
        return singles
    if rules[W_NUMBER] > 0 or rules[W_WORTH] > 0:
        singles = 0
    for k in range(sets[WAYS_COUNT] if singles > 0 else 0):
        singles -= size_of(jumping(side, WAYS + k * WAY, chains, prey, empty, sets))
    tally[COUNT] = 0
    tally[BEST] = -1
    while chains != 0:
        origin = chains & -chains
        chains ^= origin
        if not count_from(side, origin, prey, foe_kings, empty, work, ENDS, rules, sets, tally, work):
            return -1
    return singles + tally[COUNT]


def count_moves(
    side: int, men: int, kings: int, foe_men: int, foe_kings: int, rules: Ints, sets: Ints, tally: Ints, work: Ints
) -> int:
    """How many legal moves there are, or -1 if they must be listed to be counted, as captures of kings."""
    if rules[BREAKTHROUGH] == 1 and foe_kings != 0:
        return 0
    empty = sets[EVERYWHERE] & ~(men | kings | foe_men | foe_kings)
    if kings != 0 and kings_take(side, kings, foe_men | foe_kings, empty, rules, sets):
        return -1
    prey = prey_of_men(foe_men, foe_kings, rules)
    captures = size_of_captures(side, men, prey, foe_kings, empty, rules, sets, tally, work)
    if captures < 0 or (captures > 0 and rules[COMPULSORY] == 1):
        return captures
    return captures + count_quiet(side, men, kings, empty, rules, sets)


def count_at_once(side: int, tired: int, plies: Ints, f: int, rules: Ints, sets: Ints, tally: Ints, work: Ints) -> int:
    """As `count_moves`, of the position of ply `f` and without the moves of the king on `tired`, if that is a point."""
    men = plies[f + STANDING + side]
    kings = plies[f + STANDING + 2 + side]
    foe_men = plies[f + STANDING + 1 - side]
    foe_kings = plies[f + STANDING + 3 - side]
    found = count_moves(side, men, kings, foe_men, foe_kings, rules, sets, tally, work)
    if tired < 0 or found <= 0:
        return found
    empty = sets[EVERYWHERE] & ~(men | kings | foe_men | foe_kings)
    prey = prey_of_men(foe_men, foe_kings, rules)
    if rules[COMPULSORY] == 1 and men_takers(side, men, prey, empty, sets) != 0:
        return found
    return found - count_quiet(side, 0, sets[POINT_BITS + tired], empty, rules, sets)
