"""Which disc may be taken off for a forgotten capture."""

import pytest

from rules.fen import parse_fen
from rules.huffing import discs_to_huff, huff_text
from rules.judge import Irregular, judge
from rules.notation import point_name
from rules.variants.catalogue import variant_named


def _missed(name: str, before: str, after: str) -> tuple[list[str], str]:
    variant = variant_named(name)
    verdict = judge(variant, parse_fen(variant, before), parse_fen(variant, after, uncrowned=True).placement)
    assert isinstance(verdict, Irregular)
    fault = verdict.faults[0]
    assert fault.kind.value == "missed_capture"
    discs = [point_name(variant, p) for p in discs_to_huff(fault.due, fault.move)]
    return discs, huff_text(variant, fault.due, fault.move)


def test_the_disc_that_failed_to_capture_may_be_huffed() -> None:
    assert _missed("english", "W:W32,18:B14,1", "B:W28,18:B14,1") == (
        ["18"],
        "In English draughts the disc on 18 may be huffed before the next move.",
    )


def test_a_disc_that_moved_instead_of_capturing_is_huffed_where_it_went() -> None:
    assert _missed("english", "W:W32,18:B14,1", "B:W32,15:B14,1")[0] == ["15"]


def test_any_one_of_several_that_could_capture_may_be_huffed() -> None:
    discs, text = _missed("english", "W:W32,18,22:B14,17,1", "B:W28,18,22:B14,17,1")
    assert discs == ["18", "22"]
    assert text == "In English draughts one of the discs on 18, 22 may be huffed before the next move."


@pytest.mark.parametrize(
    ("name", "before", "after", "disc"),
    [
        ("alquerque", "W:Wa1,e1:Bb2,e5", "B:Wa1,e2:Bb2,e5", "a1"),
        ("fighting-serpents", "W:Wa1,p1:Bb1,p3", "B:Wa1,o1:Bb1,p3", "a1"),
        ("malaysian", "W:W43,72:B37,1", "B:W43,66:B37,1", "43"),
    ],
)
def test_the_games_that_huff_name_themselves(name: str, before: str, after: str, disc: str) -> None:
    discs, text = _missed(name, before, after)
    assert discs == [disc]
    assert text.startswith("In ")


def test_a_house_that_huffs_another_game_is_named_as_the_reason() -> None:
    _, text = _missed("international", "W:W28,50:B33,1", "B:W28,44:B33,1")
    assert text == (
        "By the rule of this house, in international draughts the disc on 28 may be huffed before the next move."
    )
