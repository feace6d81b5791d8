"""Arguments that several commands share."""

import argparse
import math
from collections.abc import Callable
from pathlib import Path

import numpy as np

from calibration.calibrate import Known
from calibration.lens import load_lens
from server.errors import UsageError

NAME_OF_THE_GAME = "name of the game, such as english; `kibitz --help` lists them"
MOST_PIXELS = 100_000
"""No picture is larger; a corner may lie a little outside of it."""
Corners = tuple[tuple[float, float], ...]


def corners(text: str) -> Corners:
    """Four corners from `x1,y1,...,x4,y4`, or the six of a hexagon."""
    try:
        numbers = [float(part) for part in text.replace(" ", "").split(",")]
    except ValueError:
        numbers = []
    if len(numbers) not in (8, 12) or not all(abs(n) <= MOST_PIXELS for n in numbers):
        raise UsageError(
            f"saw corners {text!r}; expected eight numbers x1,y1,x2,y2,x3,y3,x4,y4 in pixels, "
            "or the twelve of a hexagon's six corners"
        )
    return tuple(zip(numbers[::2], numbers[1::2], strict=True))


def add_view(parser: argparse.ArgumentParser) -> None:
    """Where the board is, if that is known beforehand."""
    parser.add_argument("--calibration", type=Path, metavar="FILE", help="calibration written by `kibitz calibrate`")
    parser.add_argument(
        "--corners",
        metavar="X1,Y1,...",
        help="outer corners of the playing area in pixels: four, of a hexagon six",
    )
    add_lens(parser)


def known_view(given: argparse.Namespace) -> Known:
    """What `--corners` and `--lens` tell."""
    lens = load_lens(given.lens) if given.lens else None
    return Known(None if given.corners is None else np.asarray(corners(given.corners), np.float64), lens)


def add_lens(parser: argparse.ArgumentParser) -> None:
    """What the camera's lens does, for lenses so wide that straight lines bend."""
    parser.add_argument(
        "--lens",
        type=Path,
        metavar="FILE",
        help="the camera's lens: measured by `kibitz lens`, in a calibration of Kibitz (JSON), or written by OpenCV's "
        "calibration (YAML)",
    )


def add_game(parser: argparse.ArgumentParser) -> None:
    """How the game is refereed."""
    parser.add_argument(
        "--mode",
        choices=("referee", "training", "record"),
        default="referee",
        help="referee: rulings, no hints (default); training: hints too, and says beforehand that a capture is due; "
        "record: writes the game down without calling faults",
    )
    parser.add_argument(
        "--house",
        choices=("correct", "huff"),
        default="correct",
        help="a missed capture is corrected (default), or the disc that should have captured may be huffed",
    )
    parser.add_argument("--first", choices=("light", "dark"), help="shade of the discs that begin, if not the usual")


def whole(low: int, high: int) -> Callable[[str], int]:
    """A whole number within bounds, refused with a sentence."""

    def read(text: str) -> int:
        try:
            number = int(text)
        except ValueError:
            raise argparse.ArgumentTypeError(f"saw {text!r}; expected a whole number") from None
        if not low <= number <= high:
            raise argparse.ArgumentTypeError(f"saw {number}; expected {low} to {high}")
        return number

    return read


def speed(text: str) -> float:
    """A pace between a tenth and a hundred times the recording's own."""
    try:
        factor = float(text)
    except ValueError:
        factor = math.nan
    if not 0.1 <= factor <= 100:
        raise argparse.ArgumentTypeError(f"saw {text!r}; expected a number from 0.1 to 100")
    return factor
