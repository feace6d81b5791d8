"""`kibitz markers`: a sheet of corner markers to print."""

import argparse
from pathlib import Path

from calibration.marker_sheet import PAPERS_MM, SIZES_MM, USUAL_MM, sheet_pdf
from server.cli.output import say

_HOW = (
    "Print the sheet at 100 % (actual size), cut out its four pieces and lay them around the board as the sheet shows, "
    "each black tip on its corner of the playing area. Kibitz then knows exactly where the board is and which side is "
    "whose, whatever the board looks like. On a board with six sides the tips go to the two ends of the near and of "
    "the far row; on alquerque to the outermost points."
)


def arguments(parser: argparse.ArgumentParser) -> None:
    low, high = SIZES_MM
    parser.description = f"A sheet of corner markers to print. {_HOW}"
    parser.add_argument(
        "--out", type=Path, default=Path("kibitz-markers.pdf"), metavar="FILE.pdf", help="default: %(default)s"
    )
    parser.add_argument("--paper", choices=tuple(PAPERS_MM), default="a4", help="default: %(default)s")
    parser.add_argument(
        "--size",
        type=_millimetres,
        default=USUAL_MM,
        metavar="MM",
        help=f"width of the black squares, {low:g} to {high:g} mm; larger for a camera far away (default: %(default)g)",
    )


def run(given: argparse.Namespace) -> int:
    given.out.parent.mkdir(parents=True, exist_ok=True)
    given.out.write_bytes(sheet_pdf(given.paper, given.size))
    say(str(given.out))
    return 0


def _millimetres(text: str) -> float:
    low, high = SIZES_MM
    try:
        size = float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"saw {text!r}; expected a number of millimetres") from None
    if not low <= size <= high:
        raise argparse.ArgumentTypeError(f"saw {size:g} mm; expected {low:g} to {high:g}")
    return size
