"""Finding boards by their drawn lines: full boards without colouring, octagons, alquerque, serpents, honeycombs."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from calibration.drawings import (
    Drawing,
    drawings_of,
    halves_squares,
    lacks_a_row,
    plausible,
    score_of,
    sparse_drawings,
    steps_of,
)
from calibration.drawn_lines import DrawnLines, drawn_lines
from calibration.errors import BoardNotFound
from calibration.lined_guesses import Guess, guesses, laid_guesses, outlined_guesses
from rules.board import Board, BoardKind
from vision.line_fit import LineMap, line_map, refined
from vision.pose import BoardPose

MIN_CONFIDENCE = 0.7
SURE = 1.05
ENOUGH = 0.95
"""Confidence at which edges between colours need not be looked at too."""
MOST_JUDGED = 30
"""Guesses that are judged where nobody said which board it is, of all kinds together, beside the best of each kind."""
CLEARLY_OCTAGONS = 0.1
"""By how much better octagons must be seen for another board, although surely seen, to be only a part of them."""
LEAST_ALONE, ALONE_BY = 0.4, 1.55
"""Score from which a place that scores so many times as high as all others is believed."""
SAME_PLACE = 0.5
"""Distance of corners in squares below which two places are one."""
WITHOUT_A_ROW = 0.3
"""Most that a place scores where a whole row of the board is missing."""
OF_HALF_THE_LINES = 0.3
"""The same where a line runs through the middles of squares, too."""
MOST_CLIMBS = 5
WORTH_REFINING = 0.2
"""Score of a third of the lines, moved onto the picture's, from which the rest are looked at."""
WORTH_CLIMBING = 0.35
NEARLY = 0.05
"""By how much the score of a third of the lines may be lower where all of them are better."""
MOST_MOVED = 0.6
"""How far a given pose may be moved, in squares."""


@dataclass(frozen=True, slots=True, eq=False)
class LinedBoard:
    """A board found by its lines: `pose`, `confidence` from 0 to 1, how it is drawn, if White's side is known."""

    pose: BoardPose
    confidence: float
    drawing: str
    side_known: bool = False


def find_lined(bgr: NDArray[np.uint8], board: Board, *, thorough: bool = True) -> LinedBoard:
    """The board in a picture (h, w, 3) uint8 BGR, by its lines; if `thorough`, edges between colours count too.

    Raises BoardNotFound.
    """
    without = drawn_lines(bgr, (board,), edges_too=False)
    tried = _tried(without, board)
    best = _best(tried)
    if thorough and (best is None or best.confidence <= ENOUGH):
        edges = drawn_lines(bgr, (board,), edges_too=True)
        by_edges = _tried(edges, board)
        both = [judged(without.lines, lined.pose, board) for _, lined in sorted(by_edges, key=_score)[-1:]]
        tried += by_edges + [one for one in both if one is not None]
        best = _best(tried)
        if best is not None and best.confidence < MIN_CONFIDENCE and _alone((without, edges), tried, board):
            return best
    if best is None or best.confidence < MIN_CONFIDENCE:
        share = 0.0 if best is None else best.confidence
        points = {BoardKind.CHEQUERED: "dark squares", BoardKind.FULL: "squares", BoardKind.HEXAGON: "hexagons"}
        raise BoardNotFound(
            f"saw {f'only {share:.0%}' if share >= 0.005 else 'none'} of the lines of a board of {board.size} "
            f"{points.get(board.kind, 'points')}; expected {MIN_CONFIDENCE:.0%} at least; check that the whole board "
            "is in view, lit and sharp, or give its corners"
        )
    return best


def _tried(drawn: DrawnLines, board: Board) -> list[tuple[float, LinedBoard]]:
    """The places of the board among a picture's lines, each with its score, up to the first that leaves no doubt."""
    tried: list[tuple[float, LinedBoard]] = []
    for guess in guesses(drawn, board):
        candidate = judged(drawn.lines, guess.pose, board)
        if candidate is not None:
            tried.append(candidate)
            if candidate[0] > SURE:
                break
    return tried


def _score(tried: tuple[float, LinedBoard]) -> float:
    return tried[0]


def _best(tried: Sequence[tuple[float, LinedBoard]]) -> LinedBoard | None:
    """The likeliest place, however unlikely."""
    return max(tried, key=_score)[1] if tried else None


def _alone(drawn: Sequence[DrawnLines], tried: Sequence[tuple[float, LinedBoard]], board: Board) -> bool:
    """Whether the best place tried is seen by drawn lines as by edges, far better than any that lies elsewhere."""
    score, best = max(tried, key=_score)
    corners, near = best.pose.corners(board), SAME_PLACE * best.pose.square_px(board)
    for other, lined in tried:
        if other * ALONE_BY > score and _apart(corners, lined.pose.corners(board)) > near:
            return False
    again = (judged(each.lines, best.pose, board) for each in drawn)
    return all(one is not None and one[0] >= LEAST_ALONE for one in again)


def _apart(these: NDArray[np.float64], those: NDArray[np.float64]) -> float:
    """The farthest of a board's corners (k, 2) from the other's, however both are turned or mirrored."""
    ways = (np.roll(way, turn, axis=0) for way in (those, those[::-1]) for turn in range(len(those)))
    return min(float(np.linalg.norm(these - way, axis=1).max()) for way in ways)


@dataclass(frozen=True, slots=True, eq=False)
class Search:
    """Boards looked for among a picture's lines: their guesses by cells and the best that was `judged` of each."""

    drawn: DrawnLines
    boards: tuple[Board, ...]
    laid: dict[Board, list[Guess]]
    judged: dict[Board, tuple[float, LinedBoard]]

    def likeliest(self, sure_from: float) -> tuple[Board, LinedBoard] | None:
        """Which of the boards is likeliest where, of those judged.

        Of those with a confidence of `sure_from` the first: the few lines of alquerque may lie on a larger grid's.
        """
        best = self.judged
        sure = [board for board in self.boards if board in best and best[board][0] >= sure_from]
        likeliest = sure[0] if sure else max(best, key=lambda board: best[board][0], default=None)
        if likeliest is None:
            return None
        octagons = (board for board in best if board.kind is BoardKind.CHEQUERED)
        clearly = (board for board in octagons if best[board][0] > best[likeliest][0] + CLEARLY_OCTAGONS)
        likeliest = next(clearly, likeliest)
        return likeliest, best[likeliest][1]


def by_cells(drawn: DrawnLines, boards: tuple[Board, ...]) -> Search:
    """Each board where its cells lie best on cells that are seen.

    Chequered boards count only if octagons are drawn: by their lines alone squares are a board without colouring.
    """
    search = Search(drawn, boards, {board: _strongest(laid_guesses(drawn, board)) for board in boards}, {})
    _judge(search, [(own[0], board) for board, own in search.laid.items() if own])
    return search


def by_all(search: Search, most: int = MOST_JUDGED) -> None:
    """Judges the `most` best of the other guesses of all boards together, those by outlines too."""
    pool: list[tuple[Guess, Board]] = []
    for board, own in search.laid.items():
        rest = _strongest(chain(own[1:], outlined_guesses(search.drawn, board)))
        pool += [(guess, board) for guess in rest[: most // 3]]  # no kind of board may crowd out the others
    pool.sort(key=lambda one: -one[0].seen)
    _judge(search, pool[:most])


def _strongest(found: Iterable[Guess]) -> list[Guess]:
    return sorted(found, key=lambda guess: -guess.seen)


def _judge(search: Search, pool: Sequence[tuple[Guess, Board]]) -> None:
    """Judges guesses up to the first that leaves no doubt."""
    best = search.judged
    for guess, board in pool:
        candidate = judged(search.drawn.lines, guess.pose, board)
        if candidate is None or (board.kind is BoardKind.CHEQUERED and candidate[1].drawing == "squares"):
            continue
        if board not in best or candidate[0] > best[board][0]:
            best[board] = candidate
        if board == search.boards[0] and candidate[0] > SURE:
            break


def onto_lines(bgr: NDArray[np.uint8], pose: BoardPose, board: Board) -> BoardPose:
    """A roughly known pose moved onto the board's lines where that makes them fit better and moves it little."""
    return fitted_to_lines(bgr, pose, board)[0]


def fitted_to_lines(bgr: NDArray[np.uint8], pose: BoardPose, board: Board) -> tuple[BoardPose, float]:
    """What `onto_lines` makes of a pose, and how well the lines then fit, from 0 to 1."""
    lines = line_map(bgr)
    drawing = drawings_of(board)[0]
    closer = refined(lines, pose, drawing.segments)
    moved = np.linalg.norm(closer.corners(board) - pose.corners(board), axis=1).max()
    before, after = score_of(lines, pose, drawing), score_of(lines, closer, drawing)
    if after > max(MIN_CONFIDENCE, before) and moved < MOST_MOVED * pose.square_px(board):
        return closer, after
    return pose, before


def judged(lines: LineMap, guess: BoardPose, board: Board) -> tuple[float, LinedBoard] | None:
    """The guess moved onto the lines, with the score that it then has."""
    best: tuple[float, LinedBoard] | None = None
    guess = seen_from_above(guess, board)
    for drawing, sparse in _drawn(board):
        pose = refined(lines, guess, sparse.segments)
        if not plausible(pose, board) or score_of(lines, pose, sparse) < WORTH_REFINING:
            continue
        pose = refined(lines, pose, drawing.segments)
        if not plausible(pose, board):
            continue
        score, pose, drawing = _climbed(lines, pose, drawing, board)
        if board.rows and lacks_a_row(lines, pose, drawing, board):
            score = min(score, WITHOUT_A_ROW)
        if drawing.name == "squares" and halves_squares(lines, pose, drawing, board):
            score = min(score, OF_HALF_THE_LINES)
        if best is None or score > best[0]:
            best = (score, LinedBoard(pose, min(score, 1.0), drawing.name))
    return best


def _drawn(board: Board) -> list[tuple[Drawing, Drawing]]:
    """How the board may be drawn, each with what is thinned out of it."""
    return list(zip(drawings_of(board), sparse_drawings(board), strict=True))


def seen_from_above(pose: BoardPose, board: Board) -> BoardPose:
    """The pose, or if it shows the board as from below the one with left and right changed: the lines are the same."""
    middle = np.array([board.width / 2, board.height / 2])
    at, right, up = pose.project(middle + np.array([[0, 0], [0.1, 0], [0, 0.1]]))
    if float((right - at)[0] * (up - at)[1] - (right - at)[1] * (up - at)[0]) < 0:  # y runs down in pictures
        return pose
    swap = np.array([[-1.0, 0.0, board.width], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
    return replace(pose, image_from_board=pose.image_from_board @ swap)


def _climbed(lines: LineMap, pose: BoardPose, drawing: Drawing, board: Board) -> tuple[float, BoardPose, Drawing]:
    """The pose moved by whole squares, as long as that makes it fit better, with its score and drawing.

    A step of one square changes places between octagons and the small squares, so every drawing is tried.
    """
    score = score_of(lines, pose, drawing)
    for _ in range(MOST_CLIMBS if score > WORTH_CLIMBING else 0):
        kinds = [pair for pair in _drawn(board) if (pair[0].name == "octagons") == (drawing.name == "octagons")]
        tried = [(score_of(lines, moved, pair[1]), moved, pair[0]) for moved in _beside(pose, board) for pair in kinds]
        best = max(tried, key=lambda one: one[0]) if tried else None
        if best is None or best[0] <= score - NEARLY:
            break
        closer = refined(lines, best[1], best[2].segments)
        higher = score_of(lines, closer, best[2])
        if higher <= score:
            break
        score, pose, drawing = higher, closer, best[2]
    return score, pose, drawing


def _beside(pose: BoardPose, board: Board) -> list[BoardPose]:
    """The poses a square further in each direction, those that stay in the picture."""
    slanted = board.kind in (BoardKind.HEXAGON, BoardKind.SERPENTS)
    steps = steps_of(board) if slanted else [(dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1)]
    moved = []
    for dx, dy in steps:
        by = np.array([[1, 0, dx], [0, 1, dy], [0, 0, 1.0]])
        there = BoardPose(pose.image_from_board @ by, pose.error_px, pose.lens, pose.image_size)
        if (dx or dy) and plausible(there, board):
            moved.append(there)
    return moved
