"""Which game goes on after a restart, and how it stands then."""

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from server.cli.serve import _say_what_was_cut_short
from server.errors import StoreError
from server.runtime.ledger import Ledger
from server.session.state import Mode
from server.store.journal import Journal
from server.store.kept_terms import terms_as_json
from server.store.resume import Begun
from tests.server.kept_games import begun, no_space, taken_up, written

LATER = 1e6
"""Seconds after which another try is due."""


@pytest.fixture
def path(tmp_path):
    return tmp_path / "data" / "games.sqlite3"


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
