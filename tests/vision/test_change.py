"""What an unchanged look says about a square."""

from dataclasses import replace

import numpy as np

from rules.board import Board
from rules.boards.squares import full
from rules.piece import Piece
from rules.placement import Placement
from tests.vision.flat_looks import BOARD, GREY, beside_known, king_by, look_at, small_look, start_board
from vision.change import empty_again, reference, shade_stayed, unchanged_odds, with_reference
from vision.compared import compared, small_patches
from vision.evidence import BoardEvidence
from vision.patches import BoardPatches
from vision.reader import light_of_board
from vision.rectify import SQUARES_WIDE


def test_an_untouched_board_speaks_for_what_stood_on_it_in_any_light() -> None:
    known = reference(small_look(start_board()), start_board(), BOARD)
    for light in (0.7, 1.0, 1.15):
        assert unchanged_odds(beside_known(look_at(start_board(), light, seed=3), known), known).min() > 2.0


def test_a_square_that_was_left_speaks_against_its_man_and_against_a_king_of_its_side() -> None:
    known = reference(small_look(start_board()), start_board(), BOARD)
    after = start_board().replaced({21: Piece.EMPTY, 17: Piece.WHITE_MAN})
    wrong = np.full((BOARD.size, 5), -8.0, np.float32)
    wrong[:, 1] = wrong[:, 3] = -0.7
    seen = BoardEvidence(wrong, np.zeros(BOARD.size, bool))
    told = with_reference(seen, small_look(after, seed=4), known, BOARD)
    assert told.log_likelihood[21, 0] - told.log_likelihood[21, 1] > wrong[21, 0] - wrong[21, 1] + 5.0
    assert told.log_likelihood[21, 0] - told.log_likelihood[21, 3] > wrong[21, 0] - wrong[21, 3] + 5.0


def test_a_king_that_changed_is_gone_where_its_place_is_surely_bare_and_else_may_have_been_crowned() -> None:
    crowned = start_board().replaced({21: Piece.WHITE_KING})
    known = reference(small_look(crowned), crowned, BOARD)
    bare, disc = (_read_as(piece, 21) for piece in (Piece.EMPTY, Piece.WHITE_KING))
    left = small_look(crowned.replaced({21: Piece.EMPTY}), seed=4)
    gone, there = (with_reference(seen, left, known, BOARD).log_likelihood[21] for seen in (bare, disc))
    before = bare.log_likelihood[21]
    assert gone[0] - gone[3] > before[0] - before[3] + 4.0
    assert gone[0] - gone[1] > before[0] - before[1] + 4.0
    assert there[3] - there[1] > disc.log_likelihood[21, 3] - disc.log_likelihood[21, 1] - 1.5


def test_a_square_that_looks_as_when_it_was_empty_is_empty_again() -> None:
    first = reference(small_look(start_board()), start_board(), BOARD)
    filled = start_board().replaced({17: Piece.WHITE_MAN, 21: Piece.EMPTY})
    second = reference(small_look(filled, seed=5), filled, BOARD, first)
    odds = empty_again(beside_known(look_at(start_board(), seed=6), second), second)
    assert odds[17] > 2.0
    assert odds[30] == 0.0


def _evenly(pieces: tuple[int, ...]) -> BoardEvidence:
    """A look that tells these kinds of piece from the others, but not from each other."""
    told = np.full((BOARD.size, 5), -8.0, np.float32)
    told[:, pieces] = -0.7
    return BoardEvidence(told, np.zeros(BOARD.size, bool))


def _crowned(placement: Placement, point: int, seed: int) -> BoardPatches:
    """A dark mark over half of the disc on a point."""
    patches = look_at(placement, seed=seed)
    patches.points[point][8:32, 20:36] = 60
    return patches


def test_a_crown_put_on_a_man_costs_its_own_king_nothing_beside_the_other_side() -> None:
    known = reference(small_look(start_board()), start_board(), BOARD)
    look = small_patches(_crowned(start_board(), 21, 9))
    told = with_reference(_evenly((3, 4)), look, known, BOARD).log_likelihood[21]
    assert told[3] - told[4] > 1.0


def test_a_man_that_changed_is_no_king_for_its_shade_alone() -> None:
    known = reference(small_look(start_board()), start_board(), BOARD)
    look = small_patches(_crowned(start_board(), 21, 9))
    told = with_reference(_evenly((1, 3)), look, known, BOARD).log_likelihood[21]
    assert abs(told[3] - told[1]) < 0.01


def test_a_king_never_seen_crowned_is_not_taken_for_a_man_the_surer_the_longer_it_stands() -> None:
    known = reference(small_look(start_board()), start_board(), BOARD)
    told = with_reference(_evenly((1, 3)), small_look(start_board(), seed=9), known, BOARD, (21,)).log_likelihood
    assert abs(told[21, 1] - told[21, 3]) < 0.01
    assert told[22, 1] - told[22, 3] > 2.0


def _read_as(piece: int, point: int, sure: float = 0.97) -> BoardEvidence:
    chance = np.full((BOARD.size, 5), 0.2, np.float32)
    chance[point] = (1 - sure) / 4
    chance[point, piece] = sure
    return BoardEvidence(np.log(chance), np.zeros(BOARD.size, bool))


def test_a_bare_square_that_looks_like_the_disc_that_left_it_may_be_empty() -> None:
    before = Placement(bytes([2] * 6 + [0] * 20 + [1] * 6))
    after = Placement(bytes([2] * 5 + [0] * 21 + [1] * 6))
    known = reference(small_look(before), before, BOARD)
    seen = with_reference(_read_as(2, 5), small_patches(look_at(after, seed=1)), known, BOARD)
    lead = seen.log_likelihood[5]
    assert lead[0] > lead[1]
    assert lead[0] > lead[2]


def test_an_untouched_square_stays_empty_though_its_wood_is_read_as_a_disc() -> None:
    placement = Placement(bytes([2] * 6 + [0] * 20 + [1] * 6))
    known = reference(small_look(placement), placement, BOARD)
    seen = with_reference(_read_as(2, 10, 0.99), small_patches(look_at(placement, seed=1)), known, BOARD)
    assert seen.log_likelihood[10].argmax() == 0


def _with_disc(placement: Placement, point: int, aside: int, seed: int) -> BoardPatches:
    """A light disc on the light wood of a point, so many pixels off its middle."""
    patches = look_at(placement, seed=seed)
    y, x = np.mgrid[:40, :40]
    disc = (x - 19.5 - aside) ** 2 + (y - 19.5) ** 2 < 11.0**2
    patches.points[point] = np.where(disc, 210, 90)[..., None]
    return patches


def test_a_disc_put_down_off_its_middle_is_not_taken_for_gone() -> None:
    known = reference(small_patches(_with_disc(start_board(), 21, -7, 1)), start_board(), BOARD)
    aside = _with_disc(start_board(), 21, 7, 2)
    assert unchanged_odds(beside_known(aside, known), known)[21] < -4.0
    told = with_reference(_read_as(1, 21, 0.999), small_patches(aside), known, BOARD).log_likelihood[21]
    assert told.argmax() == 1
    assert told[1] - told[0] > 5.0


def test_a_light_disc_gone_from_a_light_cell_among_dark_ones_is_gone() -> None:
    """Cells differ in colour: the bare shade most like the disc tells whether its own shade stayed."""
    before = Placement(bytes([1] + [0] * 31))
    light = [1, 5, 9]
    then, now = look_at(before, seed=1), look_at(before.replaced({0: Piece.EMPTY}), seed=2)
    for patches in (then, now):
        patches.points[light] = 200
    now.points[0] = 196
    then.points[0] = 214
    known = reference(small_patches(then), before, BOARD)
    assert shade_stayed(beside_known(now, known), known)[0] < 0.5


def test_a_disc_gone_from_wood_of_its_shade_is_gone_where_it_is_read_as_gone() -> None:
    then, now = look_at(start_board()), look_at(start_board(), seed=2)
    now.points[21] = 200
    now.points[21][:, :19] = 30
    around = np.hypot(*(np.indices((40, 40)) - 19.5)) > 0.5 / SQUARES_WIDE * 40
    then.points[21][around] = now.points[21][around]
    known = reference(small_patches(then), start_board(), BOARD)
    assert shade_stayed(beside_known(now, known), known)[21] > 0.5
    told = with_reference(_read_as(0, 21), small_patches(now), known, BOARD).log_likelihood[21]
    before = _read_as(0, 21).log_likelihood[21]
    assert told[0] - told[1] > before[0] - before[1] + 2.0


def test_a_bare_square_never_seen_that_looks_like_a_man_of_the_other_side_may_be_empty() -> None:
    before = Placement(bytes([2] * 6 + [0] * 20 + [1] * 6))
    known = reference(small_look(before), before, BOARD)
    now = look_at(before.replaced({5: Piece.EMPTY}), seed=1)
    told = with_reference(_read_as(1, 5, 0.999), small_patches(now), known, BOARD).log_likelihood[5]
    assert told[1] - told[0] < 4.5
    seen_bare = reference(small_patches(now), before.replaced({5: Piece.EMPTY}), BOARD, known)
    back = reference(small_look(before, seed=2), before, BOARD, seen_bare)
    another = look_at(before.replaced({5: Piece.WHITE_MAN}), seed=3)
    told = with_reference(_read_as(1, 5, 0.999), small_patches(another), back, BOARD).log_likelihood[5]
    assert told[1] - told[0] > 6.0


def test_what_stands_on_the_next_square_leaves_the_look_of_a_bare_one_alone() -> None:
    known = reference(small_look(start_board()), start_board(), BOARD)
    now = look_at(start_board(), seed=3)
    points = now.points.copy()
    axis = (np.arange(40) + 0.5) / 40 * SQUARES_WIDE - SQUARES_WIDE / 2
    beyond = np.hypot(axis[:, None], axis[None, :]) > 0.52
    points[17][beyond] = 230
    odds = unchanged_odds(beside_known(replace(now, points=points), known), known)
    assert odds[17] > 2.0


def test_a_second_disc_that_changes_little_from_above_is_a_crown_where_the_man_is_read_as_a_king_all_at_once() -> None:
    known = reference(small_look(start_board()), start_board(), BOARD, None, king_by(-3.0, 21))
    small = small_look(start_board(), seed=9)
    small[21] -= 4.0
    told = with_reference(king_by(1.5, 21), small, known, BOARD).log_likelihood[21]
    assert told[3] - told[1] > 5.0


def test_a_disc_that_nobody_touched_is_not_crowned_however_it_is_read() -> None:
    known = reference(small_look(start_board()), start_board(), BOARD, None, king_by(-3.0, 21))
    told = with_reference(king_by(3.0, 21), small_look(start_board(), seed=9), known, BOARD).log_likelihood[21]
    assert told[1] - told[3] > 3.0


def test_a_man_that_is_read_as_a_king_all_along_stays_a_man() -> None:
    known = reference(small_look(start_board()), start_board(), BOARD, None, king_by(1.5, 21))
    told = with_reference(king_by(1.8, 21), small_look(start_board(), seed=9), known, BOARD).log_likelihood[21]
    assert told[1] - told[3] > 2.0


def test_a_bare_square_read_as_a_man_or_a_king_of_the_other_side_is_no_crowned_man() -> None:
    known = reference(small_look(start_board()), start_board(), BOARD, None, king_by(-3.0, 21))
    table = king_by(-3.0, 21).log_likelihood.copy()
    table[5] = [-2.3, -0.8, -7.2, -0.9, -2.9]
    read = BoardEvidence(table, np.zeros(BOARD.size, bool))
    told = with_reference(read, small_look(start_board(), seed=9), known, BOARD).log_likelihood[5]
    assert told[2] > told[4]


def test_a_mark_that_covers_a_man_is_the_crown_of_its_own_side() -> None:
    known = reference(small_look(start_board()), start_board(), BOARD, None, king_by(-3.0, 21))
    table = king_by(-3.0, 21).log_likelihood.copy()
    table[21] = [-3.3, -4.0, -7.8, -0.2, -2.2]
    marked = look_at(start_board(), seed=9)
    marked.points[21] = 60
    read = BoardEvidence(table, np.zeros(BOARD.size, bool))
    told = with_reference(read, small_patches(marked), known, BOARD).log_likelihood[21]
    assert told.argmax() == Piece.WHITE_KING
    assert told[3] - told[4] > 1.5


def _close(board: Board, placement: Placement, seed: int, bare: float = 90.0) -> BoardPatches:
    """A board whose discs stand so near to one another that they reach into the patches of the next points."""
    rng = np.random.default_rng(seed)
    places = np.array(board.xy)
    axis = ((np.arange(40) + 0.5) / 40 - 0.5) * SQUARES_WIDE
    x, y = axis[None, :], -axis[:, None]
    pixels = np.full((board.size + len(board.idle_xy), 40, 40), bare)
    for point, patch in enumerate(pixels[: board.size]):
        for other in range(board.size):
            aside = places[other] - places[point]
            if placement.pieces[other] and np.abs(aside).max() < 1.5:
                patch[np.hypot(x - aside[0], y - aside[1]) < 0.5] = GREY[placement.pieces[other]]
    noisy = np.clip(pixels[..., None] + rng.normal(0, 1.5, (*pixels.shape, 3)), 0, 255).astype(np.uint8)
    lean = np.zeros(len(noisy), np.float32)
    return BoardPatches(noisy[: board.size], noisy[board.size :], light_of_board(noisy), lean, lean[:0])


def test_a_disc_that_took_those_around_it_is_seen_where_it_came_to_stand() -> None:
    board = full(8, 8)
    around = [18, 19, 20, 26, 28, 34, 35, 36]
    before = Placement(bytes(2 if p in around else 1 if p > 55 else 0 for p in range(64)))
    after = before.replaced(dict.fromkeys(around, Piece.EMPTY) | {27: Piece.WHITE_MAN, 63: Piece.EMPTY})
    known = reference(small_patches(_close(board, before, 1)), before, board)
    table = np.full((64, 5), -8.0, np.float32)
    table[np.arange(64), list(after.pieces)] = 0.0
    shown = with_reference(
        BoardEvidence(table, np.zeros(64, bool)), small_patches(_close(board, after, 2)), known, board
    )
    assert not shown.hidden[27]
    assert shown.pieces()[27] == Piece.WHITE_MAN


def test_a_sliver_of_a_black_disc_that_left_the_next_square_is_no_white_disc_that_came_to_a_white_one() -> None:
    empties = list(range(12, 20))
    then, now = look_at(start_board(), seed=1), look_at(start_board(), seed=2)
    for patches in (then, now):
        patches.points[empties] = 185
    then.points[17][10:30, 10:13] = 20
    known = reference(small_patches(then), start_board(), BOARD)
    assert unchanged_odds(beside_known(now, known), known)[17] > 1.0
    arrived = look_at(start_board(), seed=3)
    arrived.points[empties] = 185
    arrived.points[17] = 210
    known = reference(small_patches(now), start_board(), BOARD)
    assert unchanged_odds(beside_known(arrived, known), known)[17] < -4.0


def test_discs_taken_off_the_next_squares_do_not_pass_for_brighter_light() -> None:
    board = full(8, 8)
    taken = [19, 26, 28, 35]
    before = Placement(bytes(2 if p in taken or p > 55 else 1 if p < 8 else 0 for p in range(64)))
    after = before.replaced(dict.fromkeys(taken, Piece.EMPTY))
    known = reference(small_patches(_close(board, before, 1, 185.0)), before, board)
    look = compared(small_patches(_close(board, after, 2, 185.0)), known.patches, board)
    assert unchanged_odds(look, known)[27] > 2.0


def test_a_marked_disc_of_the_other_side_on_a_light_mans_square_does_not_keep_its_shade_for_the_squares_around() -> (
    None
):
    start = start_board()
    before, after = look_at(start), look_at(start.replaced({21: Piece.BLACK_MAN}), seed=4)
    for patches in (before, after):
        rim = np.hypot(*(np.indices((40, 40)) - 19.5)) > 0.5 / SQUARES_WIDE * 40
        patches.points[21][rim] = 210  # the next squares are as light as the man
    after.points[21][16:24, 16:24] = 210
    known = reference(small_patches(before), start, BOARD)
    assert shade_stayed(beside_known(after, known), known)[21] < 0.3
