"""The game's way into the journal: durable where the disk allows it, in memory where not."""

import logging
from typing import Any

from server.errors import StoreError
from server.session.state import State
from server.store.game_record import pdn_of
from server.store.journal import Evidence, Journal
from server.store.resume import resumed, terms_as_json

_log = logging.getLogger(__name__)


class Ledger:
    """Events of the game being played, always in memory, and in the journal as long as it can be written."""

    def __init__(self, journal: Journal | None, message: str = "") -> None:
        self._journal = journal
        self.message = message or (journal.warning if journal is not None else "")
        self.game_number = 0
        self._live: dict[str, Any] = {}

    def unfinished(self) -> State | None:
        """The newest game of the journal if it has no result; it then is the one that goes on."""
        if self._journal is None:
            return None
        games = self._journal.games()
        if not games or games[0]["result"] is not None:
            return None
        game = self._journal.game(int(games[0]["game"]))
        if game is None:
            return None
        self._live, self.game_number = game, int(game["game"])
        return resumed(game)

    def begin(self, state: State) -> None:
        """A new game is being played."""
        terms = terms_as_json(state.terms, state.tags)
        variant = state.terms.variant.name
        number = self.game_number + 1
        if self._journal is not None:
            try:
                number = self._journal.new_game(variant, terms)
            except StoreError as trouble:
                self._troubled(trouble)
        self.game_number = number
        self._live = {"game": number, "variant": variant, "terms": terms, "tags": dict(state.tags), "events": []}
        self._live |= {"started": 0.0, "plies": 0, "result": None}

    def append(self, events: list[dict[str, Any]], before: bytes | None, after: bytes | None) -> None:
        self._live["events"].extend(events)
        if self._journal is None:
            return
        try:
            self._journal.append(self.game_number, events, Evidence(before, after))
        except StoreError as trouble:
            self._troubled(trouble)

    def games(self) -> list[dict[str, Any]]:
        if self._journal is None:
            return [{k: v for k, v in self._live.items() if k not in ("events", "terms")}]
        try:
            return self._journal.games()
        except StoreError as trouble:
            self._troubled(trouble)
            return []

    def game(self, number: int) -> dict[str, Any] | None:
        if number == self.game_number:
            return {**self._live, "events": list(self._live["events"])}
        return self._journal.game(number) if self._journal is not None else None

    def pdn(self, number: int | None, form: str) -> str | None:
        game = self.game(self.game_number if number is None else number)
        return None if game is None else pdn_of(game, form)

    def close(self) -> None:
        if self._journal is not None:
            self._journal.close()

    def _troubled(self, trouble: StoreError) -> None:
        _log.warning("%s", trouble)
        self.message = str(trouble)
