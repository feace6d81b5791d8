"""`kibitz games`: what the journal holds."""

import argparse
from datetime import datetime
from pathlib import Path
from typing import Any

from server.cli.arguments import whole
from server.cli.output import say, say_json
from server.errors import UsageError
from server.settings import data_folder
from server.store.game_record import pdn_of
from server.store.journal import Journal

JOURNAL = "games.sqlite3"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("number", nargs="?", type=whole(1, 2**53), help="number of one game")
    parser.add_argument("--data", type=Path, metavar="DIR", help="data folder")
    parser.add_argument("--pdn", action="store_true", help="print the game as PDN")
    parser.add_argument("--form", choices=("strict", "full"), default="strict", help="form of the PDN")
    parser.add_argument("--json", action="store_true", help="one JSON object per line")


def run(given: argparse.Namespace) -> int:
    folder = data_folder(given.data)
    path = folder / JOURNAL
    if not path.exists():
        if given.number is None:
            return 0
        raise UsageError(f"saw no journal at {path}; expected one that `kibitz serve` has written; give --data")
    journal = Journal(path, read_only=True)
    try:
        return _one(journal, given) if given.number is not None else _all(journal, given.json)
    finally:
        journal.close()


def _all(journal: Journal, as_json: bool) -> int:
    for game in journal.games():
        if as_json:
            say_json(game)
        else:
            say(_line(game))
    return 0


def _one(journal: Journal, given: argparse.Namespace) -> int:
    game = journal.game(given.number)
    if game is None:
        raise UsageError(f"saw no game {given.number} in {journal.path}; `kibitz games` lists those that are there")
    if given.pdn:
        say(pdn_of(game, given.form).rstrip("\n"))
    elif given.json:
        say_json(game)
    else:
        say(_line(game))
        for event in game["events"]:
            say(f"  {event['type']:<12} {event.get('move') or event.get('message') or event.get('how') or ''}")
    return 0


def _line(game: dict[str, Any]) -> str:
    started = datetime.fromtimestamp(game["started"]).strftime("%Y-%m-%d %H:%M")
    return f"{game['game']:>5}  {started}  {game['variant']:<16} {game['plies']:>4} plies  {game['result'] or '*'}"
