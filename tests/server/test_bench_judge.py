"""The table of rulings: a small one over every family, and how it is printed."""

from collections import Counter

import pytest

from rules.fen import parse_fen
from rules.variants.catalogue import FAMILIES, VARIANT_NAMES, variant_named
from server.benchmarks.rulings import LEGAL, Rulings, Tally, Wrong, rulings
from server.benchmarks.stories import is_single_mistake
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
    either = sum(t.either for t in mistakes)
    assert planted >= 55
    assert right >= 0.95 * planted
    assert either <= 0.02 * planted
    assert sum(sum(t.said.values()) for t in mistakes) == planted - right - either == len(table.wrong)


def test_the_table_has_legal_moves_first_and_says_what_others_were_taken_for() -> None:
    tallies = {
        "out_of_turn": Tally(4, 2, 1, Counter({"legal": 1})),
        LEGAL: Tally(10, 9, 0, Counter({"illegal_move": 1})),
    }
    wrong = Wrong("english", "out_of_turn", "legal", "W:W32:B1", "B:W32:B5")
    table = Rulings("english", tallies, (wrong, wrong, wrong))
    legal, taken = rows(table)
    assert legal.split() == ["legal", "moves", "10", "90.00%", "1", "as", "illegal_move"]
    assert taken.split()[:6] == ["out_of_turn", "4", "66.67%", "1", "as", "legal,"]
    assert taken.endswith("1 by another mistake that explains it as well")
    assert examples(table) == ["    out_of_turn as legal: english W:W32:B1 B:W32:B5"] * 2
    assert table.accused == 1


@pytest.mark.parametrize(
    ("game", "before", "after", "planted", "said", "is_so"),
    [
        # a disc already taken was passed, or the last disc of a legal capture was forgotten
        (
            "honeycomb",
            "W:WKg13,e12,a10,h9,h6:Bf13,g11,g8,i6,g2,Kd1",
            "B:We12,Kg12,a10,h9,h6:Bf13",
            "illegal_move (removal)",
            "captured_not_removed",
            True,
        ),
        # one disc too many is off the board, or a disc already taken was passed
        (
            "international",
            "W:WK5:B2,18,22,23,31,36,42,K49",
            "B:WK26:B2,18,22,36,K49",
            "wrong_removed",
            "illegal_move",
            True,
        ),
        # the disc that was to stay is gone: no rule of capture explains that
        ("international", "W:W28,50:B23,1", "B:W19,50:B", "wrong_removed", "illegal_move", False),
        # the last jump was left out, so much is certain
        ("international", "W:W28,50:B23,13,1", "B:W19,50:B13,1", "missed_capture", "capture_incomplete", False),
        ("international", "W:W28,50:B23,1", "B:W19,50:B23,1", "illegal_move (removal)", "captured_not_removed", True),
        ("international", "W:W28,50:B23,1", "B:W19,50:B23", "illegal_move (removal)", "captured_not_removed", False),
    ],
)
def test_only_a_mistake_that_explains_the_whole_board_is_as_good_as_the_one_planted(
    game: str, before: str, after: str, planted: str, said: str, is_so: bool
) -> None:
    variant = variant_named(game)
    seen = parse_fen(variant, after, uncrowned=True).placement
    assert is_single_mistake(said, planted, variant, parse_fen(variant, before), seen) is is_so
