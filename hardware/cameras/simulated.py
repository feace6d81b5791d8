"""The simulated board as a camera: a real game, played by drawn hands, for where nothing is plugged in."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from types import TracebackType
from typing import Self

from hardware.simulator.acts import Act, SetUp, Wait
from hardware.simulator.discs import Picture
from hardware.simulator.game import Evening, evening
from hardware.simulator.player import Table, states
from hardware.simulator.render import Renderer
from hardware.simulator.scene import draw_scene
from rules.piece import Side
from rules.position import Position
from rules.variant import Variant, start_position
from rules.variants.catalogue import variant_named
from vision.frame import Frame

_FRAMES_PER_SECOND = 10.0
_WHITES_SIDE = 0
"""Where the camera is: the picture stands the same way up as boards are drawn in books."""
_LAG_SECONDS = 1.0
"""A machine too slow to draw in time plays the game slower instead of skipping pictures."""
_PAUSE_SECONDS = 4.0
"""How long the players wait before they go on from where somebody had them go on."""


@dataclass(frozen=True, slots=True)
class Wish:
    """What the people at the dashboard want to see played."""

    variant_name: str
    start: Position | None = None
    """None: the game's own start."""
    game: int = 0
    """Changes with every game that is begun."""
    first: Side | None = None
    """Who begins the games after it; None: as the rules say."""
    on_from: Position | None = None
    """Where somebody had the game go on from, by taking moves back or letting a mistake stand."""
    turns: int = 0
    """How often that was done: each time the players are to go on from `on_from`, wherever they were."""

    @property
    def variant(self) -> Variant:
        return variant_named(self.variant_name)

    @property
    def position(self) -> Position:
        return self.start or start_position(self.variant)


@dataclass(slots=True)
class SimulatedBoard:
    """Endless games of a variant on a table drawn from `seed`; in real time if `paced`, else as fast as it can.

    It follows `wish`, which is asked before every picture: another board is laid on the table, another position or
    game on the same board is set up by hand.
    """

    variant_name: str
    seed: int = 0
    paced: bool = True
    frames_per_second: float = _FRAMES_PER_SECOND
    size: tuple[int, int] = (1280, 720)
    clock: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep
    wish: Callable[[], Wish] | None = None
    rest: Callable[[], bool] = lambda: False
    """Whether the players are to pause: a disc in the hand is still put down, a board that is wished still set up."""
    _stands: bool = field(default=False, init=False)
    """Whether the board that the evening of now begins with stands."""
    _arranged: Wish | None = field(default=None, init=False)
    """The wish whose board stands, or stood and was played on."""

    def is_arranging(self) -> bool:
        """Whether the players are about to lay another board, or to set one up, because it was wished."""
        return self._arranged is not None and self._wished() != self._arranged

    @property
    def description(self) -> str:
        return f"simulated board ({self._wished().variant_name}, seed {self.seed})"

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        return None

    def frames(self, stop: Callable[[], bool]) -> Iterator[Frame]:
        """Frames of the games; `captured_at` is the clock's time if paced, else the script's."""
        began = self.clock() if self.paced else 0.0
        for sequence, (seconds, bgr) in enumerate(self._pictures()):
            if stop():
                return
            if self.paced:
                ahead = began + seconds - self.clock()
                if ahead > 0:
                    self.sleep(ahead)
                elif ahead < -_LAG_SECONDS:
                    began = self.clock() - seconds
            yield Frame(bgr=bgr, captured_at=began + seconds, sequence=sequence)

    def _wished(self) -> Wish:
        return Wish(self.variant_name) if self.wish is None else self.wish()

    def _pictures(self) -> Iterator[tuple[float, Picture]]:
        """(seconds since the beginning, picture) without end, evenly timed across every change of the game."""
        wish, before = self._wished(), 0.0
        scene = draw_scene(wish.variant.board, self.seed, self.size, _WHITES_SIDE)
        renderer, table = Renderer(scene), Table(scene, wish.position.placement, self.seed)
        while True:
            seconds = 0.0
            seed = self.seed + wish.game + 104729 * wish.turns  # another one, so that another move may be chosen
            played = evening(wish.variant, seed, wish.on_from or wish.start, wish.first)
            self._stands = False
            for seconds, state in states(self._acts(wish, played), table, self.frames_per_second):
                before_it, wish = wish, self._wished()
                if before_it != wish and _means_other_moves(before_it, wish, played, table):
                    break
                if self._stands:
                    self._arranged = wish
                yield before + seconds, renderer.render(state).bgr
                while self._stands and state.hand is None and self.rest() and self._wished() == wish:
                    before += 1 / self.frames_per_second
                    yield before + seconds, renderer.render(state).bgr
            before += seconds
            if wish.variant.board is not scene.board:
                scene = draw_scene(wish.variant.board, self.seed, self.size, _WHITES_SIDE)
                renderer, table = Renderer(scene), Table(scene, wish.position.placement, self.seed)

    def _acts(self, wish: Wish, played: Evening) -> Iterator[Act]:
        """The position is set up, if it does not stand already, and games begin from there."""
        yield SetUp(played.position.placement)
        self._stands = True
        if wish.on_from is not None:
            yield Wait(_PAUSE_SECONDS)
        yield from played.acts()


def _means_other_moves(before: Wish, wish: Wish, played: Evening, table: Table) -> bool:
    """Whether the evening that is being played is not what is wished.

    A game begun where its start stands already, with the side to move whose turn it is, changes nothing.
    """
    if wish.on_from is not None:
        return (wish.on_from, wish.turns, wish.game) != (before.on_from, before.turns, before.game)
    wanted, now = wish.position, played.position
    stands = wanted.placement == now.placement == table.placement and wanted.to_move is now.to_move
    first = wish.first or wish.variant.first
    return wish.variant_name != played.variant.name or not stands or first is not played.first
