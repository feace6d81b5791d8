"""Start placements and promotion rows in a few words, for the variant files."""

from collections.abc import Iterable

from rules.board import Board
from rules.piece import Piece
from rules.placement import Placement

Rows = tuple[frozenset[int], frozenset[int]]


def placed(board: Board, white: Iterable[int], black: Iterable[int]) -> Placement:
    """Men of both sides on the given points."""
    changes = dict.fromkeys(white, Piece.WHITE_MAN) | dict.fromkeys(black, Piece.BLACK_MAN)
    return Placement.empty(board.size).replaced(changes)


def points_on_rows(board: Board, rows: Iterable[int]) -> tuple[int, ...]:
    """All points on rows counted from 1, White's nearest."""
    wanted = {row - 1 for row in rows}
    return tuple(p for p, row in enumerate(board.row_of) if row in wanted)


def rows_of_men(board: Board, rows: int, skipped: int = 0) -> Placement:
    """Men on the nearest rows of each side, the first `skipped` left empty."""
    top = max(board.row_of) + 1
    near = range(1 + skipped, rows + skipped + 1)
    return placed(board, points_on_rows(board, near), points_on_rows(board, [top + 1 - r for r in near]))


def named(board: Board, names: str) -> tuple[int, ...]:
    return tuple(board.point_by_name[name] for name in names.split())


def far_rows(board: Board) -> Rows:
    """Each side promotes on its farthest row."""
    top = max(board.row_of)
    return (
        frozenset(points_on_rows(board, [top + 1])),
        frozenset(points_on_rows(board, [1])),
    )
