"""The collections of real games, game by game, against what a slow reference engine could replay."""

import json
from collections import defaultdict
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from rules.pdn_encoding import decode
from rules.pdn_reader import read_games
from rules.pdn_replay import likely_variants, replay

SHARED = Path(__file__).resolve().parents[3] / "shared" / "pdn"
pytestmark = pytest.mark.skipif(not SHARED.is_dir(), reason="the collections of games are not beside the repository")

_SCORES = {"international/delfts.pdn#1": "4-6", "international/delfts.pdn#2": "1-9"}
"""Closing scores in the Delft manner, which the reference took for illegal moves."""
_READ_FURTHER = {"international/Cat.A1.pdn#30": 5, "_micro/alphanumeric.pdn#1": 1}
"""A stray dot before the last move's number is passed over; letters are no 10x10 game."""


def _index() -> dict[str, list[dict[str, Any]]]:
    files: dict[str, list[dict[str, Any]]] = defaultdict(list)
    if SHARED.is_dir():
        for entry in json.loads((SHARED / "index.json").read_text()):
            files[entry["id"].rsplit("#", 1)[0]].append(entry)
    return files


@pytest.mark.parametrize("name", sorted(_index()))
def test_every_game_is_read_as_far_as_it_is_legal_and_as_the_right_variant(name: str) -> None:
    text = decode((SHARED / name).read_bytes())
    likely = likely_variants(islice(read_games([text]), 40))
    games = list(read_games([text]))
    for entry in _index()[name]:
        number = int(entry["id"].rsplit("#", 1)[1])
        game = games[min(number, len(games)) - 1]
        told = replay(game, None, likely)
        if name.startswith("english_playstrategy"):
            assert (told.variant.name, told.problems, told.ply_count >= entry["ref_ply"] - 1) == ("english", (), True)
        elif entry["id"] in _SCORES:
            assert (told.problems, told.result) == ((), _SCORES[entry["id"]])
        elif entry["id"] in _READ_FURTHER:
            assert (told.problems, told.ply_count) == ((), _READ_FURTHER[entry["id"]])
        else:
            is_legal = entry["ref_status"] == "OK"
            assert bool(told.problems) is not is_legal, entry["id"]
            assert told.ply_count == entry["ref_ply"] - (not is_legal), entry["id"]
        if not name.startswith(("_micro", "english_play")):
            assert told.variant.name == entry["variant"]
