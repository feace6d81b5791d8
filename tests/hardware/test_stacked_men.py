"""Stacks made of the men of a labelled picture, to learn from."""

from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.training.drawn_discs import CIRCLE
from hardware.training.drawn_scene import UNSURE, DrawnScene
from hardware.training.stacked_men import DiscSize, Men, men_of, stack_some, thickened
from vision.pose import BoardPose

SIZE = DiscSize(0.35, 0.2)
OFF = np.array([0.12, -0.08])
LEANING = np.array([[90.0, 40.0, 160.0], [0.0, -25.0, 520.0], [0.0, 0.08, 1.0]])
IMAGE_SIZE = (960, 640)


def _scene(places: list[tuple[float, float]]) -> DrawnScene:
    """Bright discs of SIZE on a dark table, each OFF its square's middle, the camera leaning."""
    pose, xy = BoardPose(LEANING, 0.5, None, IMAGE_SIZE), np.array(places)
    bgr = np.full((IMAGE_SIZE[1], IMAGE_SIZE[0], 3), 50, np.uint8)
    for place in xy + OFF:
        rings = [pose.project(place + SIZE.radius * CIRCLE, z).astype(np.float32) for z in (0.0, SIZE.height)]
        cv2.fillConvexPoly(bgr, np.rint(cv2.convexHull(np.vstack(rings))).astype(np.int32), (150, 150, 150))
        cv2.fillConvexPoly(bgr, np.rint(rings[1]).astype(np.int32), (220, 220, 220))
    n = len(xy)
    return DrawnScene(bgr, pose, xy, np.ones(n, np.int64), np.ones(n, np.bool_), np.full((n, 3), np.nan), True)


def _stacked(scene: DrawnScene) -> tuple[Men, DrawnScene]:
    men = men_of(scene, SIZE)
    for seed in range(50):
        made = stack_some(np.random.default_rng(seed), men)
        if (made.labels > 2).any():
            return men, made
    raise AssertionError("no man was made a stack")


def _bright(bgr: NDArray[np.uint8]) -> NDArray[np.bool_]:
    return np.asarray(bgr[..., 0] > 100)


def test_men_are_found_where_they_stand() -> None:
    scene = _scene([(2.5, 2.5), (5.5, 3.5)])
    assert np.abs(men_of(scene, SIZE).places - scene.xy - OFF).max() < 0.03


def test_a_stack_reaches_one_disc_higher_than_its_man_and_no_lower() -> None:
    scene = _scene([(3.5, 2.5)])
    men, made = _stacked(scene)
    rows_before, rows_after = (np.flatnonzero(_bright(each.bgr).any(axis=1)) for each in (scene, made))
    top = men.scene.pose.project(men.places[0] + SIZE.radius * CIRCLE, 2 * SIZE.height)[:, 1].min()
    assert abs(rows_after.min() - top) < 4
    assert rows_after.min() < rows_before.min() - 5
    assert rows_after.max() == rows_before.max()


def test_a_stack_is_labelled_a_king_and_told_with_its_place_and_height() -> None:
    scene = _scene([(3.5, 2.5)])
    _, made = _stacked(scene)
    assert made.labels.tolist() == [3]
    assert np.abs(made.stands[0] - (*(scene.xy[0] + OFF), 2 * SIZE.height)).max() < 0.03


def test_some_stacks_show_a_seam_and_some_have_walls_of_one_piece() -> None:
    men = men_of(_scene([(3.5, 2.5)]), SIZE)
    made = [stack_some(np.random.default_rng(seed), men) for seed in range(60)]
    seams = {_seam_rows(stack) > 0 for stack in made if stack.labels[0] > 2}
    assert seams == {True, False}


def _seam_rows(scene: DrawnScene) -> int:
    """How many rows of the middle column are as bright as a top but lie below wall."""
    column = int(scene.pose.project(scene.xy + OFF, 0.0)[0, 0])
    tops = np.flatnonzero(scene.bgr[:, column, 0] > 195)
    return int((np.diff(tops) > 1).sum())


def test_thickened_men_reach_as_high_as_they_are_said_to() -> None:
    men = men_of(_scene([(3.5, 2.5)]), SIZE)
    thick = thickened(np.random.default_rng(1), men)
    assert thick.size.height > SIZE.height
    rows_before, rows_after = (np.flatnonzero(_bright(each.scene.bgr).any(axis=1)) for each in (men, thick))
    top = men.scene.pose.project(men.places[0] + SIZE.radius * CIRCLE, thick.size.height)[:, 1].min()
    assert abs(rows_after.min() - top) < 4
    assert rows_after.max() == rows_before.max()


def test_of_discs_that_cannot_be_made_thicker_nothing_is_said() -> None:
    scene = _scene([(2.5, 2.5), (5.5, 3.5)])
    crowned = replace(scene, labels=np.array([1, 3]))
    thick = thickened(np.random.default_rng(1), men_of(crowned, SIZE))
    assert thick.scene.labels.tolist() == [1, UNSURE]


def test_what_stands_where_no_outline_is_seen_stays_a_man() -> None:
    scene = _scene([(3.5, 2.5)])
    blank = DrawnScene(
        np.full_like(scene.bgr, 50), scene.pose, scene.xy, scene.labels, scene.played, scene.stands, True
    )
    men = men_of(blank, SIZE)
    assert all((stack_some(np.random.default_rng(seed), men).labels == 1).all() for seed in range(20))


def test_the_given_picture_is_left_as_it_was() -> None:
    scene = _scene([(3.5, 2.5)])
    before = scene.bgr.copy()
    _stacked(scene)
    assert np.array_equal(scene.bgr, before)
