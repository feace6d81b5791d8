"""Writing games so that they can be read again."""

from rules.fen import parse_fen
from rules.legal_moves import legal_moves, play
from rules.move import Move
from rules.pdn_reader import read_games
from rules.pdn_replay import replay
from rules.pdn_writer import WrittenPly, write_game
from rules.position import Position
from rules.variant import Variant, start_position
from rules.variants.catalogue import variant_named


def _some_moves(variant: Variant, start: Position, plies: int) -> list[Move]:
    position, moves = start, []
    for k in range(plies):
        legal = legal_moves(variant, position)
        if not legal:
            break
        moves.append(legal[(7 * k) % len(legal)])
        position = play(variant, position, moves[-1])
    return moves


def test_a_written_game_is_read_back_the_same() -> None:
    for name in ("international", "english", "russian", "italian", "frisian", "parachute"):
        variant = variant_named(name)
        moves = _some_moves(variant, start_position(variant), 60)
        text = write_game({"White": 'Ann "A"'}, variant, start_position(variant), moves, "1-0")
        (game,) = read_games([text])
        replayed = replay(game)
        assert replayed.variant.name == name
        assert [m.key for m in replayed.moves] == [m.key for m in moves]
        assert (game.tag("White"), game.tag("Result"), replayed.problems) == ('Ann "A"', "1-0", ())
        assert max(map(len, text.splitlines())) < 80


def test_clocks_are_written_with_the_running_one_in_capitals() -> None:
    variant = variant_named("international")
    start = start_position(variant)
    move = legal_moves(variant, start)[0]
    text = write_game({}, variant, start, [WrittenPly(move, white_clock=3600, black_clock=59.9)])
    assert "{[%clock w1:00:00 B0:00:59]}" in text
    assert "[%clock" not in write_game({}, variant, start, [WrittenPly(move, white_clock=9)], full=False)


def test_a_set_up_is_written_inside_the_moves_and_read_back() -> None:
    variant = variant_named("international")
    start = start_position(variant)
    placed = parse_fen(variant, "B:W27,31:B18,K2")
    moves = [WrittenPly(legal_moves(variant, start)[0]), WrittenPly(None, "put right", setup=placed)]
    text = write_game({}, variant, start, [*moves, WrittenPly(legal_moves(variant, placed)[0])])
    (game,) = read_games([text])
    replayed = replay(game)
    assert replayed.problems == ()
    assert [ply.move is None for ply in replayed.plies] == [False, True, False]
    assert replayed.plies[1].comments == ("put right",)


def test_a_set_up_that_stands_for_a_ply_is_counted_as_one() -> None:
    variant = variant_named("english")
    start = start_position(variant)
    opening = legal_moves(variant, start)[0]
    placed = parse_fen(variant, "B:W17,21-32:B1-8,10-13")
    moves = [WrittenPly(opening), WrittenPly(None, setup=placed), WrittenPly(legal_moves(variant, placed)[0])]
    text = write_game({}, variant, start, moves)
    assert "/ 2. " in text.replace("\n", " ")


def test_a_set_up_that_leaves_the_turn_as_it_was_is_no_ply() -> None:
    variant = variant_named("english")
    start = start_position(variant)
    placed = parse_fen(variant, "W:W21-31:B1-8,10-13")
    moves = [WrittenPly(legal_moves(variant, start)[0]), WrittenPly(None, setup=placed)]
    text = write_game({}, variant, start, [*moves, WrittenPly(legal_moves(variant, placed)[0])])
    assert "/ 1... " in text.replace("\n", " ")


def test_a_game_from_another_position_names_it_in_its_tags() -> None:
    variant = variant_named("russian")
    start = parse_fen(variant, "B:Wc3,Kd8:Bg7")
    text = write_game({}, variant, start, [legal_moves(variant, start)[0]], "*")
    assert '[SetUp "1"]\n[FEN "B:W' in text
    assert "1... " in text


def test_a_remark_before_the_first_move_brings_no_move_number_of_its_own() -> None:
    variant = variant_named("english")
    start = start_position(variant)
    move = legal_moves(variant, start)[0]
    text = write_game({}, variant, start, [WrittenPly(None, remarks=("{bad light}",)), WrittenPly(move)])
    assert text.split("\n\n")[1].split()[:4] == ["{bad", "light}", "1.", "9-14"]
