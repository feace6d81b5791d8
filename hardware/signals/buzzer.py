"""A buzzer: one short sound per new irregularity, none in a correct game."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from hardware.signals.pins import output_pin

BUZZER_PIN = 27
SOUND_SECONDS = 0.15


class Sounder(Protocol):
    """The part of gpiozero's Buzzer that is used; `beep` returns at once."""

    def beep(self, on_time: float, off_time: float, n: int, background: bool) -> None: ...
    def close(self) -> None: ...


@dataclass(slots=True)
class Buzzer:
    """Silent where there is no buzzer."""

    pin: int = BUZZER_PIN
    open_pin: Callable[[str, int], Sounder | None] = output_pin
    _sounder: Sounder | None = field(init=False)

    def __post_init__(self) -> None:
        self._sounder = self.open_pin("Buzzer", self.pin)

    @property
    def present(self) -> bool:
        return self._sounder is not None

    def sound(self, times: int = 1) -> None:
        """Sounds `times` times (1 to 5) without holding up the caller."""
        if self._sounder is not None:
            self._sounder.beep(SOUND_SECONDS, SOUND_SECONDS, max(1, min(times, 5)), True)

    def close(self) -> None:
        if self._sounder is not None:
            self._sounder.close()
            self._sounder = None
