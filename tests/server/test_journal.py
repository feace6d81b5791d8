"""The journal: what is written stays, and a damaged file costs nothing that can still be read."""

import json
import os
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from server.cli.main import main
from server.errors import StoreError
from server.runtime.ledger import Ledger
from server.store.chronicle import terms_as_json
from server.store.game_record import pdn_of
from server.store.journal import Evidence, Journal
from server.store.resume import resumed

PLIES = 30


def write_games(journal, games, count, plies=PLIES):
    """Writes games with a picture at each event; gives the moves of each."""
    known = {}
    for seed in range(1, count + 1):
        state, batches = games.played(plies, seed)
        number = journal.new_game("english", terms_as_json(games.fresh().terms, {"White": f"W{seed}"}))
        for k, events in enumerate(batches):
            journal.append(number, events, Evidence(b"before %d" % k * 90, b"after %d" % k * 90))
            journal.copy()
        known[number] = [ply.text for ply in state.plies]
    return known


def moves_of(journal):
    return {
        game["game"]: [event["move"] for event in journal.events(game["game"]) if event["type"] == "move"]
        for game in journal.games()
    }


@pytest.fixture(scope="module")
def left_behind(tmp_path_factory, games):
    """A data folder as a killed process leaves it, with the moves that were written."""
    live = tmp_path_factory.mktemp("live")
    journal = Journal(live / "games.sqlite3")
    known = write_games(journal, games, 4)
    folder = tmp_path_factory.mktemp("left") / "data"
    shutil.copytree(live, folder)
    journal.close()
    return folder, known


@pytest.fixture
def killed(tmp_path, left_behind):
    folder, known = left_behind
    shutil.copytree(folder, tmp_path / "left")
    return tmp_path / "left" / "games.sqlite3", known


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


def _truncated(path):
    data = path.read_bytes()
    path.write_bytes(data[: len(data) // 2 // 4096 * 4096])


def _cut_mid_page(path):
    data = path.read_bytes()
    path.write_bytes(data[: len(data) * 2 // 3 + 100])


def _zeroed_page(path):
    data = bytearray(path.read_bytes())
    page = len(data) // 4096 // 2
    data[page * 4096 : (page + 1) * 4096] = bytes(4096)
    path.write_bytes(bytes(data))


def _zeroed_head(path):
    data = bytearray(path.read_bytes())
    data[:4096] = bytes(4096)
    path.write_bytes(bytes(data))


def _no_database(path):
    path.write_bytes(b"this is a shopping list\n" * 400)


def _emptied(path):
    path.write_bytes(b"")


DAMAGES = [_truncated, _cut_mid_page, _zeroed_page, _zeroed_head, _no_database, _emptied]


def _closed(path):
    """Everything from the write-ahead log into the file itself, as after an orderly end."""
    Journal(path).close()
    assert not path.with_name(path.name + "-wal").exists()


@pytest.mark.parametrize("damage", DAMAGES)
def test_after_any_damage_every_game_is_there_and_it_is_reported(killed, damage):
    path, known = killed
    _closed(path)
    damage(path)
    seen = path.read_bytes()
    journal = Journal(path)
    assert moves_of(journal) == known
    assert journal.warning
    if damage is not _emptied:
        kept = list(path.parent.glob("games.sqlite3.damaged-1"))
        assert [file.read_bytes() for file in kept] == [seen]
    number = journal.new_game("english", {"start": "B:W21-32:B1-12"})
    assert number == max(known) + 1
    journal.close()
    again = Journal(path)
    assert again.warning == ""
    assert {number: moves for number, moves in moves_of(again).items() if moves} == known
    again.close()


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_journal_is_read_without_touching_it(killed, damage):
    path, known = killed
    _closed(path)
    damage(path)
    seen = path.read_bytes()
    journal = Journal(path, read_only=True)
    assert moves_of(journal) == known
    assert str(path) in journal.warning
    journal.close()
    assert path.read_bytes() == seen


@pytest.mark.parametrize("read_only", [False, True])
def test_without_its_write_ahead_log_nothing_is_lost(killed, read_only):
    path, known = killed
    path.with_name(path.name + "-wal").unlink()
    path.with_name(path.name + "-shm").unlink(missing_ok=True)
    journal = Journal(path, read_only=read_only)
    assert moves_of(journal) == known
    assert journal.warning
    journal.close()


@pytest.mark.parametrize("damage", [_truncated, _zeroed_page])
def test_even_without_the_second_copy_the_readable_games_are_read(killed, damage):
    path, known = killed
    _closed(path)
    shutil.rmtree(path.parent / "games")
    damage(path)
    journal = Journal(path)
    found = moves_of(journal)
    assert found
    assert sum(len(moves) for moves in found.values()) >= PLIES
    for number, moves in found.items():
        assert set(moves) <= set(known[number])
    for number in found:
        resumed(journal.game(number))
    journal.close()


def test_pictures_of_a_damaged_journal_go_over_as_far_as_they_can_be_read(killed):
    path, _ = killed
    _closed(path)
    _zeroed_page(path)
    journal = Journal(path)
    pictures = [journal.picture(1, k, "after") for k in range(1, PLIES + 1)]
    assert sum(picture is not None for picture in pictures) > PLIES // 2
    journal.close()


def test_a_torn_line_of_the_second_copy_costs_that_line_alone(killed, games):
    path, known = killed
    copy = sorted((path.parent / "games").glob("*.jsonl"))[0]
    copy.write_bytes(copy.read_bytes()[:-30])
    journal = Journal(path)
    assert journal.warning == ""
    journal.close()
    path.unlink()
    again = Journal(path)
    assert moves_of(again) == known
    again.close()


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


def test_the_doctor_names_a_damaged_journal_and_its_cure(killed, capsys):
    path, _ = killed
    _closed(path)
    main(["doctor", "--json", "--data", str(path.parent)])
    assert '"check": "journal", "ok": true, "seen": "4 games"' in capsys.readouterr().out
    _zeroed_head(path)
    assert main(["doctor", "--json", "--data", str(path.parent)]) == 1
    found = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    (journal,) = [finding for finding in found if finding["check"] == "journal"]
    assert not journal["ok"]
    assert "kibitz serve" in journal["cure"]


def _folder_in_place(path):
    for file in path.parent.glob(path.name + "*"):
        file.unlink()
    path.mkdir()
    (path / "notes.txt").write_text("somebody's own")


def _unreadable(monkeypatch, path):
    """As for a user who may not read it, also where the tests run as one who may read anything."""
    access = os.access
    monkeypatch.setattr(os, "access", lambda it, mode: Path(it).name != path.name and access(it, mode))


def test_a_folder_where_the_journal_should_be_is_kept_and_the_second_copy_is_used(killed, capsys):
    path, known = killed
    _folder_in_place(path)
    reader = Journal(path, read_only=True)
    assert moves_of(reader) == known
    assert f"{path} cannot be used (a folder stands in its place)" in reader.warning
    reader.close()
    assert main(["games", "--data", str(path.parent)]) == 0
    assert "second copy" in capsys.readouterr().err
    journal = Journal(path)
    assert moves_of(journal) == known
    assert "games.sqlite3.damaged-1" in journal.warning
    journal.close()
    assert (path.parent / "games.sqlite3.damaged-1" / "notes.txt").exists()


def test_a_journal_that_may_not_be_read_is_kept_and_the_second_copy_is_used(killed, monkeypatch):
    path, known = killed
    _closed(path)
    kept = path.read_bytes()
    _unreadable(monkeypatch, path)
    reader = Journal(path, read_only=True)
    assert moves_of(reader) == known
    assert "may not read it" in reader.warning
    reader.close()
    monkeypatch.setattr(Path, "rename", _refused)
    with pytest.raises(StoreError, match="cannot be put aside"):
        Journal(path)
    ledger = Ledger(path)
    assert "cannot be put aside" in ledger.message
    assert {game["game"] for game in ledger.games()} == set(known)
    ledger.close()
    monkeypatch.undo()
    assert path.read_bytes() == kept


def _refused(*_):
    raise PermissionError(13, "Permission denied")


def test_a_journal_that_cannot_be_opened_is_named_by_its_own_path(killed, monkeypatch):
    path, known = killed
    _closed(path)

    def unable(*_, **__):
        raise sqlite3.OperationalError("unable to open database file")

    connect = sqlite3.connect
    monkeypatch.setattr(sqlite3, "connect", lambda at, **how: (connect if at == ":memory:" else unable)(at, **how))
    reader = Journal(path, read_only=True)
    assert moves_of(reader) == known
    assert reader.warning.startswith(f"{path} cannot be opened")
    reader.close()
    for copy in (path.parent / "games").iterdir():
        copy.unlink()
    with pytest.raises(StoreError, match=str(path)):
        Journal(path, read_only=True)


def test_the_doctor_counts_the_games_of_the_second_copy(killed, capsys):
    path, _ = killed
    path.unlink()
    main(["doctor", "--json", "--data", str(path.parent)])
    said = capsys.readouterr().out
    assert "no game yet" not in said
    assert "second copy" in said


def changed(path, old, new, table="events", column="json"):
    """Bytes of one row changed on the disk, as a failing card does it: SQLite's own check passes."""
    with sqlite3.connect(path) as connection:
        connection.execute("DROP TRIGGER events_hold")
        (row,) = connection.execute(f"SELECT MIN(rowid) FROM {table} WHERE game = 2").fetchone()
        connection.execute(
            f"UPDATE {table} SET {column} = CAST(replace(CAST({column} AS TEXT), ?, ?) AS TEXT) WHERE rowid = ?",
            (old, new, row),
        )
    connection.close()


@pytest.mark.parametrize("new", ['{"typ', "\x00\x01", "nan,"])
@pytest.mark.parametrize("read_only", [True, False])
def test_a_damaged_event_is_read_from_the_second_copy(killed, new, read_only):
    path, known = killed
    changed(path, '{"t"', new)
    journal = Journal(path, read_only=read_only)
    assert moves_of(journal) == known
    journal.close()


@pytest.mark.parametrize("read_only", [True, False])
def test_damaged_terms_cost_neither_their_game_nor_the_list(killed, read_only):
    path, known = killed
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE games SET terms = CAST(X'7B22FF' AS TEXT) WHERE game = 2")
    journal = Journal(path, read_only=read_only)
    assert {number: moves for number, moves in moves_of(journal).items() if number in known} == known
    assert journal.game(2)["terms"]["tags"] == {"White": "W2"}
    assert journal.written("no such name") is None
    journal.close()


def test_damaged_terms_without_a_second_copy_are_said(killed):
    path, known = killed
    shutil.rmtree(path.parent / "games")
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE games SET terms = '{' WHERE game = 2")
    journal = Journal(path, read_only=True)
    assert moves_of(journal) == known
    with pytest.raises(StoreError, match="damaged terms of game 2"):
        journal.game(2)
    journal.close()


def test_an_event_that_lies_does_not_hide_the_list_of_games(tmp_path, games):
    journal = Journal(tmp_path / "games.sqlite3")
    number = journal.new_game("english", terms_as_json(games.fresh().terms, {}))
    for lie in (
        {"type": "result"},
        {"type": "tags", "tags": 5},
        {"type": "move", "ply": "x"},
        {"type": "move", "ply": 1e999},
    ):
        journal.append(number, [lie])
        assert [game["game"] for game in journal.games()] == [number]
    journal.close()


@pytest.mark.parametrize("terms", ["[1]", '{"start": 7}', '{"tags": 5}', '{"start": "B:W21-32:B1-12", "tags": 5}', "{"])
def test_a_game_whose_terms_lie_is_told_and_does_not_stop_the_next(killed, terms):
    path, known = killed
    shutil.rmtree(path.parent / "games")
    newest = max(known)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE games SET terms = ? WHERE game = ?", (terms, newest))
    journal = Journal(path)
    assert sorted(moves_of(journal)) == sorted(known)
    with pytest.raises(StoreError, match=f"damaged terms of game {newest}"):
        pdn_of(journal.game(newest), "strict")
    journal.close()
    ledger = Ledger(path)
    with pytest.raises(StoreError, match="damaged terms"):
        ledger.unfinished()
    ledger.close()
