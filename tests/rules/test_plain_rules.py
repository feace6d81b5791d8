"""The kernel and a slow generator, written from the rule texts alone, find the same moves."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

import pytest

from rules.board import NOWHERE, Direction
from rules.fen import fen, parse_fen
from rules.legal_moves import legal_moves
from rules.perft import perft
from rules.position import KingRun, Position
from rules.variant import Variant, start_position
from rules.variants.catalogue import VARIANT_NAMES, variant_named
from tests.support.plain_rules.compare import difference, position_of
from tests.support.plain_rules.game import start_of
from tests.support.plain_rules.games import PLAIN_NAMES, plain_game
from tests.support.plain_rules.moves import leaves
from tests.support.positions import crowded_positions, positions_of_games, thrown_positions

FROM_GAMES = 150
THROWN = 80
CROWDED = 80
# Kings among many discs on 127 cells have more routes than plain search can walk.
FULLEST = {"honeycomb": 0.2}
# Plies that the plain rules count in a fraction of a second; compare.py counts deeper.
PLIES = {
    "armenian": 2,
    "gothic-10": 2,
    "canadian": 3,
    "sri-lankan": 3,
    "malaysian": 3,
    "turkish-10": 3,
    "gothic": 3,
    "turkish": 3,
    "honeycomb": 3,
    "hexdame": 3,
}


def _positions(variant: Variant) -> Iterator[Position]:
    yield from islice(positions_of_games(variant, seed=7), FROM_GAMES)
    fullest = FULLEST.get(variant.name.split("+")[0], 0.5)
    yield from islice(thrown_positions(variant, seed=11, fullest=fullest), THROWN)
    most = min(12, variant.board.size // 3)
    yield from islice(crowded_positions(variant, seed=13, most=most), CROWDED)


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


# Positions in which one criterion of the precedence decides: without it other captures would be due.
DECIDED = {
    "italian": (
        "W:WK3,K4,22:B6,7,8,K32",
        "B:W23,26:B14,22,K30",
        "W:WK11:B5,6,K13,14,K22,K26",
        "B:W21,K22,30:BK15,K17,K27",
        "B:WK9,K15,23,25:BK11,13,K28",
    ),
    "spanish": ("B:W10,15:BK11,K12,25", "W:WK6,K26,K30:BK10,12", "B:W3,K6,22:BK12,K20,K21"),
    "czech": ("W:WKf8,f6,Ke1:Be7,Ka3", "B:WKg7,Kb4,Kg3:Bh8,h6,Kh4"),
    "frisian": ("W:W13,16,17:B9,K12,K40,K50", "B:WK10:BK9,15,K46", "W:W16,24,K30:BK34"),
    "international-quality": ("W:WK1,K3,K6:B23,27,K33,K46", "B:WK21,29:BK30,35,K38"),
    "killer": ("B:WK12:BK8,K26,K44", "B:WK13:BK5,K31,40"),
    "turkish": ("B:WKf8,Kd6,Kg4,Kd1:BKa8,Kb4,Kc1", "W:WKa8,g2,Kf1:Bb5,a3,Ke2,Kf2"),
}


@pytest.mark.parametrize("name", DECIDED)
def test_both_decide_between_competing_captures_alike(name: str) -> None:
    variant, game = variant_named(name), plain_game(name)
    for text in DECIDED[name]:
        assert difference(variant, game, parse_fen(variant, text)) == ""


@pytest.mark.parametrize("name", ["italian", "spanish", "czech", "frisian", "international-quality"])
def test_every_criterion_of_the_precedence_decides_one_of_these_positions(name: str) -> None:
    variant = variant_named(name)
    positions = [parse_fen(variant, text) for text in DECIDED[name]]
    for criterion in variant.precedence:
        rest = tuple(other for other in variant.precedence if other is not criterion)
        without = replace(variant, name=f"{name} without {criterion.name}", precedence=rest)
        assert any(legal_moves(without, p) != legal_moves(variant, p) for p in positions), criterion


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
