"""The rows of a table of published leaf counts, and the games of ours that they count."""

import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from rules.board import Board
from rules.boards.squares import chequered
from rules.fen import parse_fen
from rules.placement import Placement
from rules.position import Position
from rules.variant import Variant, start_position
from rules.variants.catalogue import VARIANT_NAMES, variant_named
from rules.variants.starts import far_rows, rows_of_men

# Tables write these games by other names. Both Armenian counts let kings capture diagonally, which no rule text does.
_OURS = {
    "srilankan": "sri-lankan",
    "armenian_tama": "armenian+man-goes-on+kings-take-diagonally",
    "armenian_tama_promote_and_continue": "armenian+kings-take-diagonally",
}


def _on_board(game: str, name: str, board: Board, rows: int) -> Variant:
    return replace(
        variant_named(game),
        name=name,
        board=board,
        start=rows_of_men(board, rows),
        promotion_points=far_rows(board),
        game_type="",
    )


def _other_games() -> dict[str, Variant]:
    """Games of ours on boards that no game of ours is played on."""
    eight = chequered(8, 8)
    games = [
        replace(variant_named("thai"), name="thai_rules_12men", start=rows_of_men(eight, 3)),
        _on_board("international", "international_6x6", chequered(6, 6), 2),
        _on_board("international", "international_12x10", chequered(12, 10), 4),
        _on_board("international", "international_14x14", chequered(14, 14), 6),
        _on_board("international", "ktar_8x10", chequered(8, 10), 4),
        _on_board("international", "ktar_10x11", chequered(10, 11), 4),
        _on_board("international", "ktar_10x12", chequered(10, 12), 5),
        _on_board("english", "english_6x6", chequered(6, 6), 2),
    ]
    return {game.name: game for game in games}


_OTHERS = _other_games()


def game_named(name: str) -> Variant | None:
    """The game a table calls by this name, or None if it is none of ours."""
    if name in _OTHERS:
        return _OTHERS[name]
    ours = _OURS.get(name, name)
    return variant_named(ours) if ours.split("+")[0] in VARIANT_NAMES else None


@dataclass(frozen=True, slots=True)
class Row:
    """Leaves at one depth of one position; `fen` is empty for the start position."""

    game: str
    fen: str
    depth: int
    leaves: int
    convention: str
    confirmed: bool
    """Whether a second program counted the same."""


def position_of(variant: Variant, row: Row) -> Position:
    return parse_fen(variant, row.fen) if row.fen else start_position(variant)


def _is_start(row: dict[str, str]) -> bool:
    """Starts are written out, in words, or in square numbers that are not the game's own (Spanish)."""
    if row["fen"] == "start" or "each" in row["fen"] or row["variant"] == "spanish":
        return True
    variant = game_named(row["variant"])
    if variant is None:
        return True
    placement: Placement = parse_fen(variant, row["fen"]).placement
    return placement == variant.start


def own_rows(path: Path) -> tuple[Row, ...]:
    """The rows of the project's own table, tests/data/perft.json."""

    def row_of(row: dict[str, Any]) -> Row:
        return Row(row["game"], row["fen"], row["depth"], row["leaves"], "dedup", row["source"] != "one source")

    return tuple(row_of(row) for row in json.loads(path.read_text())["rows"])


def published_rows(path: Path) -> tuple[Row, ...]:
    """Every row of a table such as perft.json whose game is one of ours."""
    rows = []
    for row in json.loads(path.read_text())["rows"]:
        if game_named(row["variant"]) is None:
            continue
        fen = "" if _is_start(row) else row["fen"]
        confirmed = bool(row["verified_by"])
        rows.append(Row(row["variant"], fen, row["depth"], row["nodes"], row["convention"], confirmed))
    return tuple(rows)
