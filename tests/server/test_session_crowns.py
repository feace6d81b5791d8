"""Crowns that come late, or not at all: a reminder, then an irregularity with its exits; never a word too early."""

from dataclasses import replace

import numpy as np
import pytest

from rules.fen import parse_fen
from rules.legal_moves import play
from rules.notation import parse_move, point_named
from rules.piece import Piece, Side
from rules.placement import Placement
from rules.variant import Variant
from rules.variants.catalogue import variant_named
from server.session.state import Look, Mode, new_state, terms_for
from server.session.step import Command
from tests.server.synthetic import Table, clear_look, words

GAMES = [
    ("international", "W:W7,42:B10,45", ("7-1", "10-14", "42-38", "14-19"), "1-18"),
    ("english", "W:W6,31:B3,25", ("6-1", "3-7", "31-27", "7-10"), "1-5"),
    ("turkish", "W:Wa7,c2:Bh7,f7", ("a7-a8", "h7-h6", "c2-c3", "h6-h5"), "a8-a4"),
]
every_game = pytest.mark.parametrize(("name", "start", "plies", "king_move"), GAMES, ids=[g[0] for g in GAMES])


def bare(variant: Variant, placement: Placement) -> Placement:
    """The board with every crown missing."""
    return Placement(bytes(value - 2 if value >= 3 else value for value in placement.pieces))


class Play(Table):
    """A table at which moves are made by their text, crowned or not."""

    def begin(self, variant: Variant, start: str, mode: Mode = Mode.REFEREE) -> "Play":
        position = parse_fen(variant, start)
        self.state = new_state(replace(terms_for(variant, position), mode=mode))
        self.true = position
        self.show(position.placement)
        return self

    def move(self, text: str, *, crowned: bool = False, looks: int = 4) -> list[str]:
        variant = self.state.terms.variant
        self.true = play(variant, self.true, parse_move(variant, self.true, text))
        return self.look(crowned=crowned, looks=looks)

    def look(self, *, crowned: bool = False, looks: int = 4) -> list[str]:
        board = self.true.placement if crowned else bare(self.state.terms.variant, self.true.placement)
        return [w for w in words(self.show(board, looks=looks)) if not w.startswith("draw_counter")]


def played(name: str, start: str, mode: Mode = Mode.REFEREE) -> Play:
    variant = variant_named(name)
    return Play(new_state(terms_for(variant))).begin(variant, start, mode)


@every_game
def test_a_crown_put_on_before_the_opponent_has_moved_makes_no_words(name, start, plies, king_move):
    table = played(name, start)
    assert table.move(plies[0]) == [f"move {plies[0]}"]
    assert table.look(crowned=True) == []
    assert table.move(plies[1], crowned=True) == [f"move {plies[1]}"]


@every_game
def test_a_missing_crown_is_reminded_of_first_and_told_after_the_next_ply(name, start, plies, king_move):
    table = played(name, start)
    table.move(plies[0])
    assert table.move(plies[1]) == [f"move {plies[1]}", "reminder not_crowned"]
    assert table.move(plies[2]) == [f"move {plies[2]}", "violation not_crowned"]
    assert table.look() == []


@every_game
def test_a_crown_that_comes_after_the_reminder_is_said(name, start, plies, king_move):
    table = played(name, start)
    table.move(plies[0])
    table.move(plies[1])
    assert table.look(crowned=True) == ["crowned"]
    assert table.move(plies[2], crowned=True) == [f"move {plies[2]}"]


@every_game
def test_a_crown_that_comes_after_the_irregularity_corrects_it(name, start, plies, king_move):
    table = played(name, start)
    for text in plies[:3]:
        table.move(text)
    assert table.look(crowned=True) == ["crowned", "resolved corrected not_crowned"]


@every_game
def test_a_missing_crown_is_accepted_by_the_next_ply_and_it_stays_a_king(name, start, plies, king_move):
    table = played(name, start)
    for text in plies[:3]:
        table.move(text)
    assert table.move(plies[3]) == [f"move {plies[3]}", "resolved accepted not_crowned"]
    assert table.move(king_move) == [f"move {king_move}"]


@every_game
def test_a_missing_crown_may_be_dismissed(name, start, plies, king_move):
    table = played(name, start)
    for text in plies[:3]:
        table.move(text)
    assert words(table.feed(Command("dismiss"))) == ["resolved dismissed not_crowned"]
    assert table.look() == []


@every_game
def test_a_bare_king_that_moves_is_told_to_be_a_king(name, start, plies, king_move):
    table = played(name, start)
    table.move(plies[0])
    table.move(plies[1])
    assert table.move(king_move) == [f"move {king_move}", "violation uncrowned_king_moved"]
    assert table.look(crowned=True) == ["crowned", "resolved corrected uncrowned_king_moved"]


@every_game
def test_a_game_that_only_records_says_nothing_of_crowns(name, start, plies, king_move):
    table = played(name, start, Mode.RECORD)
    said = [table.move(text) for text in plies]
    assert said == [[f"move {text}"] for text in plies]


def told_of_lead(
    lead: float, as_man: float | None = None, shift: float | None = None, once: float | None = None
) -> list[str]:
    """What is said after a promotion where the king looks so much likelier (natural log) a man.

    Where `as_man` is known, the disc looked by so much likelier a man when it was one, and by only `once` in one look.
    """
    table = played("english", "W:W6,31,32,28:B3,13")
    variant, said = variant_named("english"), []
    for text in ("6-1", "3-7", "31-27"):
        table.true = play(variant, table.true, parse_move(variant, table.true, text))
        for k in range(4):
            table.seconds += 0.5
            look = clear_look(table.true.placement, table.seconds, still=0.5 + 0.5 * k)
            evidence = look.evidence.copy()
            for point, value in enumerate(table.true.placement.pieces):
                if value >= 3:
                    evidence[point, [value - 2, value]] = 0.0, -lead
            known = {} if as_man is None else {"kinglike": np.full(32, -lead), "kinglike_before": np.full(32, -as_man)}
            if once is not None and text == "6-1" and k == 2:
                known["kinglike"] = np.full(32, -once)
            if shift is not None:
                known["shift"] = np.full(32, shift, np.float32)
            said += words(table.feed(Look(evidence, np.zeros(32, bool), table.seconds, 0, look.still_seconds, **known)))
    return [word for word in said if not word.startswith(("move", "draw_counter"))]


def test_a_king_that_surely_looks_like_a_man_lacks_its_crown():
    assert told_of_lead(4.3) == ["reminder not_crowned", "violation not_crowned"]


def test_a_king_that_hardly_looks_more_like_a_man_than_like_a_king_may_be_crowned():
    assert told_of_lead(3.8) == []


def test_a_king_that_looks_as_it_did_when_it_was_a_man_lacks_its_crown():
    assert told_of_lead(2.8, as_man=2.9) == ["reminder not_crowned", "violation not_crowned"]


def test_a_king_that_looks_less_like_a_man_than_it_did_may_be_crowned():
    assert told_of_lead(4.3, as_man=6.0) == []


def test_a_king_that_looked_less_like_a_man_only_once_may_be_crowned():
    assert told_of_lead(3.2, as_man=3.2, once=2.0) == []


def test_a_king_that_was_no_clearer_as_a_man_may_be_crowned():
    assert told_of_lead(1.9, as_man=1.9) == []


def test_a_crown_is_not_asked_for_from_steeply_above_though_the_disc_looks_as_it_did_as_a_man():
    assert told_of_lead(4.3, as_man=4.3, shift=0.55) == ["reminder not_crowned", "violation not_crowned"]
    assert told_of_lead(4.3, as_man=4.3, shift=0.4) == []


def test_a_disc_that_has_no_man_of_its_side_to_be_compared_with_is_not_asked_for_its_crown():
    table = played("english", "W:W6:B3,13,21")
    said = [word for text in ("6-1", "3-7", "1-5", "7-10") for word in table.move(text)]
    assert said == ["move 6-1", "move 3-7", "move 1-5", "move 7-10"]


def test_a_king_whose_mark_cannot_be_told_is_never_spoken_of():
    table = played("english", "W:W6,31:B3,25")
    said: list[str] = []
    variant = variant_named("english")
    for text in ("6-1", "3-7", "31-27", "7-10", "1-5"):
        table.true = play(variant, table.true, parse_move(variant, table.true, text))
        for k in range(4):
            table.seconds += 0.5
            look = clear_look(table.true.placement, table.seconds, still=0.5 + 0.5 * k)
            kings = [p for p, value in enumerate(table.true.placement.pieces) if value >= 3]
            evidence = look.evidence.copy()
            for point in kings:
                evidence[point, table.true.placement.pieces[point] - 2] = 1.0
            said += words(table.feed(Look(evidence, np.zeros(32, bool), table.seconds, 0, look.still_seconds)))
    assert [w for w in said if not w.startswith(("move", "draw_counter"))] == []
    assert point_named(variant, "5") is not None


def test_a_disc_crowned_while_it_passes_the_far_row_is_wrongly_crowned():
    variant = variant_named("international")
    table = played("international", "W:W11,48:B7,8,35")
    taken = play(variant, table.true, parse_move(variant, table.true, "11x13"))
    end = point_named(variant, "13")
    crowned = taken.placement.replaced({end: type(taken.placement[end])(3)})
    said = words(table.show(crowned, looks=6))
    assert said == ["violation wrongly_crowned"]
    assert words(table.show(taken.placement)) == ["resolved corrected wrongly_crowned", "move 11x13"]


def _with_shift(name: str, start: str, shift: float) -> Play:
    """A table seen by a camera that shifts what is one square high by so many squares."""
    table = Play(new_state(terms_for(variant_named(name))), shift=shift)
    return table.begin(variant_named(name), start)


@every_game
def test_a_crown_is_not_asked_for_where_a_second_disc_would_hardly_show(name, start, plies, king_move):
    table = _with_shift(name, start, 0.35)
    said = [word for text in plies for word in table.move(text)]
    assert said == [f"move {text}" for text in plies]


@every_game
def test_a_crown_is_asked_for_where_a_second_disc_would_stand_out(name, start, plies, king_move):
    table = _with_shift(name, start, 0.9)
    table.move(plies[0])
    assert table.move(plies[1]) == [f"move {plies[1]}", "reminder not_crowned"]


def test_the_second_disc_of_a_dark_stack_shows_less_than_that_of_a_light_one():
    light = _with_shift("international", "W:W7,42:B10,45", 0.55)
    dark = _with_shift("international", "B:W9,6:B44,7", 0.55)
    assert [w for text in ("7-1", "10-14") for w in light.move(text)][-1] == "reminder not_crowned"
    assert [w for text in ("44-50", "9-4") for w in dark.move(text)] == ["move 44-50", "move 9-4"]


def test_a_crown_is_asked_for_from_steeply_above_once_one_of_that_side_was_plainly_seen():
    plies = ("7-1", "10-14", "42-38", "14-19", "8-2", "19-24")
    table = _with_shift("international", "W:W7,8,42:B10,45", 0.35)
    table.move(plies[0], crowned=True)
    for text in plies[1:4]:
        assert table.move(text, crowned=True) == [f"move {text}"]
    said: list[str] = []
    for text in plies[4:]:
        variant = table.state.terms.variant
        table.true = play(variant, table.true, parse_move(variant, table.true, text))
        uncrowned = table.true.placement.replaced({point_named(variant, "2"): Piece.WHITE_MAN})
        said += words(table.show(uncrowned, looks=4))
    assert said == ["move 8-2", "move 19-24", "reminder not_crowned"]


@every_game
def test_a_crown_put_on_the_wrong_disc_is_told_and_the_right_one_still_asked_for(name, start, plies, king_move):
    table = played(name, start)
    table.move(plies[0])
    variant = table.state.terms.variant
    table.true = play(variant, table.true, parse_move(variant, table.true, plies[1]))
    board = bare(variant, table.true.placement)
    wrong = next(p for p in board.points_of(Side.WHITE) if not table.true.placement[p].is_king)
    assert words(table.show(board.replaced({wrong: Piece.WHITE_KING}), looks=6)) == ["violation wrongly_crowned"]
    mended = [w for w in words(table.show(board, looks=4)) if not w.startswith("draw_counter")]
    assert mended == ["resolved corrected wrongly_crowned", f"move {plies[1]}", "reminder not_crowned"]


@every_game
def test_a_crown_may_come_some_looks_after_the_promotion_with_nobody_having_moved(name, start, plies, king_move):
    table = played(name, start)
    assert table.move(plies[0], looks=9) == [f"move {plies[0]}"]
    assert table.look(looks=9) == []
    assert table.look(crowned=True, looks=9) == []
    assert table.move(plies[1], crowned=True) == [f"move {plies[1]}"]
