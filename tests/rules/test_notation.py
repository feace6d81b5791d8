"""Moves are written as each game writes them, and every text leads back to its move."""

from collections.abc import Iterator
from itertools import islice

import pytest

from rules.board import NOWHERE
from rules.errors import AmbiguousMoveText, IllegalMoveText, NotationError, RulesError
from rules.fen import parse_fen
from rules.legal_moves import legal_moves
from rules.move import Move
from rules.notation import full_text, move_text, parse_move, point_name, point_named
from rules.piece import Side
from rules.position import Position
from rules.variant import Notation, Variant, start_position
from rules.variants.catalogue import VARIANT_NAMES, variant_named
from tests.support.positions import positions_of_games, thrown_positions


def _positions(variant: Variant) -> Iterator[Position]:
    fullest = 0.12 if variant.board.size > 100 else 0.4
    yield from islice(positions_of_games(variant, 13), 0, 90, 9)
    yield from islice(thrown_positions(variant, 17, fullest), 20)


def _rivals(variant: Variant, position: Position, move: Move) -> list[Move]:
    return [m for m in legal_moves(variant, position) if (m.origin, m.end) == (move.origin, move.end) and m != move]


@pytest.mark.parametrize("name", VARIANT_NAMES)
def test_every_text_leads_back_to_its_move(name: str) -> None:
    variant = variant_named(name)
    for position in _positions(variant):
        moves = legal_moves(variant, position)
        texts = [move_text(variant, position, move) for move in moves]
        assert len(set(texts)) == len(moves)
        for move, text in zip(moves, texts, strict=True):
            assert parse_move(variant, position, text) == move
            assert parse_move(variant, position, full_text(variant, move)) == move
            assert parse_move(variant, position, _hub(variant, move)) == move


def _hub(variant: Variant, move: Move) -> str:
    """The Hub form: the ends and then what is taken, here backward."""
    if not move.is_capture:
        return full_text(variant, move)
    points = (move.origin, move.end, *reversed(move.captured))
    return "x".join(point_name(variant, p) for p in points)


@pytest.mark.parametrize("name", VARIANT_NAMES)
def test_the_path_is_written_only_where_the_ends_are_not_enough(name: str) -> None:
    variant = variant_named(name)
    for position in _positions(variant):
        for move in legal_moves(variant, position):
            ends = f"{point_name(variant, move.origin)}{_sign(variant, move)}{point_name(variant, move.end)}"
            rivals = _rivals(variant, position, move)
            expected = full_text(variant, move) if rivals else ends
            assert move_text(variant, position, move) == expected
            if rivals:
                with pytest.raises(AmbiguousMoveText):
                    parse_move(variant, position, ends)


def _sign(variant: Variant, move: Move) -> str:
    return variant.capture_sign if move.is_capture else "-"


@pytest.mark.parametrize("name", VARIANT_NAMES)
def test_a_path_that_goes_straight_on_lands_directly_behind(name: str) -> None:
    """PDN 3.0: between two captures on one line the square written is the one behind the first."""
    variant = variant_named(name)
    for position in _positions(variant):
        for move in legal_moves(variant, position):
            for k in range(1, len(move.captured)):
                came, land, end = move.path[k - 1 : k + 2]
                behind = _behind(variant, came, move.captured[k - 1])
                if land in variant.board.between(came, end) and position.placement[move.origin].is_king:
                    assert land == behind


def _behind(variant: Variant, origin: int, taken: int) -> int:
    for table in variant.board.neighbours:
        at = origin
        while (at := table[at]) not in (NOWHERE, taken):
            pass
        if at == taken:
            return table[at]
    return NOWHERE


@pytest.mark.parametrize("name", [n for n in VARIANT_NAMES if variant_named(n).game_type.count(",") >= 4])
def test_counting_begins_in_the_corner_that_the_game_type_names(name: str) -> None:
    """PDN: 0 bottom left, 1 bottom right, 2 top left, 3 top right, as the side that begins sees the board."""
    variant = variant_named(name)
    corner = variant.game_type.split(",")[4]
    first = "a1" if variant.notation is Notation.ALGEBRAIC else "1"
    x, y = variant.board.xy[point_named(variant, first)]
    right, top = x > variant.board.width / 2, y > variant.board.height / 2
    if variant.first is Side.BLACK:
        right, top = not right, not top
    assert int(corner[1]) == right + 2 * top
    assert corner[0] == ("A" if variant.notation is Notation.ALGEBRAIC else "N")


@pytest.mark.parametrize(
    ("name", "white", "black"),
    [
        ("international", "31-50", "1-20"),
        ("english", "21-32", "1-12"),
        ("italian", "21-32", "1-12"),
        ("spanish", "1-12", "21-32"),
        ("portuguese", "1-12", "21-32"),
        ("canadian", "43-72", "1-30"),
        ("thai", "25-32", "1-8"),
        ("frysk", "46-50", "1-5"),
    ],
)
def test_the_sides_start_on_the_numbers_of_the_game(name: str, white: str, black: str) -> None:
    variant = variant_named(name)
    placement = start_position(variant).placement
    for side, text in ((Side.WHITE, white), (Side.BLACK, black)):
        numbers = sorted(int(point_name(variant, p)) for p in placement.points_of(side))
        first, last = (int(word) for word in text.split("-"))
        assert numbers == list(range(first, last + 1))


@pytest.mark.parametrize(
    ("name", "text", "written"),
    [
        ("international", "W:W28:B23", "28x19"),
        ("russian", "W:Wc3:Bd4", "c3:e5"),
        ("spantsiretti", "W:Wc3:Bd4", "c3:e5"),
        ("czech", "W:Wc3:Bd4", "c3xe5"),
        ("brazilian", "W:Wc3:Bd4", "c3xe5"),
        ("thai", "W:W22:B18", "22-15"),
        ("spanish", "W:W7:B11", "7x14"),
        ("turkish", "W:Wd4:Bd5", "d4xd6"),
        ("alquerque", "W:Wa1:Bb2", "a1xc3"),
        ("honeycomb", "W:Wd7:Bd8", "d7xd9"),
    ],
)
def test_a_capture_has_the_sign_of_its_game(name: str, text: str, written: str) -> None:
    variant = variant_named(name)
    position = parse_fen(variant, text)
    (move,) = (m for m in legal_moves(variant, position) if m.is_capture)
    assert move_text(variant, position, move) == written


@pytest.mark.parametrize(
    "text", ["28-19", "28:19", "28x19", "28*19", "28×19", "28 x 19", "28x19!?", "(28x19)", "28 19"]
)
def test_a_capture_is_read_whatever_its_sign(text: str) -> None:
    variant = variant_named("international")
    position = parse_fen(variant, "W:W28:B23")
    assert full_text(variant, parse_move(variant, position, text)) == "28x19"


@pytest.mark.parametrize(
    ("text", "error", "said"),
    [
        ("", NotationError, "two squares or more"),
        ("28", NotationError, "two squares or more"),
        ("2819", NotationError, "two squares or more"),
        ("28-99", NotationError, "between 1 and 50"),
        ("28-22", IllegalMoveText, "28x19"),
        ("z9-y8", NotationError, "two squares or more"),
    ],
)
def test_what_is_no_move_is_refused_with_what_would_be(text: str, error: type[Exception], said: str) -> None:
    variant = variant_named("international")
    position = parse_fen(variant, "W:W28:B23")
    with pytest.raises(error, match=said):
        parse_move(variant, position, text)


def test_an_endless_text_is_quoted_by_its_beginning() -> None:
    international = variant_named("international")
    for read in (
        lambda text: parse_fen(international, text),
        lambda text: point_named(international, text),
        lambda text: parse_move(international, start_position(international), text),
    ):
        with pytest.raises(RulesError) as refused:
            read("W" + "9" * 5000)
        assert "W999" in str(refused.value)
        assert len(str(refused.value)) < 400
