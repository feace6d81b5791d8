"""Reading written games, well formed or not."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.pdn_reader import PdnGame, PdnVariation, decode, read_games
from rules.pdn_replay import ReplayedGame, replay
from rules.pdn_tokens import Token, TokenKind
from rules.piece import Side
from rules.variants.catalogue import variant_named

DATA = Path(__file__).resolve().parent.parent / "data" / "pdn"
SHARED = Path(__file__).resolve().parents[3] / "shared" / "pdn"


def _file(name: str) -> list[ReplayedGame]:
    return [replay(game) for game in read_games([decode((DATA / name).read_bytes())])]


def _one(text: str, variant: str | None = None) -> ReplayedGame:
    (game,) = read_games([text])
    return replay(game, variant_named(variant) if variant else None)


def _moves(game: PdnGame) -> list[str]:
    return [e.text for e in game.moves if isinstance(e, Token) and e.kind is TokenKind.MOVE]


def test_blanks_inside_a_move_are_joined() -> None:
    (game,) = _file("padded.pdn")
    assert (game.problems, len(game.plies), game.result) == ((), 10, "2-0")


def test_jumps_written_one_by_one_and_a_board_seen_from_black_are_read() -> None:
    (game,) = _file("hops.pdn")
    assert game.variant.name == "english"
    assert game.problems == ()


def test_a_capture_written_jump_by_jump_is_one_move() -> None:
    game = _one('[GameType "21"] [FEN "B:W14,22,32:B9,K1"] 1. 9x18 18x25 32-28 *')
    assert [len(m.captured) for m in game.moves] == [2, 0]


def test_a_dump_escaped_once_too_often_is_read_and_tagless_games_follow_one_another() -> None:
    assert [(len(g.plies), g.result) for g in _file("dumped.pdn")] == [(4, "1-1"), (3, "*")]


def test_positions_with_a_dot_a_range_an_unknown_side_or_names_are_read() -> None:
    games = _file("fens.pdn")
    assert [g.problems for g in games] == [(), (), ()]
    assert len(games[2].plies) == 1


def test_a_header_that_names_its_event_twice_is_one_game_and_bare_positions_are_one_each() -> None:
    (game,) = read_games(['[Event "a"]\n[White "b"]\n[Event "c"]\n1. 32-28 *'])
    assert [value for _, value in game.tags] == ["a", "b", "c"]
    assert len(list(read_games(['[FEN "W:W31:B2"]\n[FEN "W:W32:B2"]\n']))) == 2


def test_black_opens_an_english_game_that_says_nothing_of_its_kind() -> None:
    game = _one("1. 11-15 24-20 2. 8-11 28-24 *")
    assert (game.variant.name, len(game.plies)) == ("english", 4)


def test_a_wrong_corner_in_the_game_type_does_not_turn_the_board() -> None:
    assert len(_one('[GameType "20,W,10,10,N1,0"] 1. 32-28 19-23 *').plies) == 2


def test_an_impossible_move_ends_the_legal_part_and_names_its_place() -> None:
    game = _one("1. 32-28 19-23\n2. 28x19 1-50 3. 33-29 *", "international")
    (problem,) = game.problems
    assert len(game.plies) == 3
    assert (problem.line, problem.column, problem.ply) == (2, 10, 4)
    assert problem.fen.startswith("B:W19,")


def test_the_reading_of_an_ambiguous_capture_that_keeps_the_rest_legal_is_found() -> None:
    for rest, left in (("37-41", 37), ("32-37", 32)):
        game = _one(f'[FEN "W:WK4:B13,20,32,37"] 1. 4x15 {rest} *', "international")
        assert game.problems == ()
        assert game.plies[0].position.placement.points_of(Side.BLACK) == (left - 1,)


def test_a_score_that_looks_like_a_move_is_a_score() -> None:
    game = _one('[Result "4-6"] 1. 32-28 19-23 4-6')
    assert (len(game.plies), game.result, game.problems) == (2, "4-6", ())


def test_a_set_up_mends_an_illegal_move_and_a_null_move_passes() -> None:
    text = '1. 32-27 /FEN "B:W27,31:B20,K1"/ 20-25 /FEN "B::"/ 25-30 *'
    game = _one(text, "international")
    assert [ply.text for ply in game.plies][-1] == "25-30"
    broken = _one('1. 32-20 /FEN "B:W27,31:B18"/ 18-22 *', "international")
    assert [ply.move is None for ply in broken.plies] == [True, True, False]
    assert len(broken.problems) == 1


def test_comments_variations_and_strengths_are_kept_apart_from_the_moves() -> None:
    (game,) = read_games(["{ first } 1. 32-28! {a 1.31-27} 19-23 (18-23 (17-22) 38-32) $3 *"])
    assert _moves(game) == ["32-28", "19-23"]
    assert any(isinstance(e, PdnVariation) for e in game.moves)
    assert replay(game).plies[0].comments == ("a 1.31-27",)


def test_a_game_reads_the_same_however_its_text_is_cut() -> None:
    text = '[White "a \\" b"]\r\n1. 32-28 {x\r\ny} 19-23\r\n2-0\r\n[White "c"]\r\n*'
    assert list(read_games([text])) == list(read_games(text))


def test_games_come_one_at_a_time_out_of_an_endless_text() -> None:
    def endless() -> Iterator[str]:
        while True:
            yield '[Event "e"]\n1. 32-28 *\n'

    games = read_games(endless())
    assert [len(next(games).moves) for _ in range(3)] == [2, 2, 2]


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        ("Фадеев".encode(), "Фадеев"),
        ("Сергей Фадеев".encode("cp1251"), "Сергей Фадеев"),
        ("Müller, André".encode("latin-1"), "Müller, André"),
        (b"\xef\xbb\xbf[Event]", "[Event]"),
    ],
)
def test_utf_8_cyrillic_and_western_bytes_become_text(raw: bytes, text: str) -> None:
    assert decode(raw) == text


_PLAIN = (
    "1.",
    "32-28",
    "19-23",
    "28x19",
    "a3-b4",
    "...",
    "(",
    ")",
    "{",
    "}",
    "*",
    "2-0",
    "$1",
    "99-98",
    "%",
    "4x",
    "³",
)
_SPECIAL = ("\n", '[FEN "W:W31:B2"]', '[FEN "x"]', '[GameType "20"]', '[GameType "25"]', "1- 6", '/FEN "B::"/')
_WORDS = st.sampled_from((*_PLAIN, *_SPECIAL))


@settings(max_examples=120, derandomize=True, deadline=None)
@given(st.binary(max_size=200) | st.lists(_WORDS, max_size=14).map(lambda words: " ".join(words).encode()))
def test_no_bytes_break_the_reader(raw: bytes) -> None:
    for game in read_games([decode(raw)]):
        replay(game)


@pytest.mark.skipif(not SHARED.is_dir(), reason="the collections are not here")
@pytest.mark.parametrize(
    ("name", "games", "plies"),
    [("frysk/lidraughts_frysk.pdn", 25, None), ("international/loi20.pdn", 22, None), ("_micro/variation.pdn", 1, 4)],
)
def test_games_of_collections_are_legal_to_their_end(name: str, games: int, plies: int | None) -> None:
    replayed = [replay(game) for game in read_games([decode((SHARED / name).read_bytes())])]
    assert len(replayed) == games
    assert [g.problems for g in replayed] == [()] * games
    assert plies is None or len(replayed[0].plies) == plies


@pytest.mark.parametrize("tag", ['[White "Anna', '[White "Anna"', '[White "Anna  '])
def test_a_tag_without_its_end_is_kept_and_said(tag: str) -> None:
    told = _one(f'[Event "a"]\n{tag}\n\n1. 32-28 18-23 *', "international")
    assert told.ply_count == 2
    assert [(p.line, p.column) for p in told.problems] == [(2, 1)]
    assert "tag White without its end" in told.problems[0].message


def test_a_well_formed_header_is_no_problem() -> None:
    assert _one('[Event "a"]\n[White "Anna \\"X\\" B"]\n\n1. 32-28 *', "international").problems == ()
