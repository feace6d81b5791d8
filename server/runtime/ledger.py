"""The game's way into the journal: durable where the disk allows it, in memory where not, mended when it can be."""

import logging
import time
import uuid
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rules.fen import fen
from server.errors import StoreError
from server.session.state import State
from server.store.belongings import Belongings
from server.store.chronicle import Chronicle, chronicle, follow, opened
from server.store.game_record import pdn_of
from server.store.journal import COPIES, Evidence, Journal, pictures_named
from server.store.kept_terms import terms_as_json
from server.store.ownership import FOLDER, Ownership
from server.store.resume import Begun, is_empty, state_of
from server.store.summaries import marks

_log = logging.getLogger(__name__)
_RETRY_SECONDS = 5.0
_PICTURES_IN_MEMORY = 2000
"""Unwritten events that keep their pictures; later ones are kept without."""
Event = dict[str, Any]


@dataclass(slots=True)
class _Played:
    """A game that this process plays, whole in memory whatever the disk does."""

    number: int
    variant: str
    terms: dict[str, Any]
    started: float
    told: Chronicle
    events: list[Event] = field(default_factory=list)
    times: list[float] = field(default_factory=list)
    pictured: list[list[str]] = field(default_factory=list)
    evidence: dict[int, Evidence] = field(default_factory=dict)
    """Pictures of events that are not written yet, by their place in `events`."""
    written: int = 0
    begun: bool = False
    """Whether the journal has the game at all."""

    @property
    def safe(self) -> bool:
        return self.begun and self.written == len(self.events)


class Ledger:
    """Events of the game being played, always in memory, and in the journal as long as it can be written.

    Called by the game loop; the reading methods also by web threads.
    """

    def __init__(self, path: Path, clock: Callable[[], float] = time.time) -> None:
        self._path, self._clock = path, clock
        self.message = ""
        """What is wrong with the record; empty while everything is written down."""
        self.notice = ""
        """What the people should be told once: a damaged journal, a disk that came back."""
        self._shared = ""
        """What was said of another process on the same folder, as long as there is one."""
        self._told = ""
        """The trouble that the log knows of: it is not told again with every try."""
        self._next_try = float("-inf")
        self._belongings = Belongings(path.parent)
        self._journal = self._opened()
        self._take_folder()
        self._live: _Played | None = None
        self._waiting: list[_Played] = []
        """Games before the live one that are not wholly written."""

    @property
    def game_number(self) -> int:
        return self._live.number if self._live is not None else 0

    @property
    def in_memory_only(self) -> bool:
        """Whether something is not written down at this moment."""
        return bool(self.message)

    def unfinished(self) -> State | None:
        """The newest game that no other process is playing, if it has no result; it then is the one that goes on.

        One in which nothing happened hides none before it: it goes on only if no other does.
        """
        game = self._newest_open()
        if game is None:
            return None
        self._live = _taken_up(game)
        return state_of(self._live.told)

    def _newest_open(self) -> Event | None:
        empty: Event | None = None
        for found in self._journal.games() if self._journal is not None else ():
            number = int(found["game"])
            if found.get("imported") or found.get("simulated") or not self._owned.take(number):
                continue
            game = self.game(number) if found["result"] is None else None
            if game is None:
                return empty
            if not is_empty(game):
                return game
            empty = empty or game
        return empty

    def is_played_elsewhere(self, number: int) -> bool:
        """Whether another process is playing a game at this moment."""
        return not self._owned.take(number)

    def last_picture(self) -> bytes | None:
        """The board after the last event, as it was recorded."""
        try:
            return self._journal.last_picture(self.game_number) if self._journal is not None else None
        except StoreError:
            return None

    def begin(self, state: State, begun: Begun = Begun.BY_ITSELF) -> None:
        """A new game is being played."""
        if self._live is not None and not self._live.safe:
            self._waiting.append(self._live)
        terms = {"uid": uuid.uuid4().hex, "begun": begun.value} | terms_as_json(state.terms, state.tags)
        game = {"game": self._last_number() + 1, "variant": state.terms.variant.name, "terms": terms, "events": []}
        self._live = _taken_up({**game, "started": self._clock()}, begun=False)
        self._write()

    def _last_number(self) -> int:
        """A game that cannot be written down yet must not hide one that was."""
        with suppress(StoreError):
            return max(self.game_number, self._journal.last_number() if self._journal is not None else 0)
        return self.game_number

    def append(self, events: list[Event], before: bytes | None, after: bytes | None) -> None:
        """Takes in events; in the journal when this returns, or else `message` says why not."""
        live = self._live
        if live is None or not events:
            return
        for event in events:
            if len(live.events) - live.written < _PICTURES_IN_MEMORY:
                live.evidence[len(live.events)] = Evidence(before, after)
            live.events.append(event)
            live.times.append(self._clock())
            live.pictured.append(pictures_named(before, after))
            follow(live.told, event)
        if not self.message:
            self._write()

    def copy(self) -> None:
        """Brings the journal's second copy up to date, which can wait until what is safe has been shown."""
        if self._journal is not None:
            self._journal.copy()

    def agree(self, state: State, seconds: float, frame: int) -> bool:
        """Writes down where the game stands if no event has told it; whether that was needed."""
        live = self._live
        if live is None:
            return False
        told = live.told.position
        if told.placement == state.position.placement and told.to_move is state.position.to_move:
            return False
        where = fen(state.terms.variant, state.position)
        event = {"type": "displaced", "fen": where, "ply": state.ply, "reason": "the game goes on from this board"}
        self.append([{"t": round(seconds, 3), "frame": frame, **event}], None, None)
        return True

    def look_around(self) -> None:
        """Keeps in mind what lies beside the journal, to put it back should the folder vanish."""
        self._belongings.look()

    def tend(self, seconds: float) -> bool:
        """Now and then tries again what could not be written; True once everything is written down again."""
        if self._journal is not None and not self.message and not self._journal.in_place:
            self._troubled(StoreError(f"{self._path} is gone; the game goes on in memory; bring the data folder back"))
        if self._shared and self._owned.take(FOLDER):  # the other Kibitz has ended
            self.notice = "" if self.notice == self._shared else self.notice
            self._shared = ""
            return True
        if not self.message or seconds < self._next_try:
            return False
        self._next_try = seconds + _RETRY_SECONDS
        said = self._reopen()
        if self._journal is None or self._journal.read_only:
            return False
        self.message = ""
        self._write()
        if not self.message:
            self._told, self.notice = "", said
        return not self.message

    def games(self) -> list[dict[str, Any]]:
        """All games, newest first; while the disk fails, those that can be read and those in memory."""
        known: list[dict[str, Any]] = []
        if self._journal is not None:
            try:
                known = self._journal.games()
            except StoreError as trouble:
                self._troubled(trouble)
        unsafe = [game for game in (self._live, *reversed(self._waiting)) if game is not None and not game.safe]
        return [_summary(g) for g in unsafe] + [g for g in known if g["game"] not in {u.number for u in unsafe}]

    def game(self, number: int) -> dict[str, Any] | None:
        for game in (self._live, *self._waiting):
            if game is not None and game.number == number:
                return _whole(game)
        return self._journal.game(number) if self._journal is not None else None

    def picture(self, number: int, event: int, when: str) -> bytes | None:
        """The small JPEG `before` or `after` an event (from 1) of a game."""
        for game in (self._live, *self._waiting):
            if game is not None and game.number == number and event - 1 in game.evidence:
                kept = game.evidence[event - 1]
                return kept.before if when == "before" else kept.after
        return self._journal.picture(number, event, when) if self._journal is not None else None

    def pdn(self, number: int | None, form: str) -> str | None:
        game = self.game(self.game_number if number is None else number)
        return None if game is None else pdn_of(game, form)

    def close(self) -> None:
        if self._journal is not None:
            if self.message:
                self.tend(float("inf"))
            self._journal.close()
        self._owned.close()

    def _write(self) -> None:
        """Everything that is not in the journal yet, game by game, in order."""
        journal = self._journal
        if journal is None or journal.read_only:
            return
        try:
            for game in (*self._waiting, self._live):
                if game is not None:
                    self._write_game(journal, game)
        except StoreError as trouble:
            self._troubled(trouble)
            return
        self._waiting.clear()

    def _write_game(self, journal: Journal, game: _Played) -> None:
        if not game.begun:
            there = journal.written(game.terms["uid"])
            if there is None:
                there = (journal.new_game(game.variant, game.terms, game.started), 0)
            game.number, game.written, game.begun = there[0], min(there[1], len(game.events)), True
            self._owned.take(game.number)
        while game.written < len(game.events):
            evidence = game.evidence.get(game.written, Evidence())
            last = game.written + 1
            while last < len(game.events) and game.evidence.get(last, Evidence()) == evidence:
                last += 1
            journal.append(game.number, game.events[game.written : last], evidence, game.times[game.written : last])
            for k in range(game.written, last):
                game.evidence.pop(k, None)
            game.written = last

    def _opened(self) -> Journal | None:
        try:
            journal = Journal(self._path)
            self.notice = journal.warning or self.notice
            return journal
        except StoreError as trouble:
            self._troubled(trouble)
        try:
            return Journal(self._path, read_only=True)
        except StoreError:
            return None

    def _reopen(self) -> str:
        """Another try at the file; what is in a journal that is gone is written back where that can be done.

        Gives what is to be told once the game is written down there.
        """
        said = "The disk is back: the whole game is written down."
        elsewhere = self._journal is not None and not self._journal.in_place
        if self._journal is not None:
            gone = elsewhere and not self._path.exists()
            rescued = gone and self._journal.rescue()
            self._journal.close()
            said = self._made_anew(rescued) if gone else said
        self._journal = self._opened()
        said = f"{self._journal.warning if self._journal is not None else ''} {said}".strip()
        if elsewhere:
            self._owned.close()
            self._take_folder()
        for game in (*self._waiting, self._live):
            if game is not None:
                game.begun = False
        return said

    def _made_anew(self, rescued: bool) -> str:
        """What is true of a folder that was moved or removed while it was used, and what to do about it."""
        folder = self._path.parent
        whole = rescued and self._belongings.put_back()
        held = "every game, the PIN and the settings" if whole else "the game being played; earlier ones may lack"
        return (
            f"The data folder {folder} was gone and is made anew there, with {held}. If you moved the old one and want "
            f"to go on in it: stop Kibitz, run `kibitz games --import {folder}/{COPIES}/*.jsonl --data` with the old "
            "folder's new place, and give that place to `kibitz serve --data`, too."
        )

    def _take_folder(self) -> None:
        self._owned = Ownership(self._path.with_name("games.lock"))
        self._shared = ""
        if not self._owned.take(FOLDER):
            self.notice = self._shared = (
                f"Another Kibitz is running and writes to the same data folder, {self._path.parent}. Each records a "
                "game of its own there, and nothing is lost; but if you did not mean that, stop one of them, or give "
                "this one a folder of its own with --data."
            )

    def _troubled(self, trouble: StoreError) -> None:
        if str(trouble) != self._told:
            _log.warning("%s", trouble)
        self.message = self._told = str(trouble)


def _taken_up(game: dict[str, Any], begun: bool = True) -> _Played:
    """A game of the journal, or a new one, in memory."""
    told = chronicle(game) if begun else opened(game)
    own = ("number", "time", "pictures")
    events = [{k: v for k, v in event.items() if k not in own} for event in game["events"]]
    played = _Played(int(game["game"]), game["variant"], game["terms"], float(game["started"]), told, events)
    played.times = [float(event["time"]) for event in game["events"]]
    played.pictured = [list(event.get("pictures") or ()) for event in game["events"]]
    played.written, played.begun = len(events), begun
    return played


def _summary(game: _Played) -> dict[str, Any]:
    told = game.told
    return {
        "game": game.number,
        "variant": game.variant,
        "started": game.started,
        "plies": told.ply,
        "result": told.result,
        "tags": dict(told.tags),
        **marks(game.terms),
    }


def _whole(game: _Played) -> dict[str, Any]:
    marked = zip(list(game.events), game.times, game.pictured, strict=False)
    events = [{"number": k, "time": t, **event, "pictures": p} for k, (event, t, p) in enumerate(marked, 1)]
    return {**_summary(game), "terms": game.terms, "events": events}
