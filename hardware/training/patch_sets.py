"""Turns scenes, drawn or labelled, into looks: normalised patches with labels, under many lights and small errors."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.training.drawn_hand import draw_hand
from hardware.training.drawn_scene import COVERED, UNSURE, DrawnScene, covered_labels, in_view
from hardware.training.stacked_men import DiscSize
from rules.board import Board
from rules.boards.hexagons import honeycomb, oblique
from rules.boards.lined import alquerque, serpents
from vision.pose import BoardPose, Lens
from vision.reader import light_of_board, network_input
from vision.rectify import SQUARES_WIDE, TOP_HEIGHT, square_axes, square_lean, square_patches

STORED_SCALE = 31.0
"""Normalised values of -4 to 4 are stored as int8."""
PLAYED_ONLY = 0.65
"""Share of looks at the squares of the game alone: idle squares are asked about seldom."""
LETTERS = "abcdefghijklmnopqrstu"
LABEL_OF = {".": 0, "w": 1, "b": 2, "W": 3, "B": 4, "?": COVERED}


@dataclass(frozen=True, slots=True, eq=False)
class BoardLook:
    """One look at one board: its squares belong together, so that they can be compared with one another.

    `planes` (n, 3, p, p) int8, `lean` (n,) float32 as vision/rectify.py gives it, `labels` (n,) 0 to 5,
    `clear`: whether the two sets differ in lightness. `stands` (n, 4) float32 tells where in the patch (squares
    right of and below its middle) a disc's foot and top are, NaN where there is none or it is not known.
    """

    planes: NDArray[np.int8]
    lean: NDArray[np.float32]
    labels: NDArray[np.int64]
    clear: bool
    stands: NDArray[np.float32]


def labelled_scenes(folder: Path) -> Iterator[tuple[DrawnScene, DiscSize | None]]:
    """The pictures of a folder with labels.json, as the README of the frames describes them, and their discs' size."""
    for label in labels_in(folder):
        if (labelled := labelled_scene(folder, label)) is not None:
            yield labelled


def labels_in(folder: Path) -> list[dict[str, Any]]:
    """What is said of the pictures of a folder."""
    labels: list[dict[str, Any]] = json.loads((folder / "labels.json").read_text())
    return labels


def labelled_scene(folder: Path, label: dict[str, Any]) -> tuple[DrawnScene, DiscSize | None] | None:
    """One labelled picture and its discs' size; None where the picture cannot be read."""
    bgr = cv2.imread(str(folder / label["image"]))
    return None if bgr is None else (_labelled_scene(label, np.asarray(bgr, np.uint8)), _disc_size(label))


def look_at(rng: np.random.Generator, scene: DrawnScene, exact: bool = False) -> BoardLook:
    """One look at the scene: unless `exact`, under another light, with a wrong height and wrong corners."""
    labels, bgr, pose = in_view(scene.labels, scene.pose, scene.xy), scene.bgr, scene.pose
    asked = scene.played if exact or rng.random() < PLAYED_ONLY else np.ones(len(labels), np.bool_)
    if not exact and rng.random() < 0.12:
        picture = bgr.astype(np.float32)
        cover = draw_hand(rng, picture, pose, float(np.ptp(scene.xy)) + 1)
        labels = covered_labels(labels, cover, pose, scene.xy)
        bgr = np.clip(picture, 0, 255).astype(np.uint8)
    if exact:
        wrong, height = pose, TOP_HEIGHT
        patches, lean = square_patches(bgr, pose, scene.xy), square_lean(pose, scene.xy)
    else:
        wrong = jittered(rng, pose, scene.xy)
        wide, height = rng.uniform(0.94, 1.08) * SQUARES_WIDE, TOP_HEIGHT * rng.uniform(0.6, 1.5)
        patches = square_patches(bgr, wrong, scene.xy, squares_wide=wide, height=height)
        lean = square_lean(wrong, scene.xy)
        patches = relit(rng, patches, scene.xy)
    planes = np.rint(network_input(patches, light_of_board(patches)) * STORED_SCALE).astype(np.int8)
    keep = (labels != UNSURE) & (asked | (labels > 0))
    return BoardLook(
        planes[keep], lean[keep], labels[keep], scene.sides_clear, places_in_patches(scene, wrong, height)[keep]
    )


def _disc_size(label: dict[str, Any]) -> DiscSize | None:
    if "piece_mm" not in label:
        return None
    disc, cell = label["piece_mm"], float(label["cell_mm"])
    return DiscSize(float(disc["diameter"]) / 2 / cell, float(disc["height"]) / cell)


def _labelled_scene(label: dict[str, Any], bgr: NDArray[np.uint8]) -> DrawnScene:
    size, lens = (bgr.shape[1], bgr.shape[0]), _lens(label.get("camera"))
    if "points" in label:
        xy, marks = _named_points(label)
        pixels = np.array([label["points_px"][name] for name in label["points"]], np.float64)
        pose, played = BoardPose.from_points(xy, pixels, size, lens), np.ones(len(xy), np.bool_)
    else:
        rows: list[str] = label["rows"]
        n, marks = len(rows), "".join(rows)
        outline = np.array([(0, n), (n, n), (n, 0), (0, 0)], np.float64)
        pose = BoardPose.from_points(outline, label["corners"], size, lens)
        xy = np.array([(c + 0.5, n - 0.5 - r) for r in range(n) for c in range(n)])
        played = np.full(len(xy), label["kind"] != "chequered")
        played |= (xy.astype(int).sum(axis=1) % 2) == _played_parity(rows)
    labels = np.array([LABEL_OF[mark] for mark in marks])
    labels = np.where(~played & bool(label.get("hand")), UNSURE, labels)
    return DrawnScene(bgr, pose, xy, labels, played, np.full((len(xy), 3), np.nan), True)


def _named_points(label: dict[str, Any]) -> tuple[NDArray[np.float64], str]:
    """Plane points (n, 2) and marks of the named points of a lined or hexagonal board, in the label's order."""
    points: dict[str, str] = label["points"]
    side = (int(label["n"]) + 1) // 2
    rows = honeycomb(side)
    by_file = {f"{LETTERS[int(name[1:]) - 1]}{LETTERS.index(name[0]) + 1}": at for name, at in _places(rows).items()}
    for places in (_places(alquerque()), _places(serpents()), _places(rows), _places(oblique(side)), by_file):
        if set(places) == set(points):
            return np.array([places[name] for name in points], np.float64), "".join(points.values())
    raise ValueError(f"{label['image']}: saw {len(points)} points that are no board's; expected those of its kind")


def _places(board: Board) -> dict[str, tuple[float, float]]:
    return dict(zip(board.names, board.xy, strict=True))


def _played_parity(rows: list[str]) -> int:
    """Parity of column plus row from below of the squares that hold discs."""
    n = len(rows)
    held = [(c + n - 1 - r) % 2 for r in range(n) for c in range(n) if rows[r][c] not in ".?"]
    return int(np.mean(held) > 0.5) if held else 0


def _lens(camera: dict[str, Any] | None) -> Lens | None:
    if camera is None:
        return None
    bend = np.zeros(5)
    bend[: len(camera["dist"])] = camera["dist"]
    fisheye = camera["model"] == "fisheye"
    return Lens(np.array(camera["K"], np.float64), bend[:4] if fisheye else bend, fisheye)


def places_in_patches(scene: DrawnScene, taken: BoardPose, height: float) -> NDArray[np.float32]:
    """Where the feet and tops of the discs are in patches that the pose `taken` samples at `height`: (n, 4)."""
    right, down = square_axes(taken, scene.xy)
    back = np.linalg.inv(taken.image_from_plane(height))
    stands = np.full((len(scene.xy), 4), np.nan, np.float32)
    for point in np.flatnonzero(np.isfinite(scene.stands[:, 0])):
        place, tall = scene.stands[point, :2], float(scene.stands[point, 2])
        for column, z in ((0, 0.0), (2, tall)):
            pixel = scene.pose.project(place, z)[0]
            at = back @ np.r_[pixel, 1.0]
            offset = at[:2] / at[2] - scene.xy[point]
            stands[point, column : column + 2] = (offset @ right[point], offset @ down[point])
    return stands


def jittered(rng: np.random.Generator, pose: BoardPose, xy: NDArray[np.float64]) -> BoardPose:
    """The pose with corners as wrong as a detector leaves them, and all of it a little off."""
    low, high = xy.min() - 0.5, xy.max() + 0.5
    corners = np.array([(low, high), (high, high), (high, low), (low, low)])
    moved = corners + rng.normal(0, 0.04, (4, 2)) + rng.uniform(-0.05, 0.05, 2)
    matrix, _ = cv2.findHomography(corners, moved, 0)
    return replace(pose, image_from_board=pose.image_from_board @ np.asarray(matrix, np.float64))


def relit(rng: np.random.Generator, patches: NDArray[np.uint8], xy: NDArray[np.float64]) -> NDArray[np.uint8]:
    """The same patches under another light and camera: gradient, shadow, white balance, gamma, blur, noise, JPEG."""
    light = patches.astype(np.float32) / 255.0
    slope = rng.normal(0, 0.35, 2)
    place = (xy - xy.mean(axis=0)) / max(1.0, float(np.ptp(xy)))
    gain = np.exp(place @ slope)
    if rng.random() < 0.35:
        edge = place @ rng.normal(0, 1, 2) + rng.normal(0, 0.25)
        gain = gain * (1 - rng.uniform(0.2, 0.65) / (1 + np.exp(-edge * rng.uniform(5, 60))))
    light *= gain[:, None, None, None].astype(np.float32)
    exposure = rng.normal(-0.1, 0.3) - (rng.uniform(0.5, 2.5) if rng.random() < 0.1 else 0.0)
    light *= np.exp(rng.normal(0, 0.15, 3)).astype(np.float32) * np.float32(np.exp(exposure))
    light = np.clip(light, 0, 1) ** np.float32(np.exp(rng.normal(0, 0.22)))
    grey = light.mean(axis=3, keepdims=True)
    light = grey + (light - grey) * np.float32(rng.uniform(0.4, 1.3)) + np.float32(max(0.0, rng.normal(0, 0.06)))
    mosaic = light.reshape(-1, light.shape[2], 3)
    if rng.random() < 0.4:
        sigma = rng.uniform(0.4, 1.6)
        light = np.stack([cv2.GaussianBlur(patch, (0, 0), sigma) for patch in light])
        mosaic = light.reshape(-1, light.shape[2], 3)
    if rng.random() < 0.3:
        soft = np.stack([cv2.GaussianBlur(patch, (0, 0), 1.0) for patch in light])
        mosaic = (light + np.float32(rng.uniform(0.2, 1.0)) * (light - soft)).reshape(-1, light.shape[2], 3)
    mosaic = mosaic + rng.normal(0, 1, mosaic.shape).astype(np.float32) * np.float32(rng.exponential(0.015))
    whole = np.clip(mosaic * 255, 0, 255).astype(np.uint8)
    if rng.random() < 0.5:
        _, coded = cv2.imencode(".jpg", whole, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(35, 95))])
        whole = np.asarray(cv2.imdecode(coded, cv2.IMREAD_COLOR), np.uint8)
    return np.asarray(whole.reshape(patches.shape), np.uint8)
