"""`kibitz look` at a photograph of which nobody said what is played."""

import json

import cv2
import numpy as np
import pytest

from calibration.find_any import find_points
from hardware.cameras.simulated import SimulatedBoard
from rules.fen import fen
from rules.variant import start_position
from rules.variants.catalogue import VARIANT_NAMES, variant_named
from server.cli.doubts import fen_of, perhaps_kings
from server.cli.look import _untold
from server.cli.main import main
from server.cli.sighting import best_known
from vision.evidence import BoardEvidence
from vision.framings import evidence_of_picture


@pytest.fixture
def pictured(tmp_path):
    """A PNG of the start position of a game."""

    def picture(name):
        frame = next(SimulatedBoard(name, 2).frames(lambda: False))
        path = tmp_path / f"{name}.png"
        cv2.imwrite(str(path), frame.bgr)
        return str(path)

    return picture


def test_the_board_its_marks_and_a_fen_are_told_without_a_variant(pictured, capsys):
    path = pictured("english")
    assert main(["look", path]) == 0
    said = capsys.readouterr()
    lines = said.out.splitlines()
    assert lines[0] == f"{path}: board found: chequered, 8 by 8 squares"
    assert ". empty, w light man, W light king, b dark man, B dark king" in lines[9]
    variant = variant_named("english")
    assert lines[-1] == fen(variant, start_position(variant))
    assert "English" in said.err
    assert "has Black to move" in said.err


def test_points_are_told_row_by_row_with_the_game_of_their_board(pictured, capsys, monkeypatch):
    path = pictured("honeycomb")
    board = variant_named("honeycomb").board
    monkeypatch.setattr("server.cli.look.find_unknown", lambda bgr: (board, find_points(bgr, board)))
    assert main(["look", path]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == f"{path}: board found: hexagons, 127 cells"
    assert [line[:2] for line in lines[5:14]] == ["a9", "a8", "a7", "a6", "a5", "a4", "a3", "a2", "a1"]
    variant = variant_named("honeycomb")
    assert lines[-1] == fen(variant, start_position(variant))
    assert main(["look", path, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["variant"] == "honeycomb"


def test_every_board_of_the_catalogue_has_a_game_that_names_its_squares():
    for variant in map(variant_named, VARIANT_NAMES):
        known = best_known(variant.board)
        assert known is not None, variant.name
        assert sorted((known.board.width, known.board.height)) == sorted((variant.board.width, variant.board.height))


def test_corners_between_which_nothing_shows_are_doubted(pictured, capsys):
    path = pictured("english")
    assert main(["look", path, "--variant", "english", "--corners", "5,5,60,5,60,60,5,60"]) == 0
    assert "saw no pattern of squares between the corners that were given" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("shown", "named", "seen", "expected"),
    [
        ("honeycomb", "turkish", "hexagons, 127 cells", "squares without colouring, 8 by 8"),
        ("english", "international", "chequered, 8 by 8", "chequered, 10 by 10"),
        ("turkish", "honeycomb", "squares without colouring, 8 by 8", "hexagons, 127 cells"),
        ("honeycomb", "hexdame", "hexagons, 127 cells", "hexagons, 61 cells"),
    ],
)
def test_another_board_than_that_of_the_game_is_named_with_the_one_expected(
    pictured, capsys, shown, named, seen, expected
):
    path = pictured(shown)
    assert main(["look", path, "--variant", named]) == 1
    said = capsys.readouterr()
    assert said.out == ""
    assert f"saw another board: {seen}" in said.err
    assert f"{expected}" in said.err.partition("expected")[2]
    assert main(["look", path, "--variant", shown]) == 0


def test_a_game_on_plain_squares_may_be_played_on_chequers(pictured, capsys):
    assert main(["look", pictured("english"), "--variant", "turkish"]) == 0
    assert "another board" not in capsys.readouterr().err


ON_THE_LAST_ROW = ["w", *"." * 27, "b", *"..."]


def test_a_game_that_nobody_named_finds_no_fault():
    english = variant_named("english")
    assert fen_of(english, ON_THE_LAST_ROW, game_known=False) == (None, [])
    text, (fault,) = fen_of(english, ON_THE_LAST_ROW, game_known=True)
    assert text is None
    assert "no position of English draughts" in fault
    said = _untold(english, None)
    assert "no --variant was given" in said
    assert "--variant english" in said


def test_squares_that_cannot_be_read_are_counted_in_plain_words():
    text, (said,) = fen_of(variant_named("english"), ["?", "?", *"." * 30], game_known=False)
    assert text is None
    assert said.startswith("cannot tell what stands on 2 squares (marked ?)")


def test_discs_that_may_be_men_or_kings_are_named_and_no_others():
    sights = np.array(
        [
            [0.90, 0.05, 0.00, 0.05, 0.00],  # most likely empty
            [0.02, 0.50, 0.00, 0.48, 0.00],  # a light man or king
            [0.02, 0.00, 0.93, 0.00, 0.05],  # a man
            [0.02, 0.00, 0.03, 0.00, 0.95],  # a king
            [0.01, 0.04, 0.35, 0.10, 0.50],  # a dark king or man
            [0.01, 0.25, 0.24, 0.25, 0.25],  # nobody can tell
        ]
    )
    found = perhaps_kings(np.log(sights + 1e-6).astype(np.float32), ".wbBB?")
    assert [place for place, _ in found] == [1, 4]
    assert found[0][1] == pytest.approx(0.49, abs=0.01)


def test_doubtful_kings_are_said_in_words_and_in_json(pictured, capsys, monkeypatch):
    path = pictured("english")

    def undecided(bgr, pose, board):
        seen = evidence_of_picture(bgr, pose, board)
        scores = np.exp(seen.log_likelihood)
        scores[0, 1:5] = scores[0, 1:5].sum() * np.array([0.0, 0.6, 0.0, 0.4])
        return BoardEvidence(np.log(scores + 1e-9), seen.hidden)

    monkeypatch.setattr("server.cli.stands.evidence_of_picture", undecided)
    assert main(["look", path, "--json", "--variant", "english"]) == 0
    seen = json.loads(capsys.readouterr().out)
    (doubt,) = seen["doubtful_kings"]
    assert doubt["king"] == pytest.approx(0.4, abs=0.02)
    assert seen["grid"][doubt["row"] - 1][doubt["col"] - 1] == doubt["mark"]
    assert f"{doubt['square']} (row {doubt['row']}, column {doubt['col']})" in seen["warnings"][-1]
    assert "whether a man or a king" in seen["warnings"][-1]
