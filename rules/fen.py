"""Positions as PDN FEN text."""

import re

from rules.errors import FenError, NotationError, quoted
from rules.notation import point_name, point_named
from rules.piece import Piece, Side, king, man
from rules.placement import Placement
from rules.position import KingRun, Position
from rules.variant import Promotion, Variant

_ITEM = re.compile(r"^(K?)([a-z]\d{1,2}|\d{1,3})(?:-(K?)([a-z]\d{1,2}|\d{1,3}))?$")
_RUNS = re.compile(r"^\+(\d)([a-z]\d{1,2}|\d{0,3})\+(\d)([a-z]\d{1,2}|\d{0,3})$")


def fen(variant: Variant, position: Position) -> str:
    """`W:W31,32,K40:B1,2`: every point, ascending, no ranges; a Frisian game adds its running king counts."""
    lists = [side.value + ",".join(_items(variant, position.placement, side)) for side in Side]
    parts = [position.to_move.value, *lists]
    if variant.king_run_limit and (position.white_run or position.black_run):
        parts.append(_run_text(variant, position.white_run) + _run_text(variant, position.black_run))
    return ":".join(parts)


def _items(variant: Variant, placement: Placement, side: Side) -> list[str]:
    points = placement.points_of(side)
    if variant.reversed_numbers:
        points = points[::-1]
    return [("K" if placement[p].is_king else "") + point_name(variant, p) for p in points]


def _run_text(variant: Variant, run: KingRun | None) -> str:
    return f"+{run.moves}{point_name(variant, run.point)}" if run else "+0"


def parse_fen(variant: Variant, text: str, *, uncrowned: bool = False) -> Position:
    """The position a text gives: ranges, kings, numbers or names, empty sides, a final dot, known suffixes.

    `uncrowned` admits what a board may show though no game comes to it: men on their own promotion row, before the
    crown is put on, and kings where the game has none.
    """
    fields = text.strip().strip('"').strip().removesuffix(".").replace(" ", "").split(":")
    turn = fields[0].upper()
    if turn not in ("W", "B"):
        raise FenError(f"saw {quoted(text)}; expected it to begin with W: or B:, the side to move")
    pieces: dict[int, Piece] = {}
    runs: tuple[KingRun | None, KingRun | None] = (None, None)
    for field in fields[1:]:
        if field[:1] in ("W", "B"):
            _place(variant, Side(field[0]), field[1:], pieces)
        elif field.startswith("+"):
            runs = _parse_runs(variant, field)
        elif field and not re.match(r"^[HF]\d+$", field):
            raise FenError(f"saw the part {quoted(field)}; expected a list beginning with W or B")
    placement = Placement.empty(variant.board.size).replaced(pieces)
    if not uncrowned:
        _refuse_uncrowned(variant, placement)
        refuse_kings(variant, placement)
        _refuse_runs(variant, placement, runs)
    return Position(placement, Side(turn), *runs)


def _place(variant: Variant, side: Side, text: str, pieces: dict[int, Piece]) -> None:
    for item in text.split(","):
        if not item:
            continue
        match = _ITEM.match(item)
        if match is None:
            raise FenError(f"saw {quoted(item)} among the discs of {side.value}; expected 31, K31, 31-35 or a3, Ka3")
        piece = king(side) if match[1] or match[3] else man(side)
        for point in _points(variant, match[2], match[4]):
            if point in pieces:
                raise FenError(f"saw two discs on {point_name(variant, point)}; expected one at most")
            pieces[point] = piece


def _points(variant: Variant, first: str, last: str | None) -> range:
    try:
        start = point_named(variant, first)
        end = start if last is None else point_named(variant, last)
    except NotationError as error:
        raise FenError(str(error)) from error
    return range(min(start, end), max(start, end) + 1)


def _parse_runs(variant: Variant, field: str) -> tuple[KingRun | None, KingRun | None]:
    match = _RUNS.match(field)
    if match is None:
        raise FenError(f"saw {quoted(field)}; expected the king moves of both sides, such as +0+0 or +237+0")
    runs: list[KingRun | None] = []
    for moves, square in ((match[1], match[2]), (match[3], match[4])):
        counts = int(moves) > 0 and square
        runs.append(KingRun(point_named(variant, square), int(moves)) if counts else None)
    return runs[0], runs[1]


def refuse_kings(variant: Variant, placement: Placement) -> None:
    """Raises FenError for a king in a game that has none."""
    if variant.promotion is not Promotion.NEVER:
        return
    crowned = next((p for p in range(variant.board.size) if placement[p].is_king), None)
    if crowned is not None:
        name = point_name(variant, crowned)
        raise FenError(f"saw a king on {name}; {variant.title} has no kings: expected {name}")


def _refuse_runs(variant: Variant, placement: Placement, runs: tuple[KingRun | None, KingRun | None]) -> None:
    for side, run in zip(Side, runs, strict=True):
        if run is not None and placement[run.point] is not king(side):
            name = point_name(variant, run.point)
            raise FenError(f"saw {run.moves} king moves in a row by {name}; expected a king of {side.title} there")


def _refuse_uncrowned(variant: Variant, placement: Placement) -> None:
    """A man on its own promotion row is no position of a game, unless the game starts so."""
    if variant.promotion is Promotion.NEVER:
        return
    for side in Side:
        row = variant.promotion_row(side)
        if any(variant.start[p] is man(side) for p in row):
            continue
        for point in row:
            if placement[point] is man(side):
                name = point_name(variant, point)
                raise FenError(f"saw a man of {side.title} on its promotion row ({name}); expected K{name}")
