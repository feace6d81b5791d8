"""The printed sheet of corner markers: true size, the patterns every reader of ArUco knows, legible."""

import re
from itertools import combinations

import cv2
import numpy as np
import pytest

from calibration.marker_shape import CUT, Corner, cells, square
from calibration.marker_sheet import DOTS_PER_INCH, MARGIN_MM, PAPERS_MM, SIZES_MM, sheet, sheet_pdf
from calibration.markers import seen_markers
from server.cli.main import main

PX_PER_MM = DOTS_PER_INCH / 25.4
needs_aruco = pytest.mark.skipif(not hasattr(cv2, "aruco"), reason="this OpenCV was built without aruco")


def page_of(paper, size):
    return cv2.cvtColor(np.asarray(sheet(paper, size)).astype(np.uint8) * 255, cv2.COLOR_GRAY2BGR)


@needs_aruco
@pytest.mark.parametrize(("paper", "size"), [("a4", 30.0), ("letter", 45.0), ("letter", 20.0)])
def test_each_marker_is_printed_at_its_size_in_its_corner_of_the_page_with_its_tip_inwards(paper, size):
    seen = seen_markers(np.ascontiguousarray(page_of(paper, size)[::4, ::4]))
    assert set(seen) == set(Corner)
    width, height = PAPERS_MM[paper]
    for corner, pixels in seen.items():
        cut = MARGIN_MM + CUT * size
        tip = np.where(corner.outward * (1, -1) < 0, cut, np.array((width, height)) - cut)
        expected = tip + size * square(corner) * (1, -1)
        assert np.abs(pixels * 4 / PX_PER_MM - expected).max() < 0.4


@needs_aruco
def test_the_patterns_are_arucos_own():
    aruco = cv2.aruco
    modern = hasattr(aruco, "generateImageMarker")
    table = aruco.getPredefinedDictionary(aruco.DICT_4X4_50) if modern else aruco.Dictionary_get(aruco.DICT_4X4_50)
    for corner in Corner:
        draw = aruco.generateImageMarker if modern else aruco.drawMarker
        assert np.array_equal(draw(table, int(corner), 6) == 0, cells(corner))


@pytest.mark.parametrize(("paper", "box"), [("a4", (595.28, 841.89)), ("letter", (612.0, 792.0))])
def test_the_pdf_page_has_the_papers_true_size(paper, box):
    pdf = sheet_pdf(paper)
    found = re.search(rb"/MediaBox\s*\[\s*0\s+0\s+([\d.]+)\s+([\d.]+)", pdf)
    assert found is not None
    assert [float(number) for number in found.groups()] == pytest.approx(box, abs=0.1)


def test_the_ruler_is_ten_centimetres_long():
    black = page_of("a4", 30.0)[:, :, 0] == 0
    longest = 0
    for row in black[round(80 * PX_PER_MM) : round(230 * PX_PER_MM)]:
        edges = np.flatnonzero(np.diff(np.concatenate([[0], row.astype(np.int8), [0]])))
        longest = max(longest, int((edges[1::2] - edges[::2]).max(initial=0)))
    assert longest / PX_PER_MM == pytest.approx(100.0, abs=0.3)


@pytest.mark.parametrize("size", SIZES_MM)
def test_the_largest_and_smallest_pieces_leave_room_for_the_words(size):
    black = page_of("letter", size)[:, :, 0] == 0
    cut = round((MARGIN_MM + CUT * size) * PX_PER_MM)
    gap = round(2 * PX_PER_MM)
    assert not black[cut + gap : cut + 2 * gap].any()
    assert not black[-cut - 2 * gap : -cut - gap].any()
    assert not black[:, : round((MARGIN_MM - 1) * PX_PER_MM)].any()
    assert not black[:, -round((MARGIN_MM - 5) * PX_PER_MM) :].any()


def test_no_marker_is_another_ones_likeness():
    turned = [(corner, np.rot90(cells(corner), k)) for corner in Corner for k in range(4)]
    for (a, one), (b, other) in combinations(turned, 2):
        if a != b:
            assert (one != other).sum() >= 4


def test_the_command_writes_the_sheet_where_it_is_told(tmp_path, capsys):
    out = tmp_path / "new" / "sheet.pdf"
    assert main(["markers", "--out", str(out), "--paper", "letter", "--size", "25"]) == 0
    assert out.read_bytes().startswith(b"%PDF")
    assert capsys.readouterr().out.strip() == str(out)


@pytest.mark.parametrize("size", ["5", "100", "nan", "big"])
def test_a_size_that_cannot_be_printed_or_seen_is_refused(size, capsys, tmp_path):
    with pytest.raises(SystemExit) as stopped:
        main(["markers", "--out", str(tmp_path / "x.pdf"), "--size", size])
    assert stopped.value.code == 2
    assert "expected" in capsys.readouterr().err
    assert not (tmp_path / "x.pdf").exists()
