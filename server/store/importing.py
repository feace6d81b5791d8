"""Games from elsewhere into the journal: the JSON that `kibitz games --json` prints, second copies, and PDN."""

import hashlib
import json
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from rules.errors import RulesError
from rules.fen import fen
from rules.pdn_encoding import encoding_of, is_binary
from rules.pdn_reader import decode, read_games
from rules.pdn_replay import ReplayedGame, replay
from rules.variant import Variant
from server.errors import StoreError, UsageError
from server.session.events import Effect, Ended, as_json
from server.session.record_ply import Seen, record_moves
from server.session.state import State, new_state, terms_for
from server.store.game_record import pdn_of
from server.store.journal import Journal
from server.store.kept_terms import terms_as_json
from server.store.text_copy import CopiedGame, read_copy

_SURE = 12.0
_LONGEST_UID = 64
_MARK = b"\xef\xbb\xbf \t\r\n"
"""A byte order mark and spaces, in any order."""
_WANTED = "expected what `kibitz games N --json` prints"
_NO_GAME = (KeyError, TypeError, ValueError, AttributeError, OverflowError, RecursionError, RulesError, StoreError)
_RESULTS = ("2-0", "1-1", "0-2", "1-0", "1/2-1/2", "0-1", "0-0")


@dataclass(frozen=True, slots=True)
class Imported:
    """A game to be put into the journal."""

    variant: str
    terms: dict[str, Any]
    started: float
    events: list[dict[str, Any]]
    times: list[float]
    problems: tuple[str, ...] = ()


def games_in(path: Path, variant: Variant | None = None) -> Iterator[Imported]:
    """The games of a file, whatever its form. Raises UsageError if it holds none."""
    copy, data = read_copy(path), path.read_bytes()
    if copy is not None:
        yield _copied(path, copy)
        return
    found = False
    if data.lstrip(_MARK)[:1] in (b"{", b"["):
        with suppress(ValueError):  # PDN may begin with a bracket too
            for item in _json_items(path, data):
                yield _exported(path, item)
                found = True
    if not found and is_binary(data, encoding_of([data])):
        raise UsageError(
            f"{path} holds binary data; expected PDN, or JSON from `kibitz games N --json`, which are text"
        )
    for game in () if found else read_games([decode(data)]):
        try:
            told = replay(game, variant)
        except RulesError as error:
            raise UsageError(f"{path}: {error}") from error
        found = True
        yield _written(told, dict(game.tags))
    if not found:
        raise UsageError(f"{path}: saw no game; expected PDN, or JSON from `kibitz games N --json`")


def put(journal: Journal, game: Imported) -> tuple[int, bool]:
    """The number of the game in the journal, and whether it is new there: importing twice does no harm."""
    there = journal.written(str(game.terms["uid"]))
    if there is not None and there[1] >= len(game.events):
        return there[0], False
    terms = game.terms | {"imported": True}
    number = there[0] if there is not None else journal.new_game(game.variant, terms, game.started)
    known = there[1] if there is not None else 0
    journal.append(number, game.events[known:], times=game.times[known:])
    return number, True


def _json_items(path: Path, data: bytes) -> Iterator[Any]:
    """JSON values one after another, or one list of them. Raises ValueError for what is no JSON."""
    text, decoder, at = data.decode("utf-8-sig"), json.JSONDecoder(), 0
    while at < len(text):
        if text[at].isspace():
            at += 1
            continue
        try:
            value, at = decoder.raw_decode(text, at)
        except RecursionError as error:
            raise UsageError(f"{path}: saw JSON nested without end; {_WANTED}") from error
        yield from value if isinstance(value, list) else [value]


def _copied(path: Path, copy: CopiedGame) -> Imported:
    told = [copy.events[number] for number in sorted(copy.events)]
    game = Imported(copy.variant, copy.terms, copy.started, [event for _, event in told], [time for time, _ in told])
    try:
        return _sound(game)
    except _NO_GAME as error:
        raise UsageError(
            f"{path}: saw a second copy that is no game ({_short(error)}); expected a whole one"
        ) from error


def _exported(path: Path, item: Any) -> Imported:
    try:
        variant, terms, started = str(item["variant"]), item["terms"], float(item["started"])
        events = [{k: v for k, v in e.items() if k not in ("number", "time", "pictures")} for e in item["events"]]
        return _sound(Imported(variant, terms, started, events, [float(event["time"]) for event in item["events"]]))
    except _NO_GAME as error:
        raise UsageError(f"{path}: saw JSON that is no game of a journal ({_short(error)}); {_WANTED}") from error


def _sound(game: Imported) -> Imported:
    """The game with a name of its own, if it can be printed and written down; built-in errors or RulesError if not."""
    for form in ("full", "strict"):
        pdn_of({"variant": game.variant, "terms": game.terms, "started": game.started, "events": game.events}, form)
    json.dumps([game.terms, game.events, game.started, game.times], allow_nan=False)
    for event in game.events:
        if not (isinstance(event["type"], str) and event["type"].isascii()):
            raise TypeError(f"an event of type {event['type']!r:.40}")
    uid = game.terms.get("uid")
    named = isinstance(uid, str) and uid.isalnum() and len(uid) <= _LONGEST_UID
    return game if named else replace(game, terms={**game.terms, "uid": _uid(json.dumps([game.terms, game.events]))})


def _short(error: Exception) -> str:
    """What is wrong with a game, in words."""
    if isinstance(error, KeyError):
        return f"it lacks {str(error)[:60]}"
    said = isinstance(error, RulesError | StoreError)
    return str(error)[:160] if said else "something in it is of another kind than it should be"


def _written(told: ReplayedGame, tags: dict[str, str]) -> Imported:
    own = ("GameType", "SetUp", "FEN", "Result", "Variant")
    kept = {name: value for name, value in tags.items() if name not in own and value not in ("", "?", "????.??.??")}
    state: State = replace(new_state(terms_for(told.variant, told.start)), tags=kept)
    terms = terms_as_json(state.terms, kept)
    events: list[dict[str, Any]] = []
    for ply in told.plies:
        if ply.move is None:
            where = fen(told.variant, ply.position)
            reason = ". ".join(ply.comments) or "set up in the PDN"
            events.append(
                {"t": 0.0, "frame": -1, "type": "displaced", "fen": where, "move": ply.text, "reason": reason}
            )
        else:
            state, effects = record_moves(replace(state, result=None), (ply.move,), Seen(_SURE))
            events += _as_events(effects)
            events += [{"t": 0.0, "frame": -1, "type": "comment", "message": text} for text in ply.comments]
        state = replace(state, position=ply.position)
    result = told.result if told.result in _RESULTS else tags.get("Result", "")
    if result in _RESULTS and state.result != result:
        events += _as_events((Ended(result, "as written in the PDN"),))
    uid = _uid(json.dumps([told.variant.name, terms, events]))
    moment = _moment(tags.get("Date", ""))
    problems = tuple(f"{p.line}:{p.column}: {p.message}" for p in told.problems)
    return Imported(told.variant.name, terms | {"uid": uid}, moment, events, [moment] * len(events), problems)


def _as_events(effects: tuple[Effect, ...]) -> list[dict[str, Any]]:
    return [as_json(effect, 0.0, -1) for effect in effects]


def _uid(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def _moment(date: str) -> float:
    """Noon of a PDN date, 0 where it is unknown."""
    try:
        return datetime.strptime(date, "%Y.%m.%d").replace(hour=12, tzinfo=UTC).timestamp()
    except (ValueError, RecursionError):
        return 0.0
