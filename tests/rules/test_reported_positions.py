"""Positions on which other programs were reported wrong, with the right answers."""

import pytest

from rules.errors import AmbiguousMoveText, FenError, IllegalMove
from rules.fen import fen, parse_fen
from rules.legal_moves import legal_moves, play
from rules.notation import full_text, move_text, parse_move, point_named
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
