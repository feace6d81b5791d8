"""The games' own rules, one by one."""

import pytest

from rules.errors import UnknownVariant
from rules.fen import fen, parse_fen
from rules.legal_moves import legal_moves, play
from rules.notation import full_text, move_text, parse_move, point_named
from rules.piece import Side
from rules.relaxation import Relaxation, relaxed
from rules.variant import Variant, start_position
from rules.variants.catalogue import VARIANT_NAMES, variant_named
from rules.variants.options import OPTIONS


def _texts(variant: Variant, text: str) -> list[str]:
    position = parse_fen(variant, text)
    return sorted(move_text(variant, position, move) for move in legal_moves(variant, position))


@pytest.mark.parametrize("name", VARIANT_NAMES)
def test_every_start_position_survives_its_own_text(name: str) -> None:
    variant = variant_named(name)
    position = start_position(variant)
    assert parse_fen(variant, fen(variant, position)) == position
    for move in legal_moves(variant, position):
        after = play(variant, position, move)
        assert after.to_move is not position.to_move
        assert parse_move(variant, position, full_text(variant, move)) == move


@pytest.mark.parametrize("name", VARIANT_NAMES)
def test_every_start_position_is_fair_under_a_half_turn(name: str) -> None:
    variant = variant_named(name)
    if variant.one_way or name in ("alquerque", "fighting-serpents"):
        assert len(variant.start.points_of(Side.WHITE)) == len(variant.start.points_of(Side.BLACK))
    turned = {variant.board.half_turn[p] for p in variant.start.points_of(Side.WHITE)}
    if not variant.one_way:
        assert turned == set(variant.start.points_of(Side.BLACK))


def test_unknown_names_are_answered_with_the_known_ones() -> None:
    with pytest.raises(UnknownVariant, match="international"):
        variant_named("internatonal")


@pytest.mark.parametrize(("name", "option"), [(n, o.name) for n, options in OPTIONS.items() for o in options])
def test_every_option_yields_a_playable_game(name: str, option: str) -> None:
    variant = variant_named(f"{name}+{option}")
    assert legal_moves(variant, start_position(variant))


@pytest.mark.parametrize(
    ("names", "first", "last"),
    [
        ("international frisian killer corner one-way parachute joompex-10", "b10", "i1"),
        ("english pool thai german pooh joompex-8", "b8", "g1"),
        ("italian philippine", "a8", "h1"),
        ("spanish portuguese", "h1", "a8"),
        ("canadian malaysian", "b12", "k1"),
        ("sri-lankan", "a12", "l1"),
    ],
)
def test_numbers_begin_in_each_game_s_own_corner(names: str, first: str, last: str) -> None:
    for variant in map(variant_named, names.split()):
        assert variant.board.names[point_named(variant, "1")] == first
        assert variant.board.names[point_named(variant, str(variant.board.size))] == last


def test_black_begins_in_three_games_only() -> None:
    beginners = {name for name in VARIANT_NAMES if variant_named(name).first is Side.BLACK}
    assert beginners == {"english", "pool", "pooh"}


@pytest.mark.parametrize("name", ["german", "thai", "turkish", "armenian", "gothic", "malaysian", "fighting-serpents"])
def test_games_whose_sources_disagree_say_what_they_take_and_offer_the_rest(name: str) -> None:
    assert variant_named(name).notes
    assert OPTIONS[name]


def test_a_serpent_may_lack_its_row_lines_or_fill_its_ends() -> None:
    fuller = variant_named("fighting-serpents+twenty-four-discs")
    assert len(fuller.start.points_of(Side.WHITE)) == len(fuller.start.points_of(Side.BLACK)) == 24
    assert _texts(variant_named("fighting-serpents+no-lines-along-rows"), "W:Wb1:Bc3") == ["b1-b2", "b1-c2"]


def test_an_armenian_king_captures_along_rows_and_columns_unless_agreed() -> None:
    text = "W:WKa1:Bc3"
    assert not any("x" in move for move in _texts(variant_named("armenian"), text))
    assert "a1xd4" in _texts(variant_named("armenian+kings-take-diagonally"), text)


def test_quality_prefers_the_king_among_equal_captures() -> None:
    text = "W:W28,33:B22,K29"
    assert _texts(variant_named("international"), text) == ["28x17", "33x24"]
    assert _texts(variant_named("international-quality"), text) == ["33x24"]


def test_alquerque_takes_one_disc_and_never_steps_back() -> None:
    variant = variant_named("alquerque")
    assert _texts(variant, "W:Wc3:Bc4,a5") == ["c3xc5"]
    assert _texts(variant, "W:Wc3:Ba5") == ["c3-b3", "c3-b4", "c3-c4", "c3-d3", "c3-d4"]
    assert _texts(variant, "W:Wc5:Ba1") == []
    assert _texts(variant, "W:Wc5:Bc4") == ["c5xc3"]
    assert _texts(variant, "W:Wa1:Ba2,a4") == ["a1xa3"]


def test_the_first_serpent_moves_fill_the_gaps() -> None:
    variant = variant_named("fighting-serpents")
    ends = {variant.board.names[m.end] for m in legal_moves(variant, start_position(variant))}
    assert ends <= {"a2", "i2", "q2"}


def test_alquerque_by_other_texts_is_an_option() -> None:
    assert "c3-c2" in _texts(variant_named("alquerque+every-direction"), "W:Wc3:Ba5")
    assert "c5-b5" in _texts(variant_named("alquerque+every-direction"), "W:Wc5:Ba1")
    jumps = "W:Wc3:Bc4,d5,a1"
    assert _texts(variant_named("alquerque"), jumps) == ["c3xc5"]
    assert _texts(variant_named("alquerque+several-jumps"), jumps) == ["c3xc5", "c3xe5"]
    crowning = variant_named("alquerque+short-kings")
    assert [m.promotes for m in legal_moves(crowning, parse_fen(crowning, "W:Wc3:Bc4"))] == [True]
    assert len(_texts(crowning, "W:WKc3:Ba4,a5")) == 8
    assert len(_texts(variant_named("alquerque+flying-kings"), "W:WKc3:Ba4,b5")) > 8
    assert len(_texts(variant_named("alquerque+optional-capture"), "W:Wc3:Bc4")) > 1


def test_pool_on_the_other_colour_is_an_option() -> None:
    jamaican = variant_named("pool+light-squares")
    assert jamaican.first is Side.BLACK
    assert {"a2", "h1", "b1"} < set(jamaican.board.names)
    assert len(legal_moves(jamaican, start_position(jamaican))) == 7


def test_pooh_may_stop_after_a_jump() -> None:
    variant = variant_named("pooh")
    assert len(_texts(variant, "W:W30:B26,18")) == 2
    assert len(_texts(variant_named("english"), "W:W30:B26,18")) == 1


def test_a_joompex_king_lands_directly_behind() -> None:
    assert _texts(variant_named("joompex-10"), "W:WK46:B28") == ["46x23"]
    assert len(_texts(variant_named("international"), "W:WK46:B28")) == 5


def test_an_italian_man_may_not_take_a_king() -> None:
    variant = variant_named("italian")
    assert not any("x" in text for text in _texts(variant, "W:W22:BK18"))
    assert any("x" in text for text in _texts(variant, "W:WK22:BK18"))


def test_a_czech_king_captures_before_men() -> None:
    moves = _texts(variant_named("czech"), "W:Wc3,Kh2:Bd4,f4")
    assert moves
    assert all(text.startswith("h2x") for text in moves)


def test_a_frisian_king_rests_after_three_moves() -> None:
    variant = variant_named("frisian")
    position = parse_fen(variant, "W:WK48,50:BK4,1")
    for white, black in (("48-43", "4-10"), ("43-48", "10-4"), ("48-43", "4-10")):
        for text in (white, black):
            position = play(variant, position, parse_move(variant, position, text))
    assert {m.origin + 1 for m in legal_moves(variant, position)} == {50}
    assert fen(variant, position).endswith(":+343+310")
    assert parse_fen(variant, fen(variant, position)) == position


def test_the_first_king_ends_a_breakthrough_game() -> None:
    variant = variant_named("breakthrough")
    position = parse_fen(variant, "W:W6:B20,45")
    after = play(variant, position, parse_move(variant, position, "6-1"))
    assert legal_moves(variant, after) == ()


def test_one_way_men_all_move_upward() -> None:
    variant = variant_named("one-way")
    for position in (parse_fen(variant, "W:W33:B35"), parse_fen(variant, "B:W33:B35")):
        rows = variant.board.row_of
        assert all(rows[m.end] == rows[m.origin] + 1 for m in legal_moves(variant, position))


def test_relaxing_one_rule_lets_its_breach_through() -> None:
    variant = variant_named("international")
    due = parse_fen(variant, "W:W28,33,50:B22,12")
    assert "50-45" not in _texts(variant, fen(variant, due))
    assert "50-45" in _texts(relaxed(variant, Relaxation.COMPULSION), fen(variant, due))
    assert "28x17" in _texts(relaxed(variant, Relaxation.COMPLETION), "W:W28:B22,12")
    assert "28x17" not in _texts(variant, "W:W28:B22,12")
    assert "28-32" in _texts(relaxed(variant, Relaxation.BACKWARD), "W:W28:B1")
    longest = "W:W28,47:B22,12,41"
    assert "47x36" not in _texts(variant, longest)
    assert "47x36" in _texts(relaxed(variant, Relaxation.MAJORITY), longest)
