"""Whether a board of drawn lines was moved, also while an arm lies over it."""

from itertools import islice

import cv2
import numpy as np
import pytest

from hardware.simulator.chance import chance_game, natural_pace
from hardware.simulator.player import Table, states
from hardware.simulator.render import Renderer
from hardware.simulator.scene import draw_scene
from rules.variants.catalogue import variant_named
from server.cli.trials import FRAMES_PER_SECOND, picture_size, pipeline_for
from vision.frame import Frame
from vision.locate import moved_squares, relocate

ALQUERQUE = variant_named("alquerque")
SEED, REACHING_IN = 400196, 102
PUSHED_PX = (9.0, -5.0)


@pytest.fixture(scope="module")
def under_an_arm():
    """Where an alquerque board was found, and a later picture of it with an arm over it."""
    scene = draw_scene(ALQUERQUE.board, SEED, picture_size(ALQUERQUE))
    game = chance_game(ALQUERQUE, SEED, 20)
    table = Table(scene, game.start.placement, SEED, natural_pace(np.random.default_rng([SEED, 0x9ACE])))
    acted = states(game.acts, table, FRAMES_PER_SECOND)
    shown = [state for _, state in islice(acted, REACHING_IN + 1)]
    renderer = Renderer(scene)
    pipeline = pipeline_for(ALQUERQUE, game.start, scene)
    pipeline.calibrate(Frame(renderer.render(shown[0]).bgr, 0.0, 0))
    return pipeline.calibration.pose, renderer.render(shown[REACHING_IN]).bgr


def test_an_arm_over_a_board_of_lines_does_not_move_it(under_an_arm):
    pose, picture = under_an_arm
    found = relocate(picture, pose, ALQUERQUE.board)
    assert found is not None
    assert moved_squares(found, pose, ALQUERQUE.board) < 0.06


def test_a_board_of_lines_that_was_pushed_is_found_beside_an_arm(under_an_arm):
    pose, picture = under_an_arm
    matrix = np.array([[1.0, 0.0, PUSHED_PX[0]], [0.0, 1.0, PUSHED_PX[1]]])
    pushed = cv2.warpAffine(picture, matrix, picture.shape[1::-1], borderMode=cv2.BORDER_REPLICATE)
    found = relocate(np.asarray(pushed, np.uint8), pose, ALQUERQUE.board)
    assert found is not None
    away = found.corners(ALQUERQUE.board) - pose.corners(ALQUERQUE.board) - PUSHED_PX
    assert np.median(np.linalg.norm(away, axis=1)) < 0.12 * pose.square_px(ALQUERQUE.board)
