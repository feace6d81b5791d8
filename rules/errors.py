"""What can be wrong with input to the rules.

RulesError
+-- FenError            a position that cannot be read
+-- NotationError       a move text that cannot be read
|   +-- IllegalMoveText     no legal move fits it
|   +-- AmbiguousMoveText   several legal moves fit it
+-- PdnError            a game text that cannot be read
+-- UnknownVariant      a game that Kibitz does not know
+-- TooManyMoves        a count of positions that does not fit
+-- IllegalMove         a move object that does not fit the position it is played in
"""


class RulesError(Exception):
    """Base of everything the rules refuse; the message says what was seen, what was expected and what to do."""


class FenError(RulesError):
    """A position text that cannot be read."""


class NotationError(RulesError):
    """A move text that cannot be read."""


class IllegalMoveText(NotationError):
    """No legal move fits the text."""


class AmbiguousMoveText(NotationError):
    """Several different legal moves fit the text."""


class PdnError(RulesError):
    """A game text that cannot be read at all."""


class UnknownVariant(RulesError):
    """A variant name that Kibitz does not know."""


class IllegalMove(RulesError):
    """A move that cannot be played in this position."""


class TooManyMoves(RulesError):
    """More moves than the kernel has room for where all of them must be known."""


_LONGEST_QUOTE = 60


def quoted(text: str) -> str:
    """A text as messages quote it: its beginning is enough to be recognised by."""
    return repr(text if len(text) <= _LONGEST_QUOTE else text[: _LONGEST_QUOTE - 3] + "...")
