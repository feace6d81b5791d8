"""Plain moves out of the bytes of a text, as `follow` wants them. Files of a square are a to t: x is a capture."""

from rules.kernel.jumps import Ints
from rules.kernel.layout import LETTER_ROWS, NUMBERS

_BLANK = 32
_DOT = 46
_ZERO = 48
_NINE = 57
_A = 97
_T = 116


def lex(text: Ints, letters: int, squares: Ints, words: Ints) -> int:
    """Fills `words` with the points of each move (their number first) and returns how much it filled.

    `text` holds `letters` letters: nothing but move numbers with dots, moves in lower case and blanks. `squares` gives
    the point of each number or letter with a number, or -1. A move with a square that is not on the board counts none.
    """
    filled = 0
    word = -1
    at = 0
    while at < letters:
        c = text[at]
        if c <= _BLANK:
            word = -1
            at += 1
            continue
        letter = -1
        if _A <= c <= _T and at + 1 < letters and _ZERO <= text[at + 1] <= _NINE:
            letter = c - _A
            at += 1
            c = text[at]
        if c < _ZERO or c > _NINE:
            at += 1
            continue
        value = 0
        while at < letters and _ZERO <= text[at] <= _NINE:
            value = min(10 * value + text[at] - _ZERO, NUMBERS - 1)
            at += 1
        if letter < 0 and at < letters and text[at] == _DOT:
            while at < letters and text[at] == _DOT:
                at += 1
            continue
        point = squares[value]
        if letter >= 0:
            point = -1 if value >= LETTER_ROWS else squares[NUMBERS + letter * LETTER_ROWS + value]
        if word < 0:
            word = filled
            words[word] = 0
            filled += 1
        words[filled] = point
        filled += 1
        words[word] = -1000 if point < 0 or words[word] < 0 else words[word] + 1
    return filled


def count_words(words: Ints, filled: int) -> int:
    """How many moves `lex` found, up to and with the first that has a square off the board."""
    at = 0
    count = 0
    while at < filled:
        count += 1
        if words[at] < 0:
            return count
        at += words[at] + 1
    return count
