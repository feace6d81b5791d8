"""Positions in which one rule of one game decides, worked out by hand from the rule texts."""

import pytest

from rules.draws import EndReason, ending
from rules.fen import parse_fen
from rules.judge import Irregular, judge
from rules.legal_moves import legal_moves
from rules.notation import full_text
from rules.piece import Side
from rules.variants.catalogue import variant_named

MOVES = [
    # number, then by a king, then the most kings, then a king met early; a man takes no king
    ("italian", "W:W22,25:B19,21,12", "22x15x8"),
    ("italian", "W:W22,K25:B19,12,21", "22x15x8"),
    ("italian", "W:W22,K25:B19,21", "25x18"),
    ("italian", "W:WK25,K24:B21,K14,20,19", "25x18x11"),
    ("italian", "W:WK25,K24:B21,K14,K20,19", "24x15x22"),
    ("italian", "W:W22:BK19", "22-18"),
    # worth: two kings (398) before three men, four men (400) before two kings; a tie is the king's
    ("frisian", "W:W41,15:B37,28,24,K10,K3", "15x4x2"),
    ("frisian", "W:W41,15:B37,28,24,35,K10,K3", "41x32x23x25x45"),
    ("frisian", "W:W33,K46:B28", "46x10 46x14 46x19 46x23 46x5"),
    # after three moves the same king rests, but for a capture or where no man is left
    ("frisian", "W:WK43,50:BK10,1:+343+310", "50-44 50-45"),
    ("frisian", "W:WK43,50:B34,1:+343+0", "43x30 43x25"),
    # crowned in passing: goes on as a king where it must (Russian), as a man (pool), or not at all (Czech)
    ("russian", "W:Wd6:Be7,g7,e3,b4", "d6:f8:h6:d2:a5"),
    ("pool", "W:W10:B7,8,23,17", "10x3x12"),
    ("czech", "W:Wd6:Be7,g7,e3,b4", "d6xf8"),
    ("armenian", "W:Wd6:Bd7,g8", "d6xd8xh8"),
    ("turkish", "W:Wd6:Bd7,g8", "d6xd8"),
    # a disc that is off the board at once frees its point, but a Turkish capture never turns straight back
    ("turkish", "W:WKd1:Bd3,f6,g5,c3", "d1xd6xg6xg3xa3 d1xd6xg6xg3xb3"),
    ("turkish", "W:WKd4:Bd6,d2", "d4xd1 d4xd7 d4xd8"),
    ("thai", "W:WK23:B16,26", "23-12-30 23-30-12"),
    # the coup turc: a disc taken blocks until the move is over, so 21 is out of reach
    ("international", "W:WK46:B32,34,44,21", "46x23x40x49"),
    ("turkish-10", "W:WKd1:Bd3,f6,g5,c3", "d1xd6xg6xg1 d1xd6xg6xg2 d1xd6xg6xg3 d1xd6xg6xg4"),
    # where a king lands
    ("thai", "W:WK30:B23", "30-19"),
    ("joompex-10", "W:WK46:B28", "46x23"),
    ("german", "W:WK29:B22", "29x18"),
    ("killer", "W:WK46:BK32", "46x28"),
    ("killer", "W:WK46:B32", "46x10 46x14 46x19 46x23 46x28 46x5"),
    # quantity, then quality; the king's duty; majority with a capture backward
    ("spanish", "W:W8,9:B12,K19,13,21", "8x15x22"),
    ("portuguese", "W:W8,9:B12,K19,13,21", "8x15x22"),
    ("czech", "W:Wc3,Kh2:Bd4,f4", "h2xb8 h2xc7 h2xd6 h2xe5"),
    ("canadian", "W:W39:B45,34,23", "39x28x17"),
    ("canadian", "W:W39:B45,34", "39x28 39x50"),
    ("malaysian", "W:W39:B45", "39-33 39-34"),
    # boards whose every point is played on
    ("armenian", "W:Wd4:Bc5", "d4-c4 d4-d5 d4-e4 d4-e5"),
    ("gothic", "W:Wd4:Bd5", "d4xd6"),
    ("gothic", "W:Wd4:Be4", "d4xf4"),
    ("gothic", "W:Wd4:Bd3", "d4-c5 d4-e5"),
    ("gothic-10", "W:Wd4:Bd3", "d4-c4 d4-c5 d4-d5 d4-e4 d4-e5"),
    ("honeycomb", "W:Wd4:Bc3", "d4xb2"),
    ("honeycomb", "W:Wd4:Be4", "d4xf4"),
    ("honeycomb", "W:We6:Bf7", "e6xf8"),
    # one disc a move; a capture that may stop, and one that must not; the first king has won
    ("alquerque", "W:Wc3:Bc4,d4", "c3xc5 c3xe5"),
    ("pooh", "B:B6:W10,19", "6x15 6x15x24"),
    ("english", "B:B6:W10,19", "6x15x24"),
    ("breakthrough", "W:W31,32:BK5,20", ""),
    ("antidraughts", "W:W32,46:B28", "32x23"),
]


@pytest.mark.parametrize(("game", "position", "due"), MOVES)
def test_these_and_no_other_moves_are_legal(game: str, position: str, due: str) -> None:
    variant = variant_named(game)
    found = {full_text(variant, move) for move in legal_moves(variant, parse_fen(variant, position))}
    assert found == set(due.split())


RULINGS = [
    ("italian", "W:W22:BK19", "B:W15:B", "illegal_move", "a man may not capture a king"),
    ("italian", "W:W22,K25:B19,21", "B:W15,K25:B21", "not_majority", "a king that can capture as well"),
    ("italian", "W:WK25,K24:B21,K14,20,19", "B:WK25,K22:B21,K14", "not_majority", "the most kings"),
    ("italian", "W:WK25,K24:B21,K14,K20,19", "B:WK11,K24:BK20,19", "not_majority", "meets a king first"),
    ("frisian", "W:W33,K46:B28", "B:W22,K46:B", "not_majority", "a king that can capture as well"),
    ("frisian", "W:W41,15:B37,28,24,K10,K3", "B:W25,15:BK10,K3", "not_majority", "takes 2 kings, this took 3 men"),
    ("frisian", "W:WK43,50:BK10,1:+343+310", "B:WK38,50:BK10,1", "illegal_move", "more than 3 moves in a row"),
    ("spanish", "W:W8,9:B12,K19,13,21", "B:W8,25:B12,K19", "not_majority", "the most kings"),
    ("czech", "W:Wc3,Kh2:Bd4,f4", "B:We5,Kh2:Bf4", "not_majority", "a king that can capture must do it"),
    ("canadian", "W:W39:B45,34,23", "B:W50:B34,23", "not_majority", "28x17 takes 2, this took 1"),
    # one of the two moves may lead back to where it began
    (
        "frysk",
        "B:W7,15,38,40,42,K43,K50:B10,18,K19,25,K26,29,32,39",
        "W:W7,40,K50:B5,10,18,K19,K26,29,32,39",
        "out_of_turn",
        "moved twice",
    ),
    (
        "fighting-serpents",
        "B:Wk3,n3,o3,k2,l2,b1,c1,h1,k1,m1,n1:Bc3,j3,h2,i2,j2,f1,l1,p1",
        "W:Wn3,o3,b1,c1,h1,m1,n1:Bc3,j3,h2,i2,j2,f1,j1,p1",
        "out_of_turn",
        "moved twice",
    ),
    # one mistake goes before two: a disc too many is off, not a king that flies and a disc forgotten
    (
        "gothic",
        "B:WKb8,g7,Kd6,Ka4:BKe8,h7,Kf6",
        "W:WKb8,Ka4:BKe8,Kh8,h7",
        "wrong_removed",
        "d6 was not captured",
    ),
    (
        "frisian",
        "W:WK3,K4,K46:B9,K14,K20,K29,44,K48",
        "B:WK3,K46,K49:B9,44",
        "illegal_move",
        "stay until the move is over",
    ),
    # a man crowned on the way flies: it must land where the capture goes on, and may not stop
    ("russian", "W:Wd6:Be7,g7,e3,b4", "B:WKf8:Bg7,e3,b4", "capture_incomplete", "d6:f8:h6:d2:a5"),
    ("russian", "W:Wd6:Be7,g7,e3,b4", "B:WKc1:Bb4", "capture_incomplete", "d6:f8:h6:d2:a5"),
    ("pool", "W:W10:B7,8,23,17", "B:WK12:B23,17", "wrongly_crowned", "only passes the last row"),
    ("pool", "W:W10:B7,8,23,17", "B:WK13:B", "illegal_move", "goes on as a man"),
    ("thai", "W:WK23:B16,26", "B:WK12:B26", "capture_incomplete", "23-12-30"),
    ("english", "B:B6:W10,19", "W:B15:W19", "capture_incomplete", "6x15x24"),
    ("turkish", "W:WKd4:Bd6,d2", "B:WKd1:B", "illegal_move", "may not turn straight back"),
    ("international", "W:WK46:B32,34,44,21", "B:WK16:B", "illegal_move", "stay until the move is over"),
    ("turkish-10", "W:WKd1:Bd3,f6,g5,c3", "B:WKa3:B", "illegal_move", "stay until the move is over"),
    ("thai", "W:WK30:B23", "B:WK16:B", "illegal_move", "directly behind"),
    ("killer", "W:WK46:BK32", "B:WK23:B", "illegal_move", "must stop directly behind"),
    ("alquerque", "W:Wc3:Bc4,d4", "B:We3:B", "illegal_move", "one disc only"),
    ("malaysian", "W:W39:B45", "B:W50:B", "illegal_move", "captures only diagonally forward"),
    ("armenian", "W:Wd4:Be5", "B:Wf6:B", "illegal_move", "captures only straight forward or sideways"),
    ("gothic", "W:Wd4:Bd3", "B:Wd2:B", "illegal_move", "only forward, sideways or diagonally forward"),
    ("parachute", "W:W1,35:B20", "B:W6,35:B20", "illegal_move", "moves one step diagonally forward"),
    ("one-way", "B:B28:W50", "W:B33:W50", "illegal_move", "moves one step diagonally forward"),
    ("honeycomb", "W:Wd4:Bc3", "B:We5:Bc3", "missed_capture", "men also capture backward"),
    ("antidraughts", "W:W32,46:B28", "B:W32,41:B28", "missed_capture", "32x23 was due"),
]


@pytest.mark.parametrize(("game", "before", "after", "kind", "words"), RULINGS)
def test_the_rule_that_was_broken_is_named(game: str, before: str, after: str, kind: str, words: str) -> None:
    variant = variant_named(game)
    seen = parse_fen(variant, after, uncrowned=True).placement
    verdict = judge(variant, parse_fen(variant, before, uncrowned=True), seen)
    assert isinstance(verdict, Irregular)
    assert verdict.faults[0].kind.value == kind
    assert words in verdict.faults[0].message


@pytest.mark.parametrize(
    ("game", "position", "winner", "reason"),
    [
        ("international", "W:W46:B41,37", Side.BLACK, EndReason.NO_MOVE),
        ("antidraughts", "W:W46:B41,37", Side.WHITE, EndReason.NO_MOVE),
        ("russian-giveaway", "B:Wc3:B", Side.BLACK, EndReason.NO_DISCS),
        ("breakthrough", "W:W31,32:BK5,20", Side.BLACK, EndReason.BREAKTHROUGH),
        ("pooh", "B:B24:W27,28,K31", Side.WHITE, EndReason.NO_MOVE),
    ],
)
def test_a_game_ends_for_the_side_its_rules_name(game: str, position: str, winner: Side, reason: EndReason) -> None:
    variant = variant_named(game)
    end = ending(variant, [(parse_fen(variant, position), None)])
    assert end is not None
    assert (end.winner, end.reason) == (winner, reason)
