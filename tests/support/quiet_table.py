"""A running companion at a table whose camera shows nothing, or one still picture: commands alone move the game."""

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import TracebackType
from typing import Self

import numpy as np

from rules.variants.catalogue import variant_named
from server.runtime.companion import Feed, RunningCompanion
from server.runtime.ledger import Ledger
from server.runtime.pipeline import Pipeline
from server.session.state import new_state, terms_for
from server.settings import Settings
from vision.frame import Frame


class StillCamera:
    """Gives one grey picture, or none, and then nothing until it is stopped."""

    description = "a grey wall"

    def __init__(self, pictures: int) -> None:
        self._pictures = pictures

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type | None, error: BaseException | None, trace: TracebackType | None) -> None:
        return None

    def frames(self, stop: Callable[[], bool]) -> Iterator[Frame]:
        for number in range(self._pictures):
            yield Frame(np.full((240, 320, 3), 90, np.uint8), time.monotonic(), number)
        while not stop():
            time.sleep(0.01)


def companion_at(folder: Path, variant: str = "english", pictures: int = 0, pin: str = "2468") -> RunningCompanion:
    """A companion with a journal in `folder`; its threads are not running yet."""
    session = new_state(terms_for(variant_named(variant)))
    ledger = Ledger(folder / "games.sqlite3")
    going_on = ledger.unfinished()
    if going_on is None:
        ledger.begin(session)
    pipeline = Pipeline(going_on or session, Settings())
    return RunningCompanion(Feed(lambda: StillCamera(pictures)), pipeline, ledger, Settings(), pin)
