"""A simulated game written as a folder: pictures with their times, and the truth about them."""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import cv2

from hardware.simulator.scene import Scene
from hardware.simulator.script import Script
from hardware.simulator.staging import Shot, outline_px
from rules.fen import fen
from rules.piece import Piece
from rules.variant import start_position
from vision.frame import Frame

_WORDS = {
    Piece.WHITE_MAN: "white",
    Piece.BLACK_MAN: "black",
    Piece.WHITE_KING: "white_king",
    Piece.BLACK_KING: "black_king",
}
_JPEG_QUALITY = 92


def recorded(shots: Iterable[Shot], script: Script, scene: Scene, folder: Path) -> Iterator[Frame]:
    """Writes every shot and hands its frame on.

    `folder/frames` holds the pictures and frames.csv, which `kibitz replay` reads; `folder/expected.json` the variant,
    the start, the legal moves and the board's corners in pixels; `folder/truth.json` a list with the image, time,
    pieces and hand of every frame.
    """
    pictures = folder / "frames"
    pictures.mkdir(parents=True, exist_ok=True)
    _write_json(folder / "expected.json", _expected(script, scene))
    truth: list[dict[str, Any]] = []
    with (pictures / "frames.csv").open("w", encoding="utf-8") as table:
        table.write("file,seconds\n")
        for shot in shots:
            name = f"f{shot.frame.sequence:06d}.jpg"
            cv2.imwrite(str(pictures / name), shot.frame.bgr, [cv2.IMWRITE_JPEG_QUALITY, _JPEG_QUALITY])
            table.write(f"{name},{shot.frame.captured_at:.3f}\n")
            truth.append(_truth(shot, script, name))
            yield shot.frame
    _write_json(folder / "truth.json", truth)


def _expected(script: Script, scene: Scene) -> dict[str, Any]:
    """`start` only where it is not the game's own."""
    corners = [[round(float(x), 1), round(float(y), 1)] for x, y in outline_px(scene)]
    start = {} if script.start == start_position(script.variant) else {"start": fen(script.variant, script.start)}
    return {"variant": script.variant.name, **start, "moves": list(script.moves), "corners": corners}


def _truth(shot: Shot, script: Script, name: str) -> dict[str, Any]:
    board, state = script.variant.board, shot.state
    pieces = {board.names[p]: _WORDS[Piece(v)] for p, v in enumerate(state.placement.pieces) if v != Piece.EMPTY}
    return {
        "frame": shot.frame.sequence,
        "image": name,
        "time_s": round(shot.frame.captured_at, 3),
        "hand": state.hand is not None,
        "state": pieces,
    }


def _write_json(path: Path, value: Any) -> None:
    path.write_text(json.dumps(value, ensure_ascii=False, indent=None) + "\n", encoding="utf-8")
