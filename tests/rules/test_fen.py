"""Positions as text: what no game can come to is refused, and what a board may show is read all the same."""

import pytest

from rules.errors import FenError
from rules.fen import parse_fen
from rules.pdn_reader import read_games
from rules.pdn_replay import replay
from rules.variants.catalogue import VARIANT_NAMES, variant_named

WITHOUT_KINGS = ("alquerque", "fighting-serpents")


@pytest.mark.parametrize("name", WITHOUT_KINGS)
def test_a_king_in_a_game_without_kings_is_refused_by_its_square(name):
    variant = variant_named(name)
    with pytest.raises(FenError, match=r"saw a king on c3; .* has no kings: expected c3"):
        parse_fen(variant, "W:WKc3:Ba1")
    assert parse_fen(variant, "W:WKc3:Ba1", uncrowned=True).placement.points_of(parse_fen(variant, "W:W:B").to_move)


@pytest.mark.parametrize("name", [n for n in VARIANT_NAMES if n not in WITHOUT_KINGS])
def test_every_other_game_has_kings(name):
    variant = variant_named(name)
    point = variant.board.names[variant.board.size // 2]
    parse_fen(variant, f"W:WK{point}:B")


def test_an_option_that_crowns_makes_kings_possible():
    parse_fen(variant_named("alquerque+short-kings"), "W:WKc3:Ba2")


def test_a_pdn_game_that_begins_with_such_a_king_is_marked():
    text = '[GameType "0"]\n[FEN "W:WKc3:Ba1,b5"]\n1. c3-c4 *\n'
    (game,) = (replay(game, variant_named("alquerque")) for game in read_games([text]))
    assert any("has no kings" in str(problem) for problem in game.problems)


@pytest.mark.parametrize(("runs", "seen"), [("+331+0", "31"), ("+320+0", "20"), ("+0+246", "46")])
def test_king_moves_in_a_row_are_refused_where_no_king_of_that_side_stands(runs, seen):
    frisian = variant_named("frisian")
    with pytest.raises(FenError, match=f"in a row by {seen}; expected a king"):
        parse_fen(frisian, f"W:W31,K46:BK5:{runs}")
    parse_fen(frisian, "W:W31,K46:BK5:+346+25")
