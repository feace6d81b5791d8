"""Moves taken back, and boards swept together and put right again, each as a scene at the table."""

import numpy as np
import pytest

from rules.fen import parse_fen
from rules.legal_moves import legal_moves, play
from rules.notation import move_text, parse_move, point_named
from rules.piece import Piece
from rules.placement import Placement
from rules.position import Position
from rules.variants.catalogue import variant_named
from server.session.events import as_json
from server.session.state import Mode, new_state, terms_for
from server.session.step import Command
from server.store.chronicle import chronicle
from server.store.kept_terms import terms_as_json
from tests.server.synthetic import Table, begun, edited, positions, quiet, words

GAMES = [
    ("international", "W:W32,38,42:B9,12,13", ("38-33", "12-17", "32-28")),
    ("english", "B:W24,31,32:B1,2,9", ("9-13", "24-20", "1-6")),
    ("turkish", "W:Wa3,c3,e3:Bb6,d6,h7", ("a3-a4", "h7-h6", "e3-e4")),
]
every_game = pytest.mark.parametrize(("name", "start", "plies"), GAMES, ids=[g[0] for g in GAMES])


# Taking back


@every_game
@pytest.mark.parametrize("mode", [Mode.TRAINING, Mode.RECORD])
def test_a_take_back_is_recorded(name, start, plies, mode):
    boards = positions(name, start, plies)
    table = begun(name, start, mode=mode)
    table.show(boards[1].placement)
    assert quiet(table.show(boards[0].placement)) == ["takeback 1"]
    assert table.state.plies == ()
    assert table.state.position == boards[0]


@every_game
def test_two_plies_may_be_taken_back(name, start, plies):
    boards = positions(name, start, plies)
    table = begun(name, start, mode=Mode.RECORD)
    table.show(boards[1].placement)
    table.show(boards[2].placement)
    assert quiet(table.show(boards[0].placement)) == ["takeback 2"]


@every_game
def test_a_referee_says_that_a_move_that_was_made_stands(name, start, plies):
    boards = positions(name, start, plies)
    table = begun(name, start)
    table.show(boards[1].placement)
    assert quiet(table.show(boards[0].placement, looks=5)) == ["violation taken_back"]
    assert table.state.ply == 1
    assert quiet(table.show(boards[1].placement)) == ["resolved corrected taken_back"]
    assert quiet(table.show(boards[2].placement)) == [f"move {plies[1]}"]


@every_game
def test_a_take_back_is_accepted_by_playing_on(name, start, plies):
    boards = positions(name, start, plies)
    table = begun(name, start)
    table.show(boards[1].placement)
    table.show(boards[0].placement, looks=5)
    variant = variant_named(name)
    other = next(m for m in legal_moves(variant, boards[0]) if move_text(variant, boards[0], m) != plies[0])
    said = quiet(table.show(play(variant, boards[0], other).placement))
    text = move_text(variant, boards[0], other)
    assert said == ["takeback 1", "resolved accepted taken_back", f"move {text}"]
    assert [ply.text for ply in table.state.plies] == [text]


@every_game
@pytest.mark.parametrize("mode", list(Mode))
def test_a_move_taken_back_by_a_press_is_not_read_again_from_its_disc_that_still_stands_there(name, start, plies, mode):
    boards = positions(name, start, plies)
    table = begun(name, start, mode=mode)
    table.show(boards[1].placement)
    assert words(table.feed(Command("take_back"))) == ["takeback 1"]
    assert quiet(table.show(boards[1].placement, looks=12)) == ["attention taken_back_on_board"]
    assert table.state.plies == ()
    assert quiet(table.show(boards[0].placement)) == []
    assert quiet(table.show(boards[1].placement)) == [f"move {plies[0]}"]


@every_game
def test_moves_taken_back_by_a_press_may_be_put_back_one_by_one(name, start, plies):
    boards = positions(name, start, plies)
    table = begun(name, start)
    for board in boards[1:3]:
        table.show(board.placement)
    table.feed(Command("take_back", {"plies": 2}))
    first_alone = boards[0].placement.replaced(
        {p: boards[2].placement[p] for p in boards[2].placement.difference(boards[1].placement)}
    )
    for board in (boards[2].placement, boards[1].placement, first_alone):
        assert quiet(table.show(board, looks=3)) in ([], ["attention taken_back_on_board"])
        assert table.state.plies == ()
    assert quiet(table.show(boards[0].placement)) == []
    assert quiet(table.show(boards[1].placement)) == [f"move {plies[0]}"]


MISSED = [
    ("english", "B:W17,31:B10,1", ("10-14",), {"31": None, "27": "w"}),
    ("international", "B:W33,47:B24,1", ("24-29",), {"47": None, "42": "w"}),
    ("turkish", "B:Wa3,c3,e3:Ba5,d6,h7", ("a5-a4",), {"c3": None, "c4": "w"}),
]


@pytest.mark.parametrize(("name", "start", "plies", "change"), MISSED, ids=[m[0] for m in MISSED])
def test_a_take_back_while_a_mistake_stands_neither_records_it_nor_accuses(name, start, plies, change):
    boards = positions(name, start, plies)
    pieces = {None: Piece.EMPTY, "w": Piece.WHITE_MAN}
    wrong = boards[1].placement.replaced({point_named(variant_named(name), p): pieces[v] for p, v in change.items()})
    table = begun(name, start)
    table.show(boards[1].placement)
    assert quiet(table.show(wrong, looks=6)) == ["violation missed_capture"]
    table.feed(Command("take_back", {"plies": 1}))
    assert quiet(table.show(wrong, looks=12)) in ([], ["attention taken_back_on_board"])
    assert table.state.plies == ()
    assert quiet(table.show(boards[1].placement, looks=3)) in ([], ["attention taken_back_on_board"])
    assert quiet(table.show(boards[0].placement)) == []
    assert quiet(table.show(boards[1].placement)) == [f"move {plies[0]}"]


@every_game
def test_after_a_take_back_by_a_press_another_move_is_read_at_once(name, start, plies):
    boards = positions(name, start, plies)
    variant = variant_named(name)
    table = begun(name, start)
    table.show(boards[1].placement)
    table.feed(Command("take_back"))
    table.show(boards[1].placement, looks=1)
    other = next(m for m in legal_moves(variant, boards[0]) if move_text(variant, boards[0], m) != plies[0])
    assert quiet(table.show(play(variant, boards[0], other).placement)) == [
        f"move {move_text(variant, boards[0], other)}"
    ]


@every_game
@pytest.mark.parametrize("order", ["accept", "dismiss"])
def test_the_arbiter_may_allow_a_take_back(name, start, plies, order):
    boards = positions(name, start, plies)
    table = begun(name, start)
    table.show(boards[1].placement)
    table.show(boards[0].placement, looks=5)
    assert words(table.feed(Command(order)))[0] == "takeback 1"
    assert table.state.position == boards[0]
    assert table.show(boards[0].placement) == []


@every_game
def test_another_move_in_place_of_one_that_stood_is_a_take_back(name, start, plies):
    boards = positions(name, start, plies)
    table = begun(name, start)
    table.show(boards[1].placement, looks=4)
    variant = variant_named(name)
    other = next(
        m for m in legal_moves(variant, boards[0]) if m.origin != parse_move(variant, boards[0], plies[0]).origin
    )
    after = play(variant, boards[0], other)
    assert quiet(table.show(after.placement, looks=6)) == ["violation taken_back"]
    reply = legal_moves(variant, after)[0]
    said = quiet(table.show(play(variant, after, reply).placement))
    texts = [move_text(variant, boards[0], other), move_text(variant, after, reply)]
    assert said == ["takeback 1", f"move {texts[0]}", "resolved accepted taken_back", f"move {texts[1]}"]


# A disturbed board


def swept(name: str, placement: Placement) -> Placement:
    shuffled = np.random.default_rng(5).permutation(np.frombuffer(placement.pieces, np.uint8))
    return Placement(shuffled.tobytes())


@pytest.mark.parametrize("name", ["international", "english", "turkish"])
def test_a_disturbed_board_is_guided_back_square_by_square(name):
    variant = variant_named(name)
    table = Table(new_state(terms_for(variant)))
    table.show(variant.start)
    said = table.show(swept(name, variant.start), looks=6)
    assert words(said) == ["attention board_disturbed"]
    missing = next(p for p, v in enumerate(variant.start.pieces) if v == 1)
    extra = next(p for p, v in enumerate(variant.start.pieces) if v == 0)
    nearly = variant.start.replaced({missing: type(variant.start[0])(0), extra: variant.start[missing]})
    said = table.show(nearly, looks=4)
    names = [str(p + 1) if name != "turkish" else variant.board.names[p] for p in (missing, extra)]
    assert words(said) == ["attention board_disturbed"]
    assert (
        said[0].message == f"The board was disturbed. Take the white man off {names[1]}; put a white man on {names[0]}."
    )
    assert set(said[0].squares) == set(names)
    assert words(table.show(variant.start)) == ["resolved corrected board_disturbed"]
    assert table.state.plies == ()


def test_a_board_put_right_and_moved_on_at_once_goes_on():
    variant = variant_named("english")
    table = Table(new_state(terms_for(variant)))
    table.show(variant.start)
    table.show(swept("english", variant.start), looks=6)
    start = table.state.position
    after = play(variant, start, parse_move(variant, start, "11-15"))
    assert words(table.show(after.placement, looks=8)) == ["resolved corrected board_disturbed", "move 11-15"]


def test_the_arbiter_may_let_a_disturbed_board_stand():
    variant = variant_named("english")
    table = begun("english", "W:W24,31,32,30,29,28:B1,2,9,10,11,12")
    board = parse_fen(variant, "W:W17,18,19,20:B3,4,5,6").placement
    table.show(board, looks=6)
    assert words(table.feed(Command("accept"))) == ["position_set"]
    assert table.state.position.placement == board


def test_a_shadow_that_passes_disturbs_nothing():
    variant = variant_named("english")
    table = Table(new_state(terms_for(variant)))
    table.show(variant.start)
    assert table.show(swept("english", variant.start), looks=2) == []
    assert table.show(variant.start) == []


def disturbed_and_dismissed():
    """A table at which many discs were moved, the guide has spoken and the arbiter said that it is right already."""
    start = "W:W31,32,33,34,35,36,37,38,39,40:B1,2,3,4,5,6,7,8,9,10"
    table = begun("international", start)
    placement = table.state.position.placement
    strewn = edited(
        variant_named("international"), placement, "31-21", "1-11", "2-22", "40-30", "10-20", "35-25", "3-13"
    )
    assert words(table.show(strewn, looks=8)) == ["attention board_disturbed"]
    assert words(table.feed(Command("dismiss"))) == ["resolved dismissed board_disturbed"]
    assert table.show(strewn, looks=8) == []
    return table, strewn


def test_a_disturbed_board_that_is_right_already_is_not_spoken_of_again_and_may_be_played_on():
    table, strewn = disturbed_and_dismissed()
    here = Position(strewn, table.state.position.to_move)
    move = legal_moves(table.state.terms.variant, here)[0]
    text = move_text(table.state.terms.variant, here, move)
    said = quiet(table.show(play(table.state.terms.variant, here, move).placement))
    assert said == ["resolved accepted board_disturbed", f"move {text}"]


def test_a_disturbed_board_that_was_only_misread_goes_on_from_the_record():
    table, _ = disturbed_and_dismissed()
    variant, here = table.state.terms.variant, table.state.position
    move = legal_moves(variant, here)[0]
    assert quiet(table.show(play(variant, here, move).placement)) == [f"move {move_text(variant, here, move)}"]


def test_what_is_dismissed_after_a_break_is_what_was_dismissed_before_it():
    table, _ = disturbed_and_dismissed()
    events = [as_json(effect, 1.0, 1) for effect in table.said]
    earlier = {"type": "violation", "kind": "illegal_move", "message": "", "fen": "B:W21:B1"}
    terms = terms_as_json(table.state.terms, {})
    told = chronicle({"variant": "international", "terms": terms, "events": [earlier, *events]})
    assert told.dismissed == []
