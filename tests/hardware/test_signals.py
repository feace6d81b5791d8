"""Signals with fakes in place of the devices; without devices all are silent."""

import sys
from collections.abc import Sequence
from typing import Any

import pytest

from hardware.signals.buttons import Buttons, Press
from hardware.signals.buzzer import Buzzer
from hardware.signals.lamp import Lamp
from hardware.signals.pins import input_pin, output_pin
from hardware.signals.voice import Voice


class FakeDevice:
    """Writes down what it is told."""

    def __init__(self) -> None:
        self.heard: list[Any] = []
        self.when_pressed: Any = None

    def on(self) -> None:
        self.heard.append("on")

    def off(self) -> None:
        self.heard.append("off")

    def close(self) -> None:
        self.heard.append("close")

    def beep(self, on_time: float, off_time: float, n: int, background: bool) -> None:
        self.heard.append((n, background))


class FakeSpeech:
    """A voice that speaks until it is ended."""

    def __init__(self) -> None:
        self.ended = False

    def poll(self) -> int | None:
        return 0 if self.ended else None

    def terminate(self) -> None:
        self.ended = True

    def wait(self, timeout: float | None = None) -> int:
        return 0


def test_the_lamp_shines_while_an_irregularity_stands() -> None:
    device = FakeDevice()
    lamp = Lamp(open_pin=lambda kind, pin: device)
    lamp.show(True)
    lamp.show(False)
    lamp.close()
    lamp.show(True)
    assert device.heard == ["on", "off", "off", "close"]


def test_the_buzzer_sounds_without_holding_up_the_game() -> None:
    device = FakeDevice()
    buzzer = Buzzer(open_pin=lambda kind, pin: device)
    buzzer.sound()
    buzzer.sound(40)
    assert device.heard == [(1, True), (5, True)]


def test_each_button_says_what_it_means() -> None:
    devices = {5: FakeDevice(), 6: FakeDevice()}
    pressed: list[Press] = []
    buttons = Buttons(pressed.append, {Press.ACCEPT: 5, Press.DISMISS: 6}, devices.__getitem__)
    devices[6].when_pressed()
    devices[5].when_pressed()
    assert pressed == [Press.DISMISS, Press.ACCEPT]
    buttons.close()
    assert not buttons.present


def test_without_gpiozero_everything_is_silent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "gpiozero", None)
    assert output_pin("LED", 17) is None
    assert input_pin(5) is None
    lamp, buzzer, buttons = Lamp(), Buzzer(), Buttons(lambda press: None)
    lamp.show(True)
    buzzer.sound()
    assert not (lamp.present)
    assert not (buzzer.present)
    assert not (buttons.present)


def _voice(started: list[Sequence[str]], spoken: list[FakeSpeech]) -> Voice:
    def start(command: Sequence[str]) -> FakeSpeech:
        started.append(command)
        spoken.append(FakeSpeech())
        return spoken[-1]

    return Voice(find=lambda name: "/bin/espeak" if name == "espeak" else None, start=start)


def test_a_newer_message_cuts_off_the_older_one() -> None:
    started: list[Sequence[str]] = []
    spoken: list[FakeSpeech] = []
    voice = _voice(started, spoken)
    voice.say("A capture was due")
    voice.say("--Corrected")
    assert [command[-2:] for command in started] == [["--", "A capture was due"], ["--", "--Corrected"]]
    assert [speech.ended for speech in spoken] == [True, False]


def test_an_empty_message_says_nothing() -> None:
    started: list[Sequence[str]] = []
    _voice(started, []).say("  ")
    assert started == []


def test_without_espeak_the_voice_is_silent() -> None:
    voice = Voice(find=lambda name: None)
    voice.say("anything")
    assert not voice.present


def test_a_voice_that_does_not_start_is_given_up() -> None:
    def fail(command: Sequence[str]) -> FakeSpeech:
        raise OSError("no sound")

    voice = Voice(find=lambda name: "/bin/espeak-ng", start=fail)
    voice.say("anything")
    assert not voice.present
