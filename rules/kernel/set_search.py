"""The search where the board is held as sets: moves are four words, positions are kept and not taken back."""

# ruff: noqa: PLR0913 - the kernel passes its flat arrays one by one, as the compiler wants them

from rules.kernel.count import count_quiet
from rules.kernel.jumps import Ints
from rules.kernel.layout import (
    ALPHA,
    AT_PLY,
    BASE,
    BETA,
    BREAKTHROUGH,
    BUDGET,
    CHOSEN,
    DEPTH,
    DONE,
    ENTERING,
    EVERYWHERE,
    FINISH,
    FIRST,
    LANDINGS,
    LANDINGS_A_NODE,
    LANDINGS_IN_SEARCH,
    LEFT,
    LINE_ENTRY,
    LOSING,
    MAX_PLIES,
    MOVER,
    MOVES,
    NEXT,
    PLY,
    POINT_BITS,
    POINTS,
    PREY,
    SCORE,
    SET_BITS,
    SET_MOVE,
    STANDING,
    START,
    WAYS_COUNT,
    WIN,
    WORTH,
)
from rules.kernel.search import enter, index_at, pass_on, search_some
from rules.kernel.set_walk import list_on_sets, run_on_sets, tired_on_sets
from rules.kernel.sets import point_at, step_sets, takers


def worth_of(discs: int, piece: int, values: Ints, rules: Ints, sets: Ints) -> int:
    """Worth of the discs of one kind for White."""
    total = 0
    while discs != 0:
        disc = discs & -discs
        discs ^= disc
        total += values[piece * rules[POINTS] + point_at(disc, sets)]
    return total


def weigh(plies: Ints, f: int, values: Ints, rules: Ints, sets: Ints) -> None:
    """Writes the worth of the position of ply `f` for White."""
    plies[f + WORTH] = 0
    for k in range(4):
        plies[f + WORTH] += worth_of(plies[f + STANDING + k], k + 1, values, rules, sets)


def weigh_on(side: int, moves: Ints, m: int, plies: Ints, f: int, values: Ints, rules: Ints, sets: Ints) -> None:
    """Writes the worth after the set move at `moves[m]` from ply `f` into the next ply."""
    n = rules[POINTS]
    before = 1 + side + (2 if moves[m + MOVER] == 1 else 0)
    after = 1 + side + (2 if moves[m + MOVER] != 0 else 0)
    worth = plies[f + WORTH] - values[before * n + point_at(moves[m + START], sets)]
    worth += values[after * n + point_at(moves[m + FINISH], sets)]
    taken = moves[m + PREY]
    if taken != 0:
        worth -= worth_of(taken & plies[f + STANDING + 1 - side], 2 - side, values, rules, sets)
        worth -= worth_of(taken & plies[f + STANDING + 3 - side], 4 - side, values, rules, sets)
    plies[f + PLY + WORTH] = worth


def score_of(side: int, plies: Ints, f: int, rules: Ints) -> int:
    """Worth of the position of ply `f` for the mover; where losing is winning, the other way round."""
    worth = plies[f + WORTH] if side == 0 else -plies[f + WORTH]
    return -worth if rules[LOSING] == 1 else worth


def is_quiet(side: int, plies: Ints, f: int, rules: Ints, sets: Ints) -> bool:
    """Whether the mover has moves and none of them captures."""
    foe_kings = plies[f + STANDING + 3 - side]
    if (rules[BREAKTHROUGH] == 1 and foe_kings != 0) or takers(side, plies, f, rules, sets) != 0:
        return False
    men = plies[f + STANDING + side]
    kings = plies[f + STANDING + 2 + side]
    empty = sets[EVERYWHERE] & ~(men | kings | foe_kings | plies[f + STANDING + 1 - side])
    tired = tired_on_sets(side, plies, f, rules)
    if tired >= 0:
        kings &= ~sets[POINT_BITS + tired]
    return count_quiet(side, men, kings, empty, rules, sets) > 0


def write_set_line(moves: Ints, m: int, ply: int, line: Ints, sets: Ints) -> None:
    """Puts the set move at `moves[m]` before the best line of the next ply."""
    row = ply * MAX_PLIES * LINE_ENTRY
    line[row] = point_at(moves[m + START], sets)
    line[row + 1] = point_at(moves[m + FINISH], sets)
    for k in range(3):
        line[row + 2 + k] = 0
    taken = moves[m + PREY]
    while taken != 0:
        disc = taken & -taken
        taken ^= disc
        point = point_at(disc, sets)
        line[row + 2 + point // SET_BITS] |= 1 << (point % SET_BITS)
    pass_on(ply, line)


def give_back_on_sets(score: int, ply: int, out: Ints, plies: Ints, line: Ints, control: Ints, sets: Ints) -> None:
    """Takes a child's score into the frame of its parent at `ply`."""
    f = ply * PLY
    if -score <= plies[f + SCORE]:
        return
    index = index_at(ply, plies[f + NEXT] - 1, control[FIRST])
    plies[f + SCORE] = -score
    plies[f + CHOSEN] = index
    if -score > plies[f + ALPHA]:
        plies[f + ALPHA] = -score
        write_set_line(out, plies[f + BASE] + index * SET_MOVE, ply, line, sets)


def search_on_sets(
    cells: Ints,
    side: int,
    nb: Ints,
    masks: Ints,
    crown: Ints,
    rules: Ints,
    sets: Ints,
    values: Ints,
    out: Ints,
    tally: Ints,
    work: Ints,
    plies: Ints,
    line: Ints,
    control: Ints,
) -> int:
    """As `search_some`; the first ply holds the board as sets and its worth, `cells` is room to work in."""
    spent = 0
    ply = control[AT_PLY]
    while True:
        f = ply * PLY
        mover = side if ply % 2 == 0 else 1 - side
        leaf = False
        score = 0
        if control[ENTERING] == 1:
            if spent >= control[BUDGET]:
                control[AT_PLY] = ply
                return spent
            spent += 1
            control[ENTERING] = 0
            deep = ply >= control[DEPTH]
            if ply >= MAX_PLIES - 2 or (deep and is_quiet(mover, plies, f, rules, sets)):
                leaf = True
                enter(ply, 0, plies, line, control)
                score = score_of(mover, plies, f, rules)
            else:
                tally[LEFT] = LANDINGS if ply == 0 else LANDINGS_IN_SEARCH
                landings = tally[LEFT]
                moves = list_on_sets(cells, mover, plies, f, nb, masks, crown, rules, sets, out, tally, work)
                spent += (landings - max(0, tally[LEFT])) // LANDINGS_A_NODE
                enter(ply, moves, plies, line, control)
                if moves == 0:
                    leaf = True
                    score = WIN - ply if rules[LOSING] == 1 else ply - WIN
        if leaf or plies[f + NEXT] >= plies[f + MOVES] or plies[f + ALPHA] >= plies[f + BETA]:
            if not leaf:
                score = plies[f + SCORE]
            ply -= 1
            if ply < 0:
                control[DONE] = 1
                return spent
            give_back_on_sets(score, ply, out, plies, line, control, sets)
            continue
        m = plies[f + BASE] + index_at(ply, plies[f + NEXT], control[FIRST]) * SET_MOVE
        plies[f + NEXT] += 1
        step_sets(mover, out, m, plies, f)
        run_on_sets(mover, out, m, plies, f, rules, sets)
        weigh_on(mover, out, m, plies, f, values, rules, sets)
        plies[f + PLY + BASE] = plies[f + BASE] + plies[f + MOVES] * SET_MOVE
        plies[f + PLY + ALPHA] = -plies[f + BETA]
        plies[f + PLY + BETA] = -plies[f + ALPHA]
        control[ENTERING] = 1
        ply += 1


def search_any(
    cells: Ints,
    side: int,
    nb: Ints,
    masks: Ints,
    crown: Ints,
    rules: Ints,
    sets: Ints,
    values: Ints,
    out: Ints,
    tally: Ints,
    work: Ints,
    plies: Ints,
    line: Ints,
    control: Ints,
) -> int:
    """The search on sets if the board fits, else by lists; see `search_some`."""
    if sets[WAYS_COUNT] > 0:
        return search_on_sets(
            cells, side, nb, masks, crown, rules, sets, values, out, tally, work, plies, line, control
        )
    return search_some(cells, side, nb, masks, crown, rules, values, out, tally, work, plies, line, control)
