"""Games out of the journal and into it: strict and full PDN, JSON, and back."""

import json
from dataclasses import replace

import numpy as np
import pytest

from rules.fen import parse_fen
from rules.legal_moves import legal_moves
from rules.notation import move_text
from rules.pdn_reader import read_games
from rules.pdn_replay import replay
from server.cli.main import main
from server.runtime.ledger import Ledger
from server.store.chronicle import chronicle
from server.store.game_record import pdn_of
from server.store.journal import Journal
from server.store.kept_terms import terms_as_json
from server.store.text_copy import TextCopy, head


def ruled(games):
    """A game with a move taken back, a draw refused, a position put up and an irregularity let stand."""
    state, batches = games.played(6)
    events = [event for batch in batches for event in batch]
    for do, fields in (
        ("offer_draw", {"side": "B"}),
        ("refuse_draw", {}),
        ("take_back", {"plies": 2}),
        ("set_position", {"fen": "W:W21-32:B1-12"}),
        ("choose", {"candidate": "22-17"}),
    ):
        state, said = games.told(state, do, **fields)
        events += said
    let_stand = "W:W17,21,23-32:B1-8,10-12,13"
    events += [
        {"type": "violation", "kind": "illegal_move", "message": "9-13 is no move.", "due": ["9-14"], "fen": let_stand},
        {"type": "resolved", "how": "accepted", "kind": "illegal_move", "ply": 6, "fen": let_stand, "move": "9-13"},
        {"type": "result", "result": "0-1", "reason": "time"},
    ]
    terms = terms_as_json(games.fresh().terms, {"White": "Anna", "Black": "Ben"})
    return {"variant": "english", "terms": terms, "started": 1.7e9, "events": events}


def replayed(text):
    return [replay(game) for game in read_games([text])]


def test_the_full_pdn_tells_every_ruling_and_is_one_game_that_can_be_read(games):
    text = pdn_of(ruled(games), "full")
    (game,) = replayed(text)
    assert game.problems == ()
    assert len(game.moves) == 5
    plain = " ".join(text.split())
    for words in (
        "offers a draw",
        "The draw was refused",
        "Taken back: ",
        "9-13 is no move. Due: 9-14",
        "9-13 was played",
        "The illegal move was let stand",
    ):
        assert words in plain
    assert "0-1: time" in plain
    assert plain.count("/FEN") == 2


def test_the_full_pdn_says_that_a_game_that_was_over_goes_on(games):
    state, batches = games.played(3)
    events = [event for batch in batches for event in batch]
    for do, fields in (("resign", {"side": "W"}), ("result", {"result": "*"}), ("result", {"result": "*"})):
        state, said = games.told(state, do, **fields)
        events += said
    terms = terms_as_json(games.fresh().terms, {})
    plain = " ".join(pdn_of({"variant": "english", "terms": terms, "events": events}, "full").split())
    assert "{0-1: White resigned. The game goes on}" in plain


def test_the_strict_pdn_holds_legal_moves_alone_a_new_game_where_they_cannot_go_on(games):
    text = pdn_of(ruled(games), "strict")
    parts = replayed(text)
    assert [len(part.moves) for part in parts] == [4, 1, 0]
    assert all(part.problems == () for part in parts)
    assert "/FEN" not in text
    assert "see the next game" in " ".join(text.split())
    assert '[Result "0-1"]' in text
    assert text.count('[Result "*"]') == 2
    assert parts[2].start == parse_fen(parts[2].variant, "W:W17,21,23-32:B1-8,10-12,13")


def test_that_the_camera_did_not_find_the_board_is_no_remark_on_the_game(games):
    game = ruled(games)
    trouble = {"type": "attention", "reason": "board_not_found", "message": "saw lines that fit by 40%"}
    doubt = {"type": "attention", "reason": "unsure", "message": "Something is over the board."}
    texts = [pdn_of({**game, "events": [trouble, doubt, *game["events"]]}, form) for form in ("full", "strict")]
    assert not any("saw lines" in text for text in texts)
    assert "Something is over the board" in texts[0]


def test_a_quiet_game_is_one_strict_game_with_its_date(games):
    state, batches = games.played(20)
    terms = terms_as_json(games.fresh().terms, {"White": "Anna"})
    game = {"variant": "english", "terms": terms, "started": 1.7e9, "events": [e for b in batches for e in b]}
    text = pdn_of(game, "strict")
    (read,) = replayed(text)
    assert read.moves == tuple(ply.move for ply in state.plies)
    assert '[Date "2023.11.14"]' in text


def test_a_clock_that_was_never_set_gives_no_date(games):
    game = {"variant": "english", "terms": terms_as_json(games.fresh().terms, {}), "started": 60.0, "events": []}
    assert '[Date "????.??.??"]' in pdn_of(game, "strict")


def test_a_lost_event_leaves_the_rest_of_the_game_readable(games):
    state, batches = games.played(12)
    events = [e for b in batches for e in b]
    game = {"variant": "english", "terms": terms_as_json(games.fresh().terms, {}), "started": 0.0}
    text = pdn_of(game | {"events": events[:4] + events[5:]}, "full")
    (read,) = replayed(text)
    assert len(read.moves) >= 10
    assert read.plies[-1].position.placement == state.position.placement


@pytest.fixture
def folder(tmp_path, games):
    data = tmp_path / "data"
    ledger = Ledger(data / "games.sqlite3", clock=lambda: 1.7e9)
    ledger.begin(replace(games.fresh(), tags={"White": "Anna", "Black": "Ben"}))
    ledger.append(ruled(games)["events"], None, None)
    ledger.close()
    return data


def test_exported_json_comes_back_whole_and_only_once(folder, tmp_path, capsys):
    assert main(["games", "1", "--json", "--data", str(folder)]) == 0
    exported = capsys.readouterr().out
    file = tmp_path / "game.json"
    file.write_text(exported)
    other = tmp_path / "other"
    for _ in range(2):
        assert main(["games", "--import", str(file), "--data", str(other)]) == 0
    capsys.readouterr()
    assert main(["games", "1", "--json", "--data", str(other)]) == 0
    again = json.loads(capsys.readouterr().out)
    assert again["events"] == json.loads(exported)["events"]
    assert main(["games", "--json", "--data", str(other)]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 1


def test_all_games_can_be_exported_at_once_as_json_and_pdn(folder, capsys):
    assert main(["games", "--json", "--whole", "--data", str(folder)]) == 0
    (line,) = capsys.readouterr().out.splitlines()
    assert [event["type"] for event in json.loads(line)["events"]][-3:] == ["violation", "resolved", "result"]
    assert main(["games", "--pdn", "--form", "full", "--data", str(folder)]) == 0
    assert "Taken back" in " ".join(capsys.readouterr().out.split())


def test_pdn_is_imported_with_its_players_result_and_set_ups(folder, tmp_path, capsys):
    assert main(["games", "1", "--pdn", "--form", "full", "--data", str(folder)]) == 0
    file = tmp_path / "game.pdn"
    file.write_text(capsys.readouterr().out)
    other = tmp_path / "other"
    assert main(["games", "--import", str(file), "--data", str(other)]) == 0
    assert "game 1, english, 5 plies" in capsys.readouterr().out
    journal = Journal(other / "games.sqlite3", read_only=True)
    (found,) = journal.games()
    assert (found["result"], found["tags"]["White"]) == ("0-1", "Anna")
    (told,) = replayed(pdn_of(journal.game(1), "full"))
    (wanted,) = replayed(file.read_text())
    assert [ply.position for ply in told.plies] == [ply.position for ply in wanted.plies]
    journal.close()


def test_an_imported_game_is_never_the_one_that_goes_on(folder, tmp_path, capsys):
    file = tmp_path / "game.pdn"
    file.write_text('[GameType "21"]\n\n1. 9-13 22-18 {a quiet start} *\n')
    assert main(["games", "--import", str(file), "--data", str(folder)]) == 0
    ledger = Ledger(folder / "games.sqlite3")
    assert ledger.unfinished() is None
    assert "a quiet start" in ledger.pdn(2, "full")
    ledger.close()


def test_a_second_copy_is_imported_as_it_is(folder, tmp_path, capsys):
    (copy,) = (folder / "games").glob("*.jsonl")
    assert main(["games", "--import", str(copy), "--data", str(tmp_path / "other")]) == 0
    assert "game 1, english, 7 plies" in capsys.readouterr().out


@pytest.mark.parametrize("text", ["", "{}", '{"events": 3}', "[1, 2]", "{ not json", "[]"])
def test_a_file_without_games_is_refused_with_what_was_expected(tmp_path, capsys, text):
    file = tmp_path / "file.json"
    file.write_text(text)
    assert main(["games", "--import", str(file), "--data", str(tmp_path / "data")]) == 2
    assert "expected" in capsys.readouterr().err


def test_a_picture_is_no_file_of_games_and_nothing_of_it_is_written_down(tmp_path, capsys):
    file = tmp_path / "board.jpg"
    file.write_bytes(np.random.default_rng(3).integers(0, 256, 3000, np.uint8).tobytes())
    assert main(["games", "--import", str(file), "--data", str(tmp_path / "data")]) == 2
    said = capsys.readouterr()
    assert "holds binary data; expected PDN" in said.err
    assert "game 1" not in said.out


@pytest.mark.parametrize("encoding", ["utf-16", "utf-8-sig", "cp1251"])
def test_pdn_in_any_usual_encoding_is_imported(tmp_path, capsys, encoding):
    file = tmp_path / "games.pdn"
    file.write_bytes('[White "Иванов Иван"]\n[GameType "21"]\n\n1. 9-13 24-20 *\n'.encode(encoding))
    assert main(["games", "--import", str(file), "--variant", "english", "--data", str(tmp_path / "data")]) == 0
    assert "game 1, english, 2 plies" in capsys.readouterr().out


def exported_with(folder, capsys, *path_and_value):
    """The exported game with one value replaced."""
    *path, value = path_and_value
    assert main(["games", "1", "--json", "--data", str(folder)]) == 0
    game = json.loads(capsys.readouterr().out)
    place = game
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = value
    return json.dumps(game)


@pytest.mark.parametrize(
    ("where", "value"),
    [
        (("terms", "uid"), float("nan")),
        (("started",), 10**400),
        (("started",), float("nan")),
        (("events", 0, "time"), 10**400),
        (("events", 0, "confidence"), float("inf")),
        (("events", 0, "type"), None),
        (("events", 0, "type"), "\ud800"),
        (("terms", "tags"), 5),
        (("terms", "tags"), None),
        (("terms", "tags"), {"White": 7}),
        (("events", -1), {"type": "tags", "tags": {"White": 7}}),
    ],
)
def test_a_game_that_cannot_be_written_down_is_refused_and_the_journal_goes_on(folder, tmp_path, capsys, where, value):
    (tmp_path / "game.json").write_text(exported_with(folder, capsys, *where, value))
    assert main(["games", "--import", str(tmp_path / "game.json"), "--data", str(folder)]) == 2
    assert "no game of a journal" in capsys.readouterr().err
    assert main(["games", "--json", "--data", str(folder)]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 1


@pytest.mark.parametrize("name", ["../../outside", 7, None, "", "x" * 300])
def test_a_strange_name_of_a_game_is_replaced_and_the_game_comes_in_once(folder, tmp_path, capsys, name):
    (tmp_path / "game.json").write_text(exported_with(folder, capsys, "terms", "uid", name))
    other = tmp_path / "other" / "data"
    for _ in range(2):
        assert main(["games", "--import", str(tmp_path / "game.json"), "--data", str(other)]) == 0
    capsys.readouterr()
    assert main(["games", "--json", "--data", str(other)]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 1
    assert sorted(path.name for path in (tmp_path / "other").iterdir()) == ["data"]
    assert len(list((other / "games").glob("*.jsonl"))) == 1


def test_a_game_of_a_far_future_is_listed_and_printed_without_its_date(folder, tmp_path, capsys):
    (tmp_path / "game.json").write_text(exported_with(folder, capsys, "started", 1e300))
    other = ["--data", str(tmp_path / "other")]
    assert main(["games", "--import", str(tmp_path / "game.json"), *other]) == 0
    assert main(["games", *other]) == 0
    assert "date unknown" in capsys.readouterr().out
    assert main(["games", "1", "--pdn", *other]) == 0
    assert '[Date "????.??.??"]' in capsys.readouterr().out


@pytest.mark.parametrize("text", ["[" * 100_000, '{"a":' * 100_000])
def test_json_nested_without_end_is_refused(tmp_path, capsys, text):
    (tmp_path / "file.json").write_text(text)
    assert main(["games", "--import", str(tmp_path / "file.json"), "--data", str(tmp_path / "data")]) == 2
    assert "nested without end" in capsys.readouterr().err


def test_a_file_that_cannot_be_used_is_named_and_the_others_come_in(tmp_path, capsys):
    good, data = tmp_path / "good.pdn", ["--data", str(tmp_path / "data")]
    good.write_text('[GameType "21"]\n1. 11-15 *\n')
    (tmp_path / "folder").mkdir()
    (tmp_path / "bad.json").write_text('{"game": 1}')
    files = [tmp_path / "missing.pdn", tmp_path / "folder", tmp_path / "bad.json", good]
    assert main(["games", "--import", *map(str, files), *data]) == 2
    said = capsys.readouterr()
    assert "good.pdn: game 1, english, 1 plies" in said.out
    for file in files[:3]:
        assert f"{file}: " in said.err
    assert "it lacks 'variant'" in said.err
    assert "Error" not in said.err


def test_of_very_many_problems_the_first_are_told_with_where_to_find_the_rest(tmp_path, capsys):
    file = tmp_path / "open.pdn"
    file.write_text('[GameType "21"]\n' + "(" * 500)
    assert main(["games", "--import", str(file), "--data", str(tmp_path / "data")]) == 1
    said = capsys.readouterr().err.splitlines()
    assert len(said) == 21
    assert "more problems" in said[-1]
    assert "pdn check" in said[-1]


def test_a_lying_second_copy_is_refused(tmp_path, capsys):
    for terms in (5, {"uid": "a", "tags": 5}):
        TextCopy(tmp_path).write(tmp_path / "copy.jsonl", [head(1, "english", 0.0, terms)])
        assert main(["games", "--import", str(tmp_path / "copy.jsonl"), "--data", str(tmp_path / "data")]) == 2
        assert "saw" in capsys.readouterr().err
        (tmp_path / "copy.jsonl").unlink()


def test_the_pdn_of_a_finished_game_has_its_result_and_says_who_resigned(games):
    state, batches = games.played(4, variant="international")
    state, said = games.told(state, "resign", side="B")
    terms = terms_as_json(games.fresh("international").terms, {})
    events = [event for batch in batches for event in batch] + said
    game = {"variant": "international", "terms": terms, "started": 1.7e9, "events": events}
    for form in ("full", "strict"):
        text = pdn_of(game, form)
        assert '[Result "2-0"]' in text
        assert text.split()[-1] == {"full": "*", "strict": "2-0"}[form]
    assert "{2-0: Black resigned} *" in " ".join(pdn_of(game, "full").split())


def test_a_corrected_move_is_told_as_a_correction_and_not_as_taken_back(games):
    state, batches = games.played(5, variant="international")
    gone = state.plies[-1].text
    other = next(m for m in legal_moves(state.terms.variant, state.plies[-1].before) if m != state.plies[-1].move)
    text = move_text(state.terms.variant, state.plies[-1].before, other)
    state, said = games.told(state, "replace_move", move=text)
    assert (said[0]["why"], said[0]["moves"]) == ("correction", (gone,))
    events = [event for batch in batches for event in batch] + said
    terms = terms_as_json(games.fresh("international").terms, {})
    game = {"variant": "international", "terms": terms, "started": 1.7e9, "events": events}
    plain = " ".join(pdn_of(game, "full").split())
    assert f"{text} {{Corrected: {text} instead of {gone}}}" in plain
    assert "Taken back" not in plain
    assert chronicle(game).ply == 5


def test_a_doubt_that_was_waited_out_when_the_game_was_ended_by_hand_is_no_remark_on_it(games):
    state, batches = games.played(3)
    moves = [event for batch in batches for event in batch]
    doubt = {"t": 2.0, "type": "attention", "reason": "unsure", "message": "I cannot tell what was played."}
    state, said = games.told(state, "resign", side="B")
    terms = terms_as_json(games.fresh().terms, {})
    game = {"variant": "english", "terms": terms, "started": 1.7e9}
    assert "cannot tell" not in pdn_of({**game, "events": [*moves, doubt, *said]}, "full")
    assert "cannot tell" in pdn_of({**game, "events": [*moves[:-1], doubt, moves[-1], *said]}, "full")
