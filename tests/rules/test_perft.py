"""The tree of moves has as many leaves as independent programs count."""

from pathlib import Path

import pytest

from rules.perft import perft
from rules.variant import start_position
from rules.variants.catalogue import VARIANT_NAMES, variant_named
from tests.support.published.table import Row, game_named, own_rows, position_of

OWN = own_rows(Path(__file__).resolve().parents[1] / "data/perft.json")
TREES = {(row.game, row.fen): [other for other in OWN if (other.game, other.fen) == (row.game, row.fen)] for row in OWN}


@pytest.mark.parametrize("rows", TREES.values(), ids=[f"{game} {fen or 'start'}" for game, fen in TREES])
def test_positions_have_the_known_numbers_of_leaves(rows: list[Row]) -> None:
    variant = game_named(rows[0].game)
    assert variant is not None
    counted = {row.depth: perft(variant, position_of(variant, row), row.depth) for row in rows}
    assert counted == {row.depth: row.leaves for row in rows}


def test_every_game_of_the_catalogue_is_counted_to_depth_four() -> None:
    counted = {game_named(row.game) for row in OWN if not row.fen and row.depth >= 4}
    assert {variant_named(name) for name in VARIANT_NAMES} <= counted


@pytest.mark.parametrize("name", VARIANT_NAMES)
def test_the_compiled_and_the_uncompiled_kernel_count_alike(name: str) -> None:
    variant = variant_named(name)
    depth = 3 if perft(variant, start_position(variant), 4) > 30_000 else 4
    position = start_position(variant)
    assert perft(variant, position, depth) == perft(variant, position, depth, compiled=False)


def test_international_and_english_agree_in_depth() -> None:
    international, english = variant_named("international"), variant_named("english")
    assert perft(international, start_position(international), 7) == 1_049_442
    assert perft(english, start_position(english), 8) == 845_931


def test_depth_zero_is_one_leaf() -> None:
    variant = variant_named("english")
    assert perft(variant, start_position(variant), 0) == 1


@pytest.mark.parametrize("name", ["russian", "frisian"])
def test_a_deep_tree_is_counted_branch_by_branch(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    variant = variant_named(name)
    at_once = perft(variant, start_position(variant), 5)
    monkeypatch.setattr("rules.perft._DEEPEST_AT_ONCE", 2)
    assert perft(variant, start_position(variant), 5) == at_once
