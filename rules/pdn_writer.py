"""Games as PDN 3.0 text in export format."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from rules.fen import fen
from rules.legal_moves import play
from rules.move import Move
from rules.notation import move_text
from rules.pdn_clocks import clock_command
from rules.piece import Side
from rules.position import Position
from rules.variant import Notation, Variant, start_position

_WIDTH = 79
_SEVEN = ("Event", "Site", "Date", "Round", "White", "Black", "Result")
_OWN = ("gametype", "result")
_GLUED = re.compile(r"\[%clock (\S+) (\S+)\]")
_STRENGTH = re.compile(r"\([!?]+\)|[!?]+")


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
    text: str = ""
    """With neither move nor set-up: what to write for an illegal move that a set-up follows."""
    remarks: "tuple[str | WrittenLine, ...]" = ()
    """What follows in order: comments in braces, NAGs, marks such as `!`, and side lines that may take its place."""


@dataclass(frozen=True, slots=True)
class WrittenLine:
    """A line of play from a position, for a game or for a variation of it."""

    start: Position
    plies: tuple[WrittenPly, ...]
    opening: "tuple[str | WrittenLine, ...]" = ()
    """What stands before the first move."""
    replaces: bool = True
    """Whether it takes the place of the move it follows; otherwise it goes on from there."""


Tags = Mapping[str, str] | Sequence[tuple[str, str]]


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

    The star is the only separator that PDN 3.0 lets writers use; the result stands in its tag.

    `full` writes set-ups inside the moves. The strict form, which every reader knows, has neither set-ups nor
    clocks and ends before the first set-up.
    """
    plies = tuple(item if isinstance(item, WrittenPly) else WrittenPly(item) for item in moves)
    known = {name.lower(): value for name, value in tags.items()}
    seven = {name: known.get(name.lower(), "????.??.??" if name == "Date" else "?") for name in _SEVEN[:-1]}
    others = [(name, value) for name, value in tags.items() if name.lower() not in {n.lower() for n in _SEVEN}]
    line = WrittenLine(start, plies)
    told = result or known.get("result", "*")
    return write_line([*seven.items(), ("Result", told), *others], variant, line, result, full=full)


def write_line(tags: Tags, variant: Variant, line: WrittenLine, result: str, *, full: bool, counters: str = "") -> str:
    """One game with the tags as they are given, each as often as given, and everything written around its moves.

    Variations, NAGs and clocks are of the full form; the strict form keeps moves and comments. `counters` are
    appended to the FEN as some sites do.
    """
    pairs = list(tags.items() if isinstance(tags, Mapping) else tags)
    words = _Words(variant, full)
    words.line(line)
    told = next((value for name, value in pairs if name.lower() == "result"), "")
    closing = result if result not in ("", "*") else told or "*"
    if full and (not told or closing == told):
        closing = "*"
    own = _own_tags(variant, line.start, counters)
    return "\n".join([*_tag_lines(pairs, own, result), "", *_wrapped([*words.words, closing])]) + "\n"


def in_notation(variant: Variant, notation: Notation) -> Variant:
    """The variant with its squares written in numbers or in letters, its GameType saying so."""
    if variant.notation is notation:
        return variant
    fields = variant.game_type.split(",")
    if len(fields) > 4:
        white = variant.first is Side.WHITE
        corner = ("0" if white else "3") if notation is Notation.ALGEBRAIC else ("2" if white else "1")
        if variant.reversed_numbers and notation is Notation.NUMERIC:
            corner = "1" if white else "2"
        fields[4] = ("A" if notation is Notation.ALGEBRAIC else "N") + corner
    return replace(variant, name=variant.name, notation=notation, game_type=",".join(fields))


def _own_tags(variant: Variant, start: Position, counters: str) -> list[tuple[str, str]]:
    own = [("GameType", variant.game_type)] if variant.game_type else [("Variant", variant.name)]
    if start != start_position(variant):
        own += [("SetUp", "1"), ("FEN", fen(variant, start) + counters)]
    return own


def _tag_lines(pairs: Sequence[tuple[str, str]], own: Sequence[tuple[str, str]], result: str) -> list[str]:
    place = {name.lower(): k for k, name in enumerate(_SEVEN)}
    told = next((value for name, value in pairs if name.lower() == "result"), "") or result.removeprefix("*")
    first = [pair for pair in pairs if pair[0].lower() in place and pair[0].lower() != "result"]
    first.sort(key=lambda pair: place[pair[0].lower()])
    if told:
        first.append(("Result", told))
    skipped = (*_OWN, *(name.lower() for name, _ in own))
    rest = [pair for pair in pairs if pair[0].lower() not in (*skipped, *place) and _is_name(pair[0])]
    return [f'[{name} "{_quoted(value)}"]' for name, value in (*first, *own, *rest)]


def _is_name(name: str) -> bool:
    return re.fullmatch(r"[\w.-]+", name) is not None


def _quoted(value: str) -> str:
    return " ".join(value.replace("\0", " ").split()).replace("\\", "\\\\").replace('"', '\\"')


class _Words:
    """The words of a game while they are put in a row."""

    def __init__(self, variant: Variant, full: bool) -> None:
        self.variant, self.full = variant, full
        self.words: list[str] = []

    def line(self, line: WrittenLine, number: int = 1) -> None:
        position, numbered = line.start, False
        self._remarks(line.opening, position, position, number)
        for ply in line.plies:
            before = position
            if ply.setup is not None:
                if not self.full:
                    return
                self.words.append(f'/FEN "{fen(self.variant, ply.setup)}"/')
                if ply.setup.to_move is not before.to_move:
                    number += before.to_move is not self.variant.first
                position, numbered = ply.setup, False
            elif ply.move is None:
                if not self.full:
                    return
                if ply.text:
                    self._number(position, number, numbered)
                    self.words.append(ply.text)
            if ply.move is not None:
                self._number(position, number, numbered)
                self.words.append(move_text(self.variant, position, ply.move))
                position, numbered = play(self.variant, position, ply.move), True
            self.words.extend(_remark(ply, position.to_move, self.full))
            own = number
            number += ply.move is not None and before.to_move is not self.variant.first
            self._remarks(ply.remarks, before, position, own)

    def _number(self, position: Position, number: int, numbered: bool) -> None:
        opens = position.to_move is self.variant.first
        if opens or not numbered:
            self.words.append(f"{number}." if opens else f"{number}...")

    def _remarks(self, remarks: tuple[str | WrittenLine, ...], before: Position, after: Position, number: int) -> None:
        for remark in remarks:
            if isinstance(remark, WrittenLine):
                if self.full:
                    self._variation(remark, number + (not remark.replaces and before.to_move is not self.variant.first))
            elif remark.startswith("{"):
                self.words.extend(_comment(remark[1:-1]))
            elif not self.full:
                continue
            elif remark == "*":
                self.words.append("$7")
            elif _STRENGTH.fullmatch(remark) and self.words and self.words[-1][-1:].isalnum():
                self.words[-1] += remark
            else:
                self.words.append(remark)

    def _variation(self, line: WrittenLine, number: int) -> None:
        at = len(self.words)
        self.line(line, number)
        if at == len(self.words):
            self.words.append("")
        self.words[at] = "(" + self.words[at]
        self.words[-1] += ")"


def _remark(ply: WrittenPly, to_move: Side, full: bool) -> list[str]:
    """The comment of a ply with its clocks; a capital letter marks the clock that runs."""
    clock = clock_command(ply.white_clock, ply.black_clock, to_move) if full else ""
    text = " ".join(part for part in (clock, ply.comment) if part)
    return _comment(text) if text else []


def _comment(text: str) -> list[str]:
    """The words of a comment in braces; the two clocks of a command stay together."""
    plain = " ".join(text.replace("{", "(").replace("}", ")").replace("\0", " ").split())
    return ("{" + _GLUED.sub("[%clock\0\\1\0\\2]", plain) + "}").split(" ")


def _wrapped(words: Iterable[str]) -> list[str]:
    """Words in lines under 80 columns, none of which begins with a per cent sign."""
    lines: list[str] = []
    line = ""
    for word in words:
        if line and len(line) + 1 + len(word) > _WIDTH and not word.startswith(("%", "[")):
            lines.append(line)
            line = word
        else:
            line = f"{line} {word}" if line else word
    lines.append(line)
    return [text.replace("\0", " ") for text in lines]
