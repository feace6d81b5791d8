"""Boards are consistent: neighbours are mutual, names unique, half turns exact."""

import pytest

from rules.board import NOWHERE, Board, Direction
from rules.boards.hexagons import honeycomb, oblique
from rules.boards.lined import alquerque, serpents
from rules.boards.squares import chequered, full

BOARDS = (
    chequered(8, 8),
    chequered(10, 8),
    chequered(12, 12, mirrored=True),
    full(10, 10),
    alquerque(),
    serpents(),
    honeycomb(7),
    oblique(5),
)


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: board.name)
def test_neighbours_are_mutual_and_turn_with_the_board(board: Board) -> None:
    assert len(set(board.names)) == board.size
    for direction in Direction:
        for point, beside in enumerate(board.neighbours[direction]):
            if beside != NOWHERE:
                assert board.neighbours[direction.opposite][beside] == point
                turned = board.neighbours[direction.opposite][board.half_turn[point]]
                assert turned == board.half_turn[beside]


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: board.name)
def test_every_point_lies_in_the_playing_area(board: Board) -> None:
    assert all(0 <= x <= board.width and 0 <= y <= board.height for x, y in board.xy)


def test_the_sizes_are_those_of_the_real_boards() -> None:
    sizes = {board.name: board.size for board in BOARDS}
    assert sizes["honeycomb-7"] == 127
    assert sizes["oblique-5"] == 61
    assert sizes["serpents"] == 49
    assert sizes["alquerque"] == 25


def test_the_honeycomb_rows_are_named_from_white_s_left() -> None:
    board = honeycomb(7)
    row = [name for name in board.names if name[1:] == "1"]
    assert row == ["a1", "b1", "c1", "d1", "e1", "f1", "g1"]


def test_alquerque_has_diagonals_through_even_points_only() -> None:
    board = alquerque()
    a1, b1 = board.point_by_name["a1"], board.point_by_name["b1"]
    assert board.neighbours[Direction.NE][a1] == board.point_by_name["b2"]
    assert board.neighbours[Direction.NW][b1] == NOWHERE


def test_a_serpent_jumps_straight_across_the_middle_row() -> None:
    board = serpents()
    middle = board.neighbours[Direction.SE][board.point_by_name["a3"]]
    assert board.names[middle] == "b2"
    assert board.names[board.neighbours[Direction.SE][middle]] == "b1"
