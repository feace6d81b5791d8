"""The game loop: the one thread that owns the session. Frames and commands in; journal first, then the snapshot."""

import logging
import queue
import secrets
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import cv2
import numpy as np

from calibration.calibrate import Calibration
from calibration.errors import CalibrationError
from hardware.errors import HardwareError
from rules.ballots import ballot_of, drawn, listed_openings, three_move_deck
from rules.errors import RulesError
from rules.variant import Variant, start_position
from rules.variants.catalogue import variant_named
from server.errors import GAME_WENT_ON, CommandRefused
from server.runtime.camera_thread import Camera
from server.runtime.ledger import Ledger
from server.runtime.lying import lying_for
from server.runtime.pipeline import Pipeline
from server.runtime.view import BALLOT_TAG, restore_view, unsure_view
from server.runtime.wishing import LEADS_ELSEWHERE
from server.session.commands import Command, playable_position
from server.session.events import Effect, Violation, as_json
from server.session.match import GAME_TAG, second_game
from server.session.state import House, Mode, Restoring, State, new_state, terms_for
from server.session.step import Tick, step
from server.store.kept_terms import settled
from server.store.resume import Begun
from vision.errors import VisionError
from vision.frame import Frame

_log = logging.getLogger(__name__)
_QUEUED_COMMANDS = 16
_ANSWER_SECONDS = 5.0
_FRAME_SECONDS = 0.2
_SMALL_WIDTH = 320
_DOUBT_SECONDS = 2.0
_PLIES_OF_A_GAME = 4
"""Fewer may be a start that was taken back."""
_SET_ANEW = {
    False: "The simulated players set the board as the record has it now, and play on after some seconds; Pause holds "
    "them.",
    True: "The simulated players are paused; after Go on they set the board as the record has it now, and play on.",
}
"""Said of players that are paused, or not."""
REFUSALS = (CommandRefused, RulesError, VisionError, HardwareError, CalibrationError)
Answer = tuple[int, dict[str, Any]]


@dataclass(slots=True)
class _Order:
    """A command on its way to the game loop, with the slot for its answer."""

    fields: dict[str, Any]
    answered: threading.Event = field(default_factory=threading.Event)
    answer: Answer = (503, {"error": "saw no answer yet; the command is being carried out: look at the board first"})
    _mine: threading.Lock = field(default_factory=threading.Lock)

    def claim(self) -> bool:
        """True once: for the loop that carries it out, or for the sender that waits no longer."""
        return self._mine.acquire(blocking=False)


class GameLoop:
    """Owns the pipeline with its session. `publish` shows what has changed and gives the number of the snapshot."""

    def __init__(
        self,
        camera: Camera,
        pipeline: Pipeline,
        ledger: Ledger,
        publish: Callable[[], int],
        keep: Callable[[Calibration], None],
        patience: float = _ANSWER_SECONDS,
    ) -> None:
        """`keep` stores a calibration that somebody asked for; senders of commands wait `patience` seconds."""
        self.pipeline, self.ledger = pipeline, ledger
        self._camera, self._publish, self._keep = camera, publish, keep
        self._orders: queue.Queue[_Order] = queue.Queue(_QUEUED_COMMANDS)
        self._patience = patience
        self.is_stale: Callable[[int], bool] = lambda _: False
        """Whether the game changed since the snapshot of a number; whoever publishes knows."""
        self.lead: Callable[[str, State, State], None] = lambda order, before, after: None
        """Told of every order about the game that was carried out, with the game before and after it."""
        self._small = ledger.last_picture()
        self._ahead = 0.0
        """How far the looks' clock is ahead of the computer's."""
        self._comparing = _taken_up_again(pipeline.session)
        """Whether a game goes on after a break and its board has not been seen to agree yet."""
        self.note = ""
        """What was said last to the players."""
        self.unsure: list[str] = []
        """Squares that have been unsure for a while."""
        self._unsure_now: tuple[float, list[str]] = (0.0, [])
        if self._comparing:
            self.note = "The game goes on after a break; the board is being compared with the record."
        self.begun = 0
        """How many games were begun since the start."""

    def command(self, fields: dict[str, Any]) -> Answer:
        """Hands a command to the loop and waits for its answer; called by web threads."""
        order = _Order(fields)
        try:
            self._orders.put_nowait(order)
        except queue.Full:
            return 503, {"error": f"saw {_QUEUED_COMMANDS} commands waiting; expected fewer; try again in a moment"}
        self._camera.wake()
        if not order.answered.wait(self._patience) and order.claim():
            return 503, {"error": "the companion is busy or stopping, and nothing was done; try again in a moment"}
        order.answered.wait(self._patience)
        return order.answer

    def run(self, stop: threading.Event) -> None:
        """Until stopped."""
        last = -1
        while not stop.is_set():
            frame = self._camera.next_after(last, _FRAME_SECONDS)
            self._obey_orders()
            changed = self.ledger.tend(time.monotonic())
            if self._camera.state_changed():
                self._publish()  # finding the board in the first picture may take seconds
            if frame is not None:
                last = frame.sequence
                self._ahead = frame.captured_at - time.monotonic()
                changed |= self._look(frame)
            else:
                changed |= self._tick()
            if changed:
                self._publish()
            self.pipeline.learn()
            self.ledger.copy()

    @property
    def now(self) -> float:
        """The time on the clock of the looks."""
        return time.monotonic() + self._ahead

    def _tick(self) -> bool:
        """No picture, but a chess clock runs on."""
        if self.pipeline.session.clock is None:
            return False
        self.pipeline.session, effects = step(self.pipeline.session, Tick(self.now))
        self._write(effects, None)
        return bool(effects)

    def _look(self, frame: Frame) -> bool:
        if self._camera.arranging():
            self.pipeline.pass_over()
            return self._tick()
        comparing = self._comparing
        effects = self.pipeline.see(frame)
        if self._comparing:
            effects = self._compared(effects)
        self._write(effects, frame)
        doubt = self._doubt(frame.captured_at) or comparing != self._comparing
        if not self._set_up_again():
            return bool(effects) or doubt
        terms = self.pipeline.session.terms
        follows = second_game(self.pipeline.session)
        if follows is not None:
            self._take_up(follows, Begun.BY_ITSELF)
        else:
            self._begin({"first": "light" if terms.light is terms.variant.first else "dark"})
        return True

    def _compared(self, effects: tuple[Effect, ...]) -> tuple[Effect, ...]:
        """What the first looks after a break say: a board that does not fit is guided back and accuses nobody."""
        session = self.pipeline.session
        standing = session.standing
        if standing is not None:
            placement = session.position.placement
            restoring = Restoring(placement, standing.seen, standing.since)
            self.pipeline.session = replace(session, standing=None, restoring=restoring)
            return tuple(effect for effect in effects if not isinstance(effect, Violation))
        if session.restoring is None and session.waiting is None and self.pipeline.confidence is not None:
            self._comparing = False
            self._note_down("resumed")
            self.note = "The board stands as recorded: the game goes on."
        return effects

    def _doubt(self, seconds: float) -> bool:
        """Follows which squares cannot be told; True when what is shown of it has to change."""
        since, names = self._unsure_now
        now = unsure_view(self.pipeline.session, self.pipeline.newest_look)
        if now != names:
            self._unsure_now = (seconds, now)
        elif now != self.unsure and seconds - since >= _DOUBT_SECONDS:
            self.unsure = now
            return True
        return False

    def _set_up_again(self) -> bool:
        """The next game begins by itself: the last one is over, or the simulated players have shaken hands."""
        session = self.pipeline.session
        over = session.result is not None or (self._camera.simulated and session.ply >= _PLIES_OF_A_GAME)
        return over and self.pipeline.shows_start()

    def _obey_orders(self) -> None:
        while True:
            try:
                order = self._orders.get_nowait()
            except queue.Empty:
                return
            if order.claim():  # else its sender was told that nothing was done
                order.answer = self._answer(order.fields)
                order.answered.set()

    def _answer(self, fields: dict[str, Any]) -> Answer:
        """Carries a command out. One that goes wrong inside must not end the game."""
        seen = fields.get("expected_number")
        if seen is not None and self.is_stale(int(seen)):
            return 409, {"error": GAME_WENT_ON}
        fields = {name: value for name, value in fields.items() if name != "expected_number"}
        try:
            before = self.pipeline.session.position
            self._write(self._obey(fields), None)
            if self._camera.simulated and fields["do"] in LEADS_ELSEWHERE and before != self.pipeline.session.position:
                self.note = _SET_ANEW[self._camera.rest.is_set()]
            return 202, {"number": self._publish()}
        except REFUSALS as refusal:
            return 409, {"error": str(refusal)}
        except Exception as fault:
            _log.exception("the command %s failed", fields.get("do"), exc_info=fault)
            return 500, {"error": "saw a fault inside Kibitz; the game is safe, and the log says more"}

    def _obey(self, fields: dict[str, Any]) -> tuple[Effect, ...]:
        match fields["do"]:
            case "new_game":
                self._begin(fields)
                return ()
            case "calibrate":
                self._calibrate(fields.get("corners"))
                return ()
            case "settings":
                self._settle(fields)
                return ()
            case "simulated":
                self._rest(bool(fields["paused"]))
                return ()
            case "accept" | "dismiss" if self._comparing and not restore_view(self.pipeline.session):
                raise CommandRefused(
                    "the board is being compared with the record; nothing stands that could be decided"
                )
            case name:
                before = self.pipeline.session
                state, effects = step(before, Command(name, fields, self.now))
                self.pipeline.session = state
                self.lead(name, before, state)
                if before.clock is not None and state.clock is None:
                    self._note_down("clock_off")
                return effects

    def _rest(self, paused: bool) -> None:
        if not self._camera.simulated:
            raise CommandRefused("saw a real board; only the simulated game can be paused")
        (self._camera.rest.set if paused else self._camera.rest.clear)()
        if self.note in _SET_ANEW.values():
            self.note = _SET_ANEW[paused]

    def _calibrate(self, corners: list[list[float]] | None) -> None:
        frame = self._camera.newest()
        if frame is None:
            raise CommandRefused("saw no picture yet; expected a working camera; check its cable")
        self.pipeline.calibrate(frame, corners)
        self.note = ""
        if self.pipeline.calibration is not None:
            self._keep(self.pipeline.calibration)

    def _begin(self, fields: dict[str, Any]) -> None:
        old = self.pipeline.session.terms
        variant = variant_named(str(fields.get("variant", old.variant.name)))
        start = playable_position(variant, str(fields["start"])) if "start" in fields else start_position(variant)
        first = fields.get("first")
        terms = replace(
            terms_for(variant, start, None if first is None else first == "light"),
            mode=Mode(fields.get("mode", old.mode.value)),
            house=House(fields.get("house", old.house.value)),
            least_margin=old.least_margin,
            fault_seconds=old.fault_seconds,
            touch=old.touch,
            always_hint=old.always_hint,
        )
        tags = dict(fields.get("tags", {}))
        if "ballot" in fields:
            tags[BALLOT_TAG] = _card(variant, str(fields["ballot"]))
        if fields.get("match"):
            tags[GAME_TAG] = "1"
        self._take_up(replace(new_state(terms), tags=tags), Begun.ASKED if "do" in fields else Begun.BY_ITSELF)

    def _take_up(self, state: State, begun: Begun) -> None:
        """From now on this game is played."""
        self.pipeline.begin(state)
        if self.pipeline.calibration is not None:
            self.pipeline.calibration = lying_for(self.pipeline.calibration, state.terms)
        self._comparing = False
        self.begun, self.note = self.begun + 1, ""
        self.ledger.begin(state, Begun.SIMULATED if self._camera.simulated else begun)

    def _settle(self, fields: dict[str, Any]) -> None:
        """Another mode, house rule or what is said beside them; written down, so that a resumed game keeps it."""
        terms = settled(self.pipeline.session.terms, fields)
        self.pipeline.session = replace(self.pipeline.session, terms=terms)
        told = {"touch": terms.touch, "always_hint": terms.always_hint}
        self._note_down("settings", mode=terms.mode.value, house=terms.house.value, **told)

    def _note_down(self, kind: str, **fields: str | bool) -> None:
        """An event that the session does not know of."""
        self.ledger.append([{"t": round(self.now, 3), "frame": -1, "type": kind, **fields}], None, None)

    def _write(self, effects: tuple[Effect, ...], frame: Frame | None) -> None:
        """Into the journal first: what people see must survive pulling the plug."""
        seconds, number = (frame.captured_at, frame.sequence) if frame is not None else (self.now, -1)
        if effects:
            newest = frame if frame is not None else self._camera.newest()
            after = small_jpeg(newest) if newest is not None else self._small
            self.ledger.append([as_json(effect, seconds, number) for effect in effects], self._small, after)
            self._small = after
            words = [str(getattr(effect, "message", "")) for effect in effects]
            self.note = next((word for word in reversed(words) if word), "")
        self.ledger.agree(self.pipeline.session, seconds, number)


def _taken_up_again(session: State) -> bool:
    return session.started and session.result is None


def _card(variant: Variant, wanted: str) -> str:
    """The plies of an opening card: drawn by lot, or the one that was named."""
    if variant.name != "english":
        raise CommandRefused(f"saw a ballot for {variant.title}; expected one for English draughts alone")
    card = drawn(three_move_deck(), secrets.randbelow) if wanted == "draw" else ballot_of(listed_openings(), wanted)
    return card.text


def small_jpeg(frame: Frame) -> bytes:
    """A small picture as evidence for the journal."""
    width, height = frame.size
    factor = min(1.0, _SMALL_WIDTH / width)
    small = cv2.resize(frame.bgr, (max(1, round(width * factor)), max(1, round(height * factor))))
    done, data = cv2.imencode(".jpg", np.ascontiguousarray(small), [cv2.IMWRITE_JPEG_QUALITY, 60])
    return data.tobytes() if done else b""
