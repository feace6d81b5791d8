"""Push buttons at the board: the arbiter accepts or dismisses without a screen."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from hardware.signals.pins import input_pin


class Press(Enum):
    """What a button means; the words are those of the dashboard's commands."""

    ACCEPT = "accept"
    DISMISS = "dismiss"
    TAKE_BACK = "take_back"
    HINT = "hint"


BUTTON_PINS: Mapping[Press, int] = {Press.ACCEPT: 5, Press.DISMISS: 6, Press.TAKE_BACK: 13, Press.HINT: 19}


@dataclass(slots=True)
class Buttons:
    """Calls `pressed` from gpiozero's thread; it should only put the press on a queue."""

    pressed: Callable[[Press], None]
    pins: Mapping[Press, int] = field(default_factory=lambda: dict(BUTTON_PINS))
    open_pin: Callable[[int], Any] = input_pin
    _devices: list[Any] = field(default_factory=list)

    def __post_init__(self) -> None:
        for press, pin in self.pins.items():
            device = self.open_pin(pin)
            if device is not None:
                device.when_pressed = self._caller(press)
                self._devices.append(device)

    @property
    def present(self) -> bool:
        return bool(self._devices)

    def close(self) -> None:
        for device in self._devices:
            device.close()
        self._devices.clear()

    def _caller(self, press: Press) -> Callable[[], None]:
        # A function of its own: gpiozero inspects how many arguments a callback takes.
        def call() -> None:
            self.pressed(press)

        return call
