"""`kibitz bench pdn`: games read and replayed per second."""

import argparse
import random
import tempfile
import time
from pathlib import Path
from statistics import median

from rules.legal_moves import legal_moves, play, warm_up
from rules.move import Move
from rules.pdn_reader import decode, read_games
from rules.pdn_replay import replay
from rules.pdn_writer import write_game
from rules.variant import start_position
from rules.variants.catalogue import variant_named
from server.cli.bench_peers import PY_DRAUGHTS, PYDRAUGHTS
from server.cli.output import say

_GAMES = 80
_LONGEST = 90
_TIMES = 3


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = "Reads and replays games by turns with other libraries: median of three runs, processor time."
    parser.add_argument("file", nargs="?", type=Path, help="international games; default: random ones made for this")


def run(given: argparse.Namespace) -> int:
    warm_up()
    file: Path | None = getattr(given, "file", None)
    if file is not None:
        _compare(file)
        return 0
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder) / "games.pdn"
        made.write_text(_random_games(), encoding="utf-8")
        _compare(made)
    return 0


def _compare(file: Path) -> None:
    """Each library in turn, several times, so that all meet the same machine."""
    peers = {PY_DRAUGHTS.name: PY_DRAUGHTS, PYDRAUGHTS.name: PYDRAUGHTS}
    rates: dict[str, list[float]] = {name: [] for name in peers}
    own: list[float] = []
    games, plies, _ = _ours(file)
    for _ in range(_TIMES):
        own.append(plies / _ours(file)[2])
        for name, peer in tuple(peers.items()):
            figures = peer.measure("pdn", str(file))
            if isinstance(figures, str):
                say(f"pdn beside {name}: skipped: {figures}")
                del peers[name]
            else:
                rates[name].append(figures["plies"] / figures["seconds"])
    ours = median(own)
    say(f"pdn: {games} games of {plies} plies; Kibitz {ours:,.0f} plies, {ours * games / plies:,.0f} games a second")
    for name in peers:
        say(f"pdn: {name} {median(rates[name]):,.0f} plies a second; Kibitz {ours / median(rates[name]):.1f} times")


def _ours(file: Path) -> tuple[int, int, float]:
    began = time.process_time()
    games = plies = 0
    for game in read_games([decode(file.read_bytes())]):
        games += 1
        plies += replay(game).ply_count
    return games, plies, time.process_time() - began


def _random_games() -> str:
    variant, chance = variant_named("international"), random.Random(1)
    texts = []
    for number in range(_GAMES):
        position, moves = start_position(variant), list[Move]()
        while len(moves) < _LONGEST and (legal := legal_moves(variant, position)):
            moves.append(chance.choice(legal))
            position = play(variant, position, moves[-1])
        texts.append(write_game({"Event": str(number)}, variant, start_position(variant), moves, "*", full=False))
    return "\n".join(texts)
