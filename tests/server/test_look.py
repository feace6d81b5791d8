"""`kibitz look` at a photograph of which nobody said what is played."""

import json

import cv2
import pytest

from calibration.find_any import find_points
from hardware.cameras.simulated import SimulatedBoard
from rules.fen import fen
from rules.variant import start_position
from rules.variants.catalogue import VARIANT_NAMES, variant_named
from server.cli.main import main
from server.cli.sighting import best_known


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
