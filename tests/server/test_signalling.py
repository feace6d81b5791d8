"""Lamp, buzzer, voice and buttons follow the game that the dashboard shows."""

import threading

import pytest

from hardware.signals.buttons import Buttons, Press
from hardware.signals.buzzer import Buzzer
from hardware.signals.lamp import Lamp
from hardware.signals.voice import Voice
from server.cli.main import main
from server.runtime.signalling import Signals
from tests.support.fake_companion import MISSED_CAPTURE, FakeCompanion, snapshot


class Device:
    """A lamp, a buzzer, a button or a voice that writes down what it is told."""

    def __init__(self):
        self.heard = []
        self.when_pressed = None

    def on(self):
        self.heard.append("on")

    def off(self):
        self.heard.append("off")

    def beep(self, on_time, off_time, n, background):
        self.heard.append(n)

    def poll(self):
        return 0

    def wait(self, timeout=None):
        return 0

    def close(self):
        self.heard.append("closed")


class Board:
    """Signals on pins that are not there, with what each of them did."""

    def __init__(self):
        self.lamp, self.buzzer, self.said = Device(), Device(), []
        self.buttons = {}
        voice = Voice(find=lambda name: name, start=self._speech)
        self.signals = Signals(
            Lamp(open_pin=lambda kind, pin: self.lamp),
            Buzzer(open_pin=lambda kind, pin: self.buzzer),
            voice,
            lambda pressed: Buttons(pressed, {press: press for press in Press}, self._button),
        )

    def _button(self, press):
        return self.buttons.setdefault(press, Device())

    def _speech(self, command):
        self.said.append(command[-1])
        return Device()


def test_a_quiet_game_is_silent():
    board = Board()
    board.signals.show(snapshot())
    assert (board.lamp.heard, board.buzzer.heard, board.said) == (["off"], [], [])


def test_an_irregularity_shines_for_as_long_as_it_stands_and_is_told_once():
    board = Board()
    for number in (8, 9):
        board.signals.show(snapshot(number=number, irregularity=MISSED_CAPTURE))
    board.signals.show(snapshot(number=10))
    assert board.lamp.heard == ["on", "on", "off"]
    assert board.buzzer.heard == [1]
    assert board.said == [MISSED_CAPTURE["message"]]
    board.signals.show(snapshot(number=11, irregularity=MISSED_CAPTURE))
    assert board.buzzer.heard == [1, 1]


@pytest.mark.parametrize(
    "changes",
    [
        {"irregularity": MISSED_CAPTURE, "result": "2-0"},
        {"irregularity": {**MISSED_CAPTURE, "kind": "wrong_setup"}},
        {"irregularity": {**MISSED_CAPTURE, "kind": "off_square"}},
    ],
)
def test_what_asks_for_no_decision_neither_shines_nor_sounds(changes):
    board = Board()
    board.signals.show(snapshot(**changes))
    assert (board.lamp.heard, board.buzzer.heard, board.said) == (["off"], [], [])


def test_a_press_is_the_command_of_the_dashboard_on_the_game_that_was_shown():
    board, companion = Board(), FakeCompanion()
    board.signals.show(snapshot(number=7))
    for press in Press:
        board.buttons[press].when_pressed()
    board.signals.obey(companion)
    assert companion.commands == [
        {"do": "accept", "expected_number": 7},
        {"do": "dismiss", "expected_number": 7},
        {"do": "take_back", "expected_number": 7},
        {"do": "hint"},
    ]
    assert board.buzzer.heard == []


def test_a_press_that_is_refused_sounds_twice_and_is_read_aloud():
    board, companion = Board(), FakeCompanion()
    companion.answer = (409, {"error": "no irregularity stands, so none can be accepted"})
    board.buttons[Press.ACCEPT].when_pressed()
    board.signals.obey(companion)
    assert board.buzzer.heard == [2]
    assert board.said == ["no irregularity stands, so none can be accepted"]


def test_a_hint_that_a_button_asked_for_is_read_aloud_once():
    board, companion = Board(), FakeCompanion()
    hint = {"move": "14x23", "fen": snapshot()["fen"], "ply": 3}
    board.signals.show(snapshot(hint=hint))
    assert board.said == []
    board.buttons[Press.HINT].when_pressed()
    board.signals.obey(companion)
    for number in (8, 9):
        board.signals.show(snapshot(number=number, hint=hint))
    assert board.said == ["Hint: 14x23"]


def test_the_game_is_followed_until_all_ends_and_then_everything_is_put_out():
    board, companion, stop = Board(), FakeCompanion(), threading.Event()
    companion.queue = [snapshot(number=8, irregularity=MISSED_CAPTURE), None]
    wait_for = companion.wait_for

    def waited(number, timeout):
        found = wait_for(number, timeout)
        if found is None:
            stop.set()
        return found

    companion.wait_for = waited
    board.signals.follow(companion, stop)
    assert companion.waited_for == [1, 9]
    assert board.lamp.heard == ["on"]
    board.signals.close()
    assert board.lamp.heard[-1] == board.buzzer.heard[-1] == "closed"
    assert all(button.heard == ["closed"] for button in board.buttons.values())


def test_what_is_at_the_board_is_named():
    assert Board().signals.found == ("lamp", "buzzer", "buttons", "voice")
    nothing = Signals(voice=Voice(find=lambda name: None))
    assert nothing.found == ()
    nothing.show(snapshot(irregularity=MISSED_CAPTURE))
    nothing.close()


def test_the_signals_are_asked_for_by_an_option(capsys):
    with pytest.raises(SystemExit):
        main(["serve", "--help"])
    assert "--signals" in capsys.readouterr().out
