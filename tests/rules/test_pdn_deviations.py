"""Deviations from the standard that real files show: each is read with its right value."""

import pytest

from rules.pdn_encoding import decode, encoding_of, text_of
from rules.pdn_reader import read_games
from rules.pdn_replay import ReplayedGame, likely_variants, replay
from rules.pdn_rewriting import rewritten
from rules.variants.catalogue import variant_named


def _games(text: str, variant: str | None = None) -> list[ReplayedGame]:
    return [replay(game, variant_named(variant) if variant else None) for game in read_games([text])]


def _one(text: str, variant: str | None = None) -> ReplayedGame:
    (game,) = _games(text, variant)
    return game


@pytest.mark.parametrize(
    "moves",
    [
        "1. 33-29  17-22  2. 39-33 11-17 3. 44-39  6-11 4. 31-27 22x31 5. 36x27  1- 6",
        "01. 33-29 17-22 02. 39-33 11-17 03. 44-39 06-11 04. 31-27 22x31 05. 36x27 01-06",
        "1.3329 1722 2.3933 1117 3.4439 0611 4.3127 2231 5.3627 0106",
        "1. 33–29 17–22 2. 39−33 11—17 3. 44-39 6-11 4. 31-27 22×31 5. 36X27 1-6",
        "33-29 17-22 39-33 11-17 44-39 6-11 31-27 22-31 36:27 1-6",
        "1. 33-29 17-22 39-33 2. 11-17 44-39 9. 6-11 31-27 22x31 36x27 1-6",
    ],
)
def test_padded_squares_missing_signs_other_signs_and_wrong_numbers_are_read(moves: str) -> None:
    told = _one(f"{moves} *", "international")
    assert (told.ply_count, told.problems) == (10, ())


def test_moves_in_letters_with_a_position_in_numbers_are_read() -> None:
    told = _one('[FEN "W:W21,22,23,24,29:B1,2,5,9,10."] 1. c3-d4 d6-e5 2. d4:f6 *')
    assert (told.variant.name, told.ply_count, told.problems) == ("russian", 3, ())


def test_capitals_and_russian_letters_that_look_like_latin_ones_are_squares() -> None:
    assert _one('[GameType "25"] 1. C3-D4 D6-C5 *').ply_count == 2
    assert _one('[GameType "25"] 1. с3-d4 d6-е5 *').ply_count == 2


def test_dots_stand_for_blacks_number_or_for_a_move_not_written() -> None:
    assert _one('[FEN "B:W31:B7"] 1. ... 7-12 2. 31-27 *', "international").ply_count == 2
    assert _one("1. 32-28 1... 19-23 2. 28x19 *").ply_count == 3
    unknown = _one("1. 32-28 19-23 2. - - 3. 33-29 *")
    assert unknown.ply_count == 2
    assert "not written down" in unknown.problems[0].message


def test_the_sign_of_a_capture_proves_nothing() -> None:
    told = _one("1. 11x15 24x20 2. 8x11 28x24 *")
    assert (told.variant.name, told.ply_count, told.problems) == ("english", 4, ())


@pytest.mark.parametrize("move", ["26x8", "26x17x8", "26x21x12x8", "26x8x21x12", "26x21x8", "26x17x12x8"])
def test_paths_full_partial_or_by_what_is_taken_are_the_same_move(move: str) -> None:
    told = _one(f'[FEN "W:W26,50:B12,21,K4"] 1. {move} *', "international")
    assert [len(m.captured) for m in told.moves] == [2]


def test_two_of_one_side_in_a_row_end_the_legal_part() -> None:
    told = _one("1. 32-28 33-29 19-23 *", "international")
    assert (told.ply_count, told.problems[0].ply) == (1, 2)
    assert "33 holds a disc of White" in told.problems[0].message


def test_a_move_after_the_end_is_reported_as_that() -> None:
    told = _one('[FEN "W:W32:B28"] 1. 32x23 36x27 *', "international")
    assert told.ply_count == 1
    assert "the game is over" in told.problems[0].message


def test_a_tag_and_a_token_that_disagree_are_both_kept_and_noted() -> None:
    (game,) = read_games(['[Result "0-1"] 1. 32-28 19-23 1-0'])
    told = replay(game)
    assert (game.tag("Result"), game.result, told.problems, len(told.notes)) == ("0-1", "1-0", (), 1)
    text = rewritten(game, told)
    assert '[Result "0-1"]' in text
    assert text.rstrip().endswith("1-0")


@pytest.mark.parametrize(
    ("line", "name", "value"),
    [
        ('[Event       "XXV th"]', "Event", "XXV th"),
        ('[Date "2004.10.27 - 2004.11.01"]', "Date", "2004.10.27 - 2004.11.01"),
        ('[White "a \\" b"]', "White", 'a " b'),
        ('[White "the "Tiger" of W."]', "White", 'the "Tiger" of W.'),
        ("[Result 1-0]", "Result", "1-0"),
        ('[Risultato "1-0"] [Bianco "B"]', "Bianco", "B"),
        ('[Site ""]', "Site", ""),
        ('[White "open', "White", "open"),
    ],
)
def test_tags_of_every_spelling_are_read(line: str, name: str, value: str) -> None:
    (game,) = read_games([f"{line}\n1. 32-28 *"])
    assert (game.tag(name), replay(game).ply_count) == (value, 1)


def test_a_game_type_under_which_nothing_is_legal_gives_way_to_the_moves_and_is_noted() -> None:
    told = _one('[GameType "21"]\n1. 32-28 19-23 2. 28x19 14x23 *')
    assert (told.variant.name, told.ply_count, told.problems) == ("international", 4, ())
    assert "GameType '21'" in told.notes[0].message


def test_a_game_type_is_believed_when_its_game_goes_wrong_late() -> None:
    told = _one('[GameType "25"] 1. c3-d4 d6-e5 2. b2-c3 e5-f4 3. e3xg5 *')
    assert told.variant.name == "russian"


def test_games_that_fit_several_variants_are_read_as_their_neighbours() -> None:
    texts = ["1. c3-d4 d6-c5 2. b2-c3 *\n", '[FEN "W:Wd4,h4:Be3,a7"] 1. h4-g5 *\n']
    games = list(read_games(["".join(texts)]))
    assert replay(games[0]).variant.name == "brazilian"
    likely = likely_variants(games)
    assert replay(games[0], None, likely).variant.name == "czech"


def test_text_after_a_semicolon_and_lines_after_a_per_cent_sign_are_no_moves() -> None:
    told = _one("% 1. 33-29\n1. 32-28 ; better 31-27 17-21\n19-23 *", "international")
    assert [ply.text for ply in told.plies] == ["32-28", "19-23"]


def test_a_comment_that_is_never_closed_costs_no_other_game() -> None:
    first, second = _games('1. 32-28 {oh\n19-23\n[Event "b"]\n1. 33-29 {x} 19-23 *')
    assert (first.ply_count, second.ply_count, second.problems) == (1, 2, ())
    assert "'{'" in first.problems[0].message
    assert first.plies[0].comments == ("oh 19-23",)


def test_a_variation_that_is_never_closed_gives_the_rest_of_the_game_back() -> None:
    told = _one("1. 32-28 19-23 (1... 18-23 2. 38-32\n2. 28x19 14x23 3. 33-29 *", "international")
    assert [ply.text for ply in told.plies] == ["32-28", "19-23", "28x19", "14x23", "33-29"]
    assert ["'('" in problem.message for problem in told.problems] == [True]


def test_a_bracket_too_many_is_passed_over_and_noted() -> None:
    told = _one("1. 32-28) 19-23 { a { b } c } 2. 28x19 *", "international")
    assert (told.ply_count, told.problems, len(told.notes)) == (3, (), 3)


def test_stray_words_are_kept_as_a_comment_when_written_anew() -> None:
    (game,) = read_games(["1. 32-28 Wit geeft op 19-23 *"])
    assert "32-28 {Wit geeft op} 19-23" in rewritten(game, replay(game))


def test_what_cannot_be_played_is_kept_as_a_comment_when_written_anew() -> None:
    (game,) = read_games(["1. 32-28 19-24 2. 1-50 20-25 {x} (2... 1-6) 3. 33-29 2-0"])
    text = rewritten(game, replay(game, variant_named("international")))
    assert "19-24 {not legal here: 1-50 20-25 (x) (2... 1-6) 3. 33-29} *" in " ".join(text.split())


@pytest.mark.parametrize("ends", ["\n", "\r\n", "\r"])
def test_line_ends_of_every_system_count_the_same_lines(ends: str) -> None:
    told = _one(ends.join(['[GameType "20"]', "1. 32-28 19-23", "2. 28x19 1-50 *"]))
    assert (told.ply_count, told.problems[0].line, told.problems[0].column) == (3, 3, 10)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "cp1251"])
def test_names_in_cyrillic_are_read_in_every_encoding(encoding: str) -> None:
    text = '[White "Сергей Фадеев"]\r\n[Black "Чижов"]\r\n1. 32-28 *\r\n'
    (game,) = read_games([decode(text.encode(encoding))])
    assert (game.tag("White"), game.tag("Black")) == ("Сергей Фадеев", "Чижов")


def test_each_line_has_its_own_encoding() -> None:
    raw = '[White "Müller"]\n'.encode("latin-1") + '[Black "Jörg Żak"]\n'.encode() + b"1. 32-28 *\n"
    (game,) = read_games(text_of([raw], encoding_of([raw])))
    assert (game.tag("White"), game.tag("Black")) == ("Müller", "Jörg Żak")


def test_the_encoding_does_not_depend_on_how_the_bytes_are_cut() -> None:
    raw = '[White "Фадеев"]\n[Black "高文龙"]\n'.encode() * 3 + '[Site "Минск, ул. Ленина"]\n'.encode("cp1251")
    cut = [raw[k : k + 7] for k in range(0, len(raw), 7)]
    assert "".join(text_of(cut, encoding_of(cut))) == decode(raw)


@pytest.mark.parametrize("mark", ["\u200b", "\u200e", "\u2060", "\ufeff", "\u202a"])
def test_marks_that_show_nothing_are_no_part_of_a_move_or_a_header(mark: str) -> None:
    games = _games(f'[Event "a"]\n1. 32{mark}-28{mark} 19-23 *\n{mark}[Event{mark} "b"]\n{mark}1. 33-29 {mark}*')
    assert [(game.ply_count, game.problems, game.notes) for game in games] == [(2, (), ()), (1, (), ())]


def test_marks_that_show_nothing_are_kept_in_names_and_comments() -> None:
    (game,) = read_games(['[White "a\u200cb"]\n1. 32-28 {c\u200dd} 19-\u200b23 {e\u200d\nf} *'])
    told = replay(game)
    assert (game.tag("White"), told.plies[0].comments, told.plies[1].comments) == (
        "a\u200cb",
        ("c\u200dd",),
        ("e\u200d f",),
    )


@pytest.mark.parametrize("sign", ["->", "=>", "--", ">", "_", "~", "→", "\xad"])
def test_arrows_and_other_signs_between_squares_are_read(sign: str) -> None:
    told = _one(f"1. 32{sign}28 19{sign}23 2. 28{sign}19 14{sign}23 *", "international")
    assert (told.ply_count, told.problems, told.notes) == (4, (), ())


def test_moves_written_in_an_unknown_way_are_not_lost_in_silence() -> None:
    told = _one("1. 32/28 19/23 *", "international")
    assert told.ply_count == 0
    assert [(p.line, p.column) for p in told.problems] == [(1, 4)]
    assert "expected moves such as 32-28" in told.problems[0].message


def test_a_set_up_without_its_position_is_noted() -> None:
    told = _one('[SetUp "1"]\n[GameType "20"]\n1. 32-28 *')
    assert (told.ply_count, told.problems) == (1, ())
    assert "no FEN tag" in told.notes[0].message


@pytest.mark.parametrize("position", ["w:w31,k32:b1,k2", "W31,K32:B1,K2", "WK32,31:BK2,1."])
def test_a_position_in_small_letters_or_without_its_side_to_move_is_read(position: str) -> None:
    told = _one(f'[GameType "20"] [FEN "{position}"] 1. 31-27 *')
    assert (told.ply_count, told.problems) == (1, ())
    assert told.start.placement[31].is_king
    assert told.start.placement[1].is_king


@pytest.mark.parametrize(
    ("position", "words"),
    [
        ("W:WD31,32:B1", "d31"),
        ("W:W31;32:B1", "31;32"),
        ("W:W31,62:B1", "between 1 and 50"),
        ("W:W31,31:B1", "two discs on 31"),
        ("W:W31:B31", "two discs on 31"),
        ("W:W46-50:K41:B1", "K41"),
        ("rnbqkbnr/8 w KQkq - 0 1", "side to move"),
    ],
)
def test_a_position_that_cannot_be_read_is_said_and_costs_no_other_game(position: str, words: str) -> None:
    first, second = _games(f'[GameType "20"]\n[FEN "{position}"]\n1. 31-27 *\n[Event "b"]\n1. 32-28 19-23 *')
    assert (first.ply_count, second.ply_count, second.problems) == (0, 2, ())
    assert words in first.problems[0].message


def test_bounds_of_kings_in_a_list_with_ranges_are_read() -> None:
    told = _one('[FEN "B:W46-50,K41:BK6-K8,10"] 1. 10-14 *', "international")
    assert [p + 1 for p in range(50) if told.start.placement[p].is_king] == [6, 7, 8, 41]


@pytest.mark.parametrize(
    ("tag", "moves", "name"),
    [("23,W,8,8,A0,0", "c3-d4 d6-c5", "pool"), ("23,B,8,8,A1,1", "c6-d5 f3-e4", "pool+light-squares")],
)
def test_pool_is_read_on_squares_of_either_colour(tag: str, moves: str, name: str) -> None:
    told = _one(f'[GameType "{tag}"] 1. {moves} *')
    assert (told.variant.name, told.ply_count, told.problems) == (name, 2, ())


@pytest.mark.parametrize("gap", ["\n", "\n\n", "\n\n  "])
@pytest.mark.parametrize("mark", ["", "{x} ", "! "])
def test_a_line_that_counts_from_one_again_begins_another_game(gap: str, mark: str) -> None:
    text = f"1. 32-28 {mark}19-23 2. 28x19 14x23{gap}1. 33-29 {mark}17-22\n2. 39-33 11-17{gap}1. 34-30 {mark}*"
    games = list(read_games([text]))
    assert [(told.ply_count, told.problems) for told in map(replay, games)] == [(4, ()), (4, ()), (1, ())]
    lines = 1 + gap.count("\n")
    assert [game.line for game in games] == [1, lines, 2 * lines]


@pytest.mark.parametrize(
    "text", ["1. 32-28\n1... 19-23\n2. 28x19 *", "1. 32-28 {a}\n1. ... 19-23 *", "1.\n32-28 19-23 (\n1. 33-29) *"]
)
def test_a_line_that_goes_on_in_the_first_move_is_the_same_game(text: str) -> None:
    (game,) = read_games([text])
    assert replay(game).ply_count >= 2


@pytest.mark.parametrize(
    ("game", "position", "moves", "result", "is_a_lie"),
    [
        ("international", "W:W32:B28", "32x23", "0-2", True),
        ("international", "W:W32:B28", "32x23", "1-1", True),
        ("international", "W:W32:B28", "32x23", "2-0", False),
        ("international", "B:W46:B36,37", "36-41", "2-0", True),
        ("international", "B:W46:B36,37", "36-41", "0-2", False),
        ("international", "W:W31,50:B1", "31-27", "0-2", False),
        ("english", "B:W32:B27", "27-31", "1-0", False),
        ("english", "B:W18:B15", "15x22", "1-0", False),
        ("english", "B:W18:B15", "15x22", "1/2-1/2", True),
        ("antidraughts", "W:W32:B28", "32x23", "2-0", True),
        ("breakthrough", "W:W7,40:B30,31", "7-1", "0-2", True),
    ],
)
def test_a_result_that_the_board_contradicts_is_noted(
    game: str, position: str, moves: str, result: str, is_a_lie: bool
) -> None:
    told = _one(f'[FEN "{position}"] 1. {moves} {result}', game)
    assert (told.ply_count, told.result, told.problems) == (1, result, ())
    assert [note.message.startswith(f"saw the result {result!r}, but") for note in told.notes] == [True] * is_a_lie


def test_a_game_type_that_nobody_knows_is_noted_with_what_the_game_is_read_as() -> None:
    told = _one('[GameType "999"]\n1. 32-28 19-23 *')
    assert (told.variant.name, told.ply_count, told.problems) == ("international", 2, ())
    assert "saw GameType '999', which is no game that Kibitz knows" in told.notes[0].message
    assert "international" in told.notes[0].message


@pytest.mark.parametrize(
    ("word", "noted"), [("german+takes-sideways", True), ("german+takes-backward", False), ("german", False)]
)
def test_a_house_option_that_is_not_known_is_said(word: str, noted: bool) -> None:
    (game,) = read_games([f'[Variant "{word}"]\n\n1. 22-18 *\n'])
    said = [note.message for note in replay(game).notes if "house option" in note.message]
    assert len(said) == noted
    assert all(repr(word) in message and "read as german" in message for message in said)
