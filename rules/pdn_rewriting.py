"""A game that was read, written anew: tags, moves, comments, marks, side lines, set-ups and what could not be read."""

import re
from collections.abc import Iterable

from rules.pdn_fen import counters_of_fen
from rules.pdn_lines import Line, Note, Ply
from rules.pdn_reader import PdnGame
from rules.pdn_replay import ReplayedGame
from rules.pdn_tokens import TokenKind
from rules.pdn_writer import WrittenLine, WrittenPly, in_notation, write_line
from rules.position import Position
from rules.variant import Notation

_COMMAND = re.compile(r"\s*\[%[^\]]*\]\s*")
UNREAD = "not legal here:"
"""Begins the comment that keeps what could not be played."""


def rewritten(game: PdnGame, told: ReplayedGame, *, full: bool = True, notation: Notation | None = None) -> str:
    """The game as export-format PDN in its own notation, or in the given one.

    The full form keeps everything. The strict form keeps what every program reads: tags, moves, comments in words
    and the result; it ends where the first set-up or illegal move stands.
    """
    variant = told.variant if notation is None else in_notation(told.variant, notation)
    line = written_line(told.line, told.start)
    counters = counters_of_fen(game.tag("FEN")) if full else ""
    return write_line(game.tags, variant, line if full else _plain(line), game.result, full=full, counters=counters)


def written_line(line: Line, before: Position | None) -> WrittenLine:
    """A line as it is written; one that starts in the position `before` the last move takes that move's place."""
    position = line.start
    opening = _remarks(line.opening, line.start)
    plies: list[WrittenPly] = []
    for ply in line.plies:
        plies.append(_written(ply, position))
        position = ply.position
    if line.rest:
        kept = "{" + f"{UNREAD} {line.rest}".replace("{", "(").replace("}", ")") + "}"
        if plies:
            last = plies[-1]
            plies[-1] = WrittenPly(last.move, setup=last.setup, text=last.text, remarks=(*last.remarks, kept))
        else:
            opening = (*opening, kept)
    replaces = line.start == before or any(ply.is_setup for ply in line.plies[:1])
    return WrittenLine(line.start, tuple(plies), opening, replaces)


def _written(ply: Ply, before: Position) -> WrittenPly:
    remarks = _remarks(ply.notes, before)
    if ply.is_setup:
        return WrittenPly(None, setup=ply.position, remarks=remarks)
    return WrittenPly(ply.move, text=ply.text if ply.move is None else "", remarks=remarks)


def _remarks(notes: Iterable[Note], before: Position) -> tuple[str | WrittenLine, ...]:
    found: list[str | WrittenLine] = []
    for note in notes:
        if isinstance(note, Line):
            found.append(written_line(note, before))
        else:
            found.append("{" + note.text + "}" if note.kind is TokenKind.COMMENT else note.text)
    return tuple(found)


def _plain(line: WrittenLine) -> WrittenLine:
    """The line with comments in words only."""
    plies = tuple(WrittenPly(p.move, setup=p.setup, text=p.text, remarks=_in_words(p.remarks)) for p in line.plies)
    return WrittenLine(line.start, plies, _in_words(line.opening))


def _in_words(remarks: Iterable[str | WrittenLine]) -> tuple[str, ...]:
    comments = (_COMMAND.sub(" ", r[1:-1]).strip() for r in remarks if isinstance(r, str) and r.startswith("{"))
    return tuple("{" + text + "}" for text in comments if text)
