"""Every construct of PDN 3.0, read with its right value."""

import pytest

from rules.pdn_clocks import Clocks, clocks_in
from rules.pdn_lines import Line
from rules.pdn_reader import PdnGame, read_games
from rules.pdn_replay import ReplayedGame, replay
from rules.pdn_rewriting import rewritten
from rules.pdn_tokens import Token
from rules.piece import Side
from rules.variant import Notation
from rules.variants.catalogue import variant_named


def _read(text: str, variant: str | None = None) -> tuple[PdnGame, ReplayedGame]:
    (game,) = read_games([text])
    return game, replay(game, variant_named(variant) if variant else None)


def _side_lines(told: ReplayedGame, ply: int) -> list[Line]:
    return [note for note in told.plies[ply].notes if isinstance(note, Line)]


def _moves(line: Line) -> list[str]:
    return [ply.text for ply in line.plies]


@pytest.mark.parametrize("value", ["20", "20,W,10,10,N2,0", " 20 ,W,10,10,N2", "20,W,10,10,N1,0"])
def test_a_game_type_short_or_long_names_its_game(value: str) -> None:
    assert _read(f'[GameType "{value}"] 1. 32-28 *')[1].variant.name == "international"


@pytest.mark.parametrize(
    ("number", "name", "moves"),
    [
        ("21", "english", "1. 11-15 24-20"),
        ("22", "italian", "1. 21-17 12-15"),
        ("25", "russian", "1. c3-d4 d6-e5"),
        ("26", "brazilian", "1. c3-d4 d6-e5"),
        ("27", "canadian", "1. 45-39 27-33"),
        ("30", "turkish", "1. a3-a4 b6-b5"),
        ("40", "frisian", "1. 32-28 19-23"),
    ],
)
def test_each_number_of_the_table_is_read_as_its_game(number: str, name: str, moves: str) -> None:
    told = _read(f'[GameType "{number}"] {moves} *')[1]
    assert (told.variant.name, told.problems) == (name, ())


@pytest.mark.parametrize(
    "result",
    [
        "1-0",
        "0-1",
        "2-0",
        "0-2",
        "1-1",
        "0-0",
        "1/2-1/2",
        "1/2",
        "1+ - 1-",
        "1- - 1+",
        "1.01-0.99",
        "1 1/2 - 1/2",
        "½-½",
    ],
)
def test_results_of_every_form_close_a_game_and_are_kept(result: str) -> None:
    games = list(read_games([f"1. 32-28 19-23 {result} 1. 33-29 *"]))
    assert [g.result for g in games] == [result, "*"]
    assert [replay(g).ply_count for g in games] == [2, 1]


def test_a_star_that_separates_leaves_the_result_to_its_tag() -> None:
    assert _read('[Result "1-1"] 1. 32-28 *')[1].result == "1-1"
    assert _read("1. 32-28 *")[1].result == "*"


@pytest.mark.parametrize("text", ["32-28! 19-23?", "32-28(!?) 19-23(!?!!!)", "32-28 !? 19-23 ??"])
def test_marks_of_strength_glued_bracketed_or_apart_belong_to_their_move(text: str) -> None:
    told = _read(f"1. {text} *")[1]
    assert [len(ply.notes) for ply in told.plies] == [1, 1]
    assert (told.ply_count, told.problems) == (2, ())


def test_a_star_within_the_moves_marks_the_only_move() -> None:
    game, told = _read("1. 32-28* 19-23 2. 28x19* 14x23 (2... 13x24*) *")
    assert (told.ply_count, game.result, told.problems) == (4, "*", ())
    assert rewritten(game, told).count("$7") == 3


def test_nags_comments_and_variations_stay_in_order_with_the_move_they_follow() -> None:
    told = _read("{before} 1. 32-28 $3 {a} (1. 33-29) {b} $14 19-23 {c} *")[1]
    assert [note.text if isinstance(note, Token) else "line" for note in told.line.opening] == ["before"]
    first = [note.text if isinstance(note, Token) else _moves(note) for note in told.plies[0].notes]
    assert first == ["$3", "a", ["33-29"], "b", "$14"]
    assert told.plies[1].comments == ("c",)


def test_variations_nest_and_each_takes_the_place_of_the_move_before_it() -> None:
    told = _read("1. 32-28 19-23 (18-23 38-32 (37-32? 23-29! { Black wins }) 12-18) 2. 28x19 14x23 *")[1]
    (line,) = _side_lines(told, 1)
    assert _moves(line) == ["18-23", "38-32", "12-18"]
    (inner,) = (note for note in line.plies[1].notes if isinstance(note, Line))
    assert _moves(inner) == ["37-32", "23-29"]
    assert inner.plies[1].comments == ("Black wins",)
    assert (told.ply_count, told.problems) == (4, ())


def test_a_variation_that_goes_on_from_the_move_before_it_is_read_so() -> None:
    told = _read("1. 32-28 (1... 19-23 2. 28x19) 18-22 *")[1]
    (line,) = _side_lines(told, 0)
    assert (_moves(line), told.ply_count, told.problems) == (["19-23", "28x19"], 2, ())


def test_an_illegal_move_in_a_variation_is_reported_with_its_place_and_costs_the_game_nothing() -> None:
    told = _read("1. 32-28 19-23\n(1... 18-23 2. 50-1 20-24) 2. 28x19 14x23 *")[1]
    (problem,) = told.problems
    assert (problem.line, problem.column, problem.ply) == (2, 16, 3)
    assert problem.fen.startswith("W:W28,")
    assert "variation" in problem.message
    assert told.ply_count == 4
    assert _side_lines(told, 1)[0].rest == "50-1 20-24"


def test_a_set_up_puts_a_position_on_the_board_in_mid_game() -> None:
    told = _read('1. 32-28 /FEN "W:W28,34,40:B5,18"/ 28-23 18x29 34x23 *', "international")[1]
    assert [ply.is_setup for ply in told.plies] == [False, True, False, False, False]
    assert (told.ply_count, told.problems) == (4, ())


def test_an_illegal_move_that_a_set_up_follows_is_kept_and_reported() -> None:
    game, told = _read('1. 32-20 /FEN "B:W27,31:B18"/ 18-22 *', "international")
    (problem,) = told.problems
    assert (problem.ply, problem.column) == (1, 4)
    assert '1. 32-20 /FEN "B:W27,31:B18"/ 1... 18-22' in rewritten(game, told)


def test_a_null_move_hands_over_the_turn() -> None:
    told = _read('1. 32-28 /FEN "W::"/ 33-29 *', "international")[1]
    assert (told.ply_count, told.problems) == (2, ())
    assert told.plies[-1].position.to_move is Side.BLACK


@pytest.mark.parametrize(
    ("fen", "white", "black", "turn"),
    [
        ("W:W31,K32:B1,2.", {31, 32}, {1, 2}, Side.WHITE),
        ("B:B1,2:WK40", {40}, {1, 2}, Side.BLACK),
        ("W:W31-33:BK1-3", {31, 32, 33}, {1, 2, 3}, Side.WHITE),
        ("W:W31:B", {31}, set(), Side.WHITE),
        ("w:W31 , 32:B 5", {31, 32}, {5}, Side.WHITE),
        ("W:W31,G32,P33:B5,G6:H3:F12", {31}, {5}, Side.WHITE),
    ],
)
def test_positions_in_every_spelling_are_read(fen: str, white: set[int], black: set[int], turn: Side) -> None:
    told = _read(f'[GameType "20"] [FEN "{fen}"] *')[1]
    stand = [{point + 1 for point in told.start.placement.points_of(side)} for side in Side]
    assert (stand, told.start.to_move, told.problems) == ([white, black], turn, ())


def test_a_position_that_cannot_be_read_is_reported_where_it_stands_and_nothing_is_lost() -> None:
    game, told = _read('[Event "e"]\n[GameType "20"]\n[FEN "W:W99:B1"]\n1. 31-26 {c} *')
    (problem,) = told.problems
    assert (problem.line, told.ply_count) == (3, 0)
    text = rewritten(game, told)
    assert '[FEN "W:W99:B1"]' in text
    assert "31-26 (c)" in text


def test_counters_that_a_site_adds_to_a_position_survive() -> None:
    game, told = _read('[GameType "40"] [FEN "W:W31,K40:BK5,7:H2:F30"] 1. 31-27 *')
    assert '[FEN "W:W31,K40:BK5,7:H2:F30"]' in rewritten(game, told)


@pytest.mark.parametrize(
    ("comment", "clocks"),
    [
        ("[%clock w0:10:00 B0:09:58]", Clocks(600, 598, Side.BLACK)),
        ("good [%clock W1:00:01]", Clocks(3601, None, Side.WHITE)),
        ("[%clk 1:55:21]", Clocks(white_left=6921)),
        ("[%emt 0:0:05]", Clocks(move_took=5)),
        ("[%eval -0.048][%egt 0:0:9.56][%depth 12]", Clocks(game_took=9.56)),
        ("[%mct 1:02]", Clocks(game_took=62)),
        ("no times [%inbook]", None),
    ],
)
def test_clock_commands_become_values(comment: str, clocks: Clocks | None) -> None:
    assert clocks_in(comment, Side.WHITE) == clocks


def test_clocks_belong_to_their_ply_and_are_written_back() -> None:
    game, told = _read("1. 32-28 {[%clock w0:10:00 B0:10:00]} 19-23 {[%clk 0:09:00]} *")
    assert [ply.clocks for ply in told.plies] == [Clocks(600, 600, Side.BLACK), Clocks(black_left=540)]
    text = rewritten(game, told)
    assert "{[%clock w0:10:00 B0:10:00]}" in text
    assert "{[%clk 0:09:00]}" in text
    assert "%cl" not in rewritten(game, told, full=False)


def test_tags_in_any_order_missing_or_twice_are_all_kept() -> None:
    game, told = _read('[White "b"] [Annotator "x"] [Event "a"] [Annotator "y"] 1. 32-28 *')
    assert game.tags == (("White", "b"), ("Annotator", "x"), ("Event", "a"), ("Annotator", "y"))
    lines = rewritten(game, told).splitlines()
    assert lines[:2] == ['[Event "a"]', '[White "b"]']
    assert [line for line in lines if "Annotator" in line] == ['[Annotator "x"]', '[Annotator "y"]']


def test_a_game_is_written_in_letters_or_numbers_with_a_game_type_that_says_so() -> None:
    game, told = _read('[GameType "25"] 1. c3-d4 d6-e5 *')
    text = rewritten(game, told, notation=Notation.NUMERIC)
    assert '[GameType "25,W,8,8,N2,0"]' in text
    assert "1. 22-18 10-15" in text
    (again,) = read_games([text])
    assert replay(again).moves == told.moves
