"""The simulated board under the running companion: a game is watched to its very end, and the next one begins."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from hardware.cameras.simulated import SimulatedBoard
from rules.fen import parse_fen
from rules.variants.catalogue import variant_named
from server.cli.serve import _say_what_was_cut_short
from server.runtime.companion import Feed, RunningCompanion
from server.runtime.ledger import Ledger
from server.runtime.pipeline import Pipeline
from server.runtime.wishing import Players
from server.session.state import new_state, terms_for
from server.settings import Settings
from server.store.resume import Begun

NEARLY_OVER = "W:W21,22,23,24,25,26,27,28,29,30,31,32:B18"
PATIENCE_SECONDS = 240.0


@contextmanager
def _evening(folder: Path, start: str | None) -> Iterator[RunningCompanion]:
    """The companion as `kibitz serve --camera simulated` has it, but as fast as pictures can be drawn."""
    english = variant_named("english")
    session = new_state(terms_for(english, None if start is None else parse_fen(english, start)))
    ledger = Ledger(folder / "games.sqlite3")
    ledger.begin(session)
    pipeline, rest = Pipeline(session, Settings()), threading.Event()
    players = Players(lambda: pipeline.session, lambda: ledger.game_number)
    board = SimulatedBoard(
        "english",
        2,
        paced=False,
        frames_per_second=2.5,
        size=(480, 270),
        wish=players.wish,
        rest=rest.is_set,
    )
    feed = Feed(lambda: board, True, rest, players.lead)
    companion = RunningCompanion(feed, pipeline, ledger, Settings(), "2468")
    companion.start()
    try:
        yield companion
    finally:
        companion.stop()


def _seen_until(companion: RunningCompanion, done: Callable[[dict[str, Any]], bool]) -> list[dict[str, Any]]:
    """The snapshots up to the one that is waited for."""
    seen: list[dict[str, Any]] = []
    while not seen or not done(seen[-1]):
        number = seen[-1]["number"] + 1 if seen else 0
        snapshot = companion.wait_for(number, PATIENCE_SECONDS)
        assert snapshot is not None, f"nothing new came; the last was {seen[-1] if seen else None}"
        seen.append(snapshot)
    return seen


def test_a_simulated_game_ends_and_the_next_one_is_watched_without_anybody_helping(tmp_path: Path) -> None:
    with _evening(tmp_path, NEARLY_OVER) as companion:
        seen = _seen_until(companion, lambda s: s["game"] == 2 and s["ply"] >= 2)
        first = companion.game(1)
        second = companion.game(2)
    assert first is not None
    assert first["result"] == "1-0"
    assert second is not None
    said = [event["type"] for event in second["events"]]
    assert said[:3] == ["ready", "move", "move"]
    assert all(s["irregularity"] is None for s in seen)
    assert not any(s["candidates"] for s in seen)


def test_the_simulated_players_follow_when_the_dashboard_begins_another_game(tmp_path: Path) -> None:
    with _evening(tmp_path, None) as companion:
        _seen_until(companion, lambda s: s["ply"] >= 1)
        status, _ = companion.command({"do": "new_game", "variant": "international"})
        seen = _seen_until(companion, lambda s: s["variant"] == "international" and s["ply"] >= 1)
    assert status == 202
    assert seen[-1]["irregularity"] is None
    assert len(seen[-1]["moves"]) == seen[-1]["ply"]


@pytest.mark.parametrize(
    ("plies", "order"),
    [
        (0, {"start": "W:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12"}),
        (1, {"first": "light"}),
    ],
)
def test_the_simulated_players_begin_with_the_side_that_was_asked_for(
    tmp_path: Path, plies: int, order: dict[str, Any]
) -> None:
    with _evening(tmp_path, None) as companion:
        _seen_until(companion, lambda s: s["ply"] >= plies and s["confidence"] is not None)
        status, _ = companion.command({"do": "new_game", **order})
        _seen_until(companion, lambda s: s["game"] == 2 and s["ply"] >= 2)
        second = companion.game(2)
    assert status == 202
    assert second is not None
    assert [event["side"] for event in second["events"] if event["type"] == "move"][:2] == ["light", "dark"]
    assert not any(event.get("kind") == "out_of_turn" for event in second["events"])


def test_a_visitor_pauses_the_simulated_game_and_lets_it_go_on(tmp_path: Path) -> None:
    with _evening(tmp_path, None) as companion:
        _seen_until(companion, lambda s: s["ply"] >= 1)
        answers = []
        for paused in (True, False):
            answers.append(companion.command({"do": "simulated", "paused": paused})[0])
            assert companion.snapshot()["camera"]["paused"] is paused
        _seen_until(companion, lambda s: s["ply"] >= 2)
    assert answers == [202, 202]


def test_the_simulated_players_go_on_from_where_moves_were_taken_back(tmp_path: Path) -> None:
    with _evening(tmp_path, None) as companion:
        _seen_until(companion, lambda s: s["ply"] >= 6)
        assert companion.command({"do": "take_back", "plies": 5})[0] == 202
        left = companion.snapshot()["ply"]
        seen = _seen_until(companion, lambda s: s["ply"] >= left + 2)
        game = companion.game(1)
    assert left <= 2
    assert "Pause holds them" in seen[0]["message"], "the button is seen to work"
    assert not any(s["irregularity"] for s in seen)
    assert game is not None
    taken_back = max(k for k, event in enumerate(game["events"]) if event["type"] == "takeback")
    after = [event["type"] for event in game["events"][taken_back + 1 :]]
    assert after[:2] == ["move", "move"], "nobody was accused, and nothing had to be put right by hand"


def test_the_simulated_players_play_on_from_a_slip_that_was_let_stand(tmp_path: Path) -> None:
    with _evening(tmp_path, None) as companion:
        seen = _seen_until(companion, lambda s: s["irregularity"] is not None)
        assert seen[-1]["irregularity"]["kind"] == "missed_capture"
        assert companion.command({"do": "accept"})[0] == 202
        stood = companion.snapshot()["ply"]
        _seen_until(companion, lambda s: s["ply"] >= stood + 2)
        game = companion.game(1)
    assert game is not None
    accepted = next(k for k, event in enumerate(game["events"]) if event["type"] == "resolved")
    after = [event["type"] for event in game["events"][accepted + 1 :]]
    assert after[:2] == ["move", "move"], "the players did not put right what had been let stand"


def test_a_simulated_game_that_was_cut_short_is_spoken_of_at_the_next_start(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    english = variant_named("english")
    ledger = Ledger(tmp_path / "games.sqlite3")
    ledger.begin(new_state(terms_for(english)), Begun.SIMULATED)
    _say_what_was_cut_short(ledger)
    assert capsys.readouterr().err == "", "a game in which nothing happened is no loss"
    ledger.append([{"t": 1.0, "frame": 1, "type": "move", "ply": 1, "move": "11-15"}], None, None)
    _say_what_was_cut_short(ledger)
    said = capsys.readouterr().err
    assert "number 1) was not finished" in said
    assert "1 move." in said
    assert "a new one begins" in said
    ledger.close()
