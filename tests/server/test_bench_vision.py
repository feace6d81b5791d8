"""The measuring command, on drawn boards whose truth is known."""

import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.found import OCTAGON_RIM
from rules.board import Board
from rules.boards.hexagons import honeycomb
from rules.boards.lined import alquerque
from rules.boards.squares import chequered, full
from server.benchmarks.readings import Reading
from server.benchmarks.scores import judged, score
from server.benchmarks.truths import Truth, read_truths
from server.cli.main import DONE, UNUSABLE, main
from tests.support.drawn_lines import drawing
from tests.vision.drawn_board import BOARD, CORNERS, drawn, start
from vision.lines import lines_of, octagon_lines

ROWS = [".b.b.b.b", "b.b.b.b.", ".b.b.b.b", "........", "........", "w.w.w.w.", ".w.w.w.w", "w.w.w.w."]


def labelled(folder: Path, **changes: Any) -> Path:
    """A labels file of one picture: the start position, drawn."""
    cv2.imwrite(str(folder / "a.png"), drawn(start()))
    label = {"image": "a.png", "kind": "chequered", "n": 8, "corners": CORNERS, "rows": ROWS, "playable_at_a1": True}
    path = folder / "labels.json"
    path.write_text(json.dumps([{key: value for key, value in (label | changes).items() if value is not None}]))
    return path


def measured(capsys: pytest.CaptureFixture[str], *words: object) -> dict[str, Any]:
    assert main(["bench", "vision", "--json", *map(str, words)]) == DONE
    group: dict[str, Any] = json.loads(capsys.readouterr().out.splitlines()[-1])
    return group


def truth_of(pieces: list[int], free_naming: bool = False) -> Truth:
    outline = np.array(BOARD.outline)
    return Truth(Path("a"), BOARD, np.array(CORNERS), outline, np.array(pieces), None, None, {}, free_naming)


def reading_of(pieces: list[int], confidence: float = 0.96) -> Reading:
    scores = np.full((BOARD.size, 5), (1 - confidence) / 4, np.float32)
    scores[np.arange(BOARD.size), pieces] = confidence
    return Reading(np.array(CORNERS), 0.1, np.log(scores), np.zeros(BOARD.size, bool), 5.0)


def test_a_drawn_board_is_found_and_its_squares_counted(capsys, tmp_path):
    group = measured(capsys, "--labels", labelled(tmp_path))
    assert (group["pictures"], group["boards_found"], group["squares"]) == (1, 1, 32)
    assert group["corner_error_most"] < 0.1
    assert group["squares_right"] >= 31


def test_without_the_network_plain_men_are_still_read_by_their_circles_but_no_king_is(capsys, tmp_path):
    kings = [row.replace("w", "W") for row in ROWS]
    group = measured(capsys, "--classical", "--corners", "--labels", labelled(tmp_path, rows=kings))
    assert group["kings_said"] == 0
    group = measured(capsys, "--classical", "--corners", "--labels", labelled(tmp_path))
    assert group["squares_right"] >= 28


def test_it_does_not_matter_from_which_side_the_label_names_the_board(capsys, tmp_path):
    turned = ["".join(ROWS[7 - column][row] for column in range(8)) for row in range(8)]
    corners = [CORNERS[3], CORNERS[0], CORNERS[1], CORNERS[2]]
    label = labelled(tmp_path, rows=turned, corners=corners, playable_at_a1=False)
    assert measured(capsys, "--labels", label)["squares_right"] >= 31
    assert measured(capsys, "--labels", label, "--corners")["squares_right"] >= 31


def lined(folder: Path, kind: str, board: Board, lines: NDArray[np.float64], corners: NDArray[np.float64]) -> Path:
    """A labels file of one empty board that is drawn as lines; `corners` (k, 2) on its plane."""
    bgr, pose = drawing(board, lines)
    cv2.imwrite(str(folder / "a.png"), bgr)
    label = {"image": "a.png", "kind": kind, "n": round(board.width), "corners": pose.project(corners).tolist()}
    if board.rows:
        label["rows"] = ["." * board.columns] * board.rows
    else:
        names = reversed(board.names)  # the label's names begin at the far side: the picture cannot tell
        label["points"] = dict.fromkeys(board.names, ".")
        label["points_px"] = dict(zip(names, pose.project(board.xy).tolist(), strict=True))
    path = folder / "labels.json"
    path.write_text(json.dumps([label]))
    return path


@pytest.mark.parametrize("told", ["--variant-given", "--without-variant"])
@pytest.mark.parametrize(
    ("kind", "board"), [("alquerque", alquerque()), ("hexagon", honeycomb(7)), ("full", full(8, 8))]
)
def test_boards_of_lines_are_found_however_they_are_named(capsys, tmp_path, kind, board, told):
    label = lined(tmp_path, kind, board, lines_of(board), np.array(board.outline))
    group = measured(capsys, "--labels", label, told)
    assert (group["boards_found"], group["squares"]) == (1, board.size)
    assert group["corner_error_most"] < 0.15


def test_octagons_are_labelled_at_their_outer_edge(capsys, tmp_path):
    rim = OCTAGON_RIM * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) + np.array([(0, 0), (10, 0), (10, 10), (0, 10)])
    label = lined(tmp_path, "octagon", chequered(10, 10), octagon_lines(10, 10, 1), rim)
    group = measured(capsys, "--labels", label)
    assert group["boards_found"] == 1
    assert group["corner_error_most"] < 0.1


def test_corners_that_are_elsewhere_are_a_board_not_found(capsys, tmp_path):
    off = [(x + 40, y) for x, y in CORNERS]
    group = measured(capsys, "--labels", labelled(tmp_path, corners=off))
    assert (group["boards_found"], group["boards_right"], group["squares"]) == (0, 0, 0)


def test_squares_that_a_hand_hides_are_not_counted(capsys, tmp_path):
    rows = ["????????", *ROWS[1:]]
    assert measured(capsys, "--labels", labelled(tmp_path, rows=rows))["squares"] == 28


def test_play_parity_tells_which_squares_are_played_on(tmp_path):
    label = labelled(tmp_path, rows=["b.......", *["........"] * 7], playable_at_a1=None, play_parity=0)
    truth = read_truths(label)[0]
    assert truth.board == chequered(8, 8, mirrored=True)
    assert truth.pieces[0] == 2


def test_the_sheet_shows_what_failed(capsys, tmp_path):
    sheet = tmp_path / "sheet.png"
    wrong = [*ROWS[:3], ".w......", *ROWS[4:]]
    measured(capsys, "--labels", labelled(tmp_path, rows=["........", *wrong[1:]]), "--sheet", sheet)
    picture = cv2.imread(str(sheet))
    assert picture is not None
    assert (np.abs(picture.astype(int) - (60, 60, 255)).max(axis=2) < 20).sum() > 100


def test_kings_are_counted_by_precision_and_recall():
    held = [3, 3, 3, 3, 1, 2] + [0] * 26
    said = [3, 3, 4, 1, 3, 2] + [0] * 26
    row = score("all", [judged(truth_of(held), reading_of(said))])
    assert (row.kings, row.kings_said, row.kings_right) == (4, 4, 3)
    assert row.squares_right == 29


def test_a_square_told_with_too_little_confidence_is_wrong():
    row = score("all", [judged(truth_of([0] * 32), reading_of([0] * 32, confidence=0.4))])
    assert row.squares_right == 0
    assert row.reliability == ()


def test_confidence_is_compared_with_how_often_it_is_right():
    one = judged(truth_of([0] * 32), reading_of([0] * 24 + [1] * 8, confidence=0.995))
    row = score("all", [one])
    assert (row.sure_answers, row.sure_right) == (32, 24)
    assert [(told.low, told.answers, round(told.right, 2)) for told in row.reliability] == [(0.99, 32, 0.75)]


def test_sets_of_which_neither_is_lighter_may_be_named_either_way_but_not_mixed():
    held = [1] * 12 + [0] * 8 + [2] * 12
    other = [2] * 12 + [0] * 8 + [1] * 12
    assert len(judged(truth_of(held, free_naming=True), reading_of(other)).wrong) == 0
    assert len(judged(truth_of(held), reading_of(other)).wrong) == 24
    mixed = [1] * 6 + [2] * 6 + [0] * 8 + [2] * 12
    assert len(judged(truth_of(held, free_naming=True), reading_of(mixed)).wrong) == 6


def test_labels_that_cannot_be_used_are_refused_by_picture(capsys, tmp_path):
    label = labelled(tmp_path, rows=ROWS[:5])
    assert main(["bench", "vision", "--labels", str(label)]) == UNUSABLE
    said = capsys.readouterr().err
    assert "picture 1 (a.png)" in said
    assert "rows" in said


@pytest.mark.parametrize(
    ("wrong", "said"),
    [({"corners": [[0, 0], [9, 0], [9, 9]]}, "3 corners"), ({"colours": "red"}, "colours"), ({"n": 100_000}, "100000")],
)
def test_a_label_that_lies_is_refused_and_named(capsys, tmp_path, wrong, said):
    label = labelled(tmp_path, **wrong)
    assert main(["bench", "vision", "--labels", str(label)]) == UNUSABLE
    told = capsys.readouterr().err
    assert "picture 1 (a.png)" in told
    assert said in told
    assert "fault inside" not in told


def test_labels_that_are_no_text_are_named(capsys, tmp_path):
    labels = tmp_path / "labels.json"
    labels.write_bytes(b"\xff\xd8\xff")
    assert main(["bench", "vision", "--labels", str(labels)]) == UNUSABLE
    assert f"{labels}: saw no text" in capsys.readouterr().err


def test_a_picture_that_is_cut_short_is_named_and_counts_as_not_found(capsys, tmp_path):
    path = labelled(tmp_path)
    (label,) = json.loads(path.read_text())
    _, data = cv2.imencode(".jpg", drawn(start()))
    (tmp_path / "cut.jpg").write_bytes(data.tobytes()[:-200])
    path.write_text(json.dumps([label, label | {"image": "cut.jpg"}]))
    sheet = tmp_path / "failures.png"
    assert main(["bench", "vision", "--json", "--labels", str(path), "--sheet", str(sheet)]) == DONE
    said = capsys.readouterr()
    row = json.loads(said.out.splitlines()[-1])
    assert (row["pictures"], row["boards_found"]) == (2, 1)
    assert "cut.jpg" in said.err
    assert sheet.exists()


@pytest.mark.parametrize("how", ["--corners", "--variant-given", "--without-variant"])
@pytest.mark.parametrize("size", [(1, 1), (3, 2), (16, 16), (60, 90)])
def test_a_picture_that_its_corners_do_not_fit_is_named_and_the_rest_is_measured(capsys, tmp_path, how, size):
    path = labelled(tmp_path)
    (label,) = json.loads(path.read_text())
    cv2.imwrite(str(tmp_path / "tiny.png"), np.full((*size, 3), 90, np.uint8))
    path.write_text(json.dumps([label | {"image": "tiny.png"}, label]))
    sheet = tmp_path / "failures.png"
    assert main(["bench", "vision", "--json", how, "--labels", str(path), "--sheet", str(sheet)]) == DONE
    said = capsys.readouterr()
    row = json.loads(said.out.splitlines()[-1])
    assert (row["pictures"], row["boards_found"]) == (2, 1)
    assert sheet.exists()
    assert how != "--corners" or "tiny.png" in said.err
