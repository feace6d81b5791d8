"""Openings drawn by lot in English draughts: the three-move and the two-move ballot, pure values.

A card gives the first plies; both games of a pair begin with them (text 001: White plays the fourth ply, and after
the game sides are swapped and a second game starts from the same card).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

from rules.ballot_list import OPENINGS
from rules.errors import NotationError
from rules.legal_moves import play
from rules.move import Move
from rules.notation import move_text, parse_move
from rules.position import Position
from rules.variant import Variant, start_position

Pick = Callable[[int], int]
"""A number from 0 up to, but not including, the one given, such as `random.Random(seed).randrange`."""


@dataclass(frozen=True, slots=True)
class Ballot:
    """A card: the plies that both games of a pair begin with."""

    number: int
    """Place in its list, from 1; of three-move openings the ACF number."""
    plies: tuple[str, ...]
    barred: bool = False
    """In the list of openings that keep the men even, but known or held to be lost: not in the deck."""
    added: bool = False
    """Taken into the deck in 2003."""

    @property
    def text(self) -> str:
        return " ".join(self.plies)


_LOPSIDED = ("9-14 23-18", "10-14 23-18", "11-16 23-19", "12-16 23-19")
"""Two-move openings that the stricter deck of 43 leaves out besides those that lose a man."""


@cache
def listed_openings() -> tuple[Ballot, ...]:
    """All 174 three-move openings of the ACF's list, barred ones included."""
    found: list[Ballot] = []
    for line in OPENINGS.strip().splitlines():
        first_two, thirds = line.split(" : ")
        for third in thirds.split():
            plies = (*first_two.split(), third.rstrip("!+"))
            found.append(Ballot(len(found) + 1, plies, barred=third.endswith("!"), added=third.endswith("+")))
    return tuple(found)


@cache
def three_move_deck() -> tuple[Ballot, ...]:
    """The 156 openings that tournaments draw from."""
    return tuple(ballot for ballot in listed_openings() if not ballot.barred)


@cache
def two_move_deck(strict: bool = False) -> tuple[Ballot, ...]:
    """The first two plies of every listed opening: 47 of the 49 there are, the other two losing a man.

    `strict` leaves out four more that old tournaments held to be one-sided (quadibloc.com, Two-Move and Three-Move
    Restrictions): 43.
    """
    pairs = dict.fromkeys(ballot.plies[:2] for ballot in listed_openings())
    kept = [plies for plies in pairs if not (strict and " ".join(plies) in _LOPSIDED)]
    return tuple(Ballot(k + 1, plies) for k, plies in enumerate(kept))


def drawn(deck: Sequence[Ballot], pick: Pick) -> Ballot:
    """A card drawn by lot; raises NotationError for an empty deck."""
    if not deck:
        raise NotationError("saw an empty deck; expected at least one card to draw from")
    return deck[pick(len(deck))]


def ballot_of(deck: Sequence[Ballot], text: str) -> Ballot:
    """The card of a deck with these plies, however they are written (`09-13, 22-18 11-15`), or with this number."""
    words = text.replace(",", " ").replace(";", " ").split()
    plies = tuple(_plain(word) for word in words)
    for ballot in deck:
        if tuple(_plain(ply) for ply in ballot.plies) == plies or words in (
            [str(ballot.number)],
            [f"#{ballot.number}"],
        ):
            return ballot
    raise NotationError(f"saw the ballot {text!r}; expected one of the {len(deck)} cards, such as {deck[0].text!r}")


def _plain(ply: str) -> str:
    ends = ply.replace("x", "-").split("-")
    return "-".join(end.lstrip("0") for end in ends)


def opened(variant: Variant, ballot: Ballot) -> tuple[tuple[Move, ...], Position]:
    """The moves of a card and the position they lead to; raises IllegalMoveText for a card of another game."""
    position, moves = start_position(variant), []
    for text in ballot.plies:
        moves.append(parse_move(variant, position, text))
        position = play(variant, position, moves[-1])
    return tuple(moves), position


def due_of(variant: Variant, ballot: Ballot, played: Sequence[Move]) -> Move | None:
    """The move of the card that is due after the plies played, or None once it has been played out or left."""
    moves, _ = opened(variant, ballot)
    follows = len(played) < len(moves) and all(a.key == b.key for a, b in zip(played, moves, strict=False))
    return moves[len(played)] if follows else None


def departure(variant: Variant, ballot: Ballot, played: Sequence[Move]) -> str | None:
    """What is wrong with the first plies of a game that should follow a card; None if nothing is."""
    moves, _ = opened(variant, ballot)
    position = start_position(variant)
    for ply, (made, due) in enumerate(zip(played, moves, strict=False), start=1):
        if made.key != due.key:
            wanted, seen = (move_text(variant, position, move) for move in (due, made))
            return f"The ballot is {ballot.text}: ply {ply} should be {wanted}, this was {seen}."
        position = play(variant, position, made)
    return None
