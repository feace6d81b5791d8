"""Alpha-beta over the tree of moves, with its whole state in arrays so that it can pause and go on."""

# ruff: noqa: PLR0913 - the kernel passes its flat arrays one by one, as the compiler wants them

from rules.kernel.generate import generate
from rules.kernel.jumps import Ints
from rules.kernel.layout import (
    ALPHA,
    AT_PLY,
    BASE,
    BETA,
    BUDGET,
    CHOSEN,
    DEPTH,
    DONE,
    END,
    ENTERING,
    FIRST,
    INFINITE,
    LANDINGS,
    LANDINGS_A_NODE,
    LANDINGS_IN_SEARCH,
    LEFT,
    LINE_ENTRY,
    LOSING,
    MAX_PLIES,
    MOVED,
    MOVES,
    NEXT,
    NODES,
    ORIGIN,
    PLY,
    POINTS,
    RECORD,
    SCORE,
    SET_0,
    TAKEN,
    WIN,
)
from rules.kernel.walk import make, run_on, tired_at, unmake


def evaluate(cells: Ints, side: int, values: Ints, rules: Ints) -> int:
    """Worth of the position for the mover: values[piece * n + point], good for White being positive."""
    n = rules[POINTS]
    total = 0
    for point in range(n):
        total += values[cells[point] * n + point]
    if side == 1:
        total = -total
    return -total if rules[LOSING] == 1 else total


def write_line(out: Ints, r: int, ply: int, line: Ints) -> None:
    """Puts the move at `out[r]` before the best line of the next ply."""
    row = ply * MAX_PLIES * LINE_ENTRY
    line[row] = out[r + ORIGIN]
    line[row + 1] = out[r + END]
    for k in range(3):
        line[row + 2 + k] = out[r + SET_0 + k]
    pass_on(ply, line)


def pass_on(ply: int, line: Ints) -> None:
    """Copies the best line of the next ply behind the first move of this ply's."""
    row = ply * MAX_PLIES * LINE_ENTRY
    below = row + MAX_PLIES * LINE_ENTRY
    if ply + 1 >= MAX_PLIES:
        return
    for k in range((MAX_PLIES - 1) * LINE_ENTRY):
        line[row + LINE_ENTRY + k] = line[below + k]
        if k % LINE_ENTRY == 0 and line[below + k] < 0:
            return


def index_at(ply: int, place: int, first: int) -> int:
    """Which move is tried in which place: at the root, the best of the last iteration comes first."""
    if ply > 0 or place > first:
        return place
    return first if place == 0 else place - 1


def give_back(cells: Ints, side: int, score: int, ply: int, out: Ints, plies: Ints, line: Ints, control: Ints) -> None:
    """Takes a child's score into the frame of its parent at `ply`."""
    f = ply * PLY
    index = index_at(ply, plies[f + NEXT] - 1, control[FIRST])
    r = plies[f + BASE] + index * RECORD
    unmake(cells, out, r, plies[f + MOVED])
    if -score > plies[f + SCORE]:
        plies[f + SCORE] = -score
        plies[f + CHOSEN] = index
        if -score > plies[f + ALPHA]:
            plies[f + ALPHA] = -score
            write_line(out, r, ply, line)


def enter(ply: int, moves: int, plies: Ints, line: Ints, control: Ints) -> None:
    """Prepares the frame of a position just generated."""
    f = ply * PLY
    control[NODES] += 1
    plies[f + MOVES] = moves
    plies[f + NEXT] = 0
    plies[f + SCORE] = -INFINITE
    line[ply * MAX_PLIES * LINE_ENTRY] = -1


def is_quiet_leaf(ply: int, out: Ints, plies: Ints, control: Ints) -> bool:
    """Whether to evaluate here: deep enough and no capture due, or no room for more plies."""
    if ply >= MAX_PLIES - 2:
        return True
    return ply >= control[DEPTH] and out[plies[ply * PLY + BASE] + TAKEN] == 0


def search_some(
    cells: Ints,
    side: int,
    nb: Ints,
    masks: Ints,
    crown: Ints,
    rules: Ints,
    values: Ints,
    out: Ints,
    tally: Ints,
    work: Ints,
    plies: Ints,
    line: Ints,
    control: Ints,
) -> int:
    """Goes on until the iteration is done or the budget of nodes is used up; `side` moves at the root.

    Afterwards control[DONE] tells whether it is done; plies[SCORE] and plies[CHOSEN] are then the root's.
    """
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
            tired = tired_at(cells, mover, plies, f, rules)
            tally[LEFT] = LANDINGS if ply == 0 else LANDINGS_IN_SEARCH
            landings = tally[LEFT]
            moves = generate(cells, mover, tired, nb, masks, crown, rules, out, plies[f + BASE], tally, work)
            spent += (landings - max(0, tally[LEFT])) // LANDINGS_A_NODE
            enter(ply, moves, plies, line, control)
            if moves == 0:
                leaf = True
                score = WIN - ply if rules[LOSING] == 1 else ply - WIN
            elif is_quiet_leaf(ply, out, plies, control):
                leaf = True
                score = evaluate(cells, mover, values, rules)
        if leaf or plies[f + NEXT] >= plies[f + MOVES] or plies[f + ALPHA] >= plies[f + BETA]:
            if not leaf:
                score = plies[f + SCORE]
            ply -= 1
            if ply < 0:
                control[DONE] = 1
                return spent
            give_back(cells, 1 - mover, score, ply, out, plies, line, control)
            continue
        r = plies[f + BASE] + index_at(ply, plies[f + NEXT], control[FIRST]) * RECORD
        plies[f + NEXT] += 1
        plies[f + MOVED] = make(cells, out, r, mover)
        run_on(cells, out, r, mover, plies, f, rules)
        plies[f + PLY + BASE] = plies[f + BASE] + plies[f + MOVES] * RECORD
        plies[f + PLY + ALPHA] = -plies[f + BETA]
        plies[f + PLY + BETA] = -plies[f + ALPHA]
        control[ENTERING] = 1
        ply += 1
