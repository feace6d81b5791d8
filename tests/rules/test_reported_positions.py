"""Positions on which other programs were reported wrong, with the right answers.

The numbers are those of the list of reports (shared/rules/bug-reports.md). Reports about reading PDN files are in
test_pdn_reading.py.
"""

import pytest

from rules.draws import EndReason, draw_counters, ending
from rules.errors import AmbiguousMoveText, FenError, IllegalMove
from rules.fen import fen, parse_fen
from rules.judge import Irregular, Legal, Verdict, judge
from rules.legal_moves import legal_moves, play
from rules.move import Move
from rules.notation import full_text, move_text, parse_move, point_named
from rules.perft import perft
from rules.placement import Placement
from rules.position import Position
from rules.variant import start_position
from rules.variants.catalogue import variant_named


def _texts(name: str, text: str) -> list[str]:
    variant = variant_named(name)
    return sorted(full_text(variant, move) for move in legal_moves(variant, parse_fen(variant, text)))


def test_two_captures_with_the_same_ends_are_told_apart() -> None:
    variant = variant_named("international")
    position = parse_fen(variant, "W:WK4:B13,20,32,37")
    moves = legal_moves(variant, position)
    assert sorted(move_text(variant, position, m) for m in moves) == ["4x27x38x15", "4x31x42x15"]
    with pytest.raises(AmbiguousMoveText, match="4x27x38x15"):
        parse_move(variant, position, "4x15")
    assert {m + 1 for m in parse_move(variant, position, "4x27x38x15").captured} == {13, 20, 32}
    assert {m + 1 for m in parse_move(variant, position, "4x31x15").captured} == {13, 20, 37}


def test_a_hub_move_may_list_what_it_takes_in_any_order() -> None:
    variant = variant_named("international")
    position = parse_fen(variant, "W:WK4:B13,20,32,37")
    assert full_text(variant, parse_move(variant, position, "4x15x13x37x20")) == "4x31x42x15"


def test_a_russian_man_crowned_in_passing_goes_on_as_a_king() -> None:
    assert _texts("russian", "W:Wh6:Bg7,c5,d2") == ["h6:f8:b4:e1"]


def test_russian_captures_of_different_length_with_the_same_ends_all_stand() -> None:
    variant = variant_named("russian")
    position = parse_fen(variant, "W:We3,g3,h4,a5,b2,h2,a3,Kf8:Bc5,e5,g5,g7,h8")
    taken = sorted((variant.board.names[m.origin], len(m.captured)) for m in legal_moves(variant, position))
    assert taken == [("f8", 1), ("f8", 4), ("h4", 3)]


def test_a_russian_king_must_land_where_the_capture_goes_on() -> None:
    variant = variant_named("russian")
    position = parse_fen(variant, "B:W12,17,19,23,25,27,29:B1,3,4,7,8,10,11,K13,14")
    moves = legal_moves(variant, position)
    assert len(moves) == 2
    assert {tuple(sorted(p + 1 for p in m.captured)) for m in moves} == {(17, 19, 27), (17, 25)}


def test_a_man_on_its_promotion_row_is_no_position() -> None:
    variant = variant_named("international")
    with pytest.raises(FenError, match="promotion row"):
        parse_fen(variant, "W:W4:B49")
    assert parse_fen(variant, "W:W4:B49", uncrowned=True)


def test_the_same_move_cannot_be_played_twice() -> None:
    variant = variant_named("international")
    position = parse_fen(variant, "W:WK2,25:B14,15,16")
    move = legal_moves(variant, position)[0]
    with pytest.raises(IllegalMove):
        play(variant, play(variant, position, move), move)


def test_an_international_man_that_passes_the_last_row_stays_a_man() -> None:
    text = "W:W12:B8,9,30"
    international = variant_named("international")
    position = parse_fen(international, text)
    (move,) = legal_moves(international, position)
    assert not move.promotes
    assert {p + 1 for p in move.captured} == {8, 9}


def test_an_english_king_takes_what_it_jumps_and_does_not_fly() -> None:
    variant = variant_named("english")
    position = parse_fen(variant, "W:WK4:B8,12")
    (move,) = legal_moves(variant, position)
    assert move.captured == (7,)
    assert not any(m.end == 21 for m in legal_moves(variant, position))


def test_a_king_among_many_men_has_one_capture_of_ten() -> None:
    variant = variant_named("international")
    position = parse_fen(variant, "W:WK23:B28,17,10,20,29,39,40,38,31,8,9")
    assert [len(m.captured) for m in legal_moves(variant, position)] == [10]


def test_a_frisian_king_in_the_crowd_takes_nineteen_without_end() -> None:
    variant = variant_named("frisian")
    text = "W:WK50:B3,7,10,12,13,14,17,20,21,23,25,30,32,36,38,39,41,43,K47"
    assert {len(m.captured) for m in legal_moves(variant, parse_fen(variant, text))} == {19}


def test_a_pool_man_that_reaches_the_last_row_by_capture_stops_or_goes_on_as_a_man() -> None:
    variant = variant_named("pool")
    position = parse_fen(variant, "W:W10:B7,K13")
    move = next(m for m in legal_moves(variant, position) if m.is_capture)
    assert move.promotes
    assert len(move.captured) == 1


def test_one_turkish_disc_is_not_jumped_twice() -> None:
    variant = variant_named("turkish")
    position = parse_fen(variant, "W:WKg5:Bb5,e5")
    moves = legal_moves(variant, position)
    assert {len(m.captured) for m in moves} == {2}
    assert len({m.key for m in moves}) == len(moves)


def test_a_final_dot_and_ranges_and_empty_sides_are_read() -> None:
    variant = variant_named("international")
    assert parse_fen(variant, "W:W31-50:B1-20.") == start_position(variant)
    empty = parse_fen(variant, "B:WK5,6:B")
    assert fen(variant, empty) == "B:WK5,6:B"
    assert legal_moves(variant, empty) == ()
    assert parse_fen(variant, "W:B1:W50") == parse_fen(variant, "W:W50:B1")


def test_spanish_squares_count_from_white_s_right() -> None:
    variant = variant_named("spanish")
    assert fen(variant, start_position(variant)).startswith("W:W1,2,3,4,5,6,7,8,9,10,11,12:B21,22")
    assert point_named(variant, "1") == 31


def _ruling(name: str, before: str, after: str) -> Verdict:
    variant = variant_named(name)
    boards = [parse_fen(variant, text, uncrowned=True) for text in (before, after)]
    return judge(variant, boards[0], boards[1].placement)


def _told(name: str, before: str, after: str) -> tuple[str, str]:
    verdict = _ruling(name, before, after)
    assert isinstance(verdict, Irregular)
    return verdict.faults[0].kind.value, verdict.faults[0].message


def test_the_three_russian_captures_are_written_out() -> None:  # 3
    text = "W:We3,g3,h4,a5,b2,h2,a3,Kf8:Bc5,e5,g5,g7,h8"
    assert _texts("russian", text) == ["f8:b4", "f8:h6:f4:d6:b4", "h4:f6:d4:b6"]


def test_a_russian_man_stays_a_king_when_its_capture_leaves_the_last_row() -> None:  # 6
    variant = variant_named("russian")
    position = parse_fen(variant, "W:Wh6:Bg7,c5,d2")
    (move,) = legal_moves(variant, position)
    assert move.promotes
    after = play(variant, position, move)
    assert fen(variant, after) == "B:WKe1:B"
    assert isinstance(_ruling("russian", "W:Wh6:Bg7,c5,d2", "B:WKe1:B"), Legal)
    assert _told("russian", "W:Wh6:Bg7,c5,d2", "B:WKf8:Bc5,d2")[0] == "capture_incomplete"


def test_a_promotion_and_a_man_s_move_set_the_king_moves_back() -> None:  # 6, 8
    variant = variant_named("international")
    position = parse_fen(variant, "W:W7,50,49,K48,47:BK5,15,35")
    history: list[tuple[Position, Move | None]] = []
    for text in ("48-43", "5-10", "7-1", "10-5", "1-6"):
        move = parse_move(variant, position, text)
        history.append((position, move))
        position = play(variant, position, move)
    counter = next(c for c in draw_counters(variant, [*history, (position, None)]) if c.name == "king moves")
    assert (counter.value, counter.began_with) == (2, "a man's move")


def test_two_routes_with_the_same_ends_are_written_in_full() -> None:  # 9
    variant = variant_named("international")
    position = parse_fen(variant, "W:WK1:B12,13,19,20")
    texts = {move_text(variant, position, m) for m in legal_moves(variant, position) if m.end == 24}
    assert texts == {"1x23x14x25", "1x18x9x25"}


def test_a_man_that_promotes_by_capture_is_crowned_whatever_else_could_be_captured() -> None:  # 10
    variant = variant_named("international")
    position = parse_fen(variant, "W:W22,47:B18,8,42,33")
    promoting = [m for m in legal_moves(variant, position) if m.promotes]
    assert len(legal_moves(variant, position)) == 2
    assert [full_text(variant, m) for m in promoting] == ["22x13x2"]


def test_a_man_that_passes_the_last_row_is_crowned_in_russian_and_not_in_international() -> None:  # 11
    international = parse_fen(variant_named("international"), "B:W41,42,50:B36,1")
    (move,) = legal_moves(variant_named("international"), international)
    assert (full_text(variant_named("international"), move), move.promotes) == ("36x47x38", False)
    assert _told("international", "B:W41,42,50:B36,1", "W:W50:BK38,1")[0] == "wrongly_crowned"
    russian = variant_named("russian")
    crowned = legal_moves(russian, parse_fen(russian, "B:Wb2,d2:Ba3,h8"))
    assert {len(m.captured) for m in crowned} == {2}
    assert all(m.promotes and russian.board.names[m.path[1]] == "c1" for m in crowned)


def test_a_forced_backward_capture_is_explained() -> None:  # 12
    kind, message = _told("international", "W:W28,50:B33,1", "B:W28,44:B33,1")
    assert kind == "missed_capture"
    assert "international draughts" in message
    assert "men also capture backward" in message
    assert isinstance(_ruling("international", "W:W28,50:B33,1", "B:W39,50:B1"), Legal)
    assert _told("english", "W:W18,32:B23,1", "B:W27,32:B1")[1].endswith("a man captures only diagonally forward.")


def test_a_frysk_king_goes_on_over_41_and_its_chain_ends() -> None:  # 13
    variant = variant_named("frysk")
    position = parse_fen(variant, "W:WK23:B41,36")
    assert {len(m.captured) for m in legal_moves(variant, position)} == {2}
    assert all(parse_move(variant, position, full_text(variant, m)) for m in legal_moves(variant, position))


FROM_THE_REPORT = (
    *("24-20", "12-16", "28-24", "8-12", "32-28", "4-8", "24-19", "9-13", "28-24", "10-14", "22-18", "6-10", "18x9"),
    *("5x14", "25-22", "1-5", "22-18", "5-9", "18-15", "11x18", "20x11x4", "3-8"),
)


def test_the_king_that_passed_over_a_man_on_8_is_seen_through() -> None:  # 14
    variant = variant_named("english")
    position = Position(start_position(variant).placement, start_position(variant).to_move.opponent)
    for text in FROM_THE_REPORT:
        position = play(variant, position, parse_move(variant, position, text))
    four, eight, goal = (point_named(variant, name) for name in ("4", "8", "22"))
    assert position.placement[four].is_king
    assert not any(m.origin == four and m.end == goal for m in legal_moves(variant, position))
    passed = position.placement.replaced({four: position.placement[eight].EMPTY, goal: position.placement[four]})
    verdict = judge(variant, position, passed)
    assert isinstance(verdict, Irregular)
    assert verdict.faults[0].kind.value == "illegal_move"


@pytest.mark.parametrize("text", ["W:Wa2:Bh7", "W:WKa1:BKh8", "B:WKa1:Bh7"])
def test_one_turkish_piece_each_of_any_rank_is_a_draw_at_once(text: str) -> None:  # 15
    variant = variant_named("turkish")
    end = ending(variant, [(parse_fen(variant, text), None)])
    assert end is not None
    assert (end.winner, end.reason) == (None, EndReason.ONE_PIECE_EACH)


def test_a_position_tag_of_pdn_3_is_read() -> None:  # 15
    variant = variant_named("international")
    position = parse_fen(variant, "W:W26,31,35,37,42,44,45,47,48,50:B4,8,9,10,16,17,18,19,29,34")
    assert len(position.placement.points_of(position.to_move)) == 10
    assert len(legal_moves(variant, position)) == 10


def test_an_english_king_neither_flies_nor_refuses_a_double_jump() -> None:
    assert _told("english", "W:WK29,32:B4", "B:WK15,32:B4")[1] == (
        "In English draughts the move 29-15 is not allowed: a king moves one step diagonally."
    )
    assert _texts("english", "W:WK22,32:B18,11") == ["22x15x8"]
    assert _told("english", "W:WK22,32:B18,11", "B:WK15,32:B11")[0] == "capture_incomplete"


def test_captures_are_enforced_and_the_longest_where_the_game_says_so() -> None:
    assert _told("english", "W:W32,18:B14,1", "B:W28,18:B14,1")[0] == "missed_capture"
    assert _told("international", "W:W28,35:B23,13,30,1", "B:W28,24:B23,13,1")[0] == "not_majority"
    assert isinstance(_ruling("english", "W:W22,30:B18,11,25", "B:W8,30:B25"), Legal)
    assert isinstance(_ruling("english", "W:W22,30:B18,11,25", "B:W22,21:B18,11"), Legal)


def test_english_begins_with_black_and_counts_302_positions_at_three_plies() -> None:  # a
    variant = variant_named("english")
    assert start_position(variant).to_move.name == "BLACK"
    assert [perft(variant, start_position(variant), depth) for depth in (1, 2, 3)] == [7, 49, 302]


def test_the_capture_of_ten_takes_its_one_route() -> None:  # f
    (text,) = _texts("international", "W:WK23:B28,17,10,20,29,39,40,38,31,8,9")
    assert text == "23x37x26x12x34x43x27x4x15x24x2"


def test_a_king_in_the_crowd_is_judged_at_once() -> None:  # e
    variant = variant_named("frisian")
    position = parse_fen(variant, "W:WK50:B3,7,10,12,13,14,17,20,21,23,25,30,32,36,38,39,41,43,K47")
    moved: Placement = position.placement.replaced({49: position.placement[0], 44: position.placement[49]})
    verdict = judge(variant, position, moved)
    assert isinstance(verdict, Irregular)
    assert verdict.faults[0].kind.value == "missed_capture"
