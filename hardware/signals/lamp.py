"""A lamp at the board: off while all is well, on while an irregularity stands."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from hardware.signals.pins import output_pin

LAMP_PIN = 17


class Switch(Protocol):
    """The part of gpiozero's LED and Buzzer that is used."""

    def on(self) -> None: ...
    def off(self) -> None: ...
    def close(self) -> None: ...


@dataclass(slots=True)
class Lamp:
    """Silent where there is no lamp: every call then does nothing."""

    pin: int = LAMP_PIN
    open_pin: Callable[[str, int], Switch | None] = output_pin
    _switch: Switch | None = field(init=False)

    def __post_init__(self) -> None:
        self._switch = self.open_pin("LED", self.pin)

    @property
    def present(self) -> bool:
        return self._switch is not None

    def show(self, irregular: bool) -> None:
        """Lights the lamp while an irregularity stands."""
        if self._switch is None:
            return
        if irregular:
            self._switch.on()
        else:
            self._switch.off()

    def close(self) -> None:
        if self._switch is not None:
            self._switch.off()
            self._switch.close()
            self._switch = None
