"""What a few photographs were seen to show, kept so that every OpenCV and numpy can be held to it.

`python -m tests.support.kept_looks` writes tests/data/kept_looks.json anew, as after a change of the reader.
"""

import hashlib
import json
from importlib import resources
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from calibration.find_any import find_points, find_squares
from calibration.orientation import pose_of
from rules.board import Board
from rules.boards.hexagons import honeycomb
from rules.boards.lined import alquerque
from rules.boards.squares import chequered
from vision.evidence import evidence_of
from vision.looks import looks_of
from vision.patches import board_patches

KEPT = Path(__file__).resolve().parents[1] / "data" / "kept_looks.json"
FRAMES = Path(__file__).resolve().parents[3] / "shared" / "frames"
PICTURES: dict[str, Board] = {
    "real/ens10_10.jpg": chequered(10, 10),
    "real/ric_01.jpg": chequered(8, 8),
    "stills/s24_hex_mono.jpg": honeycomb(5),
    "lined/r710018.jpg": alquerque(),
}


def look(name: str, board: Board) -> dict[str, Any]:
    """Corners in pixels, the hearts' colours (n, 3) BGR, likeliest pieces and how sure they are, of one picture."""
    bgr = np.asarray(cv2.imread(str(FRAMES / name)), np.uint8)
    if board.rows:
        found = find_squares(bgr, board)
        pose = pose_of(found, board)
    else:
        pose = find_points(bgr, board).pose
    patches = board_patches(bgr, pose, board)
    seen = evidence_of(patches, board)
    return {
        "corners": np.round(pose.corners(board), 2).tolist(),
        "colours": np.round(looks_of(patches.points).bgr, 1).tolist(),
        "pieces": seen.pieces().tolist(),
        "sureness": np.round(seen.sureness(), 3).tolist(),
    }


def reader_mark() -> str:
    """Which reader's weights the kept answers are of."""
    folder = resources.files("vision")
    weights = b"".join(
        folder.joinpath(name).read_bytes()
        for name in ("reader.onnx", "reader_context.npz", "crowns.onnx", "crowns_context.npz")
    )
    return hashlib.sha256(weights).hexdigest()[:16]


if __name__ == "__main__":
    looks = {name: look(name, board) for name, board in PICTURES.items()}
    KEPT.write_text(json.dumps({"reader": reader_mark(), "looks": looks}) + "\n", encoding="utf-8")
