"""Two games are one match."""

import pytest

from rules.ballots import three_move_deck
from rules.errors import RulesError
from rules.match import Player, TwoGameMatch
from rules.piece import Side

ANNE, BEN = Player("Anne"), Player("Ben")
MATCH = TwoGameMatch((ANNE, BEN), Side.BLACK, three_move_deck()[0])


def test_colours_change_over_and_the_card_stays() -> None:
    assert (MATCH.player_of(Side.BLACK, 1), MATCH.player_of(Side.WHITE, 1)) == (ANNE, BEN)
    assert (MATCH.player_of(Side.BLACK, 2), MATCH.player_of(Side.WHITE, 2)) == (BEN, ANNE)
    assert MATCH.side_of(ANNE, 2) is Side.WHITE
    assert MATCH.finished("1-0").ballot == MATCH.ballot


def test_where_white_begins_the_first_player_has_white() -> None:
    match = TwoGameMatch((ANNE, BEN), Side.WHITE)
    assert match.player_of(Side.WHITE, 1) is ANNE
    assert match.finished("1-0").score(ANNE) == 1


def test_a_win_and_a_draw_win_the_match() -> None:
    match = MATCH.finished("0-1").finished("1/2-1/2")
    assert (match.score(ANNE), match.score(BEN)) == (1.5, 0.5)
    assert match.winner is ANNE
    assert match.text == "Anne wins the match, Anne 1.5, Ben 0.5."


def test_the_same_colour_winning_twice_is_a_tie() -> None:
    match = MATCH.finished("1-0").finished("1-0")
    assert match.is_over
    assert match.winner is None
    assert match.text == "Tied: Anne 1, Ben 1."


def test_a_match_of_one_game_has_no_winner_yet() -> None:
    match = MATCH.finished("2-0")
    assert (match.game, match.winner) == (2, None)
    assert match.text == "Game 2 of 2: Anne 0, Ben 1."


def test_a_game_that_both_lost_scores_for_neither() -> None:
    match = MATCH.finished("0-0").finished("0-1")
    assert (match.score(ANNE), match.score(BEN)) == (0, 1)
    assert match.winner is BEN


def test_a_third_game_or_an_unknown_result_is_refused() -> None:
    with pytest.raises(RulesError, match="third game"):
        MATCH.finished("1-0").finished("0-1").finished("1-0")
    with pytest.raises(RulesError, match="expected one of"):
        MATCH.finished("3-0")
