import json
from importlib import resources

import numpy as np
import pytest
from numpy.typing import NDArray

from rules.boards.squares import chequered
from rules.piece import Piece
from tests.vision.drawn_board import BOARD, drawn, pose_of, start, with_arm
from vision.appearance import Appearance
from vision.context import Context
from vision.errors import AppearanceError, ReaderError, VisionError
from vision.evidence import EMPTY_SPREAD, BoardEvidence, evidence, learn_look, read_grid, swapped
from vision.fusion import covered, fused
from vision.overlay import overlay
from vision.reader import LightOfBoard, Reader, installed_reader, light_of_board
from vision.rectify import square_patches

POSE = pose_of()
CONTEXT = resources.files("vision").joinpath("reader_context.npz").read_bytes()
START = [start().get(point, 0) for point in range(32)]


def test_the_start_position_is_read_without_having_seen_the_set() -> None:
    seen = evidence(drawn(start()), POSE, BOARD)
    assert (seen.pieces() > 0).tolist() == [piece > 0 for piece in START]
    assert (seen.pieces() % 2)[:12].tolist() == [0] * 12
    assert (seen.pieces() % 2)[20:].tolist() == [1] * 12


def test_the_learned_look_reads_a_later_position_in_another_light() -> None:
    look = learn_look(drawn(start()), POSE, BOARD, START)
    later = {5: 1, 9: 2, 14: 1, 20: 2, 30: 1}
    seen = evidence(drawn(later, gain=0.7, seed=5), POSE, BOARD, look)
    assert seen.pieces().tolist() == [later.get(point, 0) for point in range(32)]
    assert seen.sureness().min() > 0.7


class Sure:
    """The installed reader, but that it is sure of what stands on point 30."""

    def __init__(self, piece: int) -> None:
        self._piece = piece

    def read(self, patches: NDArray[np.uint8], light: LightOfBoard, lean: NDArray[np.float32]) -> NDArray[np.float32]:
        scores = installed_reader().read(patches, light, lean)
        scores[30] = -5.0
        scores[30, self._piece] = -0.01
        return scores


@pytest.mark.parametrize(("piece", "read"), [(Piece.WHITE_MAN, Piece.EMPTY), (Piece.WHITE_KING, Piece.WHITE_KING)])
def test_a_mark_may_have_the_colour_of_the_bare_square_but_no_man_has_it(piece: Piece, read: Piece) -> None:
    bare = {point: value for point, value in start().items() if point != 30}
    known = learn_look(drawn(bare), POSE, BOARD, [bare.get(point, 0) for point in range(32)])
    seen = evidence(drawn(bare, seed=3), POSE, BOARD, known, Sure(piece))
    assert seen.pieces()[30] == read


def test_a_learned_look_survives_being_written_as_json() -> None:
    look = learn_look(drawn(start()), POSE, BOARD, START)
    again = Appearance.from_json(json.loads(json.dumps(look.to_json())))
    one = evidence(drawn(start()), POSE, BOARD, look).log_likelihood
    assert np.allclose(one, evidence(drawn(start()), POSE, BOARD, again).log_likelihood, atol=0.02)


def test_a_square_never_seen_bare_may_be_of_any_colour_that_many_bare_squares_have() -> None:
    pale, middling, red = [70.0, 4.0, 7.0, 2.0], [50.0, 19.0, 12.0, 2.0], [31.0, 33.0, 20.0, 2.0]
    nothing = [np.nan] * 4
    empty = np.array([pale, middling, red] * 5 + [middling] * 3 + [nothing] * 3, np.float32)
    look = Appearance(None, None, empty, np.zeros((21, 3), np.float32), np.zeros((0, 3), np.float32))
    blue = [40.0, 0.0, -40.0, 2.0]
    seen = np.array([pale] * 18 + [pale, red, blue], np.float32)
    fit = look.empty_fit(seen, EMPTY_SPREAD)
    assert fit[0] > -0.1, "its own colour"
    assert fit[1] < -5, "known to be of another colour"
    assert (fit[18:20] > -0.1).all()
    assert fit[20] < -5, "no square has this colour"


def test_learning_on_moves_the_look_slowly() -> None:
    first = learn_look(drawn(start()), POSE, BOARD, START)
    second = learn_look(drawn(start(), gain=0.6), POSE, BOARD, START, previous=first, rate=0.1)
    assert first.light is not None
    assert second.light is not None
    assert 0 < first.light.mean[0] - second.light.mean[0] < 5


def test_a_look_of_another_board_is_refused() -> None:
    look = learn_look(drawn(start()), POSE, BOARD, START)
    with pytest.raises(AppearanceError, match="calibrate again"):
        evidence(drawn(start()), POSE, chequered(10, 10), look)
    with pytest.raises(AppearanceError, match="version"):
        Appearance.from_json({})


def test_evidence_is_normalised_and_read_only() -> None:
    seen = evidence(drawn(start()), POSE, BOARD)
    assert np.allclose(np.exp(seen.log_likelihood).sum(axis=1), 1.0, atol=1e-4)
    with pytest.raises(ValueError, match="read-only"):
        seen.log_likelihood[0, 0] = 0.0


def test_swapping_exchanges_the_sides_only() -> None:
    seen = evidence(drawn(start()), POSE, BOARD)
    assert swapped(swapped(seen)).log_likelihood.tolist() == seen.log_likelihood.tolist()
    assert swapped(seen).log_likelihood[0, 1] == seen.log_likelihood[0, 2]


def test_the_grid_is_written_far_row_first() -> None:
    grid = read_grid(evidence(drawn({28: 1}), POSE, BOARD), BOARD, least_sure=0.0)
    assert len(grid) == 8
    assert grid[7][0] in "wb"
    assert grid[0] == "........"


def test_looks_that_agree_make_it_surer_and_one_hidden_look_does_no_harm() -> None:
    one = BoardEvidence(np.log(np.array([[0.6, 0.1, 0.1, 0.1, 0.1]], np.float32)), np.array([False]))
    none = BoardEvidence(np.log(np.full((1, 5), 0.2, np.float32)), np.array([True]))
    assert fused([one, one]).sureness()[0] > one.sureness()[0]
    assert np.allclose(fused([one, none]).log_likelihood, one.log_likelihood, atol=1e-5)
    assert fused([none, none]).hidden[0]
    with pytest.raises(VisionError, match="at least one"):
        fused([])


def test_a_broken_network_file_is_named_as_such() -> None:
    with pytest.raises(ReaderError, match="install Kibitz again"):
        Reader(b"no network", Context.from_bytes(CONTEXT))


def test_patches_of_the_wrong_size_are_refused() -> None:
    patches = square_patches(drawn(start()), POSE, BOARD.xy, size=20)
    with pytest.raises(ReaderError, match="expected"):
        installed_reader().read(patches, light_of_board(patches), np.zeros((len(patches), 2), np.float32))


def test_patches_show_the_square_they_are_centred_on() -> None:
    patches = square_patches(drawn({}), POSE, BOARD.idle_xy[:4])
    assert patches.shape == (4, 40, 40, 3)
    assert np.allclose(patches[:, 18:22, 18:22].mean(axis=(0, 1, 2)), (170, 205, 225), atol=4)


def test_the_overlay_draws_on_a_copy() -> None:
    picture = with_arm(drawn(start()))
    before = picture.copy()
    drawing = overlay(picture, POSE, BOARD, evidence(picture, POSE, BOARD), highlights=(3, 17))
    assert np.array_equal(picture, before)
    assert (drawing != picture).any()


def test_a_covered_square_says_nothing_and_the_others_what_they_said() -> None:
    seen = evidence(drawn(start()), POSE, BOARD)
    told = covered(seen, np.arange(BOARD.size) == 5)
    assert told.hidden.tolist() == [point == 5 for point in range(32)]
    assert np.allclose(told.log_likelihood[5], np.log(0.2))
    assert np.array_equal(np.delete(told.log_likelihood, 5, 0), np.delete(seen.log_likelihood, 5, 0))
