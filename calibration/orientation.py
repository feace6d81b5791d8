"""Which of a found board's sides is White's, and which of its squares are played on."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.found import FoundBoard
from rules.board import Board, BoardKind
from rules.boards.squares import full
from rules.placement import Placement
from vision.evidence import evidence
from vision.pose import BoardPose

SWAPPED = (0, 2, 1, 4, 3)
"""Columns of an evidence array when dark discs are White's."""
CLEARLY_MORE = 1.5
"""How many more discs the reader must see on squares of one colour."""
OTHERS_SHARE = 0.5
"""How many discs, as a share of those, it may see on the other colour: marks and glare are misread."""
DISC_CONTRAST = 4.0
"""Difference of colour (Lab) between hearts and rims of squares from which discs are believed to stand there."""

DOUBT_OF_UNUSUAL = 0.05
"""Log-likelihood per point by which a mirrored board or dark White must fit better to be believed."""

Evidence = NDArray[np.float32]
Look = Callable[[BoardPose], Evidence]


@dataclass(frozen=True, slots=True, eq=False)
class Orientation:
    """How the board lies: its pose, whether it is mirrored (a dark corner at the right hand), White's shade of disc.

    `margin` is the log-likelihood by which the best way to lie beats the next one.
    """

    pose: BoardPose
    quarter_turns: int
    mirrored: bool
    white_is_dark: bool
    margin: float


def pose_of(found: FoundBoard, board: Board, quarter_turns: int = 0, mirrored: bool = False) -> BoardPose:
    """The pose with White at the picture's bottom, then turned counter-clockwise; mirrored: left and right swapped.

    A board that is not square and lies across the picture has White at its left.
    """
    plain = np.array([[1.0, 0, 0], [0, -1, board.height], [0, 0, 1]])
    lying = np.array([[0.0, 1, 0], [1, 0, 0], [0, 0, 1]])
    swap = np.array([[-1.0, 0, board.width], [0, 1, 0], [0, 0, 1]]) if mirrored else np.eye(3)
    grid_from_board = (plain if found.columns == board.columns else lying) @ swap
    pose = BoardPose(found.image_from_grid @ grid_from_board, found.error_px, found.lens, found.image_size)
    return pose.turned(quarter_turns, board) if quarter_turns else pose


def play_parity(bgr: NDArray[np.uint8], found: FoundBoard) -> int:
    """0 if the square at the first corner's colour is played on, 1 if the other: discs stand there.

    Discs are what the reader sees on squares of both colours; where it sees too few, differences between hearts and
    rims of squares; on an empty board the darker squares are played on.
    """
    board = full(found.columns, found.rows)
    seen = evidence(bgr, pose_of(found, board), board)
    occupied = np.where(seen.hidden, 0.0, 1.0 - np.exp(seen.log_likelihood[:, 0]))
    place = np.array([(found.rows - 1 - int(y) + int(x)) % 2 for x, y in board.xy])
    discs = [float(occupied[place == parity].sum()) for parity in (0, 1)]
    if abs(discs[1] - discs[0]) > CLEARLY_MORE and min(discs) < OTHERS_SHARE * max(discs):
        return int(discs[1] > discs[0])
    columns, rows = np.meshgrid(np.arange(found.columns), np.arange(found.rows))
    cells = np.stack([columns, rows], axis=-1).reshape(-1, 2)
    odd = cells.sum(axis=1) % 2 == 1
    lab = np.asarray(cv2.cvtColor(bgr, cv2.COLOR_BGR2LAB), np.float32)
    heart = _colours(lab, found, cells, ((0.5, 0.5), (0.38, 0.5), (0.62, 0.5), (0.5, 0.38), (0.5, 0.62)))
    rim = _colours(lab, found, cells, ((0.1, 0.1), (0.9, 0.1), (0.1, 0.9), (0.9, 0.9)))
    differs = np.linalg.norm(heart - rim, axis=1)
    busy = [float(np.mean(np.clip(differs[odd == bool(parity)], 0, 60))) for parity in (0, 1)]
    if abs(busy[1] - busy[0]) > DISC_CONTRAST:
        return int(busy[1] > busy[0])
    light = [float(np.median(rim[odd == bool(parity), 0])) for parity in (0, 1)]
    return int(light[1] < light[0])


def _colours(
    lab: NDArray[np.float32], found: FoundBoard, cells: NDArray[np.int64], places: Sequence[tuple[float, float]]
) -> NDArray[np.float32]:
    """Median Lab (m, 3) over the given places within each cell."""
    pose = BoardPose(found.image_from_grid, found.error_px, found.lens, found.image_size)
    grid = (cells[:, None] + np.array(places)[None]).reshape(-1, 2)
    xy = pose.project(grid).astype(np.float32)
    taken = cv2.remap(lab, xy[:, :1].copy(), xy[:, 1:].copy(), cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(np.median(taken.reshape(len(cells), len(places), 3), axis=1), np.float32)


def ways_to_lie(found: FoundBoard, board: Board, parity: int | None) -> list[tuple[int, bool]]:
    """Quarter turns and reflections that put the board's points on the squares played on (None: on any)."""
    if board.width != board.height:
        turns: tuple[int, ...] = (0, 2)
    else:
        turns = (0, 1, 2, 3)
    if board.kind is not BoardKind.CHEQUERED or parity is None:
        return [(turn, False) for turn in turns]
    ways = []
    for turn in turns:
        for mirrored in (False, True):
            pose = pose_of(found, board, turn, mirrored)
            grid = np.linalg.inv(found.image_from_grid) @ pose.image_from_board @ np.array([*board.xy[0], 1.0])
            cell = np.floor(grid[:2] / grid[2])
            if int(cell.sum()) % 2 == parity:
                ways.append((turn, mirrored))
    return ways


def orient(
    found: FoundBoard,
    board: Board,
    look: Look,
    placement: Placement | None,
    parity: int | None = None,
    white_is_dark: bool | None = False,
) -> Orientation:
    """How the board lies, judged by what `look` sees of each point under each pose: (n, 5) log-likelihoods.

    With a `placement` (the start, or a position given) the way that fits it best; without one, the way that has
    light discs on White's side of dark ones; where markers tell where the light discs' player sits, only that way.
    White's shade must be told (None: judged too) because a start position with the shades swapped is the same position
    from the other side.
    """
    shades = (False, True) if white_is_dark is None else (white_is_dark,)
    ranked: list[tuple[float, int, bool, bool, BoardPose]] = []
    for turn, mirrored in ways_to_lie(found, board, parity):
        told = [dark for dark in shades if found.turns is None or turn == (found.turns + 2 * dark) % 4]
        if not told:
            continue
        pose = pose_of(found, board, turn, mirrored)
        seen = look(pose)
        for dark in told:
            columns = seen[:, SWAPPED] if dark else seen
            fit = fit_of(columns, placement, board)
            if mirrored or (dark and white_is_dark is None):
                fit -= DOUBT_OF_UNUSUAL * board.size
            ranked.append((fit, turn, mirrored, dark, pose))
    ranked.sort(key=lambda way: -way[0])
    best = ranked[0]
    margin = best[0] - ranked[1][0] if len(ranked) > 1 else float("inf")
    return Orientation(best[4], best[1], best[2], best[3], float(margin))


def fit_of(seen: Evidence, placement: Placement | None, board: Board) -> float:
    """How well evidence (n, 5) agrees with a placement, or with light discs being nearer to White than dark ones."""
    if placement is not None:
        pieces = np.frombuffer(placement.pieces, np.uint8)
        return float(np.maximum(seen[np.arange(len(pieces)), pieces], -8.0).sum())
    share = np.exp(seen - seen.max(axis=1, keepdims=True))
    share = share / share.sum(axis=1, keepdims=True)
    light, dark = share[:, 1] + share[:, 3], share[:, 2] + share[:, 4]
    away = np.array([y for _, y in board.xy]) - board.height / 2
    return float(((dark - light) * away).sum())


def orient_lined(
    pose: BoardPose, board: Board, look: Look, placement: Placement | None, *, side_known: bool = False
) -> Orientation:
    """How a board that is no grid of squares lies: as `pose` has it if the side is known, else the likeliest of the
    turns that put its lines on themselves."""
    if side_known:
        return Orientation(pose, 0, False, False, float("inf"))
    ranked = []
    for turn, turned in enumerate(_turns(pose, board)):
        ranked.append((fit_of(look(turned), placement, board), turn, turned))
    ranked.sort(key=lambda way: -way[0])
    margin = ranked[0][0] - ranked[1][0]
    return Orientation(ranked[0][2], ranked[0][1], False, False, float(margin))


def _turns(pose: BoardPose, board: Board) -> list[BoardPose]:
    """The board's pose and those that look the same while it is empty."""
    if board.kind is not BoardKind.HEXAGON:
        turns = (0, 1, 2, 3) if board.width == board.height else (0, 2)
        return [pose.turned(turn, board) for turn in turns]
    found = []
    middle = np.array([board.width / 2, board.height / 2])
    for angle in np.deg2rad(np.arange(6) * 60.0):
        spin = np.eye(3)
        spin[:2, :2] = ((np.cos(angle), -np.sin(angle)), (np.sin(angle), np.cos(angle)))
        spin[:2, 2] = middle - spin[:2, :2] @ middle
        found.append(BoardPose(pose.image_from_board @ spin, pose.error_px, pose.lens, pose.image_size))
    return found
