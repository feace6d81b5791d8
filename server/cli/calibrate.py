"""`kibitz calibrate`: finds the board, learns its look, stores the calibration."""

import argparse
from itertools import islice
from pathlib import Path

from calibration.calibrate import calibrate
from calibration.store import save
from hardware.cameras.choose import open_camera
from rules.fen import parse_fen
from rules.variant import start_position
from rules.variants.catalogue import variant_named
from server.cli.arguments import NAME_OF_THE_GAME, add_lens, known_view, whole
from server.cli.output import say
from server.errors import UsageError
from server.settings import data_folder

_FRAMES = 5


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--camera", default="auto", help="auto, simulated, picamera, usb:N or a path")
    parser.add_argument("--variant", default="international", help=f"{NAME_OF_THE_GAME} (default: international)")
    parser.add_argument(
        "--corners",
        metavar="X1,Y1,...",
        help="outer corners of the playing area in pixels: four, of a hexagon six",
    )
    add_lens(parser)
    parser.add_argument("--start", metavar="FEN", help="what stands on the board; the start position if left out")
    parser.add_argument("--data", type=Path, metavar="DIR", help="data folder")
    parser.add_argument("--output", type=Path, metavar="FILE", help="where to write (default: in the data folder)")
    parser.add_argument("--seed", type=whole(0, 2**31 - 1), default=1, help="seed of the simulated board")


def run(given: argparse.Namespace) -> int:
    variant = variant_named(given.variant)
    position = parse_fen(variant, given.start) if given.start else start_position(variant)
    with open_camera(given.camera, variant.name, given.seed) as source:
        frames = list(islice(source.frames(lambda: False), _FRAMES))
    if not frames:
        raise UsageError(f"saw no picture from {given.camera}; expected at least one")
    found = calibrate(frames, variant, position, known_view(given))
    path = given.output or calibration_file(data_folder(given.data), variant.name)
    path.parent.mkdir(parents=True, exist_ok=True)
    save(found, path)
    say(f"{path}")
    return 0


def calibration_file(folder: Path, variant_name: str) -> Path:
    return folder / f"calibration-{variant_name}.json"
