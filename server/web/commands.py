"""The commands a browser may send and the check of each field.

Besides the fields in `COMMANDS` every command may carry `expected_number`: the snapshot its sender was looking at.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any

from server.web.errors import BadCommand

RESULTS = ("1-0", "0-1", "1/2-1/2", "2-0", "0-2", "1-1", "0-0", "*")
_KIBITZ_WRITES = ("result", "gametype", "variant", "setup", "fen")
"""Tags (lower case) that follow from the game itself."""
Check = Callable[[Any], str | None]
"""Gives None for a good value, else what was expected."""


@dataclass(frozen=True, slots=True)
class Field:
    """One field of a command."""

    name: str
    check: Check
    required: bool = False


def _one_of(*words: str) -> Check:
    expected = "one of " + ", ".join(words)
    return lambda value: None if isinstance(value, str) and value in words else expected


def _text(longest: int) -> Check:
    def check(value: Any) -> str | None:
        good = isinstance(value, str) and 0 < len(value.strip()) <= longest and value.isprintable()
        return None if good else f"one line of text of 1 to {longest} characters"

    return check


def _whole(least: int, most: int) -> Check:
    def check(value: Any) -> str | None:
        good = isinstance(value, int) and not isinstance(value, bool) and least <= value <= most
        return None if good else f"a whole number from {least} to {most}"

    return check


def _number(value: Any) -> bool:
    """A number, and a finite one: Python's JSON knows NaN."""
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e6


def _seconds(value: Any) -> str | None:
    return None if _number(value) and 0.1 <= value <= 60 else "seconds from 0.1 to 60"


def _yes_or_no(value: Any) -> str | None:
    return None if isinstance(value, bool) else "true or false"


def _span(value: Any) -> str | None:
    return None if _number(value) and 0 <= value <= 86_400 else "a number from 0 to 86400"


def _corners(value: Any) -> str | None:
    good = isinstance(value, list) and len(value) in (4, 6)
    good = good and all(isinstance(c, list) and len(c) == 2 and all(_number(v) for v in c) for c in value)
    return None if good else "four corners [x, y] in pixels, or a hexagon's six, in order around the board"


def _tags(value: Any) -> str | None:
    if isinstance(value, dict) and any(str(key).lower() in _KIBITZ_WRITES for key in value):
        return "tags of the event and the players; result, position and game have commands of their own"
    good = isinstance(value, dict) and 0 < len(value) <= 40
    good = good and all(key.isidentifier() and key.isascii() and len(key) <= 40 for key in value)
    good = good and all(isinstance(v, str) and len(v) <= 200 and (v.isprintable()) for v in value.values())
    return None if good else "an object of tag names (letters) and texts of up to 200 characters"


_MODE = Field("mode", _one_of("referee", "training", "record"))
_HOUSE = Field("house", _one_of("correct", "huff"))
_FIRST = Field("first", _one_of("light", "dark"))
_REASON = Field("reason", _text(200))
_SIDES = _one_of("W", "B", "light", "dark")
_SIDE = Field("side", _SIDES)
_FEN = _text(1000)

COMMANDS: Mapping[str, tuple[Field, ...]] = {
    "new_game": (
        Field("variant", _text(40)),
        _MODE,
        _HOUSE,
        _FIRST,
        Field("start", _FEN),
        Field("tags", _tags),
        Field("ballot", _text(40)),
        Field("match", _yes_or_no),
    ),
    "set_position": (Field("fen", _FEN, required=True),),
    "take_back": (Field("plies", _whole(1, 1000)),),
    "replace_move": (Field("move", _text(200), required=True), Field("ply", _whole(1, 10_000))),
    "accept": (),
    "dismiss": (_REASON,),
    "huff": (Field("square", _text(8)),),
    "choose": (Field("candidate", _text(200), required=True),),
    "offer_draw": (_SIDE,),
    "refuse_draw": (_SIDE,),
    "accept_draw": (_SIDE,),
    "resign": (Field("side", _SIDES, required=True),),
    "result": (Field("result", _one_of(*RESULTS), required=True), _REASON),
    "tags": (Field("tags", _tags, required=True),),
    "clock": (
        Field("action", _one_of("set", "start", "press", "pause", "give", "off"), required=True),
        _SIDE,
        Field("minutes", _span),
        Field("white_minutes", _span),
        Field("black_minutes", _span),
        Field("bonus_seconds", _span),
        Field("seconds_left", _span),
        Field("bonus", _one_of("increment", "delay")),
        Field("driver", _one_of("moves", "presses")),
    ),
    "calibrate": (Field("corners", _corners),),
    "simulated": (Field("paused", _yes_or_no, required=True),),
    "hint": (Field("seconds", _seconds),),
    "settings": (_MODE, _HOUSE, Field("touch", _yes_or_no), Field("always_hint", _yes_or_no)),
}
_ALWAYS = (Field("expected_number", _whole(0, 2**53)),)


def checked(body: Any, variants: Collection[str]) -> dict[str, Any]:
    """The command in `body` if all of it is right; raises BadCommand naming the first thing that is not."""
    if not isinstance(body, dict):
        raise BadCommand(f'saw {_shown(body)}; expected an object such as {{"do": "take_back"}}')
    name = body.get("do")
    if not isinstance(name, str) or name not in COMMANDS:
        raise BadCommand(f"do: saw {_shown(name)}; expected one of {', '.join(COMMANDS)}")
    fields = COMMANDS[name] + _ALWAYS
    known = {field.name for field in fields}
    for key in body:
        if key != "do" and key not in known:
            raise BadCommand(f"{name}: saw a field {_shown(key)}; expected only {', '.join(sorted(known))}")
    for field in fields:
        _check_field(name, field, body)
    if name == "new_game" and body.get("start") is not None and body.get("ballot") is not None:
        raise BadCommand(
            "new_game: saw both a start and a ballot; expected one of them: the ballot begins at the start"
        )
    variant = body.get("variant")
    if variant is not None and variants and variant.partition("+")[0] not in variants:
        raise BadCommand(f"{name}.variant: saw {_shown(variant)}; expected one of {', '.join(variants)}")
    return {key: value for key, value in body.items() if value is not None}


def _check_field(command: str, field: Field, body: Mapping[str, Any]) -> None:
    value = body.get(field.name)
    if value is None:
        if field.required:
            raise BadCommand(f"{command}.{field.name}: saw nothing; it is needed: {field.check(None)}")
        return
    expected = field.check(value)
    if expected is not None:
        raise BadCommand(f"{command}.{field.name}: saw {_shown(value)}; expected {expected}")


def _shown(value: Any) -> str:
    """A value as JSON-like text short enough for a message."""
    text = "nothing" if value is None else repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
