"""The Pi's pins through gpiozero, which is imported only when a pin is asked for."""

import importlib
import logging
from typing import Any

_log = logging.getLogger(__name__)


def output_pin(kind: str, pin: int) -> Any:
    """gpiozero's LED or Buzzer on a BCM pin, or None where there are no pins."""
    return _device(kind, pin)


def input_pin(pin: int) -> Any:
    """gpiozero's Button between a BCM pin and ground, or None where there are no pins."""
    return _device("Button", pin, bounce_time=0.05)


def _device(kind: str, pin: int, **options: float) -> Any:
    try:
        gpiozero = importlib.import_module("gpiozero")
    except ImportError:
        return None
    # BadPinFactory (no pins on this machine) and a pin in use are both GPIOZeroError.
    try:
        return getattr(gpiozero, kind)(pin, **options)
    except gpiozero.GPIOZeroError as trouble:
        _log.info("no %s on pin %d: %s", kind, pin, trouble)
        return None
