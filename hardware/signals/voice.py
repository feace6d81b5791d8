"""A voice that reads rulings aloud through espeak-ng, one sentence at a time."""

import logging
import shutil
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

WORDS_PER_MINUTE = 150
_LONGEST = 300
"""Characters of a message that are read; a longer one is cut."""

_log = logging.getLogger(__name__)


class Speech(Protocol):
    """The part of subprocess.Popen that is used."""

    def poll(self) -> int | None: ...
    def terminate(self) -> None: ...
    def wait(self, timeout: float | None = None) -> int: ...


def start_speech(command: Sequence[str]) -> Speech:
    return subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


@dataclass(slots=True)
class Voice:
    """Silent where espeak is not installed. A newer message cuts off the one being read: the older is stale."""

    language: str = "en"
    find: Callable[[str], str | None] = shutil.which
    start: Callable[[Sequence[str]], Speech] = start_speech
    _program: str | None = field(init=False)
    _speaking: Speech | None = None

    def __post_init__(self) -> None:
        self._program = self.find("espeak-ng") or self.find("espeak")

    @property
    def present(self) -> bool:
        return self._program is not None

    def say(self, message: str) -> None:
        """Starts reading and returns at once."""
        words = message.strip()[:_LONGEST]
        if self._program is None or not words:
            return
        self.hush()
        # "--" so that a message beginning with a dash is read, not taken for an option.
        command = [self._program, "-v", self.language, "-s", str(WORDS_PER_MINUTE), "--", words]
        try:
            self._speaking = self.start(command)
        except OSError as trouble:
            _log.warning("the voice does not start (%s); messages stay on the dashboard", trouble)
            self._program = None

    def hush(self) -> None:
        """Ends what is being read."""
        if self._speaking is None:
            return
        if self._speaking.poll() is None:
            self._speaking.terminate()
        try:
            self._speaking.wait(timeout=1.0)
        except subprocess.TimeoutExpired:
            _log.warning("the voice does not stop")
        self._speaking = None
