"""Rows of a journal that say what cannot be cost themselves alone."""

import shutil
import sqlite3
from contextlib import closing

import pytest

from server.errors import StoreError
from server.runtime.ledger import Ledger
from server.store.game_record import pdn_of
from server.store.journal import Journal
from server.store.kept_terms import terms_as_json
from tests.server.written_games import moves_of


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
