"""`kibitz pdn check` and `kibitz pdn convert`: games of any quality, read and written."""

import argparse
from collections.abc import Iterator
from pathlib import Path

from rules.pdn_reader import PdnGame, decode, read_games
from rules.pdn_replay import ReplayedGame, replay
from rules.pdn_writer import write_game
from rules.variant import Variant
from rules.variants.catalogue import variant_named
from server.cli.output import complain, say, say_json
from server.errors import UsageError

FORMS = ("strict", "full", "json")


def arguments(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", required=True, metavar="check|convert")
    check = actions.add_parser("check", help="tags, plies read, result and each problem with line and column")
    convert = actions.add_parser("convert", help="write the games anew")
    for action in (check, convert):
        action.add_argument("files", nargs="+", type=Path, metavar="FILE")
        action.add_argument("--variant", help="the game, where the file does not say or says it wrongly")
    check.add_argument("--json", action="store_true", help="one JSON object per game")
    convert.add_argument("--to", required=True, choices=FORMS, metavar="FORM", help="strict, full or json")


def run(given: argparse.Namespace) -> int:
    variant = variant_named(given.variant) if given.variant else None
    faulty = False
    for path in given.files:
        seen = 0
        for game in _games(path):
            seen += 1
            told = replay(game, variant)
            faulty |= bool(told.problems)
            _tell(path, seen, game, told, given)
        if seen == 0:
            complain(f"{path}: saw no game; expected PDN text with tags or moves")
            faulty = True
    return 1 if faulty and given.action == "check" else 0


def _games(path: Path) -> Iterator[PdnGame]:
    if path.is_dir():
        raise UsageError(f"{path} is a folder; expected a PDN file")
    yield from read_games([decode(path.read_bytes())])


def _tell(path: Path, number: int, game: PdnGame, told: ReplayedGame, given: argparse.Namespace) -> None:
    if given.action == "convert" and given.to != "json":
        _write(path, number, game, told, full=given.to == "full")
        return
    problems = [
        {"line": p.line, "column": p.column, "ply": p.ply, "fen": p.fen, "message": p.message} for p in told.problems
    ]
    variant: Variant | None = told.variant
    if given.action == "convert" or given.json:
        say_json(
            {
                "file": str(path),
                "game": number,
                "tags": dict(game.tags),
                "variant": variant.name if variant else None,
                "plies": len(told.moves),
                "moves": [ply.text for ply in told.plies],
                "result": game.result,
                "problems": problems,
            }
        )
        return
    say(f"{path}: game {number}: {game.tag('White') or '?'} - {game.tag('Black') or '?'}, ")
    say(f"  {variant.name if variant else 'unknown game'}, {len(told.moves)} plies, result {game.result or 'none'}")
    for p in told.problems:
        say(f"  {p.line}:{p.column}: ply {p.ply}: {p.message}")


def _write(path: Path, number: int, game: PdnGame, told: ReplayedGame, *, full: bool) -> None:
    for problem in told.problems:
        complain(f"{path}:{problem.line}:{problem.column}: game {number}: {problem.message}")
    if told.variant is None or told.start is None:
        return
    say(write_game(dict(game.tags), told.variant, told.start, told.moves, game.result or "*", full=full))
