"""What Kibitz writes it reads again: every legal move of every game, with its house options."""

import random

import pytest

from rules.fen import parse_fen
from rules.legal_moves import legal_moves, play
from rules.notation import move_text, parse_move
from rules.pdn_reader import read_games
from rules.pdn_replay import replay
from rules.pdn_writer import write_game
from rules.variant import start_position
from rules.variants.catalogue import VARIANT_NAMES, variant_named
from rules.variants.options import OPTIONS

NAMES = (*VARIANT_NAMES, *(f"{base}+{option.name}" for base, options in OPTIONS.items() for option in options))


@pytest.mark.parametrize("name", NAMES)
def test_a_written_move_means_that_move_and_a_written_game_that_game(name):
    variant, chance = variant_named(name), random.Random(name)
    position, played = start_position(variant), []
    for _ in range(60):
        moves = legal_moves(variant, position)
        if not moves:
            break
        for move in moves:
            assert parse_move(variant, position, move_text(variant, position, move)).key == move.key
        played.append(chance.choice(moves))
        position = play(variant, position, played[-1])
    (game,) = read_games([write_game({}, variant, start_position(variant), played)])
    told = replay(game)
    assert told.variant.name == name
    assert [ply.move.key for ply in told.plies] == [move.key for move in played]
    assert told.problems == ()


def test_two_squares_mean_a_single_jump_where_a_longer_capture_has_the_same_ends():
    variant = variant_named("alquerque+several-jumps")
    position = parse_fen(variant, "B:Wd3,e3,b2,c2,d2,e2,b1,d1,e1:Ba5,b5,c5,d5,e5,b4,c4,e4,a2,a1")
    alike = [m for m in legal_moves(variant, position) if (m.origin, m.end) == (20, 12)]
    assert len(alike) > 1
    single = parse_move(variant, position, "a1xc3")
    assert single.path == (20, 12)
    text = write_game({}, variant, position, [single])
    (game,) = read_games([text])
    assert [ply.move.key for ply in replay(game).plies] == [single.key]


def test_an_option_nobody_knows_leaves_the_game_it_is_of():
    (game,) = read_games(['[Variant "german+backwards-on-sundays"]\n\n1. 22-18 *\n'])
    assert replay(game).variant.name == "german"
