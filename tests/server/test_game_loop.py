"""Commands on their way to the game loop: done once or not at all, and none ends the game."""

import logging
import threading

import numpy as np
import pytest

from rules.variants.catalogue import variant_named
from server.runtime.camera_thread import Camera
from server.runtime.game_loop import GameLoop
from server.runtime.ledger import Ledger
from server.runtime.pipeline import Pipeline
from server.session.state import new_state, terms_for
from server.settings import Settings
from tests.support.quiet_table import StillCamera
from vision.frame import Frame

TAGS = {"do": "tags", "tags": {"White": "Ada"}}


@pytest.fixture
def loop(tmp_path):
    session = new_state(terms_for(variant_named("english")))
    ledger = Ledger(tmp_path / "games.sqlite3")
    ledger.begin(session)
    camera = Camera(lambda: StillCamera(0), threading.Event(), 80)
    yield GameLoop(camera, Pipeline(session, Settings()), ledger, lambda: 7, lambda _: None, patience=0.05)
    ledger.close()


def while_running(loop, fields):
    stop = threading.Event()
    rounds = threading.Thread(target=loop.run, args=(stop,))
    rounds.start()
    loop._patience = 20.0
    try:
        return loop.command(fields)
    finally:
        stop.set()
        rounds.join()


def test_a_command_that_nobody_took_in_time_is_never_done_later(loop):
    status, answer = loop.command(TAGS)
    assert status == 503
    assert "nothing was done" in answer["error"]
    while_running(loop, {"do": "settings", "mode": "record"})
    assert loop.pipeline.session.tags == {}


def test_a_command_that_goes_wrong_inside_leaves_the_game_running(loop, monkeypatch, caplog):
    def broken(*_):
        raise ZeroDivisionError("a quotient")

    with caplog.at_level(logging.CRITICAL), monkeypatch.context() as patched:
        patched.setattr("server.runtime.game_loop.step", broken)
        status, answer = while_running(loop, TAGS)
    assert status == 500
    assert "the game is safe" in answer["error"]
    assert while_running(loop, TAGS) == (202, {"number": 7})
    assert loop.pipeline.session.tags == {"White": "Ada"}


def test_of_simulated_players_it_is_said_truly_whether_they_play_on(tmp_path):
    session = new_state(terms_for(variant_named("english")))
    ledger = Ledger(tmp_path / "games.sqlite3")
    ledger.begin(session)
    camera = Camera(lambda: StillCamera(0), threading.Event(), 80)
    camera.simulated = True
    loop = GameLoop(camera, Pipeline(session, Settings()), ledger, lambda: 7, lambda _: None)
    for paused, move in ((False, "11-15"), (True, "22-18")):
        while_running(loop, {"do": "choose", "candidate": move})
        while_running(loop, {"do": "simulated", "paused": paused})
        while_running(loop, {"do": "take_back"})
        assert ("paused" in loop.note) is paused
    while_running(loop, {"do": "simulated", "paused": False})
    assert "play on after some seconds" in loop.note
    ledger.close()


def test_that_the_camera_works_is_shown_before_the_board_is_looked_for(tmp_path, monkeypatch):
    session = new_state(terms_for(variant_named("english")))
    ledger = Ledger(tmp_path / "games.sqlite3")
    ledger.begin(session)
    stop, order = threading.Event(), []
    camera = Camera(lambda: StillCamera(1), stop, 80)
    loop = GameLoop(camera, Pipeline(session, Settings()), ledger, lambda: order.append(camera.view()["state"]), print)

    def see(frame):
        order.append("looked")
        stop.set()
        return ()

    monkeypatch.setattr(loop.pipeline, "see", see)
    thread = threading.Thread(target=camera.run)
    thread.start()
    loop.run(stop)
    thread.join()
    ledger.close()
    assert order[:2] == ["ok", "looked"]


def test_a_press_that_has_not_seen_the_newest_game_is_refused_where_it_is_carried_out(loop):
    loop.is_stale = lambda number: number < 7
    status, answer = while_running(loop, {**TAGS, "expected_number": 6})
    assert (status, loop.pipeline.session.tags) == (409, {})
    assert "press again" in answer["error"]
    assert while_running(loop, {**TAGS, "expected_number": 7})[0] == 202


def test_while_simulated_players_lay_the_board_nothing_is_read_from_it(loop, monkeypatch):
    frame = Frame(np.full((240, 320, 3), 90, np.uint8), 1.0, 1)
    looked = []
    monkeypatch.setattr(loop.pipeline, "see", lambda frame: looked.append(frame) or ())
    loop._camera.arranging = lambda: True
    assert loop._look(frame) is False
    assert looked == []
    loop._camera.arranging = lambda: False
    loop._look(frame)
    assert looked == [frame]
