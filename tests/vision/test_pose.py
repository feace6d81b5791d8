import cv2
import numpy as np
import pytest

from calibration.grid_model import GridModel, straightened
from rules.boards.squares import chequered
from tests.vision.drawn_board import BOARD, CORNERS, SIZE, pose_of
from vision.errors import PictureError, PoseError
from vision.frame import Frame
from vision.pose import BoardPose, Lens, pose_from_corners


def test_the_outline_projects_onto_the_corners_it_was_made_from() -> None:
    assert np.allclose(pose_of().corners(BOARD), CORNERS, atol=1e-6)


def test_unproject_undoes_project() -> None:
    assert np.allclose(pose_of().unproject(pose_of().project(BOARD.xy)), BOARD.xy)


def test_a_point_above_the_board_appears_higher_in_a_picture_taken_from_the_front() -> None:
    flat, lifted = pose_of().project([(4, 4)]), pose_of().project([(4, 4)], height=0.2)
    assert lifted[0, 1] < flat[0, 1] - 2


def test_height_agrees_with_the_camera_that_took_the_picture() -> None:
    camera = np.array([[700.0, 0, 320], [0, 700, 240], [0, 0, 1]])
    tilt = np.radians(40)
    axes = np.array([[1, 0, 0], [0, -np.cos(tilt), -np.sin(tilt)], [0, np.sin(tilt), -np.cos(tilt)]])
    place = np.array([0, 0, 14.0]) - axes @ np.array([4.0, 4.0, 0])
    pose = BoardPose(camera @ np.column_stack([axes[:, :2], place]), 0.5, None, SIZE)
    seen = camera @ (axes @ np.array([2, 6, 0.3]) + place)
    assert np.allclose(pose.project([(2, 6)], 0.3)[0], seen[:2] / seen[2], atol=1.5)


def test_four_quarter_turns_are_none() -> None:
    turned = pose_of().turned(1, BOARD).turned(3, BOARD)
    assert np.allclose(turned.project(BOARD.xy), pose_of().project(BOARD.xy))


def test_a_half_turn_puts_each_point_where_its_opposite_was() -> None:
    turned = pose_of().turned(2, BOARD).project(BOARD.xy)
    assert np.allclose(turned, pose_of().project(BOARD.xy)[list(BOARD.half_turn)])


def test_a_lens_bends_and_straightens_alike() -> None:
    lens = Lens(np.array([[500.0, 0, 320], [0, 500, 240], [0, 0, 1]]), np.array([-0.1, 0.02, 0, 0, 0]))
    pose = pose_from_corners(CORNERS, BOARD, SIZE, lens)
    assert pose.error_px < 0.1
    assert np.allclose(pose.unproject(pose.project(BOARD.xy)), BOARD.xy, atol=1e-3)


def test_a_flat_transform_is_refused() -> None:
    with pytest.raises(PoseError, match="calibrate again"):
        BoardPose(np.zeros((3, 3)), 0.0, None, SIZE)


def test_an_oblong_board_cannot_be_turned_by_a_quarter() -> None:
    oblong = chequered(8, 10)
    with pytest.raises(PoseError, match=r"8\.0 by 10\.0"):
        pose_from_corners(CORNERS, oblong, SIZE).turned(1, oblong)


def test_a_grey_picture_is_no_frame() -> None:
    with pytest.raises(PictureError, match="BGR"):
        Frame(np.zeros((4, 4), np.uint8), 0.0, 0)


@pytest.mark.parametrize("bend", [-0.2, -0.45, -0.75])
def test_a_lens_that_bends_much_is_followed_both_ways(bend):
    """By OpenCV's standard terms alone pixels were up to 74 off, and 950 on the way back."""
    middle, scale = np.array([400.0, 300.0]), 500.0
    grid = np.array([[38.0, 4.0, 230.0], [3.0, 36.0, 150.0], [0.004, 0.012, 1.0]])
    lens = GridModel(grid, bend, middle, scale, 0.0).lens((800, 600))
    across, down = np.meshgrid(np.linspace(0, 800, 17), np.linspace(0, 600, 13))
    pixels = np.stack([across, down], axis=-1).reshape(-1, 2)
    straight = straightened(pixels, bend, middle, scale)
    assert lens is not None
    assert np.abs(lens.distort(straight) - pixels).max() < 0.1
    assert np.abs(lens.distort(lens.undistort(pixels)) - pixels).max() < 0.02


@pytest.mark.parametrize("terms", [4, 5, 8])
def test_a_lens_bends_rays_as_opencv_does(terms):
    generator = np.random.default_rng(terms)
    camera = np.array([[500.0, 0, 320], [0, 505, 240], [0, 0, 1]])
    lens = Lens(camera, generator.normal(0, 0.05, terms))
    pixels = generator.uniform(0, 640, (200, 2))
    rays = np.c_[pixels, np.ones(200)] @ np.linalg.inv(camera).T
    expected, _ = cv2.projectPoints(rays[:, None].copy(), np.zeros(3), np.zeros(3), camera, lens.distortion)
    assert np.abs(lens.distort(pixels) - expected.reshape(-1, 2)).max() < 1e-6
