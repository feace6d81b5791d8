"""Fast plies, misread looks, questions and strays, each as a scene at the table."""

from dataclasses import replace

import numpy as np
import pytest

from rules.fen import parse_fen
from rules.legal_moves import legal_moves, play
from rules.notation import move_text, parse_move, point_named
from rules.piece import king
from rules.variants.catalogue import variant_named
from server.errors import CommandRefused
from server.session.events import Attention
from server.session.step import Command
from tests.server.synthetic import begun, clear_look, edited, positions, quiet, words

GAMES = [
    ("international", "W:W32,38,42:B9,12,13", ("38-33", "12-17", "32-28")),
    ("english", "B:W24,31,32:B1,2,9", ("9-13", "24-20", "1-6")),
    ("turkish", "W:Wa3,c3,e3:Bb6,d6,h7", ("a3-a4", "h7-h6", "e3-e4")),
]
every_game = pytest.mark.parametrize(("name", "start", "plies"), GAMES, ids=[g[0] for g in GAMES])


# Several plies between looks


@every_game
@pytest.mark.parametrize("count", [2, 3])
def test_fast_plies_between_two_looks_are_recovered(name, start, plies, count):
    boards = positions(name, start, plies)
    table = begun(name, start)
    said = quiet(table.show(boards[count].placement))
    if count == 2:
        assert said == [f"move {plies[0]}", f"move {plies[1]}"]
        return
    # The order of two plies of one side cannot be seen: recorded at once, asked once.
    assert [w.split()[0] for w in said] == ["move", "move", "move", "attention"]
    assert table.state.position == boards[3]
    assert len(table.state.candidates) == 2


# Questions


def test_the_order_of_fast_plies_may_be_chosen_afterwards():
    name, start, plies = GAMES[1]
    boards = positions(name, start, plies)
    table = begun(name, start)
    table.show(boards[3].placement)
    later = legal_moves(variant_named(name), boards[3])[0]
    text = move_text(variant_named(name), boards[3], later)
    assert quiet(table.show(play(variant_named(name), boards[3], later).placement)) == [f"move {text}"]
    recorded = " ".join(p.text for p in table.state.plies[:3])
    other = next(o.text for o in table.state.candidates if o.text != recorded)
    said = quiet(table.feed(Command("choose", {"candidate": other})))
    assert said == ["takeback 4", *(f"move {t}" for t in (*other.split(), text))]
    assert table.state.candidates == ()
    assert [p.text for p in table.state.plies] == [*other.split(), text]


def test_a_choice_that_confirms_the_record_changes_nothing():
    name, start, plies = GAMES[1]
    table = begun(name, start)
    table.show(positions(name, start, plies)[3].placement)
    recorded = " ".join(p.text for p in table.state.plies)
    assert table.feed(Command("choose", {"candidate": recorded})) == ()
    assert table.state.candidates == ()


def blurred(name: str, start: str, moves: tuple[str, str], seconds: float, still: float):
    """A look that fits two moves of one disc alike."""
    variant = variant_named(name)
    position = parse_fen(variant, start)
    look = clear_look(position.placement, seconds, still=still)
    first, second = (parse_move(variant, position, text) for text in moves)
    piece = position.placement[first.origin]
    evidence = look.evidence.copy()
    evidence[first.origin] = -8.0
    evidence[first.origin, 0] = 0.0
    for end in (first.end, second.end):
        evidence[end] = [0.0 if value in (0, int(piece)) else -8.0 for value in range(5)]
    return replace(look, evidence=evidence)


AMBIGUOUS = [
    ("international", "W:W32,38,42:B9,12,13", ("32-27", "32-28")),
    ("english", "B:W24,31,32:B1,2,9", ("9-13", "9-14")),
    ("turkish", "W:Wa3,c3,e3:Bb6,d6,h7", ("c3-c4", "c3-d3")),
]


@pytest.mark.parametrize(("name", "start", "moves"), AMBIGUOUS, ids=[a[0] for a in AMBIGUOUS])
def test_a_person_is_asked_only_when_two_moves_stay_possible_for_long(name, start, moves):
    table = begun(name, start)
    said = []
    for k in range(6):
        said += table.feed(blurred(name, start, moves, 10 + 0.5 * k, 0.5 + 0.5 * k))
    assert said == []
    for k in range(6, 12):
        said += table.feed(blurred(name, start, moves, 10 + 0.5 * k, 0.5 + 0.5 * k))
    (asked,) = said
    assert isinstance(asked, Attention)
    assert set(asked.candidates) == set(moves)
    assert {o.text for o in table.state.candidates} == set(moves)
    assert words(table.feed(Command("choose", {"candidate": moves[1]}))) == [f"move {moves[1]}"]
    assert table.state.candidates == ()


def test_a_better_look_answers_the_question_by_itself():
    name, start, moves = AMBIGUOUS[1]
    table = begun(name, start)
    for k in range(12):
        table.feed(blurred(name, start, moves, 10 + 0.5 * k, 0.5 + 0.5 * k))
    table.seconds = 20
    assert words(table.show(positions(name, start, (moves[0],))[1].placement)) == [f"move {moves[0]}"]
    assert table.state.candidates == ()


def test_a_choice_that_was_not_offered_is_refused():
    name, start, moves = AMBIGUOUS[1]
    table = begun(name, start)
    for k in range(12):
        table.feed(blurred(name, start, moves, 10 + 0.5 * k, 0.5 + 0.5 * k))
    with pytest.raises(CommandRefused, match="expected one of"):
        table.feed(Command("choose", {"candidate": "1-5"}))


# Misread looks


@pytest.mark.parametrize(("name", "start", "moves"), AMBIGUOUS, ids=[a[0] for a in AMBIGUOUS])
def test_a_misread_ply_is_repaired_when_the_reply_fits_another(name, start, moves):
    """One look leans to the wrong square; the reply's look shows which it was, and the record is corrected."""
    variant = variant_named(name)
    position = parse_fen(variant, start)
    table = begun(name, start)
    look = blurred(name, start, moves, 10, 0.5)
    evidence = look.evidence.copy()
    right, wrong = (parse_move(variant, position, text) for text in moves)
    piece = int(position.placement[right.origin])
    evidence[right.end, piece] = -2.0
    evidence[wrong.end, 0] = -2.0
    assert words(table.feed(replace(look, evidence=evidence))) == [f"move {moves[1]}"]
    table.seconds = 12
    after = play(variant, position, right)
    reply = next(m for m in legal_moves(variant, after) if not m.is_capture)
    said = quiet(table.show(play(variant, after, reply).placement))
    text = move_text(variant, after, reply)
    assert said == ["takeback 1", f"move {moves[0]}", f"move {text}"]
    assert [e.why for e in table.said if e.type == "takeback"] == ["reading"]
    assert [p.text for p in table.state.plies] == [moves[0], text]


@every_game
def test_a_square_misread_in_one_look_makes_no_words(name, start, plies):
    table = begun(name, start)
    position = table.state.position
    for point in range(len(position.placement)):
        for value in range(5):
            board = position.placement.replaced({point: type(position.placement[point])(value)})
            table.seconds += 5
            said = table.feed(clear_look(board, table.seconds, still=0.5))
            said += table.feed(clear_look(position.placement, table.seconds + 0.5, still=1.0))
            said += table.feed(clear_look(position.placement, table.seconds + 1.0, still=1.5))
            assert said == (), (point, value)
    assert table.state.plies == ()


@every_game
def test_a_ply_into_the_dark_is_believed_only_once_it_lasts(name, start, plies):
    """The origin is hidden: one point alone, which might be misread, says that a disc moved."""
    boards = positions(name, start, plies)
    table = begun(name, start)
    origin = parse_move(variant_named(name), boards[0], plies[0]).origin
    hidden = np.zeros(len(boards[0].placement), np.bool_)
    hidden[origin] = True
    table.seconds = 20
    first = replace(clear_look(boards[1].placement, 20.0), hidden=hidden)
    assert table.feed(first) == ()
    assert words(table.feed(replace(first, seconds=20.5, still_seconds=1.0))) == [f"move {plies[0]}"]


# Touch, strays


def test_a_disc_lifted_and_put_back_is_spoken_of_only_where_touch_move_is_kept():
    name, start, _ = GAMES[1]
    for touch in (False, True):
        table = begun(name, start, touch=touch)
        board = table.state.position.placement
        lifted = edited(variant_named(name), board, "-9")
        said = words(table.show(lifted, looks=1)) + words(table.show(board, looks=1))
        assert said == (["reminder touched"] if touch else [])


@pytest.mark.parametrize(("name", "start", "plies"), GAMES, ids=[g[0] for g in GAMES])
def test_a_disc_off_its_square_is_spoken_of_once_it_stands_still(name, start, plies):
    table = begun(name, start)
    board = table.state.position.placement
    stray = ((1.0, 1.0),)
    assert table.show(board, looks=2, strays=stray) == []
    assert words(table.show(board, looks=6, strays=stray)) == ["reminder off_square"]
    assert table.show(board, looks=6, strays=stray) == []
    assert table.show(board, looks=2) == []
    assert table.state.strays == ()
    assert point_named(variant_named(name), table.said[-1].squares[0]) >= 0


@every_game
def test_a_misread_crown_does_not_hold_up_two_fast_plies(name, start, plies):
    """The first look at two plies shows a crown that is not there: an irregularity nobody was told of gives way."""
    boards = positions(name, start, plies)
    table = begun(name, start)
    after = boards[2].placement
    still = next(p for p in after.points_of(boards[0].to_move) if boards[0].placement[p] == after[p])
    misread = after.replaced({still: king(boards[0].to_move)})
    table.seconds = 20
    said = [*table.feed(clear_look(misread, 20.0)), *table.show(after)]
    assert quiet(said) == [f"move {plies[0]}", f"move {plies[1]}"]


@every_game
@pytest.mark.parametrize("first", [0, 2])
def test_an_undecided_look_tells_the_order_of_fast_plies(name, start, plies, first):
    """A look too faint to be believed leans to one of the two plies of a side: that one came first."""
    variant = variant_named(name)
    table = begun(name, start)
    position = table.state.position
    move = parse_move(variant, position, plies[first])
    look = clear_look(position.placement, 20.0)
    evidence, piece = look.evidence.copy(), int(position.placement[move.origin])
    evidence[move.origin, 0] = 0.0
    evidence[move.end, [0, piece]] = (-2.0, 0.0)
    assert table.feed(replace(look, evidence=evidence)) == ()
    table.seconds = 22
    said = quiet(table.show(positions(name, start, plies)[3].placement))
    order = plies if first == 0 else plies[::-1]
    assert said == [f"move {text}" for text in order]
