"""Two games that belong together: the same opening, colours exchanged, one result (text 001; WCDF rules)."""

from dataclasses import dataclass, replace

from rules.ballots import Ballot
from rules.errors import RulesError
from rules.piece import Side

_WON, _LOST, _DRAWN, _NEITHER = (1.0, 0.0), (0.0, 1.0), (0.5, 0.5), (0.0, 0.0)
_POINTS = {
    "2-0": _WON,
    "1-0": _WON,
    "1-1": _DRAWN,
    "1/2-1/2": _DRAWN,
    "0-2": _LOST,
    "0-1": _LOST,
    "0-0": _NEITHER,
}
"""What White and Black score by PDN result; 0-0 is a game that both lost."""


@dataclass(frozen=True, slots=True)
class Player:
    """A player by name, as the record's tags give it."""

    name: str


@dataclass(frozen=True, slots=True)
class TwoGameMatch:
    """Two games between two players; the first player begins game 1, the second game 2."""

    players: tuple[Player, Player]
    begins: Side = Side.BLACK
    """The side that moves first in this game."""
    ballot: Ballot | None = None
    results: tuple[str, ...] = ()
    """PDN results of the games finished, White's score first."""

    @property
    def game(self) -> int:
        """The number of the game to be played, 1 or 2; 3 when both are over."""
        return len(self.results) + 1

    @property
    def is_over(self) -> bool:
        return len(self.results) == 2

    def player_of(self, side: Side, game: int) -> Player:
        """Who has `side` in game 1 or 2."""
        begins_first = side is self.begins
        return self.players[0 if begins_first == (game == 1) else 1]

    def side_of(self, player: Player, game: int) -> Side:
        return self.begins if self.player_of(self.begins, game) == player else self.begins.opponent

    def finished(self, result: str) -> "TwoGameMatch":
        """The match after its next game; raises RulesError for a result that is none, or a third game."""
        if self.is_over:
            raise RulesError("saw the result of a third game; this match has two: begin another match")
        if result not in _POINTS:
            raise RulesError(f"saw the result {result!r}; expected one of {', '.join(_POINTS)}")
        return replace(self, results=(*self.results, result))

    def score(self, player: Player) -> float:
        """Games won, draws counting a half."""
        sides = (Side.WHITE, Side.BLACK)
        games = enumerate(self.results, start=1)
        return sum(_POINTS[result][sides.index(self.side_of(player, game))] for game, result in games)

    @property
    def winner(self) -> Player | None:
        """Who has the better of the two games together; None while they are not over, and for a tie."""
        one, two = (self.score(player) for player in self.players)
        if not self.is_over or one == two:
            return None
        return self.players[0 if one > two else 1]

    @property
    def text(self) -> str:
        """The state of the match in a sentence."""
        names = [f"{player.name} {self.score(player):g}" for player in self.players]
        if not self.is_over:
            return f"Game {self.game} of 2: {', '.join(names)}."
        return (
            f"{self.winner.name} wins the match, {', '.join(names)}." if self.winner else f"Tied: {', '.join(names)}."
        )
