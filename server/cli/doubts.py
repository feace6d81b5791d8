"""What `kibitz look` is not sure of, in plain words: squares that cannot be read, men that may be kings."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rules.errors import FenError
from rules.fen import fen, parse_fen
from rules.placement import Placement
from rules.position import Position
from rules.variant import Variant

MARKS = ".wbWB"
SURELY_A_KING = 0.9
"""Probability of a king among what may stand on an occupied square from which it is one, and below 1 minus it none."""
_MOST_NAMED = 12


@dataclass(frozen=True, slots=True)
class Doubt:
    """A disc of which it is not clear whether it is a man or a king; `row` and `column` from 1, at the top left.

    `square` is the name in the record where a game tells it; a board of points has no rows and columns.
    """

    king: float
    """Probability of a king from 0 to 1, given that a disc is there."""
    mark: str
    square: str | None = None
    row: int | None = None
    column: int | None = None

    def to_json(self) -> dict[str, Any]:
        place = {} if self.row is None else {"row": self.row, "col": self.column}
        return {"square": self.square, **place, "mark": self.mark, "king": round(self.king, 2)}

    @property
    def place(self) -> str:
        where = "" if self.row is None else f"row {self.row}, column {self.column}"
        return f"{self.square} ({where})" if self.square and where else self.square or where


def perhaps_kings(scores: NDArray[np.float32], marks: Sequence[str]) -> list[tuple[int, float]]:
    """Places and probabilities of a king where a disc is seen and may be either; `scores` (n, 5) log-likelihoods."""
    likelihood = np.exp(np.asarray(scores, np.float64))
    king = likelihood[:, 3:5].sum(axis=1) / likelihood[:, 1:5].sum(axis=1)
    return [
        (place, float(king[place]))
        for place, mark in enumerate(marks)
        if mark in "wbWB" and 1 - SURELY_A_KING < king[place] < SURELY_A_KING
    ]


def said_of_kings(doubts: Sequence[Doubt]) -> list[str]:
    """A sentence that names the discs that may be men or kings; none where there are none."""
    if not doubts:
        return []
    named = [doubt.place for doubt in doubts[:_MOST_NAMED]]
    more = f" and {len(doubts) - _MOST_NAMED} more" if len(doubts) > _MOST_NAMED else ""
    counted = " (rows counted from the top, columns from the left)" if doubts[0].row is not None else ""
    return [
        f"cannot tell for sure whether a man or a king stands on {'; '.join(named)}{more}{counted}; "
        "it is shown as the likelier of the two: look there yourself"
    ]


def fen_of(variant: Variant, marks: Sequence[str], game_known: bool) -> tuple[str | None, list[str]]:
    """The position that the marks show as FEN, or why there is none; a game that nobody named finds no fault."""
    unread = sum(mark == "?" for mark in marks)
    if unread:
        squares = "1 square (marked ?)" if unread == 1 else f"{unread} squares (marked ?)"
        return None, [
            f"cannot tell what stands on {squares}, so no FEN is given; try more even light, or a picture from "
            "farther above"
        ]
    text = fen(variant, Position(Placement(bytes(map(MARKS.index, marks))), variant.first))
    try:
        parse_fen(variant, text)
    except FenError as trouble:
        fault = f"what was read is no position of {variant.title}, so no FEN is given: {trouble}"
        return None, [fault] if game_known else []
    return text, []
