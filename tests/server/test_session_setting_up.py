"""Before the first move: the set-up, how the board lies, who begins, games joined in the middle."""

from dataclasses import replace

import pytest

from rules.fen import fen, parse_fen
from rules.legal_moves import legal_moves, play
from rules.notation import move_text, point_name
from rules.piece import Piece, Side
from rules.placement import Placement
from rules.position import Position
from rules.variant import start_position
from rules.variants.catalogue import variant_named
from server.session.state import Mode, new_state, terms_for
from server.session.step import BoardLies, Command
from tests.server.synthetic import Table, words

GAMES = ["international", "english", "turkish"]
every_game = pytest.mark.parametrize("name", GAMES)


def fresh(name: str, **terms) -> Table:
    return Table(new_state(replace(terms_for(variant_named(name)), **terms)))


def lacking(name: str) -> tuple[Placement, str, str]:
    """A start with one disc of White missing and another moved aside: the board, and the two squares."""
    variant = variant_named(name)
    discs = variant.start.points_of(Side.WHITE)
    empty = variant.start.pieces.index(0)
    board = variant.start.replaced({discs[0]: Piece.EMPTY, empty: Piece.BLACK_MAN})
    return board, point_name(variant, discs[0]), point_name(variant, empty)


@every_game
def test_a_wrong_start_is_told_disc_by_disc_and_corrected(name):
    table = fresh(name)
    board, gone, extra = lacking(name)
    said = table.show(board, looks=12)
    assert words(said) == ["violation wrong_setup"]
    assert set(said[0].squares) == {gone, extra}
    assert f"put a white man on {gone}" in said[0].message.replace("Put", "put")
    assert f"ake the black man off {extra}" in said[0].message
    assert words(table.show(variant_named(name).start)) == ["resolved corrected wrong_setup", "ready"]


@every_game
@pytest.mark.parametrize("misread", [True, False])
def test_a_wrong_start_that_was_no_fault_is_not_told_again_and_may_be_played_from(name, misread):
    table = fresh(name)
    board, *_ = lacking(name)
    table.show(board, looks=12)
    assert words(table.feed(Command("dismiss"))) == ["resolved dismissed wrong_setup", "ready"]
    assert table.show(board, looks=12) == []
    variant = variant_named(name)
    here = start_position(variant) if misread else Position(board, variant.first)
    move = legal_moves(variant, here)[0]
    said = words(table.show(play(variant, here, move).placement))
    began = [] if misread else ["position_set", "ready", "resolved accepted wrong_setup"]
    assert said == [*began, f"move {move_text(variant, here, move)}"]


@every_game
def test_a_board_that_is_still_being_set_up_is_left_alone(name):
    table = fresh(name)
    board, _, _ = lacking(name)
    assert table.show(board, looks=3) == []
    half = board.replaced(dict.fromkeys(board.points_of(Side.BLACK), Piece.EMPTY))
    assert table.show(half, looks=8) == []
    assert words(table.show(variant_named(name).start)) == ["ready"]


@every_game
def test_a_wrong_start_is_accepted_by_playing_on(name):
    variant = variant_named(name)
    table = fresh(name)
    board, _, _ = lacking(name)
    table.show(board, looks=12)
    position = Position(board, variant.first)
    move = next(m for m in legal_moves(variant, position) if not m.is_capture)
    said = words(table.show(play(variant, position, move).placement))
    text = move_text(variant, position, move)
    assert said == ["position_set", "ready", "resolved accepted wrong_setup", f"move {text}"]
    assert table.state.terms.start == position


@every_game
def test_a_wrong_start_is_accepted_by_the_arbiter(name):
    table = fresh(name)
    board, _, _ = lacking(name)
    table.show(board, looks=12)
    assert words(table.feed(Command("accept")))[-1] == "resolved accepted wrong_setup"
    assert table.state.position.placement == board
    assert table.state.started


@every_game
def test_first_moves_made_before_the_start_was_seen_are_recovered(name):
    variant = variant_named(name)
    table = fresh(name)
    position, texts = start_position(variant), []
    for _ in range(2):
        move = legal_moves(variant, position)[0]
        texts.append(f"move {move_text(variant, position, move)}")
        position = play(variant, position, move)
    assert words(table.show(position.placement)) == ["ready", *texts]


@pytest.mark.parametrize("name", ["international", "english", "russian"])
def test_a_board_that_lies_wrong_is_told_once_before_the_start(name):
    table = fresh(name)
    assert words(table.feed(BoardLies(mirrored=True))) == ["violation wrong_orientation"]
    assert table.feed(BoardLies(mirrored=True)) == ()
    assert words(table.show(variant_named(name).start)) == ["ready"]
    assert table.feed(BoardLies(mirrored=True)) == ()


def test_a_board_that_lies_right_makes_no_words():
    table = fresh("english")
    assert table.feed(BoardLies(mirrored=False)) == ()


@pytest.mark.parametrize("name", ["international", "english", "turkish", "gothic"])
def test_a_game_that_only_records_learns_which_shade_begins(name):
    """The shade that was not expected to begin moves first: the record sees the board from its other side."""
    variant = variant_named(name)
    table = fresh(name, mode=Mode.RECORD)
    table.show(variant.start)
    expected = table.state.terms.light
    start = start_position(variant)
    move = legal_moves(variant, start)[1]
    after = play(variant, start, move)
    turned = turned_round(variant, after.placement)
    said = table.show(turned)
    assert words(said) == ["sides", f"move {move_text(variant, start, move)}"]
    assert table.state.terms.light is expected.opponent
    assert table.state.position == after


def turned_round(variant, placement: Placement) -> Placement:
    """The same table as it looks to a session that takes the other shade for White."""
    other = (0, 2, 1, 4, 3)
    return Placement(bytes(other[placement.pieces[p]] for p in variant.board.half_turn))


def test_a_referee_does_not_turn_the_board_for_a_side_that_begins_out_of_turn():
    variant = variant_named("english")
    table = fresh("english")
    table.show(variant.start)
    start = start_position(variant)
    after = play(variant, start, legal_moves(variant, start)[0])
    assert words(table.show(turned_round(variant, after.placement), looks=6)) == ["violation out_of_turn"]


@pytest.mark.parametrize(
    ("name", "board", "first"),
    [("international", "W32,38,42:B9,12,13", "12-17"), ("english", "W24,31,30:B1,2,9", "9-13")],
)
def test_a_game_may_be_joined_in_the_middle_and_the_first_move_shows_whose_turn_it_was(name, board, first):
    variant = variant_named(name)
    position = parse_fen(variant, f"B:{board}")
    waiting = replace(position, to_move=variant.first)
    table = fresh(name, mode=Mode.RECORD)
    assert words(table.show(position.placement, looks=16)) == ["position_set", "ready"]
    assert table.state.position == waiting
    move = next(m for m in legal_moves(variant, position) if move_text(variant, position, m) == first)
    assert words(table.show(play(variant, position, move).placement)) == [f"move {first}"]
    assert table.state.position.to_move is Side.WHITE


@every_game
def test_a_position_may_be_set_up_by_hand_at_any_time(name):
    variant = variant_named(name)
    table = fresh(name)
    table.show(variant.start)
    board = {"international": "W:W32,38:B9,12", "english": "W:W24,31:B1,2", "turkish": "W:Wa3,c3:Bb6,d6"}[name]
    assert words(table.feed(Command("set_position", {"fen": board}))) == ["position_set"]
    position = parse_fen(variant, board)
    said = table.show(position.placement)
    assert words(said) == ["ready"]
    assert said[0].fen == fen(variant, position)
