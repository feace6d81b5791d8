"""Playing written moves on the flat board for as long as each of them can mean one legal move only."""

# ruff: noqa: PLR0913 - the kernel passes its flat arrays one by one, as the compiler wants them

from rules.kernel.captures import captures_from
from rules.kernel.generate import quiet_from
from rules.kernel.jumps import Ints, can_jump
from rules.kernel.layout import (
    BEST,
    BREAKTHROUGH,
    CAPTURED,
    COMPULSORY,
    COUNT,
    END,
    FOLLOW_AT,
    FOLLOW_FILLED,
    FOLLOW_LETTERS,
    FOLLOW_ROOM,
    FOLLOW_SIDE,
    FOLLOW_UNTIL,
    LANDINGS,
    LEFT,
    MOVED,
    ORIGIN,
    PATH,
    PLY,
    POINTS,
    PROMOTES,
    RECORD,
    RUNS,
    STANDING,
    STOPS,
    TAKEN,
    WAYS_COUNT,
)
from rules.kernel.lex import count_words, lex
from rules.kernel.sets import move_sets, point_at, takers, write_sets
from rules.kernel.walk import make, run_on, tired_at


def passes(out: Ints, r: int, words: Ints, at: int, between: int) -> bool:
    """Whether each of the `between` points from `words[at]` is on the path of a move or taken by it."""
    for k in range(between):
        point = words[at + k]
        met = False
        for j in range(out[r + STOPS]):
            met = met or out[r + PATH + j] == point
        for j in range(out[r + TAKEN]):
            met = met or out[r + CAPTURED + j] == point
        if not met:
            return False
    return True


def only_fit(out: Ints, moves: int, words: Ints, at: int, count: int) -> int:
    """The record of the only move with the ends written at `words[at]`, or -1 if there is none or more than one."""
    found = -1
    for k in range(moves):
        r = k * RECORD
        if out[r + ORIGIN] == words[at] and out[r + END] == words[at + count - 1]:
            if found >= 0:
                return -1
            found = r
    if found >= 0 and count > 2 and not passes(out, found, words, at + 1, count - 2):
        return -1
    return found


def generate_for(
    origin: int,
    cells: Ints,
    side: int,
    tired: int,
    plies: Ints,
    nb: Ints,
    masks: Ints,
    crown: Ints,
    rules: Ints,
    sets: Ints,
    out: Ints,
    tally: Ints,
    work: Ints,
) -> int:
    """As `generate`, but of the moves without capture only those of the disc on `origin`."""
    n = rules[POINTS]
    tally[COUNT] = 0
    tally[BEST] = -1
    for point in range(n if rules[BREAKTHROUGH] == 1 else 0):
        if cells[point] == 4 - side:
            return 0
    fits = sets[WAYS_COUNT] > 0
    taking = takers(side, plies, 0, rules, sets) if fits else 0
    while taking != 0:
        taker = taking & -taking
        taking ^= taker
        captures_from(cells, point_at(taker, sets), side, nb, masks, crown, rules, out, 0, tally, work)
    for point in range(0 if fits else n):
        if cells[point] == 1 + side or cells[point] == 3 + side:
            is_king = 1 if cells[point] >= 3 else 0
            if can_jump(cells, point, -1, side, is_king, nb, masks, rules):
                captures_from(cells, point, side, nb, masks, crown, rules, out, 0, tally, work)
    moves_on = tally[COUNT] == 0 or rules[COMPULSORY] == 0
    if moves_on and origin != tired and (cells[origin] == 1 + side or cells[origin] == 3 + side):
        quiet_from(cells, origin, side, nb, masks, crown, rules, out, 0, tally)
    return tally[COUNT]


def note_down(out: Ints, r: int, played: Ints, filled: int) -> int:
    """Appends a move to `played`: promotes, stops, taken, then the path and what is taken; the new length."""
    played[filled] = out[r + PROMOTES]
    played[filled + 1] = out[r + STOPS]
    played[filled + 2] = out[r + TAKEN]
    filled += 3
    for k in range(out[r + STOPS]):
        played[filled + k] = out[r + PATH + k]
    filled += out[r + STOPS]
    for k in range(out[r + TAKEN]):
        played[filled + k] = out[r + CAPTURED + k]
    return filled + out[r + TAKEN]


def follow(
    cells: Ints,
    nb: Ints,
    masks: Ints,
    crown: Ints,
    rules: Ints,
    sets: Ints,
    out: Ints,
    tally: Ints,
    work: Ints,
    plies: Ints,
    words: Ints,
    played: Ints,
    control: Ints,
) -> int:
    """Plays on from `control`'s word and side; how many moves were played.

    `words` holds for each written move the number of its points, then the points. A number under 2 stops, as does
    a move that fits none or several of the legal ones. `plies` holds the king runs, before and after.
    """
    if sets[WAYS_COUNT] > 0:
        write_sets(cells, rules[POINTS], plies, 0, sets)
    side = control[FOLLOW_SIDE]
    at = control[FOLLOW_AT]
    filled = 0
    done = 0
    while at < control[FOLLOW_UNTIL] and words[at] >= 2 and filled + RECORD < control[FOLLOW_ROOM]:
        tired = tired_at(cells, side, plies, 0, rules)
        tally[LEFT] = LANDINGS
        moves = generate_for(words[at + 1], cells, side, tired, plies, nb, masks, crown, rules, sets, out, tally, work)
        found = -1
        if tally[LEFT] >= 0:
            found = only_fit(out, moves, words, at + 1, words[at])
        if found < 0:
            break
        filled = note_down(out, found, played, filled)
        plies[MOVED] = make(cells, out, found, side)
        run_on(cells, out, found, side, plies, 0, rules)
        if sets[WAYS_COUNT] > 0:
            move_sets(plies[MOVED], out, found, side, plies, 0, sets)
        for k in range(4):
            plies[RUNS + k] = plies[PLY + RUNS + k]
            plies[STANDING + k] = plies[PLY + STANDING + k]
        side = 1 - side
        at += words[at] + 1
        done += 1
    control[FOLLOW_SIDE] = side
    control[FOLLOW_AT] = at
    control[FOLLOW_FILLED] = filled
    return done


def follow_text(
    cells: Ints,
    nb: Ints,
    masks: Ints,
    crown: Ints,
    rules: Ints,
    sets: Ints,
    out: Ints,
    tally: Ints,
    work: Ints,
    plies: Ints,
    text: Ints,
    squares: Ints,
    words: Ints,
    played: Ints,
    control: Ints,
) -> int:
    """Plays the plain moves of a text; how many were played, or -1 if one of them needs thought.

    Without a text the words are played as they are, see `follow`.
    """
    letters = control[FOLLOW_LETTERS]
    count = 0
    if letters > 0:
        filled = lex(text, letters, squares, words)
        count = count_words(words, filled)
        control[FOLLOW_UNTIL] = filled
    done = follow(cells, nb, masks, crown, rules, sets, out, tally, work, plies, words, played, control)
    return -1 if done < count else done
