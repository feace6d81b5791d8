"""Two-game matches: colours exchanged, the same ballot, one score."""

from dataclasses import replace

import pytest

from rules.variants.catalogue import variant_named
from server.session.match import match_of, second_game
from server.session.state import State, new_state, terms_for

TAGS = {"White": "Ann", "Black": "Bob", "Ballot": "9-14 22-18 5-9", "MatchGame": "1"}


def game(result: str | None, **tags: str) -> State:
    return replace(new_state(terms_for(variant_named("english"))), tags=TAGS | tags, result=result)


def test_the_second_game_exchanges_colours_and_keeps_the_ballot():
    second = second_game(game("1-0"))
    assert second is not None
    assert (second.tags["White"], second.tags["Black"]) == ("Bob", "Ann")
    assert second.tags["Ballot"] == TAGS["Ballot"]
    assert second.result is None
    assert second.plies == ()
    assert second.terms == game(None).terms


@pytest.mark.parametrize(
    ("first", "second", "winner", "score"),
    [("1-0", "1/2-1/2", "Ann", 1.5), ("1-0", "1-0", None, 1.0), ("0-1", "1-0", "Bob", 2.0), ("0-1", "0-1", None, 1.0)],
)
def test_both_games_make_one_score(first, second, winner, score):
    """Ann has White first: 1-0 in game 1 is hers, 1-0 in game 2 is Bob's."""
    last = second_game(game(first))
    assert last is not None
    match = match_of(replace(last, result=second))
    assert match is not None
    assert match.is_over
    assert (match.winner.name if match.winner else None) == winner
    names = {player.name: match.score(player) for player in match.players}
    assert max(names.values()) == score


def test_while_the_first_game_is_played_the_match_is_at_its_first_game():
    match = match_of(game(None))
    assert match is not None
    assert match.game == 1
    assert match.ballot is not None
    assert match.ballot.text == TAGS["Ballot"]
    assert match.side_of(match.players[0], 1).value == "B"


def test_no_second_game_follows_before_the_first_is_over_or_after_the_second():
    assert second_game(game(None)) is None
    last = second_game(game("1-0"))
    assert last is not None
    assert second_game(replace(last, result="1-0")) is None


def test_a_game_that_stands_alone_belongs_to_no_match():
    alone = new_state(terms_for(variant_named("english")))
    assert match_of(alone) is None
    assert second_game(replace(alone, result="1-0")) is None
