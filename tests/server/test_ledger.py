"""The ledger: whatever the disk does, the game goes on and nothing of it is lost."""

import logging
import os
import shutil
import subprocess
import sys

import pytest

from server.errors import StoreError
from server.runtime.ledger import Ledger
from server.store.importing import games_in, put
from server.store.journal import Journal
from tests.server.kept_games import begun, no_space, written

LATER = 1e6
"""Seconds after which another try is due."""


@pytest.fixture
def path(tmp_path):
    return tmp_path / "data" / "games.sqlite3"


def test_a_full_disk_is_said_and_everything_is_written_once_there_is_space(path, games):
    state, batches = games.played(40)
    ledger = begun(path, games, batches[:5])
    no_space(ledger)
    for events in batches[5:]:
        ledger.append(events, os.urandom(3000), os.urandom(3000))
    moves = [ply.text for ply in state.plies]
    assert "full" in ledger.message
    assert "goes on in memory" in ledger.message
    assert [event["move"] for event in ledger.game(1)["events"]] == moves
    assert ledger.games()[0]["plies"] == 40
    assert len(written(path)) < 40
    assert ledger.tend(LATER)
    assert ledger.message == ""
    assert "written down" in ledger.notice
    assert written(path) == moves
    ledger.close()


def test_games_begun_while_the_disk_is_full_are_written_each_as_its_own(path, games):
    ledger = begun(path, games, games.played(4)[1])
    no_space(ledger)
    known = {}
    for seed in (2, 3):
        state, batches = games.played(30, seed)
        ledger.begin(games.fresh())
        for events in batches:
            ledger.append(events, os.urandom(3000), None)
        known[ledger.game_number] = [ply.text for ply in state.plies]
    assert ledger.message
    assert ledger.tend(LATER)
    assert {number: written(path, number) for number in known} == known
    assert len(ledger.games()) == 3
    ledger.close()


def test_a_folder_that_vanished_is_written_anew_with_all_that_was_in_it(path, games):
    state, batches = games.played(20)
    first = begun(path, games, games.played(6, 9)[1])
    first.begin(games.fresh())
    for events in batches[:10]:
        first.append(events, b"before", b"after")
    shutil.rmtree(path.parent)
    first.append(batches[10], None, None)
    assert "gone" in first.message
    for events in batches[11:]:
        first.append(events, None, None)
    assert first.tend(LATER)
    assert written(path, 2) == [ply.text for ply in state.plies]
    assert written(path, 1) == [ply.text for ply in games.played(6, 9)[0].plies]
    first.close()


def test_what_is_said_of_a_folder_that_was_moved_away_is_true_and_nothing_of_it_is_lost(path, games):
    state, batches = games.played(8)
    ledger = begun(path, games, batches[:5])
    (path.parent / "pin.json").write_text('{"pin": "123456"}')
    (path.parent / "pin.json").chmod(0o600)
    ledger.look_around()
    old = path.parent.with_name("moved")
    path.parent.rename(old)
    for events in batches[5:]:
        ledger.append(events, None, None)
    ledger.copy()
    assert not path.parent.exists(), "nothing is made anew before it is said"
    assert ledger.tend(LATER)
    assert "made anew" in ledger.notice
    assert f"--import {path.parent}/games/*.jsonl" in ledger.notice
    assert (path.parent / "pin.json").read_text() == '{"pin": "123456"}'
    assert (path.parent / "pin.json").stat().st_mode & 0o777 == 0o600
    assert written(path) == [ply.text for ply in state.plies]
    assert len(written(old / path.name)) == 5
    ledger.close()
    journal = Journal(old / path.name)
    for copy in (path.parent / "games").glob("*.jsonl"):
        for game in games_in(copy, None):
            put(journal, game)
    journal.close()
    assert written(old / path.name) == [ply.text for ply in state.plies]


def test_a_second_kibitz_on_the_same_folder_is_told_of_the_first_until_that_is_killed(path, games):
    hold = (
        "import sys; from pathlib import Path; from server.runtime.ledger import Ledger; "
        "held = Ledger(Path(sys.argv[1])); print(held.notice or 'alone', flush=True); sys.stdin.read()"
    )
    first = subprocess.Popen(
        [sys.executable, "-c", hold, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    try:
        assert first.stdout.readline() == "alone\n"
        second = begun(path, games, games.played(3)[1])
        assert "Another Kibitz" in second.notice
        assert "--data" in second.notice
        assert not second.tend(LATER)
    finally:
        first.kill()
        first.communicate()
    assert second.tend(2 * LATER)
    assert second.notice == ""
    second.close()


def test_a_stick_that_was_pulled_and_put_back_gets_what_it_missed(path, games):
    state, batches = games.played(20)
    ledger = begun(path, games, batches[:10])
    away = path.parent.with_name("away")
    path.parent.rename(away)
    path.parent.write_text("no folder can be made here")
    for events in batches[10:]:
        ledger.append(events, None, None)
    assert not ledger.tend(LATER)
    assert ledger.message
    assert len(ledger.game(1)["events"]) == 20
    path.parent.unlink()
    away.rename(path.parent)
    assert ledger.tend(2 * LATER)
    assert written(path) == [ply.text for ply in state.plies]
    ledger.close()


def test_without_any_folder_the_game_is_kept_in_memory_from_the_start(tmp_path, games):
    (tmp_path / "data").write_text("a file where the folder should be")
    path = tmp_path / "data" / "games.sqlite3"
    state, batches = games.played(8)
    ledger = begun(path, games, batches)
    assert "--data" in ledger.message
    assert ledger.unfinished() is None
    assert "1." in ledger.pdn(None, "strict")
    (tmp_path / "data").unlink()
    assert ledger.tend(LATER)
    assert written(path) == [ply.text for ply in state.plies]
    ledger.close()


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_read_only_disk_is_said_at_once_and_its_games_are_still_listed(path, games):
    state, batches = games.played(5)
    begun(path, games, batches).close()
    path.chmod(0o400)
    ledger = Ledger(path)
    assert "--data" in ledger.message
    assert ledger.games()[0]["plies"] == 5
    assert [ply.text for ply in ledger.unfinished().plies] == [ply.text for ply in state.plies]
    path.parent.chmod(0o700)
    path.chmod(0o600)
    assert ledger.tend(LATER)
    ledger.close()


def test_a_journal_damaged_while_it_is_used_is_put_aside_and_goes_on(path, games):
    state, batches = games.played(30)
    ledger = begun(path, games, batches[:20])
    ledger._journal._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    path.write_bytes(b"\0" * 5000)
    for events in batches[20:]:
        ledger.append(events, None, None)
    ledger.tend(LATER)
    ledger.close()
    assert written(path) == [ply.text for ply in state.plies]


def test_a_folder_put_in_the_place_of_the_journal_is_kept_and_the_game_is_written_down(path, games):
    state, batches = games.played(10)
    ledger = begun(path, games, batches[:5])
    path.rename(path.with_name("moved away"))
    path.mkdir()
    for events in batches[5:]:
        ledger.append(events, None, None)
    assert ledger.tend(LATER)
    assert "kept as games.sqlite3.damaged-1" in ledger.notice
    ledger.close()
    assert path.with_name("games.sqlite3.damaged-1").is_dir()
    assert written(path) == [ply.text for ply in state.plies]


def test_two_ledgers_writing_at_once_lose_nothing(path, games):
    one, two = begun(path, games, []), begun(path, games, [])
    state_one, batches_one = games.played(15, 1)
    state_two, batches_two = games.played(15, 2)
    for first, second in zip(batches_one, batches_two, strict=True):
        one.append(first, None, None)
        two.append(second, None, None)
    assert written(path, 1) == [ply.text for ply in state_one.plies]
    assert written(path, 2) == [ply.text for ply in state_two.plies]
    one.close()
    two.close()


def test_a_disk_that_stays_full_is_written_to_the_log_once(path, games, monkeypatch, caplog):
    def full(*_):
        raise StoreError("the disk is full")

    state, batches = games.played(6)
    ledger = begun(path, games, batches[:1])
    with monkeypatch.context() as patched, caplog.at_level(logging.WARNING, logger="server.runtime.ledger"):
        patched.setattr(Journal, "append", full)
        for k, events in enumerate(batches[1:], 1):
            ledger.append(events, None, None)
            ledger.tend(k * LATER)
    assert [record.getMessage() for record in caplog.records] == ["the disk is full"]
    assert ledger.tend(9 * LATER)
    assert written(path) == [ply.text for ply in state.plies]
    ledger.close()
