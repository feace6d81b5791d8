"""The board as sets of points, one bit a point: most positions are counted in a few words, without listing a move.

Plain functions over integers and the `sets` table of lattice.py; generate.py tells what the other arguments are.
`men` and `kings` are those of the mover, `foe_men` and `foe_kings` the others, all as sets.
"""

# ruff: noqa: PLR0913 - the kernel passes its flat arrays one by one, as the compiler wants them

from rules.kernel.jumps import Ints
from rules.kernel.layout import (
    BIT_POINTS,
    CAPTURED,
    END,
    EVERYWHERE,
    FINISH,
    FLYING,
    KINDS,
    MAN_TAKES_KING,
    MOVER,
    ORIGIN,
    PLY,
    POINT_BITS,
    PREY,
    PROMOTES,
    STANDING,
    START,
    TAKEN,
    WAY,
    WAY_FROM,
    WAY_LEFT,
    WAY_RIGHT,
    WAY_TAKE,
    WAYS,
    WAYS_COUNT,
)


def size_of(points: int) -> int:
    """How many points are in a set: pairs, fours and eights of bits are summed side by side (Warren)."""
    points -= (points >> 1) & 0x5555555555555555
    points = (points & 0x3333333333333333) + ((points >> 2) & 0x3333333333333333)
    points = (points + (points >> 4)) & 0x0F0F0F0F0F0F0F0F
    return ((points * 0x0101010101010101) >> 56) & 0x7F


def next_to(points: int, w: int, sets: Ints) -> int:
    """The neighbours in way `w` of points that all have one there."""
    return (points << sets[w + WAY_LEFT]) >> sets[w + WAY_RIGHT]


def before(points: int, w: int, sets: Ints) -> int:
    """The points from which a step in way `w` leads to `points`."""
    return (points << sets[w + WAY_RIGHT]) >> sets[w + WAY_LEFT]


def point_at(point: int, sets: Ints) -> int:
    """The number of the only point in a set."""
    return sets[BIT_POINTS + size_of(point - 1)]


def write_sets(cells: Ints, n: int, plies: Ints, f: int, sets: Ints) -> None:
    """Writes the four sets of discs on the board into the ply at `f`."""
    for k in range(4):
        plies[f + STANDING + k] = 0
    for point in range(n):
        if 1 <= cells[point] <= 4:
            plies[f + STANDING + cells[point] - 1] |= sets[POINT_BITS + point]


def lay_out(cells: Ints, n: int, plies: Ints, f: int, sets: Ints) -> None:
    """Writes the board of the ply at `f` point by point."""
    for point in range(n):
        cells[point] = 0
    for k in range(4):
        discs = plies[f + STANDING + k]
        while discs != 0:
            disc = discs & -discs
            discs ^= disc
            cells[point_at(disc, sets)] = k + 1


def step_sets(side: int, moves: Ints, m: int, plies: Ints, f: int) -> None:
    """Writes the sets after the set move at `moves[m]` from ply `f` into the next ply."""
    to = f + PLY + STANDING
    for k in range(4):
        plies[to + k] = plies[f + STANDING + k] & ~moves[m + PREY]
    plies[to + side + (2 if moves[m + MOVER] == 1 else 0)] ^= moves[m + START]
    plies[to + side + (2 if moves[m + MOVER] != 0 else 0)] ^= moves[m + FINISH]


def write_set_move(start: int, end: int, taken: int, mover: int, moves: Ints, m: int) -> None:
    moves[m + START] = start
    moves[m + FINISH] = end
    moves[m + PREY] = taken
    moves[m + MOVER] = mover


def move_sets(piece: int, out: Ints, r: int, side: int, plies: Ints, f: int, sets: Ints) -> None:
    """Writes the sets after `piece` has made the move at `out[r]` from ply `f` into the next ply."""
    to = f + PLY + STANDING
    for k in range(4):
        plies[to + k] = plies[f + STANDING + k]
    plies[to + piece - 1] ^= sets[POINT_BITS + out[r + ORIGIN]]
    for k in range(out[r + TAKEN]):
        plies[to + out[r + KINDS + k] - 1] ^= sets[POINT_BITS + out[r + CAPTURED + k]]
    after = 3 + side if out[r + PROMOTES] == 1 else piece
    plies[to + after - 1] ^= sets[POINT_BITS + out[r + END]]


def kings_take(side: int, kings: int, foes: int, empty: int, rules: Ints, sets: Ints) -> bool:
    """Whether one of the kings can capture."""
    for k in range(sets[WAYS_COUNT]):
        w = WAYS + k * WAY
        met = next_to(kings & sets[w + WAY_TAKE + 2 + side], w, sets)
        while met != 0:
            if next_to(met & foes & sets[w + WAY_FROM], w, sets) & empty != 0:
                return True
            if rules[FLYING] == 0:
                break
            met = next_to(met & empty & sets[w + WAY_FROM], w, sets)
    return False


def men_land(side: int, w: int, men: int, prey: int, empty: int, sets: Ints) -> int:
    """Where men land that capture in way `w`."""
    taking = men & sets[w + WAY_TAKE + side]
    if taking == 0:
        return 0
    hit = next_to(taking, w, sets) & prey
    return next_to(hit & sets[w + WAY_FROM], w, sets) & empty


def prey_of_men(foe_men: int, foe_kings: int, rules: Ints) -> int:
    return foe_men | foe_kings if rules[MAN_TAKES_KING] == 1 else foe_men


def men_takers(side: int, men: int, prey: int, empty: int, sets: Ints) -> int:
    """The men that can capture."""
    found = 0
    for k in range(sets[WAYS_COUNT]):
        w = WAYS + k * WAY
        land = men_land(side, w, men, prey, empty, sets)
        if land != 0:
            found |= before(before(land, w, sets), w, sets)
    return found


def takers(side: int, plies: Ints, f: int, rules: Ints, sets: Ints) -> int:
    """The discs that may capture: men that can, and all the kings if one of them can."""
    men = plies[f + STANDING + side]
    kings = plies[f + STANDING + 2 + side]
    foe_men = plies[f + STANDING + 1 - side]
    foe_kings = plies[f + STANDING + 3 - side]
    empty = sets[EVERYWHERE] & ~(men | kings | foe_men | foe_kings)
    found = men_takers(side, men, prey_of_men(foe_men, foe_kings, rules), empty, sets)
    if kings != 0 and kings_take(side, kings, foe_men | foe_kings, empty, rules, sets):
        found |= kings
    return found
