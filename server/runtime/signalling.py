"""Lamp, buzzer, voice and buttons at the board, beside the dashboard or in its place."""

import logging
import queue
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Protocol

from hardware.signals.buttons import Buttons, Press
from hardware.signals.buzzer import Buzzer
from hardware.signals.lamp import Lamp
from hardware.signals.voice import Voice
from rules.faults import FaultKind

_log = logging.getLogger(__name__)
_WAIT_SECONDS = 0.2
"""How soon a press is obeyed."""
_REFUSED_SOUNDS = 2
_ADVICE = (FaultKind.WRONG_SETUP, FaultKind.WRONG_ORIENTATION, FaultKind.OFF_SQUARE)
"""Said on the dashboard alone: nobody has done anything wrong."""


class Followed(Protocol):
    """The part of the companion that is used."""

    def wait_for(self, number: int, timeout: float) -> dict[str, Any] | None: ...
    def command(self, command: dict[str, Any]) -> tuple[int, dict[str, Any]]: ...


@dataclass(slots=True)
class Signals:
    """What stands at the board; each is silent where it is not there."""

    lamp: Lamp = field(default_factory=Lamp)
    buzzer: Buzzer = field(default_factory=Buzzer)
    voice: Voice = field(default_factory=Voice)
    open_buttons: Callable[[Callable[[Press], None]], Buttons] = Buttons
    _presses: "queue.Queue[Press]" = field(default_factory=lambda: queue.Queue(8))
    _buttons: Buttons = field(init=False)
    _number: int = 0
    _told: tuple[Any, ...] | None = None
    _seeking: bool = False
    """A hint was asked for by a button."""

    def __post_init__(self) -> None:
        self._buttons = self.open_buttons(self._pressed)

    @property
    def found(self) -> tuple[str, ...]:
        """What there is."""
        known = (("lamp", self.lamp), ("buzzer", self.buzzer), ("buttons", self._buttons), ("voice", self.voice))
        return tuple(name for name, device in known if device.present)

    def follow(self, companion: Followed, stop: threading.Event) -> None:
        """Until stopped: shows every snapshot that comes, and passes presses on."""
        while not stop.is_set():
            snapshot = companion.wait_for(self._number + 1, _WAIT_SECONDS)
            if snapshot is not None:
                self.show(snapshot)
            self.obey(companion)

    def show(self, snapshot: dict[str, Any]) -> None:
        """The lamp shines while an irregularity stands; a new one sounds once and is read aloud."""
        self._number = int(snapshot["number"])
        standing = None if snapshot.get("result") else snapshot.get("irregularity")
        if standing is not None and standing["kind"] in _ADVICE:
            standing = None
        self.lamp.show(standing is not None)
        told = None if standing is None else (snapshot.get("game"), standing["kind"], tuple(standing["squares"]))
        if standing is not None and told != self._told:
            self.buzzer.sound()
            self.voice.say(str(standing["message"]))
        self._told = told
        self._tell_hint(snapshot)

    def obey(self, companion: Followed) -> None:
        """Carries out what was pressed; what is refused sounds twice and is said."""
        while True:
            try:
                press = self._presses.get_nowait()
            except queue.Empty:
                return
            guard = {} if press is Press.HINT else {"expected_number": self._number}
            status, answer = companion.command({"do": press.value, **guard})
            self._seeking |= press is Press.HINT and status == 202
            if status != 202:
                _log.info("the button %s was refused: %s", press.value, answer.get("error"))
                self.buzzer.sound(_REFUSED_SOUNDS)
                self.voice.say(str(answer.get("error", "")))

    def close(self) -> None:
        for device in (self._buttons, self.lamp, self.buzzer):
            device.close()
        self.voice.hush()

    def _tell_hint(self, snapshot: dict[str, Any]) -> None:
        hint = snapshot.get("hint")
        if self._seeking and hint is not None and hint.get("fen") == snapshot["fen"]:
            self._seeking = False
            self.voice.say(f"Hint: {hint['move']}")

    def _pressed(self, press: Press) -> None:
        """Called from the pins' own thread."""
        try:
            self._presses.put_nowait(press)
        except queue.Full:
            _log.info("the button %s was pressed too often", press.value)
