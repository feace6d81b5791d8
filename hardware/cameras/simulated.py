"""The simulated board as a camera: a real game, played by drawn hands, for where nothing is plugged in."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import TracebackType
from typing import Self

from hardware.simulator.game import games
from hardware.simulator.player import Table, states
from hardware.simulator.render import Renderer
from hardware.simulator.scene import draw_scene
from rules.variants.catalogue import variant_named
from vision.frame import Frame

_FRAMES_PER_SECOND = 10.0
_LAG_SECONDS = 1.0
"""A machine too slow to draw in time plays the game slower instead of skipping pictures."""


@dataclass(slots=True)
class SimulatedBoard:
    """Endless games of a variant on a table drawn from `seed`; in real time if `paced`, else as fast as it can."""

    variant_name: str
    seed: int = 0
    paced: bool = True
    frames_per_second: float = _FRAMES_PER_SECOND
    clock: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep

    @property
    def description(self) -> str:
        return f"simulated board ({self.variant_name}, seed {self.seed})"

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        return None

    def frames(self, stop: Callable[[], bool]) -> Iterator[Frame]:
        """Frames of the games; `captured_at` is the clock's time if paced, else the script's."""
        variant = variant_named(self.variant_name)
        scene = draw_scene(variant.board, self.seed)
        renderer = Renderer(scene)
        table = Table(scene, variant.start, self.seed)
        began = self.clock() if self.paced else 0.0
        for sequence, (seconds, state) in enumerate(states(games(variant, self.seed), table, self.frames_per_second)):
            if stop():
                return
            bgr = renderer.render(state).bgr
            if self.paced:
                ahead = began + seconds - self.clock()
                if ahead > 0:
                    self.sleep(ahead)
                elif ahead < -_LAG_SECONDS:
                    began = self.clock() - seconds
            yield Frame(bgr=bgr, captured_at=began + seconds, sequence=sequence)
