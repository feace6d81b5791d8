"""One jump after another: which disc may be jumped from a point, where to land, whether it goes on.

Plain functions over flat integer sequences; generate.py tells what the arguments are.
"""

# ruff: noqa: PLR0913 - the kernel passes its flat arrays one by one, as the compiler wants them

from collections.abc import MutableSequence

from rules.kernel.layout import (
    AT,
    AT_ONCE,
    CAME,
    CHAIN,
    DIRECTION,
    FLYING,
    GHOST,
    GOES_ON,
    KIND,
    KING,
    LAND,
    LANDING,
    MAN_TAKES_KING,
    POINTS,
    PROMOTION,
    REVERSE,
    VICTIM,
)

Ints = MutableSequence[int]


def find_victim(cells: Ints, point: int, way: int, side: int, is_king: int, nb: Ints, rules: Ints) -> int:
    """The enemy disc that a disc on `point` meets in a direction and may jump if there is room, or -1."""
    n = rules[POINTS]
    at = nb[way * n + point]
    if is_king == 1 and rules[FLYING] == 1:
        while at >= 0 and cells[at] == 0:
            at = nb[way * n + at]
    if at < 0:
        return -1
    if cells[at] == 2 - side or (cells[at] == 4 - side and (is_king == 1 or rules[MAN_TAKES_KING] == 1)):
        beyond = nb[way * n + at]
        if beyond >= 0 and cells[beyond] == 0:
            return at
    return -1


def can_jump(cells: Ints, point: int, came: int, side: int, is_king: int, nb: Ints, masks: Ints, rules: Ints) -> bool:
    """Whether a disc on `point` that came in direction `came` (or -1) can jump."""
    n = rules[POINTS]
    mask = masks[5 * n + (1 + side + 2 * is_king) * n + point]
    for way in range(8):
        if (mask >> way) & 1 == 0:
            continue
        if came >= 0 and rules[REVERSE] == 0 and way == (came + 4) % 8:
            continue
        if find_victim(cells, point, way, side, is_king, nb, rules) >= 0:
            return True
    return False


def king_after(is_king: int, point: int, side: int, crown: Ints, rules: Ints) -> int:
    """Whether a disc in mid-capture is a king after touching `point`."""
    if is_king == 0 and rules[PROMOTION] == 3 and crown[side * rules[POINTS] + point] == 1:
        return 1
    return is_king


def goes_on_from(
    cells: Ints, land: int, way: int, side: int, is_king: int, nb: Ints, masks: Ints, crown: Ints, rules: Ints
) -> bool:
    """Whether the capture can go on from a landing point."""
    if rules[CHAIN] == 2:
        return False
    if is_king == 0 and rules[PROMOTION] == 2 and crown[side * rules[POINTS] + land] == 1:
        return False
    return can_jump(cells, land, way, side, king_after(is_king, land, side, crown, rules), nb, masks, rules)


def open_direction(cells: Ints, f: int, side: int, nb: Ints, masks: Ints, crown: Ints, rules: Ints, work: Ints) -> bool:
    """Moves frame `f` to its next direction with a victim; false if there is none left."""
    n = rules[POINTS]
    point = work[f + AT]
    is_king = work[f + KING]
    came = work[f + CAME]
    mask = masks[5 * n + (1 + side + 2 * is_king) * n + point]
    for way in range(work[f + DIRECTION] + 1, 8):
        if (mask >> way) & 1 == 0:
            continue
        if came >= 0 and rules[REVERSE] == 0 and way == (came + 4) % 8:
            continue
        victim = find_victim(cells, point, way, side, is_king, nb, rules)
        if victim < 0:
            continue
        land = nb[way * n + victim]
        work[f + DIRECTION] = way
        work[f + VICTIM] = victim
        work[f + KIND] = cells[victim]
        work[f + LAND] = land
        work[f + GOES_ON] = 0
        if is_king == 0 or rules[FLYING] == 0 or rules[LANDING] == 1 or rules[CHAIN] != 0:
            return True
        cells[victim] = 0 if rules[AT_ONCE] == 1 else GHOST
        while land >= 0 and cells[land] == 0:
            if goes_on_from(cells, land, way, side, is_king, nb, masks, crown, rules):
                work[f + GOES_ON] = 1
                break
            land = nb[way * n + land]
        cells[victim] = work[f + KIND]
        return True
    return False


def next_landing(cells: Ints, f: int, side: int, nb: Ints, masks: Ints, crown: Ints, rules: Ints, work: Ints) -> bool:
    """Moves frame `f` to its next jump, farther behind the same victim or over another; false if none is left."""
    land = work[f + LAND]
    if land >= 0 and work[f + KING] == 1 and rules[FLYING] == 1 and rules[LANDING] != 1:
        farther = nb[work[f + DIRECTION] * rules[POINTS] + land]
        if farther >= 0 and cells[farther] == 0:
            work[f + LAND] = farther
            return True
    return open_direction(cells, f, side, nb, masks, crown, rules, work)
