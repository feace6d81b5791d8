"""A verdict is shown first; what can wait, waits: learning the board's look, the journal's second copy."""

import pytest

from hardware.simulator.script import read_script
from hardware.simulator.staging import scene_of, shots
from server.runtime import pipeline as pipeline_module
from server.runtime.pipeline import Pipeline
from server.session.state import new_state, terms_for
from server.settings import Settings
from server.store.journal import Journal
from tests.support.simulated import STAGING, calibrated


def test_nothing_is_learned_of_a_picture_before_what_it_shows_was_handed_on(monkeypatch: pytest.MonkeyPatch) -> None:
    script = read_script("variant english\n11-15\nwait 1")
    pipeline = Pipeline(new_state(terms_for(script.variant, script.start)), Settings(), calibrated("english"))
    learned, reference = [], pipeline_module.reference
    monkeypatch.setattr(pipeline_module, "reference", lambda *known: (learned.append(1), reference(*known))[1])
    for shot in shots(script, scene_of(script, STAGING), STAGING):
        pipeline.learn()
        before = len(learned)
        effects = pipeline.see(shot.frame)
        assert len(learned) == before
        if any(effect.type == "move" for effect in effects):
            pipeline.learn()
            assert len(learned) == before + 1
            return
    pytest.fail("saw no move")


def test_the_second_copy_follows_when_it_is_asked_for_and_at_the_latest_at_the_end(tmp_path) -> None:
    journal = Journal(tmp_path / "games.sqlite3")
    number = journal.new_game("english", {"uid": "one"})
    (copy,) = (tmp_path / "games").iterdir()
    lines = [copy.read_text().count("\n")]
    for act in (lambda: journal.append(number, [{"type": "move", "move": "11-15"}]), journal.copy, journal.copy):
        act()
        lines.append(copy.read_text().count("\n"))
    journal.append(number, [{"type": "move", "move": "22-17"}])
    journal.close()
    assert [*lines, copy.read_text().count("\n")] == [1, 1, 2, 2, 3]
