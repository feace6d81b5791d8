"""Corners on the command line."""

import cv2
import numpy as np
import pytest

from server.cli.arguments import corners
from server.cli.main import UNUSABLE, main
from server.errors import UsageError


def test_the_six_corners_of_a_hexagon_are_taken():
    assert corners("0,1,2,3,4,5,6,7,8,9,10,11")[5] == (10.0, 11.0)


@pytest.mark.parametrize("text", ["1,2,3,4", "1,2,3,4,5,6,7,8,9,10", "1,2,3,4,5,6,7,nan", "a,b", "1,2,3,4,5,6,7,1e300"])
def test_other_numbers_of_corners_are_refused(text):
    with pytest.raises(UsageError, match="twelve of a hexagon"):
        corners(text)


@pytest.mark.parametrize("command", ["look", "replay", "calibrate"])
def test_corners_that_are_left_empty_are_refused(command, capsys, tmp_path):
    picture = tmp_path / "f0.png"
    cv2.imwrite(str(picture), np.full((64, 64, 3), 90, np.uint8))
    where = ["--camera", str(picture), "--data", str(tmp_path)] if command == "calibrate" else [str(picture)]
    assert main([command, *where, "--variant", "english", "--corners="]) == UNUSABLE
    assert "saw corners ''" in capsys.readouterr().err


def test_an_empty_start_or_variant_is_refused_as_any_other_wrong_one(capsys, tmp_path):
    picture = tmp_path / "f0.png"
    cv2.imwrite(str(picture), np.full((64, 64, 3), 90, np.uint8))
    assert main(["replay", str(picture), "--variant", "english", "--start", ""]) == UNUSABLE
    assert main(["look", str(picture), "--variant", ""]) == UNUSABLE
    assert "saw the variant ''" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("variant", "places"),
    [
        ("alquerque", "10,10,600,600,600,10,10,600"),  # crossed
        ("alquerque", "-9000,-9000,-8000,-9000,-8000,-8000,-9000,-8000"),  # beside the picture
        ("hexdame", "300,10,550,150,300,590,300,10,550,150,300,590"),  # a triangle, twice around
        ("english", "10,10,600,600,600,10,10,600"),
    ],
)
def test_corners_that_bound_no_area_in_view_are_refused_on_every_board(variant, places, capsys, tmp_path):
    picture = tmp_path / "f0.png"
    cv2.imwrite(str(picture), np.full((600, 600, 3), 90, np.uint8))
    assert main(["look", str(picture), "--variant", variant, f"--corners={places}"]) == UNUSABLE
    assert "outer corners in order around the board" in capsys.readouterr().err
