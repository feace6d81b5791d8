"""The hint worker: thinks beside the game and can be stopped at any moment."""

import threading
import time
from collections.abc import Callable
from typing import Any

from rules.fen import fen
from rules.hint import hint
from rules.legal_moves import legal_moves
from rules.notation import move_text
from rules.position import Position
from rules.variant import Variant
from server.cli.hint import line_text
from server.runtime.view import way_view

_PATIENCE_SECONDS = 0.5


class HintWorker:
    """Answers the newest question; an older one that is still being thought about is dropped."""

    def __init__(self, stop: threading.Event, answer: Callable[[dict[str, Any]], None]) -> None:
        self._stop, self._answer = stop, answer
        self._asked = threading.Condition()
        self._question: tuple[Variant, Position, float, int] | None = None

    def ask(self, variant: Variant, position: Position, seconds: float, ply: int) -> None:
        with self._asked:
            self._question = (variant, position, seconds, ply)
            self._asked.notify_all()

    def run(self) -> None:
        while not self._stop.is_set():
            with self._asked:
                self._asked.wait_for(lambda: self._question is not None, _PATIENCE_SECONDS)
                question, self._question = self._question, None
            if question is not None:
                self._think(*question)

    def _think(self, variant: Variant, position: Position, seconds: float, ply: int) -> None:
        if not legal_moves(variant, position):
            return
        found = hint(variant, position, seconds, self._interrupted, time.monotonic)
        self._answer(
            {
                "move": move_text(variant, position, found.move),
                "line": line_text(variant, position, found.line),
                "score": float(found.score),
                "depth": int(found.depth),
                "ply": ply,
                "fen": fen(variant, position),
                "way": way_view(variant, found.move),
            }
        )

    def _interrupted(self) -> bool:
        return self._stop.is_set() or self._question is not None
