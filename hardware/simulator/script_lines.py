"""The lines of a script that say what happens, checked against the board as it stands by then."""

import math
import re
from collections.abc import Callable
from dataclasses import dataclass, field

from hardware.errors import ScriptUnusable
from hardware.simulator.acts import (
    Act,
    Displace,
    Drop,
    Fast,
    HandOver,
    LightChange,
    PickUp,
    Place,
    Ply,
    Remove,
    Restore,
    SetUp,
    Shift,
    Touch,
    Wait,
)
from hardware.simulator.render import Bump
from rules.errors import IllegalMove, IllegalMoveText
from rules.legal_moves import placement_after, play
from rules.move import Move
from rules.notation import move_text, parse_move, point_name, point_named
from rules.piece import Piece, Side, king, man
from rules.placement import Placement
from rules.position import Position
from rules.variant import Variant, start_position

_MOVE = re.compile(r"^[a-t]?\d+(?:[-x:*×–][a-t]?\d+)+$", re.IGNORECASE)
_MOVE_NUMBER = re.compile(r"^\d+\.+$")
_SIDES = {"white": Side.WHITE, "black": Side.BLACK}


@dataclass(slots=True)
class Reading:
    """A script as far as it has been read: what the board then shows, and the position the game then has."""

    variant: Variant
    position: Position
    board: Placement
    acts: list[Act] = field(default_factory=list)
    moves: list[str] = field(default_factory=list)
    past: list[tuple[Position, Placement]] = field(default_factory=list)
    """Before each legal move since the game was set up."""
    calm: tuple[Position, Placement] | None = None
    """As it was before the mistakes since the last legal move."""
    regular: Placement | None = None
    """The board as the last legal move should have left it."""

    def err(self) -> None:
        """A mistake begins, if none is under way."""
        self.calm = self.calm or (self.position, self.board)

    def put(self, changes: dict[int, Piece], to_move: Side | None = None) -> None:
        """The same change for the board and for the position; a king that shows no crown stays a king."""
        self.board = self.board.replaced(changes)
        placement = self.position.placement.replaced(changes)
        self.position = Position(placement, to_move or self.position.to_move)
        if self.board == self.regular:
            self.calm = None

    def point(self, text: str) -> int:
        return point_named(self.variant, text)

    def taken(self, text: str) -> int:
        """A point on which something stands."""
        point = self.point(text)
        if self.board[point] is Piece.EMPTY:
            raise ScriptUnusable(f"saw the square {text!r}, which is empty then; expected one with a disc on it")
        return point


def play_line(reading: Reading, words: list[str]) -> None:
    """Adds what one line says. Raises ScriptUnusable, or what the rules raise about squares and moves."""
    verb = words[0].lower()
    if verb in _VERBS:
        _VERBS[verb](reading, [word.lower() for word in words[1:]])
    elif verb == "fast" or _MOVE.match(verb) or _MOVE_NUMBER.match(verb):
        _plies(reading, words)
    else:
        verbs = ", ".join(sorted((*_VERBS, "fast")))
        raise ScriptUnusable(f"saw {words[0]!r}; expected a move such as 32-28, a setting, or one of {verbs}")


def whole_number(text: str, low: int, high: int) -> int:
    if not text.isdecimal() or not low <= int(text) <= high:
        raise ScriptUnusable(f"saw {text!r}; expected a whole number from {low} to {high}")
    return int(text)


def _number(text: str, low: float, high: float) -> float:
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not low <= number <= high:
        raise ScriptUnusable(f"saw {text!r}; expected a number from {low:g} to {high:g}")
    return number


def _numbers(words: list[str], *bounds: tuple[float, float]) -> list[float]:
    if len(words) != len(bounds):
        raise ScriptUnusable(f"saw {len(words)} numbers ({' '.join(words) or 'none'}); expected {len(bounds)}")
    return [_number(word, low, high) for word, (low, high) in zip(words, bounds, strict=True)]


def _one(words: list[str], what: str) -> str:
    if len(words) != 1:
        raise ScriptUnusable(f"saw {' '.join(words)!r}; expected {what} and nothing more")
    return words[0]


def _plies(reading: Reading, words: list[str]) -> None:
    """Legal moves, and what is done otherwise than the rules have it with the last of them."""
    fast = words[0].lower() == "fast"
    words = [w.lower() for w in words[1 if fast else 0 :] if not _MOVE_NUMBER.match(w)]
    count = next((i for i, w in enumerate(words) if not _MOVE.match(w)), len(words))
    if count == 0:
        raise ScriptUnusable("saw no move on this line; expected one such as 32-28")
    plies = [_ply(reading, text, []) for text in words[: count - 1]]
    plies.append(_ply(reading, words[count - 1], words[count:]))
    reading.acts.extend([Fast(tuple(plies))] if fast else plies)


def _ply(reading: Reading, text: str, otherwise: list[str]) -> Ply:
    variant, before = reading.variant, reading.position
    try:
        move = parse_move(variant, before, text)
    except IllegalMoveText as refusal:
        raise ScriptUnusable(f"{refusal}; if a mistake is meant, write carry {text}") from refusal
    ply = _otherwise(reading, move, otherwise)
    reading.moves.append(move_text(variant, before, move))
    reading.past.append((before, reading.board))
    started = reading.past[-1]
    reading.position = play(variant, before, move)
    reading.board = reading.regular = _after(reading, before.to_move, move)
    kept = {p: before.placement[p] for p in ply.leaving}
    reading.put(kept | dict.fromkeys(ply.also, Piece.EMPTY))
    if ply.crown is False:
        reading.board = reading.board.replaced({move.end: man(before.to_move)})
    elif ply.crown:
        reading.put({move.end: king(before.to_move)})
    reading.calm = None if reading.board == reading.regular else started
    return ply


def _after(reading: Reading, side: Side, move: Move) -> Placement:
    """What the board shows after a move of the game: it may show something else than the game has."""
    try:
        return placement_after(reading.board, side, move)
    except IllegalMove as unfit:
        text = move_text(reading.variant, reading.past[-1][0], move)
        raise ScriptUnusable(
            f"saw {text}, which the game has but the board cannot show: by `standing` other discs are on its squares; "
            "expected the board put right first, with put or take"
        ) from unfit


def _otherwise(reading: Reading, move: Move, words: list[str]) -> Ply:
    """`uncrowned`, `crowned`, `leaving SQUARES`, `also SQUARES`."""
    crown: bool | None = None
    points: dict[str, list[int]] = {"leaving": [], "also": []}
    kind = ""
    for word in words:
        if word in points:
            kind = word
        elif word in ("uncrowned", "crowned"):
            crown = word == "crowned"
        elif kind:
            points[kind].append(reading.taken(word))
        else:
            raise ScriptUnusable(f"saw {word!r} after a move; expected uncrowned, crowned, leaving, also or a move")
    if strange := [p for p in points["leaving"] if p not in move.captured]:
        names = ", ".join(point_name(reading.variant, p) for p in strange)
        raise ScriptUnusable(f"saw {names} left standing, which this move does not capture; expected captured squares")
    if crown is False and not move.promotes:
        raise ScriptUnusable("saw uncrowned after a move that does not promote; expected a promotion")
    return Ply(move, crown, tuple(points["leaving"]), tuple(points["also"]))


def _carry(reading: Reading, words: list[str]) -> None:
    ends = re.split(r"[-x:]", words[0]) if words else []
    if len(ends) != 2 or (len(words) > 1 and words[1] != "taking"):
        raise ScriptUnusable(f"saw {' '.join(words)!r}; expected two squares such as 32-27, then perhaps taking 28")
    start, end = reading.taken(ends[0]), reading.point(ends[1])
    taking = tuple(reading.taken(word) for word in words[2:])
    reading.err()
    piece, kept = reading.board[start], reading.position.placement[start]
    side = piece.side
    reading.put(dict.fromkeys((start, *taking), Piece.EMPTY) | {end: piece}, side.opponent if side else None)
    reading.position = Position(reading.position.placement.replaced({end: kept}), reading.position.to_move)
    reading.acts.append(Displace(start, end, taking))


def _take(reading: Reading, words: list[str]) -> None:
    point = reading.taken(_one(words, "a square"))
    reading.err()
    reading.put({point: Piece.EMPTY})
    reading.acts.append(Remove(point))


def _put(reading: Reading, words: list[str]) -> None:
    if len(words) != 3:
        raise ScriptUnusable(f"saw {' '.join(words)!r}; expected such as: white man 28")
    point, piece = reading.point(words[2]), _piece(words)
    reading.err()
    reading.put({point: piece})
    reading.acts.append(Place(point, piece))


def _piece(words: list[str]) -> Piece:
    if words[0] not in _SIDES or words[1] not in ("man", "king"):
        raise ScriptUnusable(f"saw {' '.join(words[:2])!r}; expected white or black, then man or king")
    return (king if words[1] == "king" else man)(_SIDES[words[0]])


def _crown(reading: Reading, words: list[str]) -> None:
    point = reading.taken(_one(words, "a square"))
    side = reading.board[point].side or Side.WHITE
    if reading.position.placement[point] is not king(side):
        reading.err()
    reading.put({point: king(side)})
    reading.acts.append(Place(point, king(side)))


def _touch(reading: Reading, words: list[str]) -> None:
    reading.acts.append(Touch(reading.taken(_one(words, "a square"))))


def _shift(reading: Reading, words: list[str]) -> None:
    dx, dy = _numbers(words[1:], (-0.5, 0.5), (-0.5, 0.5))
    reading.acts.append(Shift(reading.taken(words[0]), dx, dy))


def _drop(reading: Reading, words: list[str]) -> None:
    if len(words) != 4:
        raise ScriptUnusable(f"saw {' '.join(words)!r}; expected such as: white man 4.5 3")
    board = reading.variant.board
    x, y = _numbers(words[2:], (-1.0, board.width + 1.0), (-1.0, board.height + 1.0))
    reading.acts.append(Drop(_piece(words), x, y))


def _pick(reading: Reading, words: list[str]) -> None:
    reading.acts.append(PickUp())


def _back(reading: Reading, words: list[str]) -> None:
    if reading.calm is None:
        raise ScriptUnusable("saw back, but no mistake since the last legal move; expected a mistake before it")
    _returned(reading, reading.calm)


def _takeback(reading: Reading, words: list[str]) -> None:
    count = whole_number(_one(words or ["1"], "a number of moves"), 1, 1000)
    if count > len(reading.past):
        raise ScriptUnusable(f"saw {count} moves to take back; expected at most the {len(reading.past)} played")
    earlier = reading.past[-count]
    del reading.past[-count:], reading.moves[-count:]
    _returned(reading, earlier)


def _returned(reading: Reading, earlier: tuple[Position, Placement]) -> None:
    reading.position, reading.board = earlier
    reading.calm = None
    reading.acts.append(Restore(reading.board))


def _turn(reading: Reading, words: list[str]) -> None:
    side = _one(words, "white or black")
    if side not in _SIDES:
        raise ScriptUnusable(f"saw {side!r}; expected white or black")
    reading.position = Position(reading.position.placement, _SIDES[side])


def _again(reading: Reading, words: list[str]) -> None:
    reading.position = start_position(reading.variant)
    reading.board, reading.calm = reading.variant.start, None
    reading.past.clear()
    reading.acts.append(SetUp(reading.board))


def _wait(reading: Reading, words: list[str]) -> None:
    reading.acts.append(Wait(*_numbers(words, (0.0, 3600.0))))


def _hand(reading: Reading, words: list[str]) -> None:
    reading.acts.append(HandOver(*_numbers(words, (0.0, 3600.0))))


def _bump(reading: Reading, words: list[str]) -> None:
    dx, dy, degrees = _numbers(words, (-3.0, 3.0), (-3.0, 3.0), (-45.0, 45.0))
    reading.acts.append(Bump(dx, dy, math.radians(degrees)))


def _light(reading: Reading, words: list[str]) -> None:
    reading.acts.append(LightChange(*_numbers(words, (0.05, 5.0))))


_VERBS: dict[str, Callable[[Reading, list[str]], None]] = {
    "carry": _carry,
    "take": _take,
    "put": _put,
    "crown": _crown,
    "touch": _touch,
    "shift": _shift,
    "drop": _drop,
    "pick": _pick,
    "back": _back,
    "takeback": _takeback,
    "turn": _turn,
    "again": _again,
    "wait": _wait,
    "hand": _hand,
    "bump": _bump,
    "light": _light,
}
