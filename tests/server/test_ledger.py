"""The ledger: whatever the disk does, the game goes on and nothing of it is lost."""

import logging
import os
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from server.cli.serve import _say_what_was_cut_short
from server.errors import StoreError
from server.runtime.ledger import Ledger
from server.session.state import Mode
from server.store.chronicle import terms_as_json
from server.store.importing import games_in, put
from server.store.journal import Journal
from server.store.resume import Begun

LATER = 1e6
"""Seconds after which another try is due."""


@pytest.fixture
def path(tmp_path):
    return tmp_path / "data" / "games.sqlite3"


def begun(path, games, batches):
    ledger = Ledger(path, clock=lambda: 1.7e9)
    ledger.begin(games.fresh())
    for events in batches:
        ledger.append(events, b"before", b"after")
    return ledger


def taken_up(path):
    """The game that a process started now goes on with."""
    ledger = Ledger(path)
    state = ledger.unfinished()
    ledger.close()
    return state


def written(path, number=1):
    journal = Journal(path, read_only=True)
    moves = [event["move"] for event in journal.events(number) if event["type"] == "move"]
    journal.close()
    return moves


def no_space(ledger):
    """The disk is full for this connection."""
    connection = ledger._journal._connection
    (pages,) = connection.execute("PRAGMA page_count").fetchone()
    connection.execute(f"PRAGMA max_page_count={pages}")


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


def test_the_unfinished_game_goes_on_where_it_stood(path, games):
    state, batches = games.played(12)
    begun(path, games, batches).close()
    ledger = Ledger(path)
    again = ledger.unfinished()
    assert again.position == state.position
    assert [ply.text for ply in again.plies] == [ply.text for ply in state.plies]
    assert ledger.last_picture() == b"after"
    state, events = games.told(state, "result", result="1-0")
    ledger.append(events, None, None)
    ledger.close()
    assert taken_up(path) is None


def test_a_game_that_another_process_plays_is_not_taken_up(path, games):
    script = (
        "import sys, pathlib\n"
        "from server.runtime.ledger import Ledger\n"
        "ledger = Ledger(pathlib.Path(sys.argv[1]))\n"
        "print(ledger.unfinished() is not None, flush=True)\n"
        "sys.stdin.readline()\n"
    )
    begun(path, games, games.played(3)[1]).close()
    words = [sys.executable, "-c", script, str(path)]
    root = Path(__file__).parents[2]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=root) as other:
        assert other.stdout.readline().strip() == "True"
        mine = Ledger(path)
        assert mine.unfinished() is None
        mine.begin(games.fresh())
        assert mine.game_number == 2
        other.communicate("\n")
    mine.close()
    assert taken_up(path) is not None


def test_a_simulated_game_that_another_kibitz_plays_is_not_said_to_have_been_cut_short(path, games, capsys):
    script = (
        "import sys, pathlib\n"
        "from server.runtime.ledger import Ledger\n"
        "from server.session.state import new_state, terms_for\n"
        "from server.store.resume import Begun\n"
        "from rules.variants.catalogue import variant_named\n"
        "ledger = Ledger(pathlib.Path(sys.argv[1]))\n"
        "ledger.begin(new_state(terms_for(variant_named('english'))), Begun.SIMULATED)\n"
        "ledger.append([{'t': 1.0, 'frame': 1, 'type': 'move', 'ply': 1, 'move': '11-15'}], None, None)\n"
        "print('plays', flush=True)\n"
        "sys.stdin.readline()\n"
    )
    root = Path(__file__).parents[2]
    words = [sys.executable, "-c", script, str(path)]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=root) as other:
        assert other.stdout.readline() == "plays\n"
        mine = Ledger(path)
        _say_what_was_cut_short(mine)
        assert capsys.readouterr().err == ""
        other.communicate("\n")
    _say_what_was_cut_short(mine)
    assert "number 1) was not finished" in capsys.readouterr().err
    mine.close()


def test_a_simulated_game_stays_one_while_the_disk_is_full_and_after(path, games):
    ledger = Ledger(path)
    ledger.begin(games.fresh(), Begun.SIMULATED)
    no_space(ledger)
    for events in games.played(30)[1]:
        ledger.append(events, os.urandom(3000), None)
    assert ledger.message
    assert ledger.games()[0].get("simulated") is True
    assert ledger.game(1).get("simulated") is True
    assert ledger.tend(LATER)
    assert ledger.games()[0].get("simulated") is True
    ledger.close()


def left_empty(path, games, begun=Begun.BY_ITSELF, events=()):
    """A game begun beside the others, in which nothing but `events` happened."""
    ledger = Ledger(path)
    ledger.begin(games.fresh(), begun)
    ledger.append(list(events), None, None)
    ledger.close()


def test_a_game_in_which_nothing_happened_hides_none_before_it(path, games):
    state, batches = games.played(5)
    begun(path, games, batches).close()
    not_set_up = {"type": "violation", "kind": "wrong_setup", "due": [], "message": "Not yet set up.", "fen": "?"}
    put_right = {"type": "resolved", "how": "corrected", "kind": "wrong_setup", "fen": "?", "ply": 0}
    left_empty(path, games)
    left_empty(path, games, events=[not_set_up, put_right, {"type": "ready", "fen": "?"}])
    assert taken_up(path).position == state.position
    ledger = Ledger(path)
    assert [game["game"] for game in ledger.games()] == [3, 2, 1]
    ledger.close()


@pytest.mark.parametrize(
    "event",
    [
        {"type": "violation", "kind": "illegal_move", "due": [], "message": "No.", "fen": "?"},
        {"type": "resolved", "how": "accepted", "kind": "wrong_setup", "fen": "B:W21:B1", "ply": 0},
        {"type": "tags", "tags": {"White": "Anna"}},
    ],
)
def test_a_game_with_a_ruling_or_with_names_is_the_one_that_goes_on(path, games, event):
    begun(path, games, games.played(5)[1]).close()
    left_empty(path, games, events=[event])
    assert taken_up(path).ply == 0


def test_a_game_that_somebody_asked_for_goes_on_though_nothing_happened_yet(path, games):
    begun(path, games, games.played(5)[1]).close()
    left_empty(path, games, Begun.ASKED)
    assert taken_up(path).ply == 0


def test_a_game_of_the_simulated_board_hides_no_real_one(path, games):
    state, batches = games.played(5)
    begun(path, games, batches).close()
    left_empty(path, games, Begun.SIMULATED, games.played(3)[1][0])
    assert taken_up(path).position == state.position


def test_an_empty_game_goes_on_where_no_other_does(path, games):
    begun(path, games, [*games.played(5)[1], [{"type": "result", "result": "1-0"}]]).close()
    left_empty(path, games)
    ledger = Ledger(path)
    assert ledger.unfinished().ply == 0
    assert ledger.game_number == 2
    ledger.close()


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


def test_a_board_that_no_event_told_of_is_written_down(path, games):
    state, batches = games.played(4)
    ledger = begun(path, games, batches)
    assert not ledger.agree(state, 1.0, 1)
    turned = replace(state.position, to_move=state.position.to_move.opponent)
    assert ledger.agree(replace(state, position=turned), 2.0, 2)
    ledger.close()
    again = taken_up(path)
    assert again.position.to_move is turned.to_move


def test_another_mode_is_kept_over_a_restart(path, games):
    ledger = begun(path, games, games.played(2)[1])
    ledger.append([{"t": 1.0, "frame": 1, "type": "settings", "mode": "training", "house": "huff"}], None, None)
    ledger.close()
    terms = taken_up(path).terms
    assert (terms.mode, terms.house.value) == (Mode.TRAINING, "huff")


def test_what_was_dismissed_stays_dismissed_over_a_restart(path, games):
    fresh = games.fresh()
    seen = "W:W21-32:B1-8,10-12,14"
    ledger = begun(path, games, [])
    violation = {"type": "violation", "kind": "out_of_turn", "message": "", "due": [], "fen": seen}
    dismissed = {"type": "resolved", "how": "dismissed", "kind": "out_of_turn", "ply": 0}
    where = terms_as_json(fresh.terms, {})["start"]
    ledger.append([violation, dismissed | {"fen": where}], None, None)
    ledger.close()
    (placement,) = taken_up(path).dismissed
    assert placement != fresh.position.placement


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


def test_a_game_begun_on_a_read_only_disk_hides_none_that_was_written(path, games, monkeypatch):
    state, batches = games.played(5)
    begun(path, games, [*batches, [{"type": "result", "result": "1-0"}]]).close()

    def read_only_disk(path, *, read_only=False):
        if not read_only:
            raise StoreError("read-only; give another with --data")
        return Journal(path, read_only=True)

    monkeypatch.setattr("server.runtime.ledger.Journal", read_only_disk)
    ledger = Ledger(path)
    assert ledger.unfinished() is None
    ledger.begin(games.fresh())
    ledger.append(games.played(3)[1][0], None, None)
    assert [(game["game"], game["plies"]) for game in ledger.games()] == [(2, 1), (1, 5)]
    assert '[Result "1-0"]' in ledger.pdn(1, "strict")
    monkeypatch.undo()
    assert ledger.tend(LATER)
    ledger.close()
    assert written(path) == [ply.text for ply in state.plies]
    assert len(written(path, 2)) == 1
