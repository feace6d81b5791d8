"""What is remembered of squares while something lies on the board."""

from dataclasses import replace

import numpy as np

from rules.piece import Piece
from tests.vision.flat_looks import BOARD, beside_known, hidden_at, king_by, look_at, small_look, start_board
from vision.change import reference, unchanged_odds, with_reference
from vision.evidence import BoardEvidence


def test_a_covered_square_keeps_the_look_it_had() -> None:
    known = reference(small_look(start_board()), start_board(), BOARD)
    cup = start_board().replaced({21: Piece.BLACK_MAN})
    after = reference(small_look(cup, seed=7), start_board(), BOARD, known, hidden_at(21))
    assert unchanged_odds(beside_known(look_at(start_board(), seed=8), after), after)[21] > 2.0


def test_what_a_hand_over_many_squares_hides_keeps_its_look_whatever_the_colour_of_the_hand() -> None:
    known = reference(small_look(start_board()), start_board(), BOARD)
    places = np.array(BOARD.xy)
    under = np.linalg.norm(places - places[21], axis=1) < 2.6
    handed = small_look(start_board(), seed=7)
    handed[: BOARD.size][under] = 80.0
    handed[BOARD.size :][np.linalg.norm(np.array(BOARD.idle_xy) - places[21], axis=1) < 2.6] = 80.0
    seen = BoardEvidence(np.full((BOARD.size, 5), np.log(0.2), np.float32), under)
    after = reference(handed, start_board(), BOARD, known, seen)
    kept, was = (each.patches[: BOARD.size][under].mean(axis=(1, 2, 3)) for each in (after, known))
    assert np.abs(kept / was - 1).max() < 0.05


def test_a_square_whose_piece_came_while_it_was_covered_says_nothing_until_it_is_seen() -> None:
    known = reference(small_look(start_board()), start_board(), BOARD)
    moved = start_board().replaced({21: Piece.EMPTY, 17: Piece.WHITE_MAN})
    after = reference(small_look(start_board(), seed=7), moved, BOARD, known, hidden_at(17))
    assert unchanged_odds(beside_known(look_at(moved, seed=8), after), after)[17] == 0.0
    seen = reference(small_look(moved, seed=9), moved, BOARD, after)
    assert unchanged_odds(beside_known(look_at(moved, seed=8), seen), seen)[17] > 2.0


def test_how_kinglike_a_man_was_is_kept_while_it_is_hidden() -> None:
    known = reference(small_look(start_board()), start_board(), BOARD, None, king_by(-3.0, 21))
    hidden = replace(king_by(1.5, 21), hidden=np.arange(BOARD.size) == 21)
    after = reference(small_look(start_board(), seed=2), start_board(), BOARD, known, hidden)
    assert abs(after.kinglike[21] + 3.0) < 0.05
    assert after.kinglike[22] < -6.0


def test_the_shade_of_a_hand_that_lies_on_the_board_is_not_remembered_as_the_look_of_the_squares_beside_it() -> None:
    known = reference(small_look(start_board()), start_board(), BOARD)
    every = np.array([*BOARD.xy, *BOARD.idle_xy])
    right = every[:, 0].astype(int)
    handed = small_look(start_board(), seed=7)
    handed[right >= 6] = 80.0
    handed[(right == 4) | (right == 5)] *= 0.75
    under = right[: BOARD.size] >= 6
    seen = BoardEvidence(np.full((BOARD.size, 5), np.log(0.2), np.float32), under)
    after = reference(handed, start_board(), BOARD, known, seen)
    odds = unchanged_odds(beside_known(look_at(start_board(), seed=8), after), after)
    assert odds.min() > 2.0


def test_a_disc_is_not_gone_where_the_light_changed_all_around_it() -> None:
    known = reference(small_look(start_board()), start_board(), BOARD)
    spot = 21
    lit = small_look(start_board(), seed=7)
    lit[spot] = np.minimum(lit[spot] * 0.55, 255.0)
    read = np.full((BOARD.size, 5), -7.0, np.float32)
    read[np.arange(BOARD.size), list(start_board().pieces)] = np.log(0.95)
    told = with_reference(BoardEvidence(read, np.zeros(BOARD.size, bool)), lit, known, BOARD)
    assert told.log_likelihood[spot].argmax() == Piece.WHITE_MAN
    assert told.log_likelihood[spot, 1] > np.log(0.9)
