"""Draw counters run, stop and bite as each game's rules say."""

import pytest

from rules.draws import DrawCounter, EndReason, Entry, History, Refusal, claims, draw_counters, ending
from rules.fen import parse_fen
from rules.legal_moves import legal_moves, play
from rules.notation import parse_move
from rules.piece import Side
from rules.position import Position
from rules.variants.catalogue import variant_named


def _history(name: str, text: str, moves: list[str]) -> History:
    variant = variant_named(name)
    position = parse_fen(variant, text)
    entries: list[Entry] = []
    for move_text in moves:
        move = parse_move(variant, position, move_text)
        entries.append((position, move))
        position = play(variant, position, move)
    return [*entries, (position, None)]


SHUFFLE = ["50-45", "5-10", "45-50", "10-5"]
MANY = "W:WK50,47,48,49:BK5,1,2,3"


def test_the_third_occurrence_is_a_draw() -> None:
    variant = variant_named("international")
    text = "W:WK50,47,48,K49:BK5,1,2,K3"
    assert ending(variant, _history("international", text, SHUFFLE)) is None
    end = ending(variant, _history("international", text, SHUFFLE * 2))
    assert end is not None
    assert (end.winner, end.reason) == (None, EndReason.DRAW_RULE)


def test_a_man_move_resets_the_king_moves() -> None:
    variant = variant_named("international")
    history = _history("international", MANY, [*SHUFFLE, "47-42"])
    assert "king moves" not in {c.name for c in draw_counters(variant, history)}
    running = draw_counters(variant, _history("international", MANY, SHUFFLE))
    assert next(c.value for c in running if c.name == "king moves") == 4


def test_two_against_a_king_count_to_ten_plies() -> None:
    variant = variant_named("international")
    history = _history("international", "W:WK50,K49:BK5", ["50-45", "5-10", "45-50"])
    counter = next(c for c in draw_counters(variant, history) if "two pieces" in c.name)
    assert (counter.value, counter.limit) == (3, 10)


def test_english_repetition_is_a_claim_and_does_not_end_the_game() -> None:
    variant = variant_named("english")
    shuffle = ["1-6", "32-27", "6-1", "27-32"]
    history = _history("english", "B:BK1:WK32", shuffle * 2)
    assert ending(variant, history) is None
    assert [c.name for c in claims(variant, history)] == ["repetition"]


def test_no_discs_loses_and_wins_where_losing_is_the_aim() -> None:
    for name, winner in (("international", Side.WHITE), ("antidraughts", Side.BLACK)):
        variant = variant_named(name)
        end = ending(variant, _history(name, "B:W31:B", []))
        assert end is not None
        assert (end.winner, end.reason) == (winner, EndReason.NO_DISCS)


def test_one_turkish_disc_each_is_a_draw() -> None:
    end = ending(variant_named("turkish"), _history("turkish", "W:WKa1:BKh8", []))
    assert end is not None
    assert end.reason is EndReason.ONE_PIECE_EACH
    assert legal_moves(variant_named("turkish"), parse_fen(variant_named("turkish"), "W:WKa1:BKh8"))


# Each rule with a position it is about, four moves that come back to it, its counter, its limit, and its source.
RULES = [
    ("international", MANY, SHUFFLE, "king moves", 50),  # FMJD Annex 1, 6.2: 25 moves each
    ("international", "W:WK50,K49,48:BK5", SHUFFLE, "three pieces against a king", 32),  # 6.3: 16 moves each
    ("international", "W:WK50,K49:BK5", SHUFFLE, "two pieces or one against a king", 10),  # 6.4: 5 moves each
    ("international", "W:WK50:BK5", SHUFFLE, "two pieces or one against a king", 10),  # 6.4
    ("frisian", "W:WK50,K49:BK5", SHUFFLE, "two kings against a king", 14),  # lidraughts: 7 moves each
    ("frysk", "W:WK50:BK5", SHUFFLE, "a king against a king", 4),  # lidraughts: 2 moves each, for a forced capture
    ("canadian", "W:WK72,K71,K70:BK6", ["72-66", "6-12", "66-72", "12-6"], "three kings against a king", 32),
    ("russian", "W:WKh2,Kh4,Kh6:BKb8", ["h2-g1", "b8-a7", "g1-h2", "a7-b8"], "three kings against a king", 30),
    ("brazilian", "W:WKh2,Kh4,Kh6:BKb8", ["h2-g1", "b8-a7", "g1-h2", "a7-b8"], "three kings against a king", 30),
    (
        "russian",  # FMJD-64, 7.2: five moves where the lone king holds the main road
        "W:WKb8,Kc7,e1:BKa1",
        ["b8-a7", "a1-b2", "a7-b8", "b2-a1"],
        "three pieces against a king on the main road",
        10,
    ),
    ("russian", "W:WKh2,g1:BKa3", ["h2-g3", "a3-b4", "g3-h2", "b4-a3"], "two pieces or one against a king", 10),
    ("russian", "W:WKh2,g1,e1:BKa3,h8", ["h2-g3", "a3-b4", "g3-h2", "b4-a3"], "king moves", 30),  # 15 moves each
    (
        "brazilian",  # FMJD-64, 7.2.6: 30 moves
        "W:WKh2,g1,e1:BKa3,h8",
        ["h2-g3", "a3-b4", "g3-h2", "b4-a3"],
        "kings on both sides, four or five pieces, none taken or crowned",
        60,
    ),
    (
        "russian",  # FMJD-64, 7.2.6: 60 moves
        "W:WKh2,g1,e1,c1:BKa3,h8,f8",
        ["h2-g3", "a3-b4", "g3-h2", "b4-a3"],
        "kings on both sides, six or seven pieces, none taken or crowned",
        120,
    ),
    ("pool", "B:WK32,K31,K30:BK1", ["1-6", "32-27", "6-1", "27-32"], "three kings against a king", 26),  # APCA: 13
    ("czech", "W:WKh2,g1:BKa3,h8", ["h2-g3", "a3-b4", "g3-h2", "b4-a3"], "king moves", 30),  # FMJD brief rules: 15
    ("turkish", "W:WKa1,h2:BKg8,d7", ["a1-b1", "g8-f8", "b1-a1", "f8-g8"], "no taking", 50),  # kish: 50 plies
    ("joompex-8", "W:WK32,31:BK1,2", ["32-28", "1-5", "28-32", "5-1"], "no capture", 50),  # text 004: 25 moves each
    ("gothic-10", "W:WKa1,j1:BKj10,a10", ["a1-b1", "j10-i10", "b1-a1", "i10-j10"], "king moves", 50),  # text 000
]


def _counter(name: str, text: str, moves: list[str], counter: str) -> DrawCounter:
    counters = draw_counters(variant_named(name), _history(name, text, moves))
    return next(c for c in counters if c.name == counter)


@pytest.mark.parametrize(("name", "text", "around", "counter", "limit"), RULES)
def test_a_rule_counts_every_ply_and_draws_at_its_limit(
    name: str, text: str, around: list[str], counter: str, limit: int
) -> None:
    moves = (around * (limit // 4 + 1))[:limit]
    almost, full = _counter(name, text, moves[:-1], counter), _counter(name, text, moves, counter)
    assert (almost.value, almost.limit, almost.is_full) == (limit - 1, limit, False)
    assert (full.value, full.is_full, full.claim) == (limit, True, False)
    end = ending(variant_named(name), _history(name, text, moves))
    assert end is not None
    assert end.winner is None


CLAIMS = [
    ("english", "B:BK1,2:WK32,31", ["1-6", "32-27", "6-1", "27-32"], "no progress", 80),  # WCDF 1.32: 40 moves each
    ("italian", "W:WK30,31:BK2,3", ["30-26", "2-5", "26-30", "5-2"], "no progress", 80),  # FID: 40 moves each
    ("pool", "B:WK32,31:BK1,2", ["1-6", "32-27", "6-1", "27-32"], "no progress", 30),  # dctl: 15 moves each
]


@pytest.mark.parametrize(("name", "text", "around", "counter", "limit"), CLAIMS)
def test_a_claim_is_open_at_its_limit_and_does_not_end_the_game(
    name: str, text: str, around: list[str], counter: str, limit: int
) -> None:
    moves = (around * (limit // 4 + 1))[:limit]
    history = _history(name, text, moves)
    assert counter in {c.name for c in claims(variant_named(name), history)}
    assert counter not in {c.name for c in claims(variant_named(name), _history(name, text, moves[:-1]))}
    end = ending(variant_named(name), history)
    assert end is None or "position" in end.text


def test_italian_repetition_takes_four() -> None:
    around = ["30-26", "2-5", "26-30", "5-2"]
    text = "W:WK30,31:BK2,3"
    assert ending(variant_named("italian"), _history("italian", text, around * 2)) is None
    assert ending(variant_named("italian"), _history("italian", text, around * 3)) is not None


def test_breakthrough_knows_no_draw_and_antidraughts_only_repetition() -> None:
    assert draw_counters(variant_named("breakthrough"), _history("breakthrough", "W:W50,48:B1,2", ["50-45"])) == ()
    counters = draw_counters(variant_named("antidraughts"), _history("antidraughts", "W:WK50,K49:BK5", SHUFFLE))
    assert [c.name for c in counters] == ["repetition"]


def test_a_counter_says_what_sets_it_back_and_what_did() -> None:
    counter = _counter("international", MANY, ["47-42", "5-10", "50-45"], "king moves")
    assert counter.value == 2
    assert counter.resets == "a capture or a man's move"
    assert counter.began_with == "a man's move"
    assert _counter("international", MANY, SHUFFLE, "king moves").began_with == "the start of the record"


def test_a_capture_sets_the_king_moves_back() -> None:
    counter = _counter("international", "W:WK50,49:BK5,44,1", ["50x39", "5-10", "39-50"], "king moves")
    assert (counter.value, counter.began_with) == (2, "a capture")


def test_a_capture_that_leaves_two_against_a_king_starts_their_own_count() -> None:
    text = "W:WK49,K48,K39:BK5,K44"
    history = _history("international", text, ["39x50", "5-10", "50-45"])
    names = {c.name: c.value for c in draw_counters(variant_named("international"), history)}
    assert names["three pieces against a king"] == 2
    taken = _history("international", "B:WK49,K48,K33:BK28", ["28x39"])
    assert "three pieces against a king" not in {
        c.name for c in draw_counters(variant_named("international"), [*taken[:-1], taken[-1]])
    }


def test_the_balance_is_counted_from_the_promotion_that_made_the_first_king() -> None:
    moves = ["7-1", "5-10", "1-6"]
    history = _history("international", "W:W7,49,48:BK5", moves)
    counter = next(c for c in draw_counters(variant_named("international"), history) if "three pieces" in c.name)
    assert (counter.value, counter.began_with) == (2, "the move that left these pieces")


def test_russian_kings_on_both_sides_count_on_through_man_moves_but_not_promotions() -> None:
    text = "W:WKh2,g1,e1:BKa3,h8"
    name = "kings on both sides, four or five pieces, none taken or crowned"
    counter = _counter("russian", text, ["e1-f2", "a3-b4", "f2-e3"], name)
    assert counter.value == 3
    after = _counter("russian", "W:WKh2,g7,e1:BKa3,a7", ["g7-h8", "a3-b4", "h2-g3"], name)
    assert after.value == 2


def test_own_moves_are_counted_after_a_refused_draw_in_english() -> None:
    variant = variant_named("english")
    around = ["1-6", "32-27", "6-1", "27-32"]
    history = _history("english", "B:BK1,2:WK32,31", around * 10)
    refused = Refusal(Side.BLACK, ply=2)
    counter = next(c for c in draw_counters(variant, history, refused) if c.name == "refused draw")
    assert (counter.value, counter.limit, counter.claim) == (19, 40, True)
    assert counter.began_with == "the offer refused at ply 2"
    longer = _history("english", "B:BK1,2:WK32,31", (around * 21)[:82])
    assert "refused draw" in {c.name for c in claims(variant, longer, refused)}
    assert "refused draw" not in {c.name for c in draw_counters(variant, history)}
    russian = _history("russian", "W:WKh2,g1:BKa3,h8", ["h2-g3"])
    assert not [c for c in draw_counters(variant_named("russian"), russian, Refusal(Side.WHITE, 0)) if c.claim]


def test_more_discs_win_where_serpents_would_draw() -> None:
    variant = variant_named("fighting-serpents")
    around = ["a1-b1", "p3-o3", "b1-a1", "o3-p3"]
    end = ending(variant, _history("fighting-serpents", "W:Wa1,c1:Bp3", around * 2))
    assert end is not None
    assert (end.winner, end.reason) == (Side.WHITE, EndReason.MORE_DISCS)
    even = ending(variant, _history("fighting-serpents", "W:Wa1:Bp3", around * 2))
    assert even is not None
    assert even.winner is None


def test_the_first_king_wins_breakthrough_and_a_blocked_side_loses() -> None:
    end = ending(variant_named("breakthrough"), _history("breakthrough", "W:W7,50:B30,31", ["7-1"]))
    assert end is not None
    assert (end.winner, end.reason) == (Side.WHITE, EndReason.BREAKTHROUGH)
    blocked = ending(variant_named("international"), _history("international", "W:W46:B41,37", []))
    assert blocked is not None
    assert (blocked.winner, blocked.reason) == (Side.BLACK, EndReason.NO_MOVE)
    assert blocked.text == "White has no legal move"


def test_an_irregular_move_in_the_record_sets_the_counts_back() -> None:
    variant = variant_named("international")
    history = list(_history("international", MANY, SHUFFLE))
    position: Position = history[1][0]
    history[1] = (position, None)
    counter = next(c for c in draw_counters(variant, history) if c.name == "king moves")
    assert (counter.value, counter.began_with) == (2, "an irregular move")


def test_draw_rules_that_sources_dispute_are_options() -> None:
    assert variant_named("joompex-8+fifty-moves").draws.no_capture == 100
    assert variant_named("brazilian+twenty-king-moves").draws.king_moves == 40
    for name, winner in (("turkish", None), ("turkish+king-beats-man", Side.BLACK)):
        end = ending(variant_named(name), _history(name, "W:Wa2:BKh8", []))
        assert end is not None
        assert (end.winner, end.reason) == (winner, EndReason.ONE_PIECE_EACH)
