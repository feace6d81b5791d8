"""A game on another kind of board begins: the board is waited for before anybody is told that it is not found."""

from dataclasses import replace

import pytest

from hardware.cameras.simulated import SimulatedBoard
from rules.variants.catalogue import variant_named
from server.runtime.pipeline import Pipeline
from server.runtime.view import game_view
from server.session.state import new_state, terms_for
from server.settings import Settings


def _picture(name: str):
    return next(SimulatedBoard(name, 3, paced=False, size=(480, 270)).frames(lambda: False))


@pytest.mark.parametrize("name", ["turkish", "honeycomb"])
def test_while_the_board_is_being_changed_nothing_is_said_against_the_old_one(name):
    pipeline = Pipeline(new_state(terms_for(variant_named("international"))), Settings())
    old, new = _picture("international"), _picture(name)
    pipeline.see(old)
    assert pipeline.calibration is not None
    pipeline.begin(new_state(terms_for(variant_named(name))))
    for number in range(4):
        frame = replace(old, captured_at=100.0 + 4.0 * number, sequence=number)
        assert pipeline.see(frame) == ()
        assert pipeline.trouble == ""
    assert "Waiting for the board" in game_view(pipeline.session)["message"]
    assert pipeline.see(replace(new, captured_at=117.0, sequence=9)) == ()
    assert pipeline.calibration is not None, "it is found as soon as it lies there"


def test_a_board_that_stays_the_wrong_one_is_spoken_of_once_there_was_time_to_change_it():
    pipeline = Pipeline(new_state(terms_for(variant_named("international"))), Settings())
    old = _picture("international")
    pipeline.see(old)
    pipeline.begin(new_state(terms_for(variant_named("turkish"))))
    said = [pipeline.see(replace(old, captured_at=100.0 + 15.0 * n, sequence=n)) for n in range(4)]
    assert [[effect.type for effect in effects] for effects in said] == [[], [], ["attention"], []]
    assert "8x8" in pipeline.trouble


def test_what_was_said_of_the_board_of_an_earlier_game_is_not_shown_in_the_next():
    pipeline = Pipeline(new_state(terms_for(variant_named("turkish"))), Settings())
    pipeline.see(_picture("international"))
    assert "8x8" in pipeline.trouble
    pipeline.begin(new_state(terms_for(variant_named("international"))))
    assert pipeline.trouble == ""
