"""The published openings are all legal, and what they leave out is what the rules say they leave out."""

import random

import pytest

from rules.ballots import (
    Ballot,
    ballot_of,
    departure,
    drawn,
    due_of,
    listed_openings,
    opened,
    three_move_deck,
    two_move_deck,
)
from rules.errors import IllegalMoveText, NotationError
from rules.legal_moves import legal_moves, play
from rules.notation import move_text, parse_move
from rules.position import Position
from rules.variant import start_position
from rules.variants.catalogue import variant_named

ENGLISH = variant_named("english")
START = start_position(ENGLISH)


def _legal_openings() -> dict[tuple[str, ...], Position]:
    found: dict[tuple[str, ...], Position] = {(): START}
    for _ in range(3):
        longer = {}
        for plies, position in found.items():
            for move in legal_moves(ENGLISH, position):
                longer[(*plies, move_text(ENGLISH, position, move))] = play(ENGLISH, position, move)
        found = longer
    return found


def _balance(position: Position, plies: int) -> int:
    """Men that the side to move is ahead after best play for so many plies and the captures that follow."""
    moves = legal_moves(ENGLISH, position)
    if plies <= 0 and not moves[0].is_capture:
        ours, theirs = (len(position.placement.points_of(s)) for s in (position.to_move, position.to_move.opponent))
        return ours - theirs
    spent = 0 if plies <= 0 else 1
    return max(-_balance(play(ENGLISH, position, move), plies - spent) for move in moves)


def test_the_deck_has_156_openings_of_which_twelve_were_added() -> None:
    assert len(listed_openings()) == 174
    assert len(three_move_deck()) == 156
    assert sum(ballot.added for ballot in three_move_deck()) == 12
    assert len({ballot.plies for ballot in listed_openings()}) == 174


def test_every_listed_opening_is_legal_and_leads_to_a_position_of_its_own() -> None:
    legal = _legal_openings()
    assert len(legal) == 302
    reached = [opened(ENGLISH, ballot)[1] for ballot in listed_openings()]
    assert [legal[ballot.plies] for ballot in listed_openings()] == reached
    assert len(set(reached)) == 174


def test_an_opening_is_left_out_only_if_it_transposes_or_loses_a_man() -> None:
    legal = _legal_openings()
    listed = {legal[ballot.plies] for ballot in listed_openings()}
    left_out = {position for position in legal.values() if position not in listed}
    assert sum(position in listed for position in legal.values()) == 174 + 72
    assert len(left_out) == 42
    assert all(_balance(position, 2) != 0 or _balance(position, 4) != 0 for position in left_out)


def test_no_listed_opening_loses_a_man_at_once() -> None:
    sample = random.Random(11).sample(listed_openings(), 30)
    assert {_balance(opened(ENGLISH, ballot)[1], 2) for ballot in sample} == {0}


def test_the_two_move_decks_leave_out_two_and_six_of_49() -> None:
    every = {move_text(ENGLISH, START, a) for a in legal_moves(ENGLISH, START)}
    assert len(every) == 7
    wide, strict = two_move_deck(), two_move_deck(strict=True)
    assert (len(wide), len(strict)) == (47, 43)
    assert not {"9-14 21-17", "10-14 21-17"} & {ballot.text for ballot in wide}
    assert {b.text for b in wide} - {b.text for b in strict} == {
        "9-14 23-18",
        "10-14 23-18",
        "11-16 23-19",
        "12-16 23-19",
    }


def test_a_card_is_drawn_by_the_randomness_given() -> None:
    deck = three_move_deck()
    assert drawn(deck, random.Random(5).randrange) == drawn(deck, random.Random(5).randrange)
    assert {drawn(deck, random.Random(seed).randrange) for seed in range(3000)} == set(deck)
    with pytest.raises(NotationError, match="empty deck"):
        drawn((), random.Random(5).randrange)


def test_a_card_is_found_by_its_plies_however_written_or_its_number() -> None:
    wanted = ballot_of(three_move_deck(), "9-13 22-18 11-15")
    assert (wanted.number, wanted.barred) == (8, False)
    assert ballot_of(three_move_deck(), "09-13, 22-18, 11-15") == wanted
    assert ballot_of(three_move_deck(), "#8") == wanted
    assert ballot_of(three_move_deck(), "9-13 22-17 13-22").plies[2] == "13x22"
    with pytest.raises(NotationError, match="156 cards"):
        ballot_of(three_move_deck(), "9-13 21-17 10-14")


def test_the_plies_of_a_card_are_due_one_after_the_other() -> None:
    ballot = ballot_of(three_move_deck(), "11-15 23-19 8-11")
    moves, reached = opened(ENGLISH, ballot)
    assert [due_of(ENGLISH, ballot, moves[:k]) for k in range(4)] == [*moves, None]
    assert reached.to_move.name == "WHITE"


def test_a_ply_that_leaves_the_card_is_told() -> None:
    ballot = ballot_of(three_move_deck(), "11-15 23-19 8-11")
    first = parse_move(ENGLISH, START, "11-15")
    other = parse_move(ENGLISH, play(ENGLISH, START, first), "22-18")
    assert departure(ENGLISH, ballot, [first]) is None
    assert departure(ENGLISH, ballot, [first, other]) == (
        "The ballot is 11-15 23-19 8-11: ply 2 should be 23-19, this was 22-18."
    )
    assert due_of(ENGLISH, ballot, [first, other]) is None


def test_a_card_does_not_fit_another_game() -> None:
    with pytest.raises(IllegalMoveText):
        opened(variant_named("russian"), Ballot(1, ("9-13", "22-18", "11-15")))
