import pytest

from rules.displacement import same_to_the_eye
from rules.fen import parse_fen
from rules.judge import Irregular, Legal, Unchanged, Unreadable, Verdict, judge
from rules.notation import move_text, point_name
from rules.placement import Placement
from rules.variants.catalogue import variant_named


def ruling(name: str, before: str, after: str) -> Verdict:
    variant = variant_named(name)
    shown = parse_fen(variant, after, uncrowned=True).placement
    return judge(variant, parse_fen(variant, before, uncrowned=True), shown)


def kinds(name: str, before: str, after: str) -> list[str]:
    verdict = ruling(name, before, after)
    assert isinstance(verdict, Irregular)
    return [fault.kind.value for fault in verdict.faults]


CASES = [
    ("english", "B:W32:B9,1", "W:W32:B13,1", []),
    ("english", "B:W32,31:B9,1", "W:W32,27:B9,1", ["out_of_turn"]),
    ("english", "B:W32,31,21:B9,1", "W:W32,31,5:B9,1", ["opponent_piece_moved"]),
    ("english", "W:W18,32:B5", "B:W23,32:B5", ["illegal_move"]),
    ("english", "W:W32,18:B14,1", "B:W28,18:B14,1", ["missed_capture"]),
    ("english", "W:W32,18:B14,1", "B:W32,9:B14,1", ["captured_not_removed"]),
    ("english", "W:W32,18:B14,1", "B:W32,9:B14", ["wrong_removed", "captured_not_removed"]),
    ("english", "W:W32,18:B1", "B:W32,K15:B1", ["wrongly_crowned"]),
    ("english", "W:W32,18:B1", "W:W32,18,30:B1", ["piece_appeared"]),
    ("english", "W:W32,18:B1", "W:W32:B1", ["piece_vanished"]),
    ("english", "W:W32,18:B1", "W:WK32,18:B1", ["wrongly_crowned"]),
    ("english", "W:W31,32,18:B1", "W:W27,28,18:B1", ["out_of_turn"]),
    ("english", "W:W31,32,18:B1,2,3", "W:W9,10,11:B20,21,22", ["board_disturbed"]),
    ("international", "W:W28,50:B23,13,1", "B:W19,50:B13,1", ["capture_incomplete"]),
    ("international", "W:W28,35:B23,13,30,1", "B:W28,24:B23,13,1", ["not_majority"]),
    ("international", "W:W28,50:B33,1", "B:W28,44:B33,1", ["missed_capture"]),
    ("international", "W:W28,50:B1", "B:W33,50:B1", ["illegal_move"]),
    ("international", "W:W28,50:B1", "B:W28,40:B1", ["illegal_move"]),
]


@pytest.mark.parametrize(("name", "before", "after", "expected"), CASES)
def test_each_irregularity_of_two_placements_is_named(name: str, before: str, after: str, expected: list[str]) -> None:
    if not expected:
        assert isinstance(ruling(name, before, after), Legal)
        return
    assert kinds(name, before, after) == expected


def test_an_unchanged_board_is_unchanged() -> None:
    assert ruling("english", "B:W32:B9", "B:W32:B9") == Unchanged()


def test_a_king_that_looks_like_a_man_is_no_fault() -> None:
    assert ruling("english", "B:W32:BK9", "B:W32:B9") == Unchanged()


def test_a_crown_may_come_after_the_promoting_move() -> None:
    verdict = ruling("english", "W:W8,32:B21", "B:W3,32:B21")
    assert isinstance(verdict, Legal)
    assert verdict.moves[0].promotes


def test_a_missed_capture_lists_every_capture_that_was_due() -> None:
    verdict = ruling("english", "W:W32,18:B14,15,1", "B:W28,18:B14,15,1")
    assert isinstance(verdict, Irregular)
    variant = variant_named("english")
    before = parse_fen(variant, "W:W32,18:B14,15,1")
    assert {move_text(variant, before, m) for m in verdict.faults[0].due} == {"18x9", "18x11"}


def test_a_missed_backward_capture_is_explained() -> None:
    verdict = ruling("international", "W:W28,50:B33,1", "B:W28,44:B33,1")
    assert isinstance(verdict, Irregular)
    assert "28x39" in verdict.faults[0].message
    assert "backward" in verdict.faults[0].message


def test_a_capture_of_too_few_names_the_rule_and_the_numbers() -> None:
    verdict = ruling("international", "W:W28,35:B23,13,30,1", "B:W28,24:B23,13,1")
    assert isinstance(verdict, Irregular)
    message = verdict.faults[0].message
    assert message == "In international draughts you must take the most: 28x19x8 takes 2, this took 1."


def test_a_disc_left_standing_is_pointed_at() -> None:
    variant = variant_named("english")
    verdict = ruling("english", "W:W32,18:B14,1", "B:W32,9:B14,1")
    assert isinstance(verdict, Irregular)
    assert [point_name(variant, p) for p in verdict.faults[0].squares] == ["14"]


def test_a_capture_with_an_early_stop_shows_where_it_goes_on() -> None:
    verdict = ruling("international", "W:W28,50:B23,13,1", "B:W19,50:B13,1")
    assert isinstance(verdict, Irregular)
    assert "28x19x8" in verdict.faults[0].message


def test_a_placement_of_another_board_is_unreadable() -> None:
    variant = variant_named("english")
    before = parse_fen(variant, "B:W32:B9")
    assert isinstance(judge(variant, before, Placement.empty(50)), Unreadable)


def test_a_man_in_place_of_a_king_is_the_same_to_the_eye_but_not_the_other_way_round() -> None:
    variant = variant_named("english")
    crowned = parse_fen(variant, "B:W32:BK9").placement
    bare = parse_fen(variant, "B:W32:B9").placement
    assert same_to_the_eye(crowned, bare)
    assert not same_to_the_eye(bare, crowned)


def test_discs_left_standing_are_likelier_than_a_move_along_the_row() -> None:
    before, after = "W:WK26,50:B37,33,5", "B:WK29,50:B37,33,5"
    assert kinds("joompex-10", before, after) == ["captured_not_removed"]


def test_an_enemy_disc_nudged_during_a_legal_move_is_named() -> None:
    assert kinds("international", "W:W32,50:B1,10", "B:W28,50:B1,12") == ["opponent_piece_moved"]


def test_two_plies_at_once_are_no_single_turn() -> None:
    assert kinds("international", "W:W32,50:B1,10", "W:W28,50:B1,14") == ["board_disturbed"]


def test_a_king_that_captures_its_way_back_to_its_square_is_followed() -> None:
    before = "W:WK46,50:B37,28,20,24,38,42,1"
    variant = variant_named("international")
    ruled = ruling("international", before, before.replace("W:W", "B:W", 1))
    assert ruled == Unchanged()
    round_trip = "W:W28,50:B22,12,13,23,1"
    assert isinstance(ruling("international", round_trip, "B:W28,50:B1"), Legal)
    assert kinds("international", round_trip, "B:W28,50:B23,1") == ["captured_not_removed"]
    assert variant.name == "international"
