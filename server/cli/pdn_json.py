"""Games that were read, as JSON."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from rules.fen import fen
from rules.notation import full_text, move_text, point_name
from rules.pdn_lines import Line, Note, Ply
from rules.pdn_reader import PdnGame, PdnProblem
from rules.pdn_replay import ReplayedGame
from rules.pdn_tokens import Token, TokenKind
from rules.pdn_writer import in_notation
from rules.position import Position
from rules.variant import Notation, Variant


def summary(path: Path, number: int, game: PdnGame, told: ReplayedGame) -> dict[str, Any]:
    """What `check` says: tags (the first of each name), plies read, the moves as written, result and problems."""
    return {
        "file": str(path),
        "game": number,
        "line": game.line,
        "tags": dict(reversed(game.tags)),
        "variant": told.variant.name,
        "plies": told.ply_count,
        "moves": [ply.text for ply in told.plies],
        "result": told.result,
        "problems": [_problem(problem) for problem in told.problems],
        "notes": [_problem(note) for note in told.notes],
    }


def whole(path: Path, number: int, game: PdnGame, told: ReplayedGame, notation: Notation | None) -> dict[str, Any]:
    """The summary with the moves in one notation, and each ply with what it takes, where it leads and its remarks."""
    variant = told.variant if notation is None else in_notation(told.variant, notation)
    line = _line(variant, told.line)
    moves = [ply["move"] or ply["written"] for ply in line["plies"]]
    every_tag = [[name, value] for name, value in game.tags]
    return summary(path, number, game, told) | {"all_tags": every_tag, "moves": moves, "main_line": line}


def _line(variant: Variant, line: Line) -> dict[str, Any]:
    plies, position = [], line.start
    for ply in line.plies:
        plies.append(_ply(variant, position, ply))
        position = ply.position
    told: dict[str, Any] = {"start": fen(variant, line.start), "plies": plies}
    return told | _remarks(variant, line.opening) | ({"unread": line.rest} if line.rest else {})


def _ply(variant: Variant, before: Position, ply: Ply) -> dict[str, Any]:
    told: dict[str, Any] = {"move": None, "written": ply.text, "fen": fen(variant, ply.position)}
    if ply.move is not None:
        told["move"] = move_text(variant, before, ply.move)
        told["path"] = full_text(variant, ply.move)
        told["captured"] = [point_name(variant, point) for point in ply.move.captured]
        told["promotes"] = ply.move.promotes
    if (clocks := ply.clocks) is not None:
        told["clocks"] = {
            "white_left": clocks.white_left,
            "black_left": clocks.black_left,
            "running": clocks.running.value if clocks.running else None,
            "move_took": clocks.move_took,
            "game_took": clocks.game_took,
        }
    return told | _remarks(variant, ply.notes)


def _remarks(variant: Variant, notes: Iterable[Note]) -> dict[str, Any]:
    """Comments, marks (NAGs and signs such as !) and variations, each only where there are any."""
    found: dict[str, list[Any]] = {}
    for note in notes:
        if isinstance(note, Token):
            found.setdefault("comments" if note.kind is TokenKind.COMMENT else "marks", []).append(note.text)
        else:
            found.setdefault("variations", []).append(_line(variant, note))
    return found


def _problem(problem: PdnProblem) -> dict[str, Any]:
    return {
        "line": problem.line,
        "column": problem.column,
        "ply": problem.ply,
        "fen": problem.fen,
        "message": problem.message,
    }
