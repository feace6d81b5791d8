"""The kernel and a slow generator, written from the rule texts alone, find the same moves."""

from collections.abc import Iterator
from itertools import islice

import pytest

from rules.board import NOWHERE, Direction
from rules.fen import fen
from rules.legal_moves import legal_moves
from rules.perft import perft
from rules.position import KingRun, Position
from rules.variant import Variant, start_position
from rules.variants.catalogue import VARIANT_NAMES, variant_named
from tests.support.plain_rules.compare import difference, position_of
from tests.support.plain_rules.game import start_of
from tests.support.plain_rules.games import PLAIN_NAMES, plain_game
from tests.support.plain_rules.moves import leaves
from tests.support.positions import positions_of_games, thrown_positions

FROM_GAMES = 150
THROWN = 100
# Kings among many discs on 127 cells have more routes than plain search can walk.
FULLEST = {"honeycomb": 0.2}
# Plies that the plain rules count in a fraction of a second; compare.py counts deeper.
PLIES = {"armenian": 2, "gothic-10": 2, "turkish-10": 3, "gothic": 3, "turkish": 3, "honeycomb": 3, "hexdame": 3}


def _positions(variant: Variant) -> Iterator[Position]:
    yield from islice(positions_of_games(variant, seed=7), FROM_GAMES)
    fullest = FULLEST.get(variant.name.split("+")[0], 0.5)
    yield from islice(thrown_positions(variant, seed=11, fullest=fullest), THROWN)


def test_every_game_of_the_catalogue_is_written_plainly_too() -> None:
    assert set(VARIANT_NAMES) <= set(PLAIN_NAMES)


@pytest.mark.parametrize("name", PLAIN_NAMES)
def test_both_begin_from_the_same_position(name: str) -> None:
    variant, game = variant_named(name), plain_game(name)
    assert position_of(variant, game, start_of(game)) == start_position(variant)


@pytest.mark.parametrize("name", PLAIN_NAMES)
def test_both_crown_on_the_same_squares(name: str) -> None:
    variant, game = variant_named(name), plain_game(name)
    for side, row in zip("WB", variant.promotion_points, strict=True):
        assert {game.lattice.places[variant.board.names[p]] for p in row} == game.far_row[side]


@pytest.mark.parametrize("name", PLAIN_NAMES)
def test_both_find_the_same_moves_on_seeded_positions(name: str) -> None:
    variant, game = variant_named(name), plain_game(name)
    differing = {fen(variant, p): said for p in _positions(variant) if (said := difference(variant, game, p))}
    assert not differing


@pytest.mark.parametrize("name", VARIANT_NAMES)
def test_both_count_the_same_leaves_from_the_start(name: str) -> None:
    variant, game = variant_named(name), plain_game(name)
    depth = PLIES.get(name, 4)
    assert perft(variant, start_position(variant), depth) == leaves(game, start_of(game), depth)


@pytest.mark.parametrize("name", ["frisian", "frysk"])
def test_both_rest_a_king_after_three_moves(name: str) -> None:
    variant, game = variant_named(name), plain_game(name)
    rested = 0
    for position in islice(thrown_positions(variant, seed=3, fullest=0.15), 100):
        for point in position.placement.points_of(position.to_move):
            run = KingRun(point, 3)
            tired = Position(position.placement, position.to_move, run, run)
            assert not difference(variant, game, tired)
            rested += legal_moves(variant, tired) != legal_moves(variant, position)
    assert rested


@pytest.mark.parametrize("name", PLAIN_NAMES)
def test_the_plane_and_the_names_tell_the_same_neighbours(name: str) -> None:
    variant, game = variant_named(name), plain_game(name)
    board, places = variant.board, game.lattice.places
    steps = {*game.man_steps, *game.man_jumps, *game.king_steps, *game.king_jumps}
    steps |= {(-x, -y) for x, y in steps}
    used = {*variant.man_steps, *variant.man_captures, *variant.king_steps, *variant.king_captures}
    used |= {direction.opposite for direction in used}
    for point, point_name in enumerate(board.names):
        beside = {game.lattice.after(places[point_name], step) for step in steps} - {None}
        tabled = {board.neighbours[way][point] for way in Direction if way in used} - {NOWHERE}
        assert {places[board.names[p]] for p in tabled} == beside
