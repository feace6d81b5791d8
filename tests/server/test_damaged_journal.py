"""A damaged journal costs nothing that can still be read, and the damage is told."""

import json
import os
import shutil
import sqlite3
from pathlib import Path

import pytest

from server.cli.main import main
from server.errors import StoreError
from server.runtime.ledger import Ledger
from server.store.journal import Journal
from server.store.resume import resumed
from tests.server.written_games import moves_of

PLIES = 30


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
