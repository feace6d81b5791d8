"""`kibitz bench vision`: how right Kibitz sees, on pictures whose truth is known."""

import argparse
from functools import partial
from pathlib import Path

import cv2

from calibration.errors import CalibrationError
from hardware.cameras.recorded import read_picture
from hardware.errors import SourceUnusable
from server.benchmarks.classical import ClassicalReader
from server.benchmarks.readings import NOT_READ, PictureReader, given, sought
from server.benchmarks.scores import Judged, Score, judged, score
from server.benchmarks.sheet import MOST_TILES, contact_sheet
from server.benchmarks.truths import Truth, read_truths
from server.cli.output import complain, say, say_json
from server.errors import UsageError
from vision.errors import VisionError
from vision.evidence import evidence
from vision.framings import evidence_of_picture

_HEADINGS = (
    f"{'':16} {'':8}  {'boards':12}{'corner error':15}  {'squares':20}  {'all right':13}  {'kings':15}  99 %    CPU\n"
    f"{'group':16} pictures  {'found':12}{'middle':>8}{'most':>7}  {'right':20}  {'boards':13}  {'prec.':>7} recall"
    "   right      ms"
)


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = "Finds and reads labelled pictures and compares with their truth, per group of pictures."
    parser.add_argument(
        "--labels", nargs="+", type=Path, required=True, metavar="FILE", help="labels.json beside its pictures"
    )
    parser.add_argument("--by", default="kind", metavar="KEY", help="label's key to group by (default: kind)")
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--variant-given", action="store_true", help="the size of the board is told (default)")
    how.add_argument("--without-variant", action="store_true", help="the size of the board is found out, too")
    how.add_argument("--corners", action="store_true", help="the true corners are given: measures reading alone")
    parser.add_argument("--classical", action="store_true", help="read by circles and colours, without the network")
    parser.add_argument("--sheet", type=Path, metavar="OUT.jpg", help="write a contact sheet of the failures")
    parser.add_argument("--json", action="store_true", help="one JSON object per group")


def run(asked: argparse.Namespace) -> int:
    if asked.sheet is not None and not cv2.haveImageWriter(str(asked.sheet)):
        raise UsageError(f"saw the sheet {asked.sheet}; expected a picture's name, such as failures.jpg")
    truths = [truth for labels in asked.labels for truth in read_truths(labels)]
    if not asked.json:
        say(_HEADINGS)
    pictures = [_judged(truth, asked) for truth in truths]
    for row in _scores(pictures, asked.by):
        if asked.json:
            say_json(row.to_json())
        else:
            say(_line(row))
    if not asked.json:
        say(_confidence(score("all", pictures)))
    if asked.sheet is not None:
        _write_sheet(asked.sheet, pictures)
    return 0


def _judged(truth: Truth, asked: argparse.Namespace) -> Judged:
    """One that cannot be read is named and counts as a board that was not found."""
    try:
        bgr = read_picture(truth.path)
    except SourceUnusable as trouble:
        complain(str(trouble))
        return judged(truth, NOT_READ)
    read: PictureReader = partial(evidence, reader=ClassicalReader()) if asked.classical else evidence_of_picture
    try:
        reading = given(bgr, truth, read) if asked.corners else sought(bgr, truth, not asked.without_variant, read)
    except (CalibrationError, VisionError, cv2.error) as trouble:
        size = f"{bgr.shape[1]}x{bgr.shape[0]}"
        complain(f"{truth.path} ({size}) cannot be measured: {trouble}; check the picture and its corners")
        return judged(truth, NOT_READ)
    return judged(truth, reading)


def _write_sheet(sheet: Path, pictures: list[Judged]) -> None:
    """Boards not found first, then those with most squares wrong."""
    failed = [one for one in pictures if len(one.wrong) or not one.reading.found]
    failed.sort(key=lambda one: (one.reading.found, -len(one.wrong)))
    there = [one for one in failed if one.reading is not NOT_READ]
    shown = [(read_picture(one.truth.path), one) for one in there[:MOST_TILES]]
    if not cv2.imwrite(str(sheet), contact_sheet(shown)):
        raise UsageError(f"saw that {sheet} cannot be written; expected a folder you may write to")
    complain(f"{len(failed)} of {len(pictures)} pictures failed: see {sheet}")


def _scores(pictures: list[Judged], key: str) -> list[Score]:
    groups: dict[str, list[Judged]] = {}
    for one in pictures:
        groups.setdefault(one.truth.facets.get(key, "none"), []).append(one)
    rows = [score(name, groups[name]) for name in sorted(groups)]
    return rows if len(rows) == 1 else [*rows, score("all", pictures)]


def _line(row: Score) -> str:
    return (
        f"{row.group:16} {row.pictures:8}  {row.boards_found:4} {_share(row.boards_found, row.pictures)}"
        f"{row.corner_error_median:8.3f}{row.corner_error_most:7.3f}"
        f"  {row.squares_right:6}/{row.squares:<6}{_share(row.squares_right, row.squares)}"
        f"  {row.boards_right:5} {_share(row.boards_right, row.pictures)}"
        f"  {_share(row.kings_right, row.kings_said)} {_share(row.kings_right, row.kings)}"
        f"  {_share(row.sure_right, row.sure_answers)} {row.cpu_ms:8.0f}"
    )


def _share(part: int, whole: int) -> str:
    return f"{part / whole:7.2%}" if whole else "      -"


def _confidence(row: Score) -> str:
    """What the answers' confidence was worth, as lines of text."""
    lines = [
        f"  {r.low:.2f} to {r.high:.2f} {r.answers:8} {r.confidence:10.2%} {r.right:9.2%}" for r in row.reliability
    ]
    return "\n".join(["confidence      answers  confident     right", *lines])
