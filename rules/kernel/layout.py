"""Layout of the kernel's flat arrays: indexes and sizes shared by the generator, perft and the search."""

# A square's content is the value of a Piece; while a capture runs, a taken disc that still blocks is a GHOST.
GHOST = 5

# Index into the `rules` array.
POINTS = 0
FLYING = 1
LANDING = 2
AT_ONCE = 3
REVERSE = 4
PROMOTION = 5
CHAIN = 6
COMPULSORY = 7
MAN_TAKES_KING = 8
W_NUMBER = 9
W_WORTH = 10
W_BY_KING = 11
W_KINGS = 12
W_EARLY = 13
BREAKTHROUGH = 14
RUN_LIMIT = 15
LOSING = 16
EVERY_ROUTE = 17
RULES_SIZE = 18

# One move is a record of RECORD integers in the `out` array.
ORIGIN = 0
END = 1
PROMOTES = 2
TAKEN = 3
SET_0 = 4
SET_1 = 5
SET_2 = 6
VALUE = 7
STOPS = 8
PATH = 9
MAX_CAPTURES = 40
CAPTURED = PATH + MAX_CAPTURES + 1
KINDS = CAPTURED + MAX_CAPTURES
RECORD = KINDS + MAX_CAPTURES
SET_BITS = 60

# One frame of the capture stack in the `work` array.
AT = 0
DIRECTION = 1
LAND = 2
VICTIM = 3
KIND = 4
KING = 5
CAME = 6
GOES_ON = 7
FRAME = 8
# After the frames: a counter of searches, then a lossy table of places already gone on from in this search.
STAMP = FRAME * (MAX_CAPTURES + 2)
MEMO = STAMP + 1
MEMO_ENTRY = 5
MEMO_SLOTS = 4093
MEMO_FROM = 4
"""Captures of fewer discs are not worth remembering."""
WORK_SIZE = MEMO + MEMO_ENTRY * MEMO_SLOTS

# The `tally` array: how many moves there are, and the rank of the captures among them.
COUNT = 0
BEST = 1
TALLY_SIZE = 2

# One ply of a walk over the tree of moves, in the `plies` array.
BASE = 0
MOVES = 1
NEXT = 2
MOVED = 3
RUNS = 4
"""Four integers: point and moves of White's running king, then Black's; the point is -1 without one."""
ALPHA = 8
BETA = 9
SCORE = 10
CHOSEN = 11
PLY = 12

# The `control` array of the search.
NODES = 0
BUDGET = 1
DEPTH = 2
AT_PLY = 3
ENTERING = 4
FIRST = 5
DONE = 6
CONTROL_SIZE = 7

# The `control` array of follow.
FOLLOW_SIDE = 0
FOLLOW_AT = 1
FOLLOW_FILLED = 2
FOLLOW_SIZE = 3
NUMBERS = 1000
"""Numbers a square may have in text, then LETTER_ROWS for each of the letters a to z: the `squares` array."""
LETTER_ROWS = 100
SQUARES_SIZE = NUMBERS + 26 * LETTER_ROWS

MAX_PLIES = 64
LINE_ENTRY = 5
WIN = 1_000_000
INFINITE = 10_000_000
