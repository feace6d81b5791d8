"""What a player is told: one sentence with the game and the rule, for every rule that can be broken."""

import pytest

from rules.fen import parse_fen
from rules.judge import Irregular, Legal, judge
from rules.messages import game_text
from rules.notation import point_named
from rules.position import KingRun, Position
from rules.variants.catalogue import VARIANT_NAMES, variant_named

CASES = [
    # compulsion, and what novices do not expect of a capture
    (
        ("english", "W:W32,18:B14,1", "B:W28,18:B14,1"),
        "missed_capture",
        "In English draughts a capture must be made: 18x9 was due, not 32-28.",
    ),
    (
        ("international", "W:W28,50:B33,1", "B:W28,44:B33,1"),
        "missed_capture",
        "In international draughts a capture must be made, and men also capture backward: 28x39 was due, not 50-44.",
    ),
    (
        ("frisian", "W:W28,50:B27,1", "B:W28,44:B27,1"),
        "missed_capture",
        "In Frisian draughts a capture must be made, and men also capture sideways: 28x26 was due, not 50-44.",
    ),
    (
        ("frisian", "W:W28,50:B18,1", "B:W28,44:B18,1"),
        "missed_capture",
        "In Frisian draughts a capture must be made, and men also capture straight forward: 28x8 was due, not 50-44.",
    ),
    (
        ("russian", "W:Wg1,Ka1:Bg7", "B:Wh2,Ka1:Bg7"),
        "missed_capture",
        "In Russian draughts a capture must be made, and a king captures from any distance: a1:h8 was due, not g1-h2.",
    ),
    # precedence
    (
        ("international", "W:W28,35:B23,13,30,1", "B:W28,24:B23,13,1"),
        "not_majority",
        "In international draughts you must take the most: 28x19x8 takes 2, this took 1.",
    ),
    (
        ("international-quality", "W:W28,35:BK23,30,1", "B:W28,24:BK23,1"),
        "not_majority",
        "In international draughts of captures of the same number you must take the most kings: "
        "28x19 takes 1 king, this took 1 man.",
    ),
    (
        ("spanish", "W:Wc2,g2:BKd3,f3,a8", "B:Wc2,e4:BKd3,a8"),
        "not_majority",
        "In Spanish draughts of captures of the same number you must take the most kings: "
        "7x14 takes 1 king, this took 1 man.",
    ),
    (
        ("frisian", "W:W28,35:B22,K30,1", "B:W17,35:BK30,1"),
        "not_majority",
        "In Frisian draughts you must take what is worth most, a king counting just under two men: "
        "35x24 takes 1 king, this took 1 man.",
    ),
    (
        ("frisian", "W:WK28,35:B22,30,1", "B:WK28,24:B22,1"),
        "not_majority",
        "In Frisian draughts a king that can capture as well as a man must do it: 28x17 was due.",
    ),
    (
        ("czech", "W:Wc3,Kh2:Bd4,g3,a7", "B:We5,Kh2:Bg3,a7"),
        "not_majority",
        "In Czech draughts a king that can capture must do it: h2xf4 was due.",
    ),
    (
        ("italian", "W:W22,K24:B19,20,1", "B:W15,K24:B20,1"),
        "not_majority",
        "In Italian draughts a king that can capture as well as a man must do it: 24x15 was due.",
    ),
    (
        ("italian", "W:WK22,K24:BK19,20,1", "B:WK22,K15:BK19,1"),
        "not_majority",
        "In Italian draughts of captures of the same number you must take the most kings: "
        "22x15 takes 1 king, this took 1 man.",
    ),
    # completion
    (
        ("international", "W:W28,50:B23,13,1", "B:W19,50:B13,1"),
        "capture_incomplete",
        "In international draughts a capture runs to its end; it goes on: 28x19x8.",
    ),
    (
        ("russian", "W:WKa1:Bc3,f4,h8", "B:WKf6:Bf4,h8"),
        "capture_incomplete",
        "In Russian draughts a capture runs to its end; it goes on: a1:e5:g3 or a1:e5:h2.",
    ),
    # what a piece may not do
    (
        ("english", "W:W18:B23,1", "B:W27:B1"),
        "illegal_move",
        "In English draughts the move 18x27 is not allowed: a man captures only diagonally forward.",
    ),
    (
        ("english", "W:W18,32:B5", "B:W23,32:B5"),
        "illegal_move",
        "In English draughts the move 18-23 is not allowed: a man moves one step diagonally forward.",
    ),
    (
        ("english", "W:WK32:B5", "B:WK23:B5"),
        "illegal_move",
        "In English draughts the move 32-23 is not allowed: a king moves one step diagonally.",
    ),
    (
        ("english", "W:WK32:B18,1", "B:WK14:B1"),
        "illegal_move",
        "In English draughts the move 32x14 is not allowed: a king captures only a disc right beside it.",
    ),
    (
        ("english", "W:W32,27:B5", "B:W27,23:B5"),
        "illegal_move",
        "In English draughts the move 32-23 is not allowed: a disc may not jump over one of its own side.",
    ),
    (
        ("english", "W:W10,32:B6,7,1", "B:W17,32:B6,7"),
        "illegal_move",
        "In English draughts the move 10-17 is not allowed: a man moves one step diagonally forward.",
    ),
    (
        ("english", "W:W10,32:B7,8,20", "B:W12,32:B20"),
        "illegal_move",
        "In English draughts the move 10x12 is not allowed: "
        "a man that reaches the last row is crowned and its move ends there.",
    ),
    (
        ("italian", "W:W22:BK19,1", "B:W15:B1"),
        "illegal_move",
        "In Italian draughts the move 22x15 is not allowed: a man may not capture a king.",
    ),
    (
        ("killer", "W:WK46:BK28,1", "B:WK14:B1"),
        "illegal_move",
        "In killer draughts the move 46x14 is not allowed: "
        "a king that captures a king last must stop directly behind it.",
    ),
    (
        ("thai", "W:WK29:B18", "B:WK11:B"),
        "illegal_move",
        "In Thai draughts the move 29-11 is not allowed: a king lands directly behind the disc it captures.",
    ),
    (
        ("alquerque", "W:Wa1,c1:Bb2,d4", "B:We5,c1:B"),
        "illegal_move",
        "In alquerque the move a1xe5 is not allowed: a move captures one disc only.",
    ),
    (
        ("alquerque", "W:Wa5,c1:Be1", "B:Wb5,c1:Be1"),
        "illegal_move",
        "In alquerque the move a5-b5 is not allowed: a disc on the last row leaves it only by capturing.",
    ),
    (
        ("turkish", "W:WKd4:Bd6,d2,h8", "B:WKd1:Bh8"),
        "illegal_move",
        "In Turkish draughts the move d4xd1 is not allowed: a capture may not turn straight back.",
    ),
    (
        ("frisian", "W:WK28,50:B1", "B:WK26,50:B1"),
        "illegal_move",
        "In Frisian draughts the move 28-26 is not allowed: a king moves any number of empty squares diagonally.",
    ),
    (
        ("gothic", "W:Wd2:Bh8", "B:Wd3:Bh8"),
        "illegal_move",
        "In Gothic draughts the move d2-d3 is not allowed: a man moves one step diagonally forward.",
    ),
    (
        ("honeycomb", "W:Wd7:Ba13", "B:Wd6:Ba13"),
        "illegal_move",
        "In honeycomb draughts the move d7-d6 is not allowed: a man moves one step forward or sideways.",
    ),
    # crowns
    (
        ("international", "W:W12:B8,9,30,1", "B:WK14:B30,1"),
        "wrongly_crowned",
        "In international draughts a man that only passes the last row in a capture stays a man: "
        "the one on 14 is no king.",
    ),
    (
        ("english", "W:W32,18:B1", "B:W32,K15:B1"),
        "wrongly_crowned",
        "In English draughts a man is crowned only by ending a move on the last row; 15 is no king.",
    ),
    # turns
    (
        ("english", "B:W21-32:B1-12", "B:W21,18,23-32:B1-12"),
        "out_of_turn",
        "White moved from 22 to 18, but in English draughts Black begins.",
    ),
    (
        ("english", "B:W32,31:B9,1", "W:W32,27:B9,1"),
        "out_of_turn",
        "White moved from 31 to 27, but it is Black's turn.",
    ),
    (
        ("english", "W:W32,30:B9", "W:W28,26:B9"),
        "out_of_turn",
        "White moved twice, 30-26 and 32-28; after the first it was Black's turn.",
    ),
    # an end
    (
        ("breakthrough", "B:WK1,50:B30", "W:WK1,50:B35"),
        "illegal_move",
        "Black has no move left, so breakthrough draughts is over; 30-35 is not allowed.",
    ),
]


@pytest.mark.parametrize(("boards", "kind", "message"), CASES)
def test_the_sentence_names_the_game_and_the_rule(boards: tuple[str, str, str], kind: str, message: str) -> None:
    variant = variant_named(boards[0])
    before, after = (parse_fen(variant, text, uncrowned=True) for text in boards[1:])
    verdict = judge(variant, before, after.placement)
    assert isinstance(verdict, Irregular)
    assert (verdict.faults[0].kind.value, verdict.faults[0].message) == (kind, message)


def test_a_capture_that_may_stop_is_no_fault_in_pooh_s_game() -> None:
    variant = variant_named("pooh")
    before = parse_fen(variant, "W:W22,32:B18,11")
    for text in ("B:W15,32:B11", "B:W8,32:B"):
        assert isinstance(judge(variant, before, parse_fen(variant, text).placement), Legal)


def test_a_frisian_king_tires_after_three_moves() -> None:
    variant = variant_named("frisian")
    before = parse_fen(variant, "W:WK28,50:B1")
    tired = Position(before.placement, before.to_move, KingRun(point_named(variant, "28"), 3))
    after = parse_fen(variant, "B:WK33,50:B1").placement
    assert isinstance(judge(variant, before, after), Legal)
    verdict = judge(variant, tired, after)
    assert isinstance(verdict, Irregular)
    assert verdict.faults[0].message == (
        "In Frisian draughts the move 28-33 is not allowed: "
        "the same king may not make more than 3 moves in a row without capturing."
    )


@pytest.mark.parametrize("name", VARIANT_NAMES)
def test_every_game_is_named_as_a_sentence_names_it(name: str) -> None:
    text = game_text(variant_named(name))
    assert "(" not in text
    assert "," not in text
    assert text
