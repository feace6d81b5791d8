"""Squares that did not change are not read again, and those that did are."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from numpy.typing import NDArray

from hardware.simulator.render import Rendered, render
from hardware.simulator.scene import draw_scene
from rules.board import Board
from rules.boards.squares import chequered
from rules.piece import Piece
from rules.placement import Placement
from vision.compared import Sampled, sampled
from vision.evidence import evidence_of
from vision.pose import BoardPose
from vision.reader import installed_reader
from vision.rereading import OFTEN_ENOUGH, TURNS, ReadSquares, evidence_again, networks, read_beside

BOARD: Board = chequered(8, 8)
HELD = {0: Piece.WHITE_MAN, 5: Piece.WHITE_MAN, 9: Piece.WHITE_MAN, 20: Piece.BLACK_MAN, 27: Piece.BLACK_MAN}
SCENE = draw_scene(BOARD, 3, (640, 480))
NETS = networks()


@cache
def _drawn(pieces: bytes) -> Rendered:
    return render(SCENE, Placement(pieces))


def _look(held: dict[int, Piece], seed: int, light: float = 1.0) -> Sampled:
    drawn = _drawn(bytes(int(held.get(point, Piece.EMPTY)) for point in range(BOARD.size)))
    noise = 2 * np.random.default_rng(seed).standard_normal(drawn.bgr.shape, np.float32)
    bgr = np.clip(drawn.bgr * light + noise, 0, 255).astype(np.uint8)
    pose = BoardPose(drawn.image_from_board, 0.5, None, (bgr.shape[1], bgr.shape[0]))
    return sampled(bgr, pose, BOARD)


def _after(looks: list[Sampled]) -> ReadSquares:
    read = None
    for look in looks:
        _, read = evidence_again(look, BOARD, None, NETS, read)
    assert read is not None
    return read


def _read_anew(before: ReadSquares, after: ReadSquares) -> NDArray[np.int64]:
    return np.flatnonzero((before.features != after.features).any(axis=1))


@pytest.fixture(scope="module")
def settled() -> ReadSquares:
    return _after([_look(HELD, seed) for seed in range(OFTEN_ENOUGH)])


def test_the_first_look_says_what_reading_every_square_says() -> None:
    look = _look(HELD, 0)
    again, _ = evidence_again(look, BOARD, None, NETS, None)
    assert np.allclose(again.log_likelihood, evidence_of(look.patches, BOARD).log_likelihood, atol=1e-4)


def test_of_a_still_board_only_the_squares_whose_turn_it_is_are_read(settled: ReadSquares) -> None:
    _, after = evidence_again(_look(HELD, 7), BOARD, None, NETS, settled)
    assert len(_read_anew(settled, after)) <= BOARD.size / TURNS + 1


def test_in_turn_every_square_is_read(settled: ReadSquares) -> None:
    read, seen = settled, set()
    for seed in range(TURNS):
        _, after = evidence_again(_look(HELD, 20 + seed), BOARD, None, NETS, read)
        seen |= set(_read_anew(read, after).tolist())
        read = after
    assert seen == set(range(BOARD.size))


def test_the_squares_of_a_move_are_read_and_said_as_if_all_were(settled: ReadSquares) -> None:
    moved = {(13 if point == 9 else point): piece for point, piece in HELD.items()}
    look = _look(moved, 8)
    seen, after = evidence_again(look, BOARD, None, NETS, settled)
    assert {9, 13} <= set(_read_anew(settled, after).tolist())
    assert np.array_equal(seen.pieces(), evidence_of(look.patches, BOARD).pieces())
    assert seen.pieces()[[9, 13]].tolist() == [Piece.EMPTY, Piece.WHITE_MAN]


def test_a_square_that_changed_is_read_until_it_was_read_often_enough(settled: ReadSquares) -> None:
    moved = {(13 if point == 9 else point): piece for point, piece in HELD.items()}
    read = settled
    for seed in range(OFTEN_ENOUGH):
        _, after = evidence_again(_look(moved, 30 + seed), BOARD, None, NETS, read)
        assert {9, 13} <= set(_read_anew(read, after).tolist())
        read = after


def test_under_another_light_every_square_is_read(settled: ReadSquares) -> None:
    _, after = evidence_again(_look(HELD, 9, light=0.7), BOARD, None, NETS, settled)
    assert len(_read_anew(settled, after)) == BOARD.size


def test_a_board_that_lies_elsewhere_is_read_anew(settled: ReadSquares) -> None:
    look = _look(HELD, 10)
    elsewhere = replace(look.patches, lean=look.patches.lean + np.float32(0.01))
    _, after = evidence_again(Sampled(elsewhere, look.small), BOARD, None, NETS, settled)
    assert len(_read_anew(settled, after)) == BOARD.size


def test_more_patches_beside_a_board_that_was_read_are_read_alone_with_the_same_outcome(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    look = _look(HELD, 1)
    read = _after([look])
    more, lean = look.patches.points[[5, 20]], look.patches.lean[[5, 20]]
    every = np.concatenate([look.patches.points, more])
    due = installed_reader().read(every, look.patches.light, np.concatenate([look.patches.lean, lean]))
    counted: list[int] = []
    plainly = type(installed_reader()).features_of
    monkeypatch.setattr(
        type(installed_reader()),
        "features_of",
        lambda self, planes, built=None: (counted.append(len(planes)), plainly(self, planes, built))[1],
    )
    assert np.allclose(read_beside(more, lean, NETS, read), due, atol=1e-3)
    assert counted == [2], "the board itself is not read again"
