"""A game of the journal, or one being played, as a record and as PDN."""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from rules.pdn_writer import WrittenPly, write_game
from rules.position import Position
from rules.record import Entry, GameRecord
from server.session.state import Ply, State
from server.store.chronicle import Chronicle, Line, chronicle
from server.store.wording import outcome

CLOCK_WAS_SET = datetime(2020, 1, 1, tzinfo=UTC).timestamp()
"""A small computer without a battery wakes up in 1970: such a date is left out."""
NO_DATE = datetime(9999, 1, 1, tzinfo=UTC).timestamp()
"""Years of five digits have no date in PDN."""
_GOES_ON = "the game goes on from another position, see the next game"


def record_of(state: State) -> GameRecord:
    """The record of a session's state."""
    entries = tuple(_entry(ply) for ply in state.plies)
    return GameRecord(state.terms.variant, state.terms.start, entries, state.result or "*", dict(state.tags))


def pdn(record: GameRecord, *, full: bool) -> str:
    """The record as text. The full form puts up the board after a displacement; the strict form ends before it."""
    plies = [_written(entry) for entry in record.entries]
    return write_game(record.tags, record.variant, record.start, plies, record.result, full=full)


def pdn_of(game: dict[str, Any], form: str) -> str:
    """PDN of a game of the journal.

    `full` is the whole journal in one game: boards put up inside the moves and a comment for every ruling. `strict`
    holds legal moves only: where they cannot carry the game it ends with a comment, and a second game begins from
    the position on the board.
    """
    told = chronicle(game)
    tags = dict(told.tags)
    started = float(game.get("started", 0.0))
    if CLOCK_WAS_SET < started < NO_DATE and "Date" not in tags:
        tags["Date"] = datetime.fromtimestamp(started, UTC).strftime("%Y.%m.%d")
    result = told.result or "*"
    if form == "full":
        words = [WrittenPly(None, text) for text in told.opening] + [w for line in told.lines for w in _in_full(line)]
        return write_game(tags, told.variant, told.terms.start, words, result, full=True)
    parts = list(_parts(told))
    texts = []
    for k, (start, plies) in enumerate(parts, 1):
        ending = result if k == len(parts) else "*"
        texts.append(write_game(tags, told.variant, start, plies, ending, full=False))
    return "\n".join(texts)


def _in_full(line: Line) -> list[WrittenPly]:
    comment = ". ".join(text.rstrip(".") for text in line.comments)
    if line.move is None:
        text = f"{line.text} was played. " if line.text and not line.put_up else ""
        return [WrittenPly(None, text + comment, setup=line.after)]
    white, black = line.clock or (None, None)
    written = [WrittenPly(line.move, comment, white, black)]
    if line.jumps:
        written.append(WrittenPly(None, setup=line.after))
    return written


def _parts(told: Chronicle) -> Iterator[tuple[Position, list[WrittenPly]]]:
    """Runs of legal moves, each with the position it starts from."""
    start, plies = told.terms.start, list[WrittenPly]()
    for line in told.lines:
        if line.move is not None:
            plies.append(WrittenPly(line.move))
        if line.move is None or line.jumps:
            if plies:
                comment = (
                    _GOES_ON if line.put_up or line.move else f"{line.text or 'the board'} was let stand; {_GOES_ON}"
                )
                plies[-1] = WrittenPly(plies[-1].move, comment)
                yield start, plies
            start, plies = line.after, []
    yield start, plies


def _entry(ply: Ply) -> Entry:
    comment = ""
    if ply.move is None:
        played = f"{ply.text} was played. " if ply.fault is not None and ply.fault.move is not None else ""
        comment = played + outcome(ply.fault.kind.value if ply.fault is not None else ply.text, "accepted")
    return Entry(ply.before, ply.after, ply.text, ply.move, comment)


def _written(entry: Entry) -> WrittenPly:
    if entry.move is None:
        return WrittenPly(None, entry.comment, setup=entry.after)
    return WrittenPly(entry.move, entry.comment)
