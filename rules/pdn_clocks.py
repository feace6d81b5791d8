"""Clock times in the comments of PDN: `[%clock w0:10:00 B0:09:58]`, `[%clk ...]`, `[%emt ...]` and their kin."""

import re
from dataclasses import dataclass

from rules.piece import Side

_TIME = r"(\d{1,3}:\d{1,2}(?::\d{1,2})?(?:\.\d+)?|\d+(?:\.\d+)?)"
_BOTH = re.compile(rf"\[%clock((?:\s*[wWbB]{_TIME}){{1,2}})\s*\]")
_SIDE = re.compile(rf"([wWbB]){_TIME}")
_LEFT = re.compile(rf"\[%clk\s+{_TIME}\s*\]")
_MOVE = re.compile(rf"\[%emt\s+{_TIME}\s*\]")
_GAME = re.compile(rf"\[%(?:egt|mct)\s+{_TIME}\s*\]")


@dataclass(frozen=True, slots=True)
class Clocks:
    """What the clocks showed after a move, in seconds; None where it is not written."""

    white_left: float | None = None
    black_left: float | None = None
    running: Side | None = None
    """Whose clock runs, by a capital letter."""
    move_took: float | None = None
    game_took: float | None = None


def clocks_in(comment: str, mover: Side) -> Clocks | None:
    """The times a comment holds, or None. `[%clk]` is the time left to the side that just moved."""
    if "[%" not in comment:
        return None
    left: dict[Side, float] = {}
    running = None
    if (both := _BOTH.search(comment)) is not None:
        for letter, time in _SIDE.findall(both[1]):
            side = Side(letter.upper())
            left[side] = seconds_of(time)
            running = side if letter.isupper() else running
    elif (own := _LEFT.search(comment)) is not None:
        left[mover] = seconds_of(own[1])
    took, game = _MOVE.search(comment), _GAME.search(comment)
    if not left and took is None and game is None:
        return None
    return Clocks(
        left.get(Side.WHITE),
        left.get(Side.BLACK),
        running,
        seconds_of(took[1]) if took else None,
        seconds_of(game[1]) if game else None,
    )


def seconds_of(text: str) -> float:
    """Seconds of `1:02:03`, `1:02` (minutes and seconds) or `62`."""
    total = 0.0
    for part in text.split(":"):
        total = 60 * total + float(part)
    return total


def clock_command(white_left: float | None, black_left: float | None, to_move: Side) -> str:
    """The command for these times, a capital letter for the clock that runs; empty if both are unknown."""
    texts = []
    for side, seconds in ((Side.WHITE, white_left), (Side.BLACK, black_left)):
        if seconds is not None:
            letter = side.value if side is to_move else side.value.lower()
            whole = max(0, int(seconds))
            texts.append(f"{letter}{whole // 3600}:{whole // 60 % 60:02}:{whole % 60:02}")
    return f"[%clock {' '.join(texts)}]" if texts else ""
