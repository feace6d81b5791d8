"""The journal: what is written stays, and a damaged file costs nothing that can still be read."""

import json
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from server.errors import StoreError
from server.store.journal import Evidence, Journal
from server.store.kept_terms import terms_as_json
from server.store.resume import resumed
from tests.server.written_games import moves_of, write_games


def test_a_reader_sees_what_is_written_while_it_is_written(tmp_path, games):
    journal = Journal(tmp_path / "games.sqlite3")
    known = write_games(journal, games, 1)
    words = [sys.executable, "-m", "server", "games", "1", "--json", "--data", str(tmp_path)]
    done = subprocess.run(words, capture_output=True, text=True, check=True, cwd=Path(__file__).parents[2])
    assert [event["move"] for event in json.loads(done.stdout)["events"]] == known[1]
    journal.close()


def test_events_can_neither_be_changed_nor_deleted(tmp_path, games):
    journal = Journal(tmp_path / "games.sqlite3")
    write_games(journal, games, 1, 2)
    other = sqlite3.connect(tmp_path / "games.sqlite3")
    for order in ("DELETE FROM events", "UPDATE events SET json = '{}'"):
        with pytest.raises(sqlite3.DatabaseError, match="only grows"):
            other.execute(order)
    other.close()
    journal.close()


def test_events_carry_their_pictures_and_a_picture_is_kept_once(tmp_path, games):
    journal = Journal(tmp_path / "games.sqlite3")
    number = journal.new_game("english", terms_as_json(games.fresh().terms, {}))
    _, batches = games.played(3)
    pictures = [b"one", b"two", b"three", b"four"]
    for k, events in enumerate(batches):
        journal.append(number, events, Evidence(pictures[k], pictures[k + 1]))
    assert [journal.picture(number, k, "before") for k in (1, 2, 3)] == pictures[:3]
    assert [journal.picture(number, k, "after") for k in (1, 2, 3)] == pictures[1:]
    assert journal.last_picture(number) == b"four"
    with sqlite3.connect(tmp_path / "games.sqlite3") as reader:
        assert reader.execute("SELECT COUNT(*) FROM pictures").fetchone() == (4,)
    reader.close()
    journal.close()


def test_a_clock_that_jumps_back_changes_no_order(tmp_path, games):
    journal = Journal(tmp_path / "games.sqlite3")
    state, batches = games.played(6)
    number = journal.new_game("english", terms_as_json(games.fresh().terms, {}), started=2e9)
    for k, events in enumerate(batches):
        journal.append(number, events, times=[2e9 - 1000.0 * k])
    later = journal.new_game("english", terms_as_json(games.fresh().terms, {}), started=5.0)
    assert [game["game"] for game in journal.games()] == [later, number]
    assert [event["move"] for event in journal.events(number)] == [ply.text for ply in state.plies]
    assert resumed(journal.game(number)).position == state.position
    journal.close()


def test_a_read_only_folder_is_read(tmp_path, games):
    folder = tmp_path / "data"
    journal = Journal(folder / "games.sqlite3")
    known = write_games(journal, games, 2, 5)
    journal.close()
    folder.chmod(0o500)
    try:
        reader = Journal(folder / "games.sqlite3", read_only=True)
        assert moves_of(reader) == known
        reader.close()
    finally:
        folder.chmod(0o700)


def test_a_folder_that_cannot_be_made_is_refused_with_the_cure(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match="--data"):
        Journal(tmp_path / "file" / "games.sqlite3")


def test_summaries_tell_how_far_each_game_went_and_how_it_ended(tmp_path, games):
    journal = Journal(tmp_path / "games.sqlite3")
    state, batches = games.played(5)
    number = journal.new_game("english", terms_as_json(games.fresh().terms, {"White": "Anna"}))
    for events in batches:
        journal.append(number, events)
    state, events = games.told(state, "take_back", plies=2)
    journal.append(number, events)
    assert journal.games()[0]["plies"] == 3
    for words in ({"do": "tags", "tags": {"Black": "Ben"}}, {"do": "result", "result": "1/2-1/2"}):
        state, events = games.told(state, **words)
        journal.append(number, events)
    (found,) = journal.games()
    assert (found["plies"], found["result"]) == (3, "1/2-1/2")
    assert found["tags"] == {"White": "Anna", "Black": "Ben"}
    journal.close()
