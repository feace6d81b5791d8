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
MEMO_SLOTS = 16381
MEMO_FROM = 4
"""Captures of fewer discs are not worth remembering."""
# Then, for counting: places a man still goes on from (place, taken, the way back), and the captures it has made.
TRAIL = MEMO + MEMO_ENTRY * MEMO_SLOTS
TRAIL_MOST = 200
"""Jumps and captures of men that are counted; if there are more, they are listed."""
ENDS = TRAIL + 3 * TRAIL_MOST
# A move given by sets: from where, to where, what is taken, and which kind of disc moves.
START = 0
FINISH = 1
PREY = 2
MOVER = 3
"""0 a man, 1 a king, 2 a man that becomes one."""
SET_MOVE = 4
ROOM_FOR_QUIET = SET_MOVE * 1000
"""Fifty flying kings on a board otherwise empty have fewer moves."""
WORK_SIZE = ENDS + SET_MOVE * TRAIL_MOST

# The `tally` array: how many moves there are, the rank of the captures among them, and the effort left.
COUNT = 0
BEST = 1
LEFT = 2
"""Landings that captures may still try; under 0 once there were too few or no room, and the list lacks moves."""
ROOM = 3
"""How many integers the list of moves has room for: compiled code sees no lengths."""
TALLY_SIZE = 4
LANDINGS = 400_000
"""Enough for any position of a game; a flying king among twenty scattered discs would try them for hours."""
LANDINGS_IN_SEARCH = 3_000
LANDINGS_A_NODE = 50
"""A node of the search counts once more for so many."""
LOOKS_A_LANDING = 32
"""Comparing a capture with so many earlier ones counts as a landing."""
UNBOUNDED = 1 << 60

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
STANDING = 12
"""Four sets of points (see sets.py): white men, black men, white kings, black kings."""
WORTH = 16
"""Of the position for White, in the search."""
PLY = 17

# The `sets` table of a board whose points fit the bits of one word: see lattice.py.
WORD_BITS = 62
WAYS_COUNT = 0
"""Directions in which the game steps or captures; 0 if the board does not fit, and then the table is empty."""
EVERYWHERE = 1
CROWNS = 2
"""Where White's and where Black's men promote."""
WAYS = 4
WAY_LEFT = 0
WAY_RIGHT = 1
"""A step is a shift to the left by the one and to the right by the other; one of them is 0."""
WAY_FROM = 2
"""Points that have a neighbour in this way."""
WAY_BACK = 3
"""The number of the opposite way, or -1."""
WAY_STEP = 4
WAY_TAKE = 8
"""From where each of the four kinds of disc may step and may capture."""
WAY = 12
POINT_BITS = WAYS + 8 * WAY
BIT_POINTS = POINT_BITS + WORD_BITS
SETS_SIZE = BIT_POINTS + WORD_BITS

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
FOLLOW_UNTIL = 3
"""Where the words end."""
FOLLOW_ROOM = 4
"""How many integers `played` has room for."""
FOLLOW_LETTERS = 5
"""How long the text is; 0 without one."""
FOLLOW_SIZE = 6
NUMBERS = 1000
"""Numbers a square may have in text, then LETTER_ROWS for each of the letters a to z: the `squares` array."""
LETTER_ROWS = 100
SQUARES_SIZE = NUMBERS + 26 * LETTER_ROWS

MAX_PLIES = 64
LINE_ENTRY = 5
WIN = 1_000_000
INFINITE = 10_000_000
