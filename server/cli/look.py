"""`kibitz look`: one photograph: where is the board, what stands on it."""

import argparse
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from calibration.errors import BoardNotFound
from calibration.find_board import find_board
from calibration.found import FoundBoard
from calibration.orientation import play_parity
from hardware.cameras.recorded import read_picture
from rules.variants.catalogue import variant_named
from server.cli.output import say, say_json
from vision.pose import BoardPose
from vision.reader import installed_reader, light_of_board
from vision.rectify import square_patches


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("images", nargs="+", type=Path, metavar="IMAGE")
    parser.add_argument("--variant", help="name of the game: fixes the size of the board")
    parser.add_argument("--json", action="store_true", help="one JSON object per picture")


def run(given: argparse.Namespace) -> int:
    board = variant_named(given.variant).board if given.variant else None
    every = True
    for path in given.images:
        bgr = read_picture(path)
        try:
            found = find_board(bgr, board.rows if board else None, board.columns if board else None)
            seen = _seen(path, bgr, found)
        except BoardNotFound as trouble:
            every = False
            seen = {"image": str(path), "found": False, "fen": None, "warnings": [str(trouble)]}
        if given.json:
            say_json(seen)
        else:
            say(
                "\n".join([f"{path}: {'board found' if seen['found'] else seen['warnings'][0]}", *seen.get("grid", [])])
            )
    return 0 if every else 1


def _seen(path: Path, bgr: NDArray[np.uint8], found: FoundBoard) -> dict[str, Any]:
    pose = BoardPose(found.image_from_grid, found.error_px, found.lens, found.image_size)
    cells = [(c, r) for r in range(found.rows) for c in range(found.columns)]
    patches = square_patches(bgr, pose, np.array(cells) + 0.5, height=0.0)
    best = installed_reader().read(patches, light_of_board(patches)).argmax(axis=1)
    parity = play_parity(bgr, found)
    marks = [".wbWB?"[k] if (c + r) % 2 == parity else "." for (c, r), k in zip(cells, best, strict=True)]
    grid = ["".join(marks[r * found.columns : (r + 1) * found.columns]) for r in range(found.rows)]
    return {
        "image": str(path),
        "found": True,
        "kind": "chequered",
        "rows": found.rows,
        "cols": found.columns,
        "corners": np.round(found.corners, 1).tolist(),
        "grid": grid,
        "confidence": round(float(found.confidence), 3),
        "fen": None,
        "warnings": [],
    }
