"""Draw counters run, stop and bite as each game's rules say."""

from rules.draws import EndReason, Entry, History, claims, draw_counters, ending
from rules.fen import parse_fen
from rules.legal_moves import legal_moves, play
from rules.notation import parse_move
from rules.piece import Side
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
