"""A game of the journal, or one being played, as a record and as PDN."""

from datetime import UTC, datetime
from typing import Any

from rules.pdn_writer import WrittenPly, write_game
from rules.record import Entry, GameRecord
from server.session.state import Ply, State
from server.store.resume import resumed


def record_of(state: State) -> GameRecord:
    """The record of a session's state."""
    entries = tuple(_entry(ply) for ply in state.plies)
    return GameRecord(state.terms.variant, state.terms.start, entries, state.result or "*", dict(state.tags))


def pdn_of(game: dict[str, Any], form: str) -> str:
    """PDN of a game of the journal in `form` strict or full."""
    record = record_of(resumed(game))
    started = float(game.get("started", 0.0))
    if started > 0 and "Date" not in record.tags:
        record.tags["Date"] = datetime.fromtimestamp(started, UTC).strftime("%Y.%m.%d")
    return pdn(record, full=form == "full")


def pdn(record: GameRecord, *, full: bool) -> str:
    """The record as text. The full form puts up the board after a displacement; the strict form ends before it."""
    plies = [_written(entry) for entry in record.entries]
    return write_game(record.tags, record.variant, record.start, plies, record.result, full=full)


def _entry(ply: Ply) -> Entry:
    comment = ""
    if ply.move is None:
        kind = ply.fault.kind.value if ply.fault is not None else ply.text
        comment = f"{ply.text}: {kind}, accepted" if ply.text != kind else f"{kind}, accepted"
    return Entry(ply.before, ply.after, ply.text, ply.move, comment)


def _written(entry: Entry) -> WrittenPly:
    if entry.move is None:
        return WrittenPly(None, entry.comment, setup=entry.after)
    return WrittenPly(entry.move, entry.comment)
