"""The whole pipeline over the beginning of a recorded game."""

import json
from itertools import islice
from pathlib import Path

import pytest

from rules.variants.catalogue import variant_named
from server.cli.replay import replayed
from server.runtime.pipeline import Pipeline
from server.session.state import new_state, terms_for
from server.settings import Settings

GAME = Path(__file__).resolve().parents[3] / "shared" / "frames" / "games" / "english-whole"


@pytest.mark.skipif(not GAME.exists(), reason="the recorded games are not here")
def test_the_first_moves_of_a_recorded_game_are_read_without_a_word_more() -> None:
    wanted = json.loads((GAME / "expected.json").read_text(encoding="utf-8"))["moves"][:2]
    pipeline = Pipeline(new_state(terms_for(variant_named("english"))), Settings())
    events = list(islice(replayed(GAME / "frames", pipeline), 3))
    assert [e["type"] for e in events] == ["ready", "move", "move"]
    assert [e["move"] for e in events[1:]] == wanted


@pytest.mark.skipif(not GAME.exists(), reason="the recorded games are not here")
def test_a_recorded_game_with_corrections_is_read_to_its_end() -> None:
    folder = GAME.with_name("english-corrections")
    wanted = json.loads((folder / "expected.json").read_text(encoding="utf-8"))
    pipeline = Pipeline(new_state(terms_for(variant_named("english"))), Settings())
    events = list(replayed(folder / "frames", pipeline))
    assert [e["move"] for e in events if e["type"] == "move"] == wanted["moves"]
    assert [e["kind"] for e in events if e["type"] == "violation"] == wanted["faults"]
