"""The running companion: one camera, one game, any number of people looking on."""

import logging
import queue
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np

from hardware.cameras.source import FrameSource
from hardware.errors import HardwareError
from rules.errors import RulesError
from rules.fen import parse_fen
from rules.legal_moves import warm_up
from rules.variant import start_position
from rules.variants.catalogue import variant_named
from server.errors import CommandRefused
from server.runtime.camera_thread import Camera
from server.runtime.hints import HintWorker
from server.runtime.ledger import Ledger
from server.runtime.pipeline import Pipeline
from server.runtime.view import board_view, game_view, settings_view
from server.session.commands import Command, obey
from server.session.events import Effect, as_json
from server.session.state import House, Mode, State, Terms, new_state, terms_for
from server.settings import Settings
from vision.errors import VisionError
from vision.frame import Frame

_log = logging.getLogger(__name__)
_QUEUED_COMMANDS = 16
_ANSWER_SECONDS = 5.0
_JOIN_SECONDS = 3.0
_SMALL_WIDTH = 320
_PLIES_OF_A_GAME = 4
"""Fewer may be a start that was taken back."""


@dataclass(slots=True)
class _Order:
    """A command on its way to the game loop, with the slot for its answer."""

    fields: dict[str, Any]
    answered: threading.Event
    answer: tuple[int, dict[str, Any]] = (503, {"error": "the companion is stopping; try again in a moment"})


class RunningCompanion:
    """Implements `server.web.companion.Companion`. `start` begins the threads, `stop` ends them."""

    def __init__(
        self,
        open_source: Callable[[], FrameSource],
        pipeline: Pipeline,
        ledger: Ledger,
        settings: Settings,
        pin: str,
        *,
        patient: bool = False,
    ) -> None:
        self._pipeline, self._ledger, self._settings, self._pin = pipeline, ledger, settings, pin
        self.stopping = threading.Event()
        self.failure = ""
        self._camera = Camera(open_source, self.stopping, settings.jpeg_quality, patient=patient)
        self._shown = pipeline.session
        self._hints = HintWorker(self.stopping, self._hint_came)
        self._orders: queue.Queue[_Order] = queue.Queue(_QUEUED_COMMANDS)
        self._changed = threading.Condition()
        self._number, self._snapshot = 0, dict[str, Any]()
        self._hint: dict[str, Any] | None = None
        self._note = ledger.message
        self._overlay: tuple[int, bytes] | None = None
        self._small: bytes | None = None
        self._publish()
        self._threads = [
            threading.Thread(target=self._guarded, args=(run, name), name=name, daemon=True)
            for run, name in ((self._camera.run, "capture"), (self._play, "game"), (self._hints.run, "hints"))
        ]

    def start(self) -> None:
        threading.Thread(target=warm_up, name="warm-up", daemon=True).start()
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        """Ends every thread, waiting a bounded time for each."""
        self.stopping.set()
        self._camera.wake()
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

    def picture(self, overlay: bool) -> bytes | None:
        frame, jpeg = self._camera.newest()
        if frame is None or not overlay:
            return jpeg
        drawn = self._overlay
        if drawn is None or drawn[0] != frame.sequence:
            picture = self._pipeline.drawn(frame)
            done, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, self._settings.jpeg_quality])
            self._overlay = drawn = (frame.sequence, data.tobytes() if done else jpeg or b"")
        return drawn[1]

    def command(self, command: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        if command.get("do") == "hint":
            state = self._pipeline.session
            seconds = float(command.get("seconds", self._settings.hint_seconds))
            self._hints.ask(state.terms.variant, state.position, seconds, state.ply)
            return 202, {"number": self._number + 1}
        order = _Order(command, threading.Event())
        try:
            self._orders.put_nowait(order)
        except queue.Full:
            return 503, {"error": f"saw {_QUEUED_COMMANDS} commands waiting; expected fewer; try again in a moment"}
        self._camera.wake()
        order.answered.wait(_ANSWER_SECONDS)
        return order.answer

    def games(self) -> list[dict[str, Any]]:
        return self._ledger.games()

    def game(self, number: int) -> dict[str, Any] | None:
        return self._ledger.game(number)

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
        last = -1
        while not self.stopping.is_set():
            frame = self._camera.next_after(last, 0.2)
            self._obey_orders()
            if self._camera.state_changed():
                self._publish()
            if frame is None:
                continue
            last = frame.sequence
            effects = self._pipeline.see(frame)
            if effects:
                self._write(effects, frame)
                self._publish()
            if self._set_up_again():
                terms = self._pipeline.session.terms
                self._begin({"first": "light" if terms.light is terms.variant.first else "dark"})
                self._publish()

    def _set_up_again(self) -> bool:
        """The next game begins by itself: the last one is over, or the simulated players have shaken hands."""
        session = self._pipeline.session
        over = session.result is not None or (self._camera.simulated and session.ply >= _PLIES_OF_A_GAME)
        return over and self._pipeline.shows_start()

    def _obey_orders(self) -> None:
        while True:
            try:
                order = self._orders.get_nowait()
            except queue.Empty:
                return
            try:
                effects = self._obey(order.fields)
                self._write(effects, None)
                self._publish()
                order.answer = (202, {"number": self._number})
            except (CommandRefused, RulesError, VisionError, HardwareError) as refusal:
                order.answer = (409, {"error": str(refusal)})
            order.answered.set()

    def _obey(self, fields: dict[str, Any]) -> tuple[Effect, ...]:
        match fields["do"]:
            case "new_game":
                self._begin(fields)
                return ()
            case "calibrate":
                frame, _ = self._camera.newest()
                if frame is None:
                    raise CommandRefused("saw no picture yet; expected a working camera; check its cable")
                self._pipeline.calibrate(frame, fields.get("corners"))
                return ()
            case "settings":
                self._settle(fields)
                return ()
            case name:
                state, effects = obey(self._pipeline.session, Command(name, fields))
                self._pipeline.session = state
                return effects

    def _begin(self, fields: dict[str, Any]) -> None:
        old = self._pipeline.session.terms
        variant = variant_named(str(fields.get("variant", old.variant.name)))
        start = parse_fen(variant, str(fields["start"])) if "start" in fields else start_position(variant)
        first = fields.get("first")
        terms: Terms = replace(
            terms_for(variant, start, None if first is None else first == "light"),
            mode=Mode(fields.get("mode", old.mode.value)),
            house=House(fields.get("house", old.house.value)),
            least_margin=old.least_margin,
            fault_seconds=old.fault_seconds,
        )
        state: State = replace(new_state(terms), tags=dict(fields.get("tags", {})))
        self._pipeline.begin(state)
        self._hint, self._note = None, ""
        self._ledger.begin(state)

    def _settle(self, fields: dict[str, Any]) -> None:
        state = self._pipeline.session
        terms = replace(
            state.terms,
            mode=Mode(fields.get("mode", state.terms.mode.value)),
            house=House(fields.get("house", state.terms.house.value)),
        )
        self._pipeline.session = replace(state, terms=terms)

    def _write(self, effects: tuple[Effect, ...], frame: Frame | None) -> None:
        """Into the journal first: what people see must survive pulling the plug."""
        if not effects:
            return
        seconds, number = (frame.captured_at, frame.sequence) if frame is not None else (time.monotonic(), -1)
        after = small_jpeg(frame) if frame is not None else self._small
        self._ledger.append([as_json(effect, seconds, number) for effect in effects], self._small, after)
        self._small = after
        words = [str(getattr(effect, "message", "")) for effect in effects]
        self._note = next((word for word in reversed(words) if word), "") or self._ledger.message

    def _hint_came(self, found: dict[str, Any]) -> None:
        self._hint = found
        self._show()

    def _publish(self) -> None:
        """What is journalled becomes what is shown; called by the game loop."""
        self._shown = self._pipeline.session
        self._show()

    def _show(self) -> None:
        with self._changed:
            self._number += 1
            state = self._shown
            view = game_view(state)
            view.update(
                number=self._number,
                game=self._ledger.game_number,
                board=board_view(state.terms.variant),
                camera=self._camera.view(),
                confidence=self._pipeline.confidence,
                settings=settings_view(state, self._pin),
                hint=self._hint,
                message=self._ledger.message or self._note or self._pipeline.trouble or view["message"],
            )
            self._snapshot = view
            self._changed.notify_all()


def small_jpeg(frame: Frame) -> bytes:
    """A small picture as evidence for the journal."""
    width, height = frame.size
    factor = min(1.0, _SMALL_WIDTH / width)
    small = cv2.resize(frame.bgr, (max(1, round(width * factor)), max(1, round(height * factor))))
    done, data = cv2.imencode(".jpg", np.ascontiguousarray(small), [cv2.IMWRITE_JPEG_QUALITY, 60])
    return data.tobytes() if done else b""
