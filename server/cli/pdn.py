"""`kibitz pdn check` and `kibitz pdn convert`: games of any quality, read and written."""

import argparse
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from rules.legal_moves import warm_up
from rules.pdn_encoding import BINARY_SAMPLE, encoding_of, is_binary, text_of
from rules.pdn_reader import PdnGame, PdnProblem, read_games
from rules.pdn_replay import ReplayedGame, likely_variants, replay
from rules.pdn_rewriting import rewritten
from rules.variant import Notation, Variant
from rules.variants.catalogue import variant_named
from server.cli.output import complain, say, say_json
from server.cli.pdn_json import summary, whole
from server.errors import UsageError

FORMS = ("strict", "full", "json")
_CHUNK = 1 << 16
_WORTH_COMPILING = 100_000
"""Bytes from which on loading the compiled rules takes less time than doing without."""
_FIRST_GAMES = 40


def arguments(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", required=True, metavar="check|convert")
    check = actions.add_parser("check", help="tags, plies read, result and each problem with line and column")
    convert = actions.add_parser("convert", help="write the games anew")
    for action in (check, convert):
        action.add_argument("files", nargs="+", type=Path, metavar="FILE")
        action.add_argument("--variant", help="the game, where the file does not say or says it wrongly")
    check.add_argument("--json", action="store_true", help="one JSON object per game")
    check.add_argument("--quiet", action="store_true", help="only games with something to say about, and the totals")
    convert.add_argument(
        "--to",
        required=True,
        choices=FORMS,
        metavar="FORM",
        help="full (PDN 3.0 with everything), strict (for any program: no set-ups, clocks or variations) or json",
    )
    convert.add_argument(
        "--notation", choices=[n.value for n in Notation], help="squares in numbers or in letters; default: the game's"
    )


def run(given: argparse.Namespace) -> int:
    variant = variant_named(given.variant) if given.variant else None
    faulty = unusable = False
    for path in given.files:
        try:
            seen, wrong = _each_game(path, variant, given)
        except (UsageError, OSError) as trouble:
            if len(given.files) == 1 or isinstance(trouble, BrokenPipeError):
                raise
            complain(str(trouble))
            unusable = True
            continue
        faulty |= wrong > 0
        unusable |= seen == 0
    if unusable:
        return 2
    return 1 if faulty and given.action == "check" else 0


def _each_game(path: Path, variant: Variant | None, given: argparse.Namespace) -> tuple[int, int]:
    """Tells of or writes every game of a file; how many there are and how many have something wrong."""
    encoding = _inspected(path)
    if path.stat().st_size > _WORTH_COMPILING:
        warm_up()
    likely = () if variant else likely_variants(islice(_games(path, encoding), _FIRST_GAMES))
    seen = wrong = plies = 0
    anything = False
    for game in _games(path, encoding):
        told = replay(game, variant, likely)
        seen += 1
        wrong += bool(told.problems)
        plies += told.ply_count
        anything |= bool(game.tags or told.ply_count or told.result or told.problems)
        _tell(path, seen, game, told, given)
    if not anything:
        complain(f"{path}: saw no game; expected PDN text with tags or moves")
        return 0, 0
    if given.action == "check" and not given.json:
        say(f"{path}: {_count(seen, 'game')}, {_count(plies, 'ply', 'plies')}, {wrong or 'none'} with something wrong")
    return seen, wrong


def _inspected(path: Path) -> str:
    """The encoding of a file that can be read as games. Raises UsageError for one that cannot."""
    if path.is_dir():
        raise UsageError(f"{path} is a folder; expected a PDN file: name the files in it, such as {path}/*.pdn")
    encoding = encoding_of(_chunks(path))
    with path.open("rb") as file:
        head = file.read(BINARY_SAMPLE)
    if is_binary(head, encoding):
        raise UsageError(f"{path} holds binary data; expected a PDN file, which is text: is it the right file?")
    return encoding


def _chunks(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK):
            yield chunk


def _games(path: Path, encoding: str) -> Iterator[PdnGame]:
    yield from read_games(text_of(_chunks(path), encoding))


def _tell(path: Path, number: int, game: PdnGame, told: ReplayedGame, given: argparse.Namespace) -> None:
    if given.action == "convert":
        _convert(path, number, game, told, given)
    elif given.json:
        say_json(summary(path, number, game, told))
    elif told.problems or told.notes or not given.quiet:
        _describe(path, number, game, told)


def _describe(path: Path, number: int, game: PdnGame, told: ReplayedGame) -> None:
    players = f"{_player(game, 'White', 'P1')} - {_player(game, 'Black', 'P2')}"
    say(f"{path}: game {number} (line {game.line}): {players}")
    say(f"  {told.variant.name}, {_count(told.ply_count, 'ply', 'plies')}, result {told.result or 'not given'}")
    for problem in told.problems:
        say(f"  {_place(problem)}: {problem.message}")
    for note in told.notes:
        say(f"  {_place(note)}: note: {note.message}")


def _player(game: PdnGame, *names: str) -> str:
    return next((value for name in names if (value := game.tag(name))), "?")


def _place(problem: PdnProblem) -> str:
    ply = f", ply {problem.ply}" if problem.ply else ""
    return f"line {problem.line}, column {problem.column}{ply}"


def _count(number: int, one: str, many: str = "") -> str:
    return f"{number} {one if number == 1 else many or one + 's'}"


def _convert(path: Path, number: int, game: PdnGame, told: ReplayedGame, given: argparse.Namespace) -> None:
    notation = Notation(given.notation) if given.notation else None
    if given.to == "json":
        say_json(whole(path, number, game, told, notation))
        return
    for problem in told.problems:
        complain(f"{path}:{problem.line}:{problem.column}: game {number}: {problem.message}")
    say(rewritten(game, told, full=given.to == "full", notation=notation))
