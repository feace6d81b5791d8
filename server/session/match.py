"""Two games that belong together, as the tags of a game keep them: which game it is, and the first one's result."""

from dataclasses import replace

from rules.ballots import Ballot, ballot_of, listed_openings
from rules.errors import RulesError
from rules.match import Player, TwoGameMatch
from rules.variant import start_position
from server.session.state import State, new_state

GAME_TAG, FIRST_RESULT_TAG, BALLOT_TAG = "MatchGame", "FirstResult", "Ballot"


def match_of(state: State) -> TwoGameMatch | None:
    """The match that a game belongs to, with the results known by now; None for a game that stands alone."""
    game = state.tags.get(GAME_TAG)
    if game not in ("1", "2"):
        return None
    white, black = (Player(state.tags.get(side) or f"The {side} of game {game}") for side in ("White", "Black"))
    begins = state.terms.variant.first
    beginner, other = (white, black) if begins.value == "W" else (black, white)
    players = (beginner, other) if game == "1" else (other, beginner)
    results = (state.tags.get(FIRST_RESULT_TAG, ""), state.result) if game == "2" else (state.result,)
    match = TwoGameMatch(players, begins, _ballot(state))
    try:
        for result in results:
            match = match if result is None else match.finished(result)
    except RulesError:
        return None
    return match


def _ballot(state: State) -> Ballot | None:
    text = state.tags.get(BALLOT_TAG)
    try:
        return ballot_of(listed_openings(), text) if text else None
    except RulesError:
        return None


def second_game(state: State) -> State | None:
    """The game that follows: the same opening and terms, colours exchanged. None unless a first game is over."""
    if state.tags.get(GAME_TAG) != "1" or state.result is None:
        return None
    tags = dict(state.tags) | {GAME_TAG: "2", FIRST_RESULT_TAG: state.result}
    for side, other in (("White", "Black"), ("Black", "White")):
        tags.pop(side, None)
        if state.tags.get(other):
            tags[side] = state.tags[other]
    terms = replace(state.terms, start=start_position(state.terms.variant))
    return replace(new_state(terms), tags=tags, mirrored=state.mirrored)
