"""Finding whatever board a game is played on, in the way that fits how it is drawn."""

import numpy as np
from numpy.typing import NDArray

from calibration.agreement import agreed
from calibration.by_discs import board_by_discs
from calibration.by_markers import lines_at, squares_at, turned_as
from calibration.drawn_lines import drawn_lines, has_cells
from calibration.errors import BoardNotFound
from calibration.find_board import find_board, likely_boards
from calibration.find_lined import MIN_CONFIDENCE, LinedBoard, Search, by_all, by_cells, find_lined, judged
from calibration.found import FoundBoard, found_by_lines
from calibration.marker_shape import places
from calibration.markers import FEWEST, board_between, marked_board, seen_markers
from calibration.window import RARE_SIZE
from rules.board import Board, BoardKind
from rules.boards.hexagons import honeycomb, oblique
from rules.boards.lined import alquerque, serpents
from rules.boards.squares import chequered, full

DOUBTFUL_SQUARES = 0.7
"""Confidence of chequers below which lines of another sort of board are looked for where nobody said which it is."""
SURE_OF_UNKNOWN = 0.85
"""Confidence that lines must reach where nobody said which board they are."""
CERTAIN = 1.0
"""The same from which nothing else is tried."""
UNTOLD = (full(8, 8), full(10, 10), chequered(10, 10), alquerque(), honeycomb(7), oblique(5), serpents())
"""Boards that are looked for by their lines where nobody said which board it is."""
BY_CELLS = tuple(board for board in UNTOLD if has_cells(board))
"""Those of them that are looked for by the edges of their cells' colours too."""
SPECIAL = tuple(board for board in UNTOLD if board.kind in (BoardKind.CHEQUERED, BoardKind.HEXAGON))
"""Those whose octagons or hexagons nothing else on a table has."""
MARKED = (
    *(chequered(n, n) for n in (8, 10, 12, 6)),
    *(board for board in UNTOLD if board.kind is not BoardKind.CHEQUERED),
)
"""Boards that are tried between markers where nobody said which board it is."""


def find_squares(bgr: NDArray[np.uint8], board: Board) -> FoundBoard:
    """The board of squares `board` in a picture (h, w, 3) uint8 BGR: chequered, octagons or without colouring.

    Corner markers are believed where the grid between them is seen, or where nothing else is sure.
    Raises BoardNotFound.
    """
    marked = marked_board(bgr, board)
    if marked is None:
        return _unmarked_squares(bgr, board)
    there, confirmed = squares_at(bgr, marked, board)
    if confirmed:
        return there
    if not marked.whole:
        return turned_as(_unmarked_squares(bgr, board), marked.pose, board)
    chequers = _sure_chequers(bgr, board)
    return there if chequers is None else turned_as(chequers, marked.pose, board)


def _sure_chequers(bgr: NDArray[np.uint8], board: Board) -> FoundBoard | None:
    """The board by its chequers if they leave no doubt: markers may have been laid round its frame."""
    if board.kind is not BoardKind.CHEQUERED:
        return None
    try:
        seen = find_board(bgr, board.rows, board.columns)
    except BoardNotFound:
        return None
    return seen if seen.confidence >= SURE_OF_UNKNOWN else None


def find_points(bgr: NDArray[np.uint8], board: Board) -> LinedBoard:
    """The board of points or hexagons `board` in a picture (h, w, 3) uint8 BGR, by its markers or its lines.

    Raises BoardNotFound.
    """
    marked = marked_board(bgr, board)
    if marked is None:
        return find_lined(bgr, board)
    there, confirmed = lines_at(bgr, marked, board)
    return there if confirmed or marked.whole else find_lined(bgr, board)


def _unmarked_squares(bgr: NDArray[np.uint8], board: Board) -> FoundBoard:
    """The board by its chequers or, where those are not sure, with its lines or by them alone. Raises BoardNotFound."""
    if board.kind is BoardKind.FULL:
        try:
            return _squares_by_lines(bgr, board)
        except BoardNotFound:
            return find_board(bgr, board.rows, board.columns)
    likely = likely_boards(bgr, board.rows, board.columns)
    if likely.sure:
        return likely.boards[0]
    if likely.is_another:
        assert likely.failure is not None
        raise likely.failure
    both = agreed(bgr, likely.boards)
    if both is not None:
        return both
    chequers = likely.boards[0] if likely.failure is None else None
    try:
        lines = _squares_by_lines(bgr, board)
    except BoardNotFound as error:
        if chequers is not None:
            return chequers
        discs = None if likely.is_contradicted else board_by_discs(bgr, board)
        if discs is not None:
            return discs
        raise likely.failure or error from error
    return lines if chequers is None or lines.confidence > chequers.confidence else chequers


def find_unknown(bgr: NDArray[np.uint8]) -> tuple[Board, FoundBoard | LinedBoard]:
    """Whatever board is in a picture of which nobody said what is played. Raises BoardNotFound.

    Between corner markers it is the first board whose grid or lines are seen there.
    """
    marked = _between_markers(bgr)
    if marked is not None:
        return marked
    likely = likely_boards(bgr)
    chequers = likely.boards[0] if likely.failure is None else None
    both = None if likely.sure else agreed(bgr, likely.boards)
    if both is not None:
        larger = board_by_discs(bgr) if both.columns == RARE_SIZE else None  # a hand may hide the rest of a board
        both = both if larger is None else larger
        return chequered(both.columns, both.rows), both
    if chequers is None or chequers.confidence < DOUBTFUL_SQUARES:
        lined = _unknown_by_lines(bgr, chequers is not None)
        if lined is not None:
            return lined
    discs = None if likely.sure or likely.is_contradicted else board_by_discs(bgr)
    if discs is not None:
        return chequered(discs.columns, discs.rows), discs
    if chequers is None:
        assert likely.failure is not None
        raise likely.failure
    return chequered(chequers.columns, chequers.rows), chequers


def _unknown_by_lines(bgr: NDArray[np.uint8], or_chequers: bool) -> tuple[Board, FoundBoard | LinedBoard] | None:
    """The board whose lines are surely seen; `or_chequers`, whose edges are the lines of a board without colouring.

    Octagons and hexagons need not be seen so surely.
    """
    fairly: list[tuple[Board, LinedBoard]] = []
    searches: list[Search] = []
    for edges_too, every in ((False, UNTOLD), (True, BY_CELLS)):
        boards = tuple(board for board in every if not (or_chequers and board.kind is BoardKind.FULL))
        # a table is full of edges, of which any four may be an outline
        drawn = drawn_lines(bgr, boards, edges_too=edges_too, outlines_too=not edges_too)
        searches.append(by_cells(drawn, boards))
        likeliest = searches[-1].likeliest(SURE_OF_UNKNOWN)
        if likeliest is not None and likeliest[1].confidence >= CERTAIN:
            return _as_found(*likeliest)
    for number, search in enumerate(searches):
        by_all(search)
        likeliest = search.likeliest(SURE_OF_UNKNOWN)
        if likeliest is None:
            continue
        board, lined = likeliest
        if lined.confidence >= SURE_OF_UNKNOWN:
            return _as_found(board, lined)
        again = judged(searches[0].drawn.lines, lined.pose, board) if number else None
        fairly += [(board, one) for one in (lined, None if again is None else again[1]) if one is not None]
    special = [one for one in fairly if one[0] in SPECIAL and one[1].confidence >= MIN_CONFIDENCE]
    best = max(special, key=lambda one: one[1].confidence, default=None)
    return None if best is None else _as_found(*best)


def _as_found(board: Board, lined: LinedBoard) -> tuple[Board, FoundBoard | LinedBoard]:
    return board, found_by_lines(lined.pose, board, lined.confidence, lined.drawing) if board.rows else lined


def _between_markers(bgr: NDArray[np.uint8]) -> tuple[Board, FoundBoard | LinedBoard] | None:
    """The board that is seen between corner markers; None without markers or where no board fits."""
    seen = seen_markers(bgr)
    refused: set[bytes] = set()
    for board in MARKED if len(seen) >= FEWEST else ():
        shape = np.round(places(board) / board.width, 3).tobytes()  # markers that fit none of 8x8 fit none of 10x10
        marked = None if shape in refused else board_between(seen, board, (bgr.shape[1], bgr.shape[0]))
        if marked is None:
            refused.add(shape)
            continue
        there, confirmed = squares_at(bgr, marked, board) if board.rows else lines_at(bgr, marked, board)
        if confirmed:
            return board, there
    return None


def _squares_by_lines(bgr: NDArray[np.uint8], board: Board) -> FoundBoard:
    seen = find_lined(bgr, board)
    return found_by_lines(seen.pose, board, seen.confidence, seen.drawing)
