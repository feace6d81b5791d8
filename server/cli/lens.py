"""`kibitz lens`: measures a wide-angle camera's lens from a few pictures of the board, for `--lens`."""

import argparse
from pathlib import Path

from calibration.crossings import SeenCrossings
from calibration.errors import BoardNotFound
from calibration.measure_lens import crossings_of, measured, save_lens
from hardware.cameras.recorded import read_picture
from rules.board import BoardKind
from rules.variants.catalogue import variant_named
from server.cli.arguments import NAME_OF_THE_GAME
from server.cli.output import complain, say
from server.errors import UsageError


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Measures what the camera's lens does to straight lines, from three or more pictures of a chequered board "
        "taken by it, with the board laid down or the camera turned differently in each; six or more, some with the "
        "board near the picture's edges, are better. The file is for `--lens` of serve, calibrate, look and replay."
    )
    parser.add_argument("images", nargs="+", type=Path, metavar="IMAGE")
    parser.add_argument(
        "--out", type=Path, default=Path("kibitz-lens.json"), metavar="FILE", help="default: %(default)s"
    )
    parser.add_argument("--variant", default="international", help=f"{NAME_OF_THE_GAME} (default: international)")


def run(given: argparse.Namespace) -> int:
    board = variant_named(given.variant).board
    if board.kind is not BoardKind.CHEQUERED:
        raise UsageError(f"saw {given.variant}, whose board is not chequered; expected a game on a chequered board")
    views: list[SeenCrossings] = []
    size: tuple[int, int] | None = None
    for path in given.images:
        bgr = read_picture(path)
        this = (bgr.shape[1], bgr.shape[0])
        if size is not None and this != size:
            raise UsageError(
                f"{path}: saw a picture of {this[0]}x{this[1]}; expected {size[0]}x{size[1]} as before: "
                "all must be whole pictures of one camera"
            )
        size = this
        try:
            views.append(crossings_of(bgr, board.rows, board.columns))
        except BoardNotFound as trouble:
            complain(f"{path} is left out: {trouble}")
    assert size is not None  # argparse asks for one picture at least
    found = measured(views, size)
    given.out.parent.mkdir(parents=True, exist_ok=True)
    save_lens(found, given.out)
    say(f"{given.out}: from {found.pictures} pictures, right to {found.error_px:.2f} pixels")
    for sentence in found.advice:
        complain(sentence)
    return 0
