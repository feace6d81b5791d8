"""A single picture read in several framings."""

from functools import cache

import numpy as np
import pytest
from numpy.typing import NDArray

from hardware.training.drawn_scene import DrawnScene, draw_scene
from rules.board import Board
from rules.boards.squares import full
from vision.evidence import BoardEvidence, evidence
from vision.framings import OF_DISCS, OF_SQUARES, Framing, evidence_of_picture


@cache
def _scenes(count: int) -> list[tuple[DrawnScene, Board, NDArray[np.int64]]]:
    """Drawn boards of squares and what stands on each point of theirs, -1 where it is not in view or unsure."""
    made: list[tuple[DrawnScene, Board, NDArray[np.int64]]] = []
    for seed in range(4 * count):
        scene = draw_scene(np.random.default_rng((5, seed)))
        size = round(len(scene.xy) ** 0.5)
        board = full(size, size)
        at = {tuple(np.round(xy, 3)): label for xy, label in zip(scene.xy, scene.labels, strict=True)}
        if set(at) == {tuple(np.round(xy, 3)) for xy in board.xy} and len(made) < count:
            made.append((scene, board, np.array([at[tuple(np.round(xy, 3))] for xy in board.xy])))
    return made


@cache
def _surprise(framed: bool) -> float:
    """By how much (mean natural log) the truth of drawn pictures was thought unlikely."""
    surprise: list[float] = []
    for scene, board, labels in _scenes(6):
        seen = (evidence_of_picture if framed else evidence)(scene.bgr, scene.pose, board)
        told = np.flatnonzero((labels >= 0) & (labels < 5))
        surprise.extend(-seen.log_likelihood[told, labels[told]])
    return float(np.mean(surprise))


def test_several_framings_are_less_surprised_by_the_truth_than_one() -> None:
    assert _surprise(framed=True) < 0.95 * _surprise(framed=False)


def test_framings_differ_and_begin_with_the_usual_one() -> None:
    for framings in (OF_SQUARES, OF_DISCS):
        assert len(set(framings)) == len(framings) > 1
        assert (framings[0].wider, framings[0].mirrored) == (1.0, False)


def test_a_mirrored_framing_shows_what_was_on_the_right_on_the_left() -> None:
    patches = np.random.default_rng(1).integers(0, 255, (2, 4, 4, 3)).astype(np.uint8)
    assert np.array_equal(Framing(1.0, 0.1, True).turned(patches)[:, :, 0], patches[:, :, -1])


@pytest.mark.parametrize("number", range(2))
def test_every_point_gets_its_likelihoods(number: int) -> None:
    scene, board, _ = _scenes(6)[number]
    seen: BoardEvidence = evidence_of_picture(scene.bgr, scene.pose, board)
    assert seen.log_likelihood.shape == (board.size, 5)
    assert np.allclose(np.exp(seen.log_likelihood).sum(axis=1), 1, atol=1e-4)
