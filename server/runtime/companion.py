"""The running companion: one camera, one game, any number of people looking on."""

import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import cv2

from calibration.calibrate import Calibration
from hardware.cameras.source import FrameSource
from rules.legal_moves import legal_moves, warm_up
from rules.notation import move_text
from rules.position import Position
from server.runtime.camera_thread import Camera
from server.runtime.game_loop import Answer, GameLoop
from server.runtime.hints import HintWorker
from server.runtime.ledger import Ledger
from server.runtime.pipeline import Pipeline
from server.runtime.sight import drawn_on
from server.runtime.view import (
    board_view,
    clock_view,
    facing_view,
    game_view,
    in_players_words,
    seen_view,
    settings_view,
)
from server.session.state import Mode, State
from server.settings import Settings

_log = logging.getLogger(__name__)
_JOIN_SECONDS = 3.0
_BOARD_SECONDS = 30.0
_THE_GAME = ("game", "fen", "ply", "moves", "irregularity", "restore", "candidates", "draw_offer", "result", "mode")
"""What somebody who presses a button must have seen."""


@dataclass(frozen=True, slots=True)
class Feed:
    """Where frames come from; a `patient` one is recorded or simulated, and no frame of it is passed over."""

    open_source: Callable[[], FrameSource]
    patient: bool = False
    rest: threading.Event | None = None
    """Set while simulated players are to pause; None for cameras."""
    lead: Callable[[str, State, State], None] = lambda order, before, after: None
    """Tells simulated players of an order that was carried out, with the game before and after it."""


class RunningCompanion:
    """Implements `server.web.companion.Companion`. `start` begins the threads, `stop` ends them."""

    def __init__(
        self,
        feed: Feed,
        pipeline: Pipeline,
        ledger: Ledger,
        settings: Settings,
        pin: str,
        keep: Callable[[Calibration], None] = lambda _: None,
    ) -> None:
        """`keep` stores a calibration that somebody asked for."""
        self._pipeline, self._ledger, self._settings, self._pin = pipeline, ledger, settings, pin
        self.stopping = threading.Event()
        self.failure = ""
        self._camera = Camera(
            feed.open_source, self.stopping, settings.jpeg_quality, patient=feed.patient, rest=feed.rest
        )
        self._loop = GameLoop(self._camera, pipeline, ledger, self._publish, keep)
        self._loop.lead = feed.lead
        self._loop.is_stale = lambda number: not self._game_changed <= number <= self._number
        self._shown = pipeline.session
        self._hints = HintWorker(self.stopping, self._hint_came)
        self._changed = threading.Condition()
        self._told: list[Any] = []
        self._game_changed = 0
        self._number, self._snapshot = 0, dict[str, Any]()
        self._hint: tuple[int, dict[str, Any]] | None = None
        self._hinted: tuple[int, int, Position] | None = None
        """Where a hint was last given unasked."""
        self._overlay: tuple[int, bytes] | None = None
        self._publish()
        self._threads = [
            threading.Thread(target=self._guarded, args=(run, name), name=name, daemon=True)
            for run, name in ((self._camera.run, "capture"), (self._play, "game"), (self._hints.run, "hints"))
        ]

    def start(self, warm: Callable[[], bool] = warm_up) -> None:
        """Begins the threads; `warm` readies the kernel in a thread of its own."""
        threading.Thread(target=warm, name="warm-up", daemon=True).start()
        for thread in self._threads:
            thread.start()

    def wake(self) -> None:
        """Whoever waits looks up, such as a live page when all ends."""
        self._camera.wake()
        with self._changed:
            self._changed.notify_all()

    def stop(self) -> None:
        """Ends every thread, waiting a bounded time for each."""
        self.stopping.set()
        self.wake()
        for thread in self._threads:
            if thread.is_alive():
                thread.join(_JOIN_SECONDS)
        with self._changed:
            self._changed.notify_all()
        self._ledger.close()

    @property
    def pin(self) -> str:
        return self._pin

    def snapshot(self) -> dict[str, Any]:
        return self._snapshot

    def wait_for(self, number: int, timeout: float) -> dict[str, Any] | None:
        with self._changed:
            self._changed.wait_for(lambda: self._number >= number or self.stopping.is_set(), timeout)
            return self._snapshot if self._number >= number else None

    def wait_for_board(self, timeout: float = _BOARD_SECONDS) -> None:
        """Until the board was found, or it has taken too long, or all ends."""
        with self._changed:
            self._changed.wait_for(lambda: self._pipeline.calibration is not None or self.stopping.is_set(), timeout)

    def picture(self, overlay: bool) -> bytes | None:
        frame, jpeg = self._camera.jpeg()
        if frame is None or not overlay:
            return jpeg
        drawn = self._overlay
        if drawn is None or drawn[0] != frame.sequence:
            picture = drawn_on(frame.bgr, self._pipeline.calibration, self._pipeline.newest_look)
            done, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, self._settings.jpeg_quality])
            self._overlay = drawn = (frame.sequence, data.tobytes() if done else jpeg or b"")
        return drawn[1]

    def command(self, command: dict[str, Any]) -> Answer:
        return self._think(command) if command.get("do") == "hint" else self._loop.command(command)

    def legal(self, ply: int | None) -> list[str] | None:
        state = self._shown
        if ply is None or ply == state.ply + 1:
            position = state.position
        else:
            turns = [turn for turn in state.plies if turn.counts]
            if not 1 <= ply <= len(turns):
                return None
            position = turns[ply - 1].before
        variant = state.terms.variant
        return [move_text(variant, position, move) for move in legal_moves(variant, position)]

    def seen(self) -> dict[str, Any] | None:
        return seen_view(self._shown, self._pipeline.newest_look, self._pipeline.calibration)

    def games(self) -> list[dict[str, Any]]:
        return self._ledger.games()

    def game(self, number: int) -> dict[str, Any] | None:
        return self._ledger.game(number)

    def event_picture(self, number: int, event: int, when: str) -> bytes | None:
        return self._ledger.picture(number, event, when)

    def pdn(self, number: int | None, form: str) -> str | None:
        return self._ledger.pdn(number, form)

    def _guarded(self, run: Callable[[], None], name: str) -> None:
        """A thread that dies takes the process with it, saying why; systemd starts it again."""
        try:
            run()
        except Exception as trouble:
            _log.exception("the %s thread died", name)
            self.failure = f"the {name} thread died: {trouble}"
            self.stopping.set()
            self._camera.wake()

    def _play(self) -> None:
        self._loop.run(self.stopping)

    def _think(self, command: dict[str, Any]) -> Answer:
        state = self._shown
        if state.terms.mode is not Mode.TRAINING:
            mode = state.terms.mode.value
            return 409, {"error": f"saw the mode {mode}; hints are given in training only; change it in the settings"}
        if state.result is not None:
            return 409, {"error": f"the game is over ({state.result}), so there is nothing to hint at"}
        seconds = float(command.get("seconds", self._settings.hint_seconds))
        self._hints.ask(state.terms.variant, state.position, seconds, state.ply)
        return 202, {"number": self._number + 1}

    def _hint_unasked(self) -> None:
        """Training may hint at every move: once in each position that is to be played from."""
        state = self._shown
        begun = state.started or bool(state.plies)
        wanted = begun and state.terms.always_hint and state.terms.mode is Mode.TRAINING
        here = (self._loop.begun, state.ply, state.position)
        if not wanted or state.result is not None or here == self._hinted:
            return
        self._hinted = here
        self._hints.ask(state.terms.variant, state.position, self._settings.hint_seconds, state.ply)

    def _hint_came(self, found: dict[str, Any]) -> None:
        self._hint = (self._loop.begun, found)
        self._show()

    def _publish(self) -> int:
        """What is journalled becomes what is shown; called by the game loop."""
        self._shown = self._pipeline.session
        self._hint_unasked()
        return self._show()

    def _show(self) -> int:
        with self._changed:
            self._number += 1
            state, ledger, loop = self._shown, self._ledger, self._loop
            view = game_view(state)
            view.update(
                number=self._number,
                game=ledger.game_number,
                board=board_view(state.terms.variant),
                facing=facing_view(self._pipeline.calibration, state.terms.variant.board),
                camera=self._camera.view(),
                clock=clock_view(state, loop.now),
                confidence=self._pipeline.confidence,
                unsure=loop.unsure,
                settings=settings_view(state, self._pin),
                hint=self._hint[1] if self._hint is not None and self._hint[0] == loop.begun else None,
                message=in_players_words(state, loop.note) or self._pipeline.trouble or view["message"],
                record={"ok": not ledger.message, "message": ledger.message or ledger.notice},
            )
            told = [view.get(name) for name in _THE_GAME]
            if told != self._told:
                self._told, self._game_changed = told, self._number
            view["changed"] = self._game_changed
            self._snapshot = view
            self._changed.notify_all()
            return self._number
