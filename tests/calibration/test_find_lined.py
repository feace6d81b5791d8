"""Finding boards that have no chequers, by their lines."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration import find_lined as find_lined_module
from calibration.drawn_lines import MOST_STRAYING, drawn_lines, straying_of
from calibration.errors import BoardNotFound
from calibration.find_any import UNTOLD, find_squares, find_unknown
from calibration.find_lined import MIN_CONFIDENCE, find_lined, judged, onto_lines
from hardware.simulator.render import render
from hardware.simulator.scene import draw_scene
from rules.boards.hexagons import honeycomb, oblique
from rules.boards.lined import alquerque, serpents
from rules.boards.squares import chequered, full
from rules.placement import Placement
from tests.support.drawn_lines import SIZE, drawing, on_cloth
from vision.lines import lines_of, octagon_lines
from vision.locate import relocate, shift_detected
from vision.pose import BoardPose

FRAMES = Path(__file__).resolve().parents[3] / "shared" / "frames"


def astray(pose: BoardPose, truth: BoardPose, board) -> float:
    """Farthest point from the nearest true one, in units: turns of the board onto itself count as right."""
    seen, true = pose.project(board.xy), truth.project(board.xy)
    away: NDArray[np.float64] = np.linalg.norm(seen[:, None] - true[None], axis=2).min(axis=1)
    return float(away.max()) / truth.square_px(board)


@pytest.mark.parametrize(
    "board", [full(8, 8), full(10, 10), honeycomb(7), oblique(5), alquerque()], ids=lambda b: b.name
)
def test_a_board_with_discs_on_it_is_found_by_its_lines(board):
    bgr, truth = drawing(board, lines_of(board), discs=range(0, board.size, 5))
    found = find_lined(bgr, board)
    assert astray(found.pose, truth, board) < 0.1
    assert found.confidence > 0.7


def test_octagons_are_told_from_squares_and_their_corners_are_the_outer_edge():
    board = chequered(10, 10)
    bgr, truth = drawing(board, octagon_lines(10, 10, 1), discs=range(0, 50, 3))
    found = find_squares(bgr, board)
    assert found.drawing == "octagons"
    rim = np.array([(-0.207, 10.207), (10.207, 10.207), (10.207, -0.207), (-0.207, -0.207)])
    away = np.linalg.norm(found.corners[:, None] - truth.project(rim)[None], axis=2).min(axis=1)
    assert away.max() < 0.15 * truth.square_px(board)


def test_alquerque_is_found_untold_by_the_discs_that_hide_its_points_at_the_start():
    board = alquerque()
    seen = render(draw_scene(board, seed=0), Placement(bytes([1] * 12 + [0] + [2] * 12)))
    truth = BoardPose(seen.image_from_board, 0.0, None, (seen.bgr.shape[1], seen.bgr.shape[0]))
    named, found = find_unknown(seen.bgr)
    assert named.name == board.name
    assert astray(found.pose, truth, board) < 0.15


def test_faint_lines_are_believed_where_nothing_else_comes_near():
    board = honeycomb(5)
    bgr, truth = drawing(board, lines_of(board))
    paper = np.median(bgr.reshape(-1, 3), axis=0)
    noise = np.random.default_rng(3).normal(0, 10.7, bgr.shape)
    faint = np.clip(paper + 0.12 * (bgr - paper) + noise, 0, 255).astype(np.uint8)
    found = find_lined(faint, board)
    assert found.confidence < MIN_CONFIDENCE
    assert astray(found.pose, truth, board) < 0.1


def test_blurred_octagons_are_no_board_of_the_small_squares_between_them():
    board = chequered(10, 10)
    bgr, _ = drawing(board, octagon_lines(10, 10, 1), discs=range(0, 50, 2))
    seen, found = find_unknown(cv2.GaussianBlur(bgr, (0, 0), 2.0))
    assert (seen.kind, found.drawing) == (board.kind, "octagons")


def test_octagons_need_not_be_seen_as_surely_as_other_boards_where_nobody_said_which_it_is():
    picture = FRAMES / "stills" / "s19_octagon_vinyl.png"
    if not picture.exists():
        pytest.skip(f"the labelled picture is not at {picture}")
    assert find_unknown(cv2.imread(str(picture)))[1].drawing == "octagons"


@pytest.mark.parametrize("turn", [12.0, 100.0])
@pytest.mark.parametrize("board", [alquerque(), serpents(), honeycomb(7)], ids=lambda b: b.name)
def test_a_board_of_lines_is_never_seen_as_from_below(board, turn):
    bgr, truth = drawing(board, lines_of(board), turn=turn)
    corners = find_lined(bgr, board).pose.corners(board)
    assert (
        cv2.contourArea(corners.astype(np.float32), oriented=True)
        * (cv2.contourArea(truth.corners(board).astype(np.float32), oriented=True))
        > 0
    )


def test_serpents_are_found_to_the_row_though_discs_hide_their_end():
    board = serpents()
    bgr, truth = drawing(board, lines_of(board), discs=[16, 17, 33, 34, 0, 1, 2, 20, 40])
    pose = find_lined(bgr, board).pose
    assert astray(pose, truth, board) < 0.15


def test_serpents_on_a_chequered_cloth_are_found_by_their_triangles():
    """The cloth has more long lines than the board, whose own ends are hidden."""
    board = serpents()
    bgr, truth = drawing(board, lines_of(board), discs=[16, 17, 33, 34, 0, 1, 2, 20, 40], turn=0.0)
    pose = find_lined(on_cloth(bgr, truth, board), board).pose
    assert astray(pose, truth, board) < 0.15


@pytest.mark.parametrize(
    ("board", "segments"),
    [(chequered(10, 10), octagon_lines(10, 10, 1)), (honeycomb(5), lines_of(honeycomb(5)))],
    ids=["octagons", "honeycomb"],
)
def test_a_board_of_cells_on_a_chequered_cloth_is_found(board, segments):
    """The rows of the cloth's squares are longer than the board's, and go on into them."""
    bgr, truth = drawing(board, segments, discs=range(0, board.size, 3), turn=40.0)
    found = find_lined(on_cloth(bgr, truth, board), board)
    assert astray(found.pose, truth, board) < 0.1


def test_corners_given_roughly_are_moved_onto_the_lines():
    board = alquerque()
    bgr, truth = drawing(board, lines_of(board))
    drag = np.array([[9, -8], [-9, 7], [8, 9], [-7, -9]])
    rough = BoardPose.from_points(board.outline, truth.corners(board) + drag, SIZE)
    assert astray(onto_lines(bgr, rough, board), truth, board) < 0.03


def test_corners_given_where_no_lines_are_seen_stay():
    board = alquerque()
    _, truth = drawing(board, lines_of(board))
    noise = np.random.default_rng(5).integers(90, 140, (SIZE[1], SIZE[0], 3)).astype(np.uint8)
    assert np.array_equal(onto_lines(noise, truth, board).image_from_board, truth.image_from_board)


@pytest.mark.parametrize("board", [full(8, 8), honeycomb(7), alquerque()], ids=lambda b: b.name)
def test_a_nudged_board_is_followed_by_its_lines(board):
    bgr, truth = drawing(board, lines_of(board), discs=range(0, board.size, 5))
    by = np.eye(3)
    by[:2, 2] = np.array([0.22, -0.17]) * truth.square_px(board)
    before = BoardPose(by @ truth.image_from_board, 0.5, None, SIZE)
    found = relocate(bgr, before, board)
    assert found is not None
    assert np.linalg.norm(found.corners(board) - truth.corners(board), axis=1).max() < 0.06 * truth.square_px(board)
    assert shift_detected(bgr, found, board) == 0.0


def test_a_board_whose_lines_are_gone_is_not_followed():
    board = alquerque()
    _, truth = drawing(board, lines_of(board))
    assert relocate(np.full((SIZE[1], SIZE[0], 3), 128, np.uint8), truth, board) is None


@pytest.mark.parametrize("board", [full(8, 8), honeycomb(7), alquerque()], ids=lambda b: b.name)
@pytest.mark.parametrize("texture", ["plain", "noise", "planks"])
def test_a_table_without_a_board_holds_none(board, texture):
    rng = np.random.default_rng(11)
    bgr = np.full((540, 960, 3), 120, np.uint8)
    if texture == "noise":
        bgr = cv2.GaussianBlur(rng.integers(0, 255, bgr.shape).astype(np.uint8), (0, 0), 3)
    if texture == "planks":
        bgr[::60] = 70
        bgr = np.clip(bgr + rng.normal(0, 4, bgr.shape), 0, 255).astype(np.uint8)
    with pytest.raises(BoardNotFound, match="give its corners"):
        find_lined(bgr, board)


@pytest.mark.parametrize("image", ["r710018.jpg", "r710048.jpg", "r710061.jpg", "r710127.jpg"])
def test_lined_boards_in_labelled_pictures_are_found(image):
    labels = FRAMES / "lined" / "labels.json"
    if not labels.exists():
        pytest.skip(f"the labelled pictures are not at {labels}")
    label = next(entry for entry in json.loads(labels.read_text()) if entry["image"] == image)
    n = label["n"]
    bgr = cv2.imread(str(FRAMES / "lined" / image))
    if label["kind"] == "alquerque":
        corners = find_lined(bgr, alquerque()).pose.corners(alquerque())
    else:
        corners = find_squares(bgr, full(n, n) if label["kind"] == "full" else chequered(n, n)).corners
    truth = np.array(label["corners"])
    square = np.sqrt(cv2.contourArea(truth.astype(np.float32))) / n
    assert np.linalg.norm(corners[:, None] - truth[None], axis=2).min(axis=1).max() < 0.35 * square


def test_an_unknown_board_of_squares_is_not_taken_for_the_few_lines_of_another_within():
    picture = FRAMES / "lined" / "r710034.jpg"
    if not picture.exists():
        pytest.skip(f"the labelled picture is not at {picture}")
    assert find_unknown(cv2.imread(str(picture)))[0] == full(8, 8)


def test_full_boards_are_found_where_nobody_said_which_board_it_is():
    labels = FRAMES / "stills" / "labels.json"
    if not labels.exists():
        pytest.skip(f"the labelled pictures are not at {labels}")
    entries = [entry for entry in json.loads(labels.read_text()) if entry["kind"] == "full"]
    found = [find_unknown(cv2.imread(str(labels.parent / entry["image"])))[0] for entry in entries]
    assert found == [full(entry["n"], entry["n"]) for entry in entries]


def test_a_board_clearly_seen_by_its_cells_ends_the_search_for_the_other_kinds(monkeypatch):
    looked_at = []
    monkeypatch.setattr(find_lined_module, "judged", lambda *of: looked_at.append(of) or judged(*of))
    board = full(10, 10)
    bgr, _ = drawing(board, lines_of(board), discs=range(0, 100, 3))
    assert find_unknown(bgr)[0] == board
    assert len(looked_at) <= len(UNTOLD)


def test_patches_that_lie_in_no_straight_rows_are_no_cells_to_lay_boards_on():
    rng = np.random.default_rng(5)
    bgr = np.full((540, 960, 3), (150, 160, 170), np.uint8)
    for x, y in np.stack(np.meshgrid(np.arange(40, 940, 45), np.arange(40, 520, 45)), -1).reshape(-1, 2):
        at = (np.array([x, y]) + rng.uniform(-9, 9, 2)).astype(int).tolist()
        cv2.circle(bgr, at, 13, (60, 70, 80), 3, cv2.LINE_AA)
    rows = drawn_lines(bgr, (full(8, 8),), edges_too=False).cells
    assert all(straying_of(one) <= MOST_STRAYING for one in rows)


def test_a_board_of_lines_that_is_not_there_is_missed_in_plain_words() -> None:
    with pytest.raises(BoardNotFound) as refused:
        find_lined(np.full((240, 320, 3), 128, np.uint8), honeycomb(5))
    assert "of the lines of a board of 61 hexagons" in str(refused.value)
    assert "honeycomb" not in str(refused.value)
