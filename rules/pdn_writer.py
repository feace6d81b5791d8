"""Games as PDN 3.0 text in export format."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from rules.fen import fen
from rules.legal_moves import play
from rules.move import Move
from rules.notation import move_text
from rules.piece import Side
from rules.position import Position
from rules.variant import Variant, start_position

_WIDTH = 79
_SEVEN = ("Event", "Site", "Date", "Round", "White", "Black", "Result")
_OWN = {*_SEVEN, "GameType", "SetUp", "FEN", "Variant"}


@dataclass(frozen=True, slots=True)
class WrittenPly:
    """A move to write, or with `setup` a position that is put on the board without a legal move.

    Clocks are the seconds each side has left after the move; None where unknown.
    """

    move: Move | None
    comment: str = ""
    white_clock: float | None = None
    black_clock: float | None = None
    setup: Position | None = None


def write_game(
    tags: Mapping[str, str],
    variant: Variant,
    start: Position,
    moves: Iterable[Move | WrittenPly],
    result: str = "*",
    *,
    full: bool = True,
) -> str:
    """One game: tags, a blank line, moves wrapped under 80 columns, and a star that closes it.

    `full` writes set-ups inside the moves. The strict form, which every reader knows, has neither set-ups nor
    clocks and ends before the first set-up.
    """
    words = _words(variant, start, moves, full)
    closing = "*" if full else (result or "*")
    return "\n".join([*_tag_lines(tags, variant, start, result), "", *_wrapped([*words, closing])]) + "\n"


def _tag_lines(tags: Mapping[str, str], variant: Variant, start: Position, result: str) -> list[str]:
    values = {name: tags.get(name, "?") for name in _SEVEN}
    values["Date"] = tags.get("Date", "????.??.??")
    values["Result"] = result or tags.get("Result", "*")
    if variant.game_type:
        values["GameType"] = variant.game_type
    else:
        values["Variant"] = variant.name
    if start != start_position(variant):
        values["SetUp"] = "1"
        values["FEN"] = fen(variant, start)
    values |= {name: value for name, value in tags.items() if name not in _OWN and _is_name(name)}
    return [f'[{name} "{_quoted(value)}"]' for name, value in values.items()]


def _is_name(name: str) -> bool:
    return name.isascii() and name.replace("_", "").isalnum()


def _quoted(value: str) -> str:
    return " ".join(value.split()).replace("\\", "\\\\").replace('"', '\\"')


def _words(variant: Variant, start: Position, moves: Iterable[Move | WrittenPly], full: bool) -> list[str]:
    words: list[str] = []
    position = start
    number = 1
    numbered = False
    for item in moves:
        ply = item if isinstance(item, WrittenPly) else WrittenPly(item)
        if ply.setup is not None:
            if not full:
                return words
            words.append(f'/FEN "{fen(variant, ply.setup)}"/')
            position, numbered = ply.setup, False
        if ply.move is not None:
            opens = position.to_move is variant.first
            if opens or not numbered:
                words.append(f"{number}." if opens else f"{number}...")
            words.append(move_text(variant, position, ply.move))
            position = play(variant, position, ply.move)
            number += 0 if opens else 1
            numbered = True
        remark = _remark(ply, position.to_move, full)
        words.extend(remark)
    return words


def _remark(ply: WrittenPly, to_move: Side, full: bool) -> list[str]:
    """The comment of a ply with its clocks; a capital letter marks the clock that runs."""
    parts = [_clock(ply, to_move)] if full else []
    parts.append(" ".join(ply.comment.replace("{", "(").replace("}", ")").split()))
    text = " ".join(part for part in parts if part)
    if not text:
        return []
    return ("{" + text + "}").replace("[%clock ", "[%clock\0").replace(" B0", "\0B0").split(" ")


def _clock(ply: WrittenPly, to_move: Side) -> str:
    known = [(Side.WHITE, ply.white_clock), (Side.BLACK, ply.black_clock)]
    texts = []
    for side, seconds in known:
        if seconds is not None:
            letter = side.value if side is to_move else side.value.lower()
            whole = max(0, int(seconds))
            texts.append(f"{letter}{whole // 3600}:{whole // 60 % 60:02}:{whole % 60:02}")
    return f"[%clock {' '.join(texts)}]" if texts else ""


def _wrapped(words: Iterable[str]) -> list[str]:
    """Words in lines under 80 columns; a number stays with its move, and no line begins with a per cent sign."""
    lines: list[str] = []
    line = ""
    for word in words:
        if line and len(line) + 1 + len(word) > _WIDTH:
            lines.append(line)
            line = word
        else:
            line = f"{line} {word}" if line else word
    lines.append(line)
    return [text.replace("\0", " ") for text in lines]
