"""`kibitz games`: what the journal holds, and games from elsewhere put into it."""

import argparse
from datetime import datetime
from pathlib import Path
from typing import Any

from rules.variant import Variant
from rules.variants.catalogue import variant_named
from server.cli.arguments import whole
from server.cli.output import complain, say, say_json
from server.errors import UsageError
from server.settings import data_folder
from server.store.game_record import CLOCK_WAS_SET, NO_DATE, pdn_of
from server.store.importing import games_in, put
from server.store.journal import COPIES, Journal

JOURNAL = "games.sqlite3"
_MOST_PROBLEMS = 20
"""Problems of one imported game that are told."""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("number", nargs="?", type=whole(1, 2**53), help="number of one game")
    parser.add_argument("--data", type=Path, metavar="DIR", help="data folder")
    parser.add_argument("--pdn", action="store_true", help="print the game, or all games, as PDN")
    parser.add_argument("--form", choices=("strict", "full"), default="strict", help="form of the PDN")
    parser.add_argument("--json", action="store_true", help="one JSON object per line; of one game with its events")
    parser.add_argument("--whole", action="store_true", help="with --json: every game with its events")
    parser.add_argument(
        "--import", dest="files", nargs="+", type=Path, metavar="FILE", help="put games of PDN or JSON files in"
    )
    parser.add_argument("--variant", help="with --import: the game of PDN that does not say")


def run(given: argparse.Namespace) -> int:
    path = data_folder(given.data) / JOURNAL
    if given.files:
        return _import(path, given)
    if not path.exists() and not any((path.parent / COPIES).glob("*.jsonl")):
        if given.number is None:
            complain(f"no games have been recorded in {path.parent} yet; those of another folder: give it with --data")
            return 0
        raise UsageError(f"saw no journal at {path}; expected one that `kibitz serve` has written; give --data")
    journal = Journal(path, read_only=True)
    if journal.warning:
        complain(journal.warning)
    try:
        return _one(journal, given, given.number) if given.number is not None else _all(journal, given)
    finally:
        journal.close()


def _import(path: Path, given: argparse.Namespace) -> int:
    variant = variant_named(given.variant) if given.variant else None
    journal = Journal(path)
    if journal.warning:
        complain(journal.warning)
    try:
        return max([_import_file(journal, file, variant) for file in given.files])
    finally:
        journal.close()


def _import_file(journal: Journal, file: Path, variant: Variant | None) -> int:
    """Exit status for one file: one that cannot be used is named, and the others are imported all the same."""
    faulty = False
    try:
        for game in games_in(file, variant):
            number, new = put(journal, game)
            plies = sum(event["type"] == "move" for event in game.events)
            say(f"{file}: {'game' if new else 'already here as game'} {number}, {game.variant}, {plies} plies")
            for problem in game.problems[:_MOST_PROBLEMS]:
                complain(f"{file}:{problem}")
            if len(game.problems) > _MOST_PROBLEMS:
                more = len(game.problems) - _MOST_PROBLEMS
                complain(f"{file}: {more} more problems; `kibitz pdn check {file}` tells all of them")
            faulty |= bool(game.problems)
    except UsageError as trouble:
        complain(str(trouble))
        return 2
    except OSError as trouble:
        complain(f"{file}: {trouble.strerror or trouble}; check the path and that you may read it")
        return 2
    return 1 if faulty else 0


def _all(journal: Journal, given: argparse.Namespace) -> int:
    for number, game in enumerate(journal.games()):
        if given.pdn:
            say(("\n" if number else "") + _pdn(journal, game["game"], given.form))
        elif given.json:
            say_json((given.whole and journal.game(game["game"])) or game)
        else:
            say(_line(game))
    return 0


def _one(journal: Journal, given: argparse.Namespace, number: int) -> int:
    game = journal.game(number)
    if game is None:
        raise UsageError(f"saw no game {number} in {journal.path}; `kibitz games` lists those that are there")
    if given.pdn:
        say(_pdn(journal, number, given.form))
    elif given.json:
        say_json(game)
    else:
        say(_line(game))
        for event in game["events"]:
            say(f"  {event['type']:<12} {event.get('move') or event.get('message') or event.get('how') or ''}")
    return 0


def _pdn(journal: Journal, number: int, form: str) -> str:
    game = journal.game(number)
    return "" if game is None else pdn_of(game, form).rstrip("\n")


def _line(game: dict[str, Any]) -> str:
    known = CLOCK_WAS_SET < game["started"] < NO_DATE
    started = datetime.fromtimestamp(game["started"]).strftime("%Y-%m-%d %H:%M") if known else "date unknown    "
    return f"{game['game']:>5}  {started}  {game['variant']:<16} {game['plies']:>4} plies  {game['result'] or '*'}"
