"""The table of rulings: a small one over every family, and how it is printed."""

from collections import Counter

import pytest

from rules.variants.catalogue import FAMILIES, VARIANT_NAMES, variant_named
from server.benchmarks.rulings import LEGAL, Rulings, Tally, Wrong, rulings
from server.cli.bench_judge import examples, rows


def test_every_game_is_in_one_family() -> None:
    assert sorted(name for names in FAMILIES.values() for name in names) == sorted(VARIANT_NAMES)


@pytest.mark.parametrize("family", FAMILIES)
def test_legal_moves_are_left_in_peace_and_mistakes_are_named(family: str) -> None:
    table = rulings(family, tuple(variant_named(name) for name in FAMILIES[family]), each=5, seed=4)
    assert table.accused == 0
    assert table.tallies[LEGAL].right >= 20
    mistakes = [tally for name, tally in table.tallies.items() if name != LEGAL]
    planted, right = sum(t.planted for t in mistakes), sum(t.right for t in mistakes)
    assert planted >= 55
    assert right >= 0.95 * planted
    assert sum(sum(t.said.values()) for t in mistakes) == planted - right == len(table.wrong)


def test_the_table_has_legal_moves_first_and_says_what_others_were_taken_for() -> None:
    tallies = {
        "out_of_turn": Tally(3, 2, Counter({"legal": 1})),
        LEGAL: Tally(10, 9, Counter({"illegal_move": 1})),
    }
    wrong = Wrong("english", "out_of_turn", "legal", "W:W32:B1", "B:W32:B5")
    table = Rulings("english", tallies, (wrong, wrong, wrong))
    legal, taken = rows(table)
    assert legal.split() == ["legal", "moves", "10", "90.00%", "1", "as", "illegal_move"]
    assert taken.split() == ["out_of_turn", "3", "66.67%", "1", "as", "legal"]
    assert examples(table) == ["    out_of_turn as legal: english W:W32:B1 B:W32:B5"] * 2
    assert table.accused == 1
