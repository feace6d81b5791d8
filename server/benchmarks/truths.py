"""Pictures with their truth: where the board is and what stands on it, read from a `labels.json`."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from calibration.found import OCTAGON_RIM
from rules.board import Board
from rules.boards.hexagons import honeycomb, oblique
from rules.boards.lined import alquerque, serpents
from rules.boards.squares import chequered, full
from server.errors import UsageError
from vision.errors import PoseError
from vision.pose import BoardPose, Lens

UNKNOWN = -1
"""A point whose content the label does not tell: hidden by a hand, or unclear."""
_MARKS = {".": 0, "w": 1, "b": 2, "W": 3, "B": 4, "?": UNKNOWN}
_MOST_SQUARES = 40
"""Along a side: more than any board has."""
_LETTERS = "abcdefghijklmnopqrstu"
_SHADES = ("white", "black", "light", "dark", "cream", "grey", "gray")


@dataclass(frozen=True, slots=True, eq=False)
class Truth:
    """One picture: `corners` (k, 2) in pixels and `pieces` (n,) in the order of the board's points, -1 where unknown.

    `outline` (k, 2) are the plane points of the corners, in the same order. `facets` are the label's own words by
    which results can be grouped. With `free_naming` neither set is the lighter: either may be called light.
    """

    path: Path
    board: Board
    corners: NDArray[np.float64]
    outline: NDArray[np.float64]
    pieces: NDArray[np.int64]
    points_px: NDArray[np.float64] | None
    camera: Mapping[str, Any] | None
    facets: Mapping[str, str]
    free_naming: bool

    @property
    def square_px(self) -> float:
        """Mean width in pixels of one unit of the plane, by the area of the corners' outline."""
        return float(np.sqrt(_area(self.corners) / _area(self.outline)))


def read_truths(labels: Path) -> list[Truth]:
    """The pictures of a labels file, which lies beside them. Raises UsageError."""
    try:
        listed = json.loads(labels.read_text(encoding="utf-8"))
    except UnicodeDecodeError as error:
        raise UsageError(f"{labels}: saw no text ({error.reason}); expected a labels.json") from error
    except json.JSONDecodeError as error:
        raise UsageError(f"{labels}: saw no JSON ({error}); expected a list of labelled pictures") from error
    if not isinstance(listed, list) or not listed:
        raise UsageError(f"{labels}: saw {type(listed).__name__}; expected a list with at least one labelled picture")
    return [_checked(labels, number, label) for number, label in enumerate(listed, 1)]


def _checked(labels: Path, number: int, label: Any) -> Truth:
    try:
        return _truth(labels.parent, label)
    except (KeyError, TypeError, ValueError, IndexError, AttributeError, PoseError) as error:
        name = label.get("image", "without name") if isinstance(label, dict) else "no object"
        raise UsageError(
            f"{labels}: picture {number} ({name}): saw {_said(error)}; expected image, n, corners "
            "and rows, or points with points_px"
        ) from error


def _said(error: Exception) -> str:
    """What is wrong, in words."""
    return f"no {error}" if isinstance(error, KeyError) else str(error)


def _truth(folder: Path, label: Mapping[str, Any]) -> Truth:
    kind, n = label.get("kind", "chequered"), int(label["n"])
    if not 2 <= n <= _MOST_SQUARES:
        raise ValueError(f"n of {n}, beyond 2 to {_MOST_SQUARES}")
    board = _board(kind, n, label)
    corners = np.array(label["corners"], np.float64).reshape(-1, 2)
    if len(corners) not in (4, 6):
        raise ValueError(f"{len(corners)} corners instead of four, or of a hexagon's six")
    points_px: NDArray[np.float64] | None = None
    if "points" in label:
        pieces = np.array([_MARKS[label["points"][name]] for name in board.names], np.int64)
        points_px = np.array([label["points_px"][name] for name in board.names], np.float64)
        lens, size = lens_of(label.get("camera")), (0, 0)  # on the board itself the picture's size does not matter
        outline = BoardPose.from_points(board.xy, points_px, size, lens).unproject(corners)
    else:
        pieces = _pieces(label["rows"], board)
        outline = np.array(board.outline, np.float64)
        if len(corners) != len(outline):
            raise ValueError(f"{len(corners)} corners instead of {len(outline)}")
        if kind == "octagon":  # labelled at the octagons' edge, as `kibitz look` tells it
            outline += OCTAGON_RIM * np.sign(outline - outline.mean(axis=0))
    words = {key: _word(value) for key, value in label.items() if isinstance(value, str | int | list)}
    named = label.get("colours", {"w": "light"})
    if not isinstance(named, dict):
        raise ValueError(f"colours of {named!r}, no object with w and b")
    colours = " ".join(map(str, named.values())).lower()
    return Truth(
        path=folder / label["image"],
        board=board,
        corners=corners,
        outline=outline,
        pieces=pieces,
        points_px=points_px,
        camera=label.get("camera"),
        facets={**words, "kind": kind, "folder": folder.name},
        free_naming=not any(shade in colours for shade in _SHADES),
    )


def _board(kind: str, n: int, label: Mapping[str, Any]) -> Board:
    """The geometry of a label's kind; an octagon board has the points of a chequered one."""
    match kind:
        case "chequered" | "octagon":
            return chequered(n, n, _mirrored(label, n))
        case "full":
            return full(n, n)
        case "alquerque":
            return alquerque()
        case "serpents":
            return serpents()
        case "hexagon":
            return _hexagon((n + 1) // 2, frozenset(label["points"]))
    raise ValueError(f"kind {kind!r}")


def _hexagon(side: int, names: frozenset[str]) -> Board:
    """The hexagon whose cells bear these names: by rows or oblique as in rules/, or numbered along its files."""
    rows = honeycomb(side)
    files = replace(rows, names=tuple(f"{_LETTERS[int(n[1:]) - 1]}{_LETTERS.index(n[0]) + 1}" for n in rows.names))
    for board in (rows, oblique(side), files):
        if names == frozenset(board.names):
            return board
    raise ValueError(f"{len(names)} points that are not named as a hexagon's of side {side}")


def _mirrored(label: Mapping[str, Any], n: int) -> bool:
    """Whether the lower left square of `rows` is one that is not played on."""
    if "play_parity" in label:
        return (n - 1) % 2 != int(label["play_parity"])
    return not label.get("playable_at_a1", True)


def _pieces(rows: Sequence[str], board: Board) -> NDArray[np.int64]:
    if len(rows) != board.rows or any(len(row) != board.columns for row in rows):
        raise ValueError(f"rows of {[len(row) for row in rows]}")
    return np.array([_MARKS[rows[board.rows - 1 - int(y)][int(x)]] for x, y in board.xy], np.int64)


def lens_of(camera: Any) -> Lens | None:
    """The lens of a label; its two or three radial terms are OpenCV's."""
    if camera is None or "K" not in camera:
        return None
    k = [float(term) for term in camera["dist"]]
    fisheye = camera.get("model") == "fisheye"
    terms = [*k, 0.0, 0.0, 0.0, 0.0][:4] if fisheye else [k[0], k[1], 0.0, 0.0, k[2] if len(k) > 2 else 0.0]
    return Lens(np.array(camera["K"], np.float64), np.array(terms, np.float64), fisheye)


def _word(value: Any) -> str:
    return "+".join(map(str, value)) if isinstance(value, list) else str(value)


def _area(outline: NDArray[np.float64]) -> float:
    after = np.roll(outline, -1, axis=0)
    return abs(float(np.sum(outline[:, 0] * after[:, 1] - outline[:, 1] * after[:, 0]))) / 2
