"""A companion without camera or engine: it answers what it was given and remembers what it was told."""

from typing import Any

JPEG = bytes.fromhex("ffd8ffe000104a46494600010100000100010000ffd9")


def board_view(size: int = 10) -> dict[str, Any]:
    """A chequered board of `size` squares a side with the record's numbers."""
    cells = [(c, r) for r in reversed(range(size)) for c in range(size)]
    played = [(c, r) for c, r in cells if (c + r) % 2 == 0]
    return {
        "kind": "chequered",
        "width": size,
        "height": size,
        "points": [
            {"name": str(i + 1), "label": str(i + 1), "x": c + 0.5, "y": r + 0.5} for i, (c, r) in enumerate(played)
        ],
        "idle": [[c + 0.5, r + 0.5] for c, r in cells if (c + r) % 2],
        "outline": [[0, size], [size, size], [size, 0], [0, 0]],
        "lines": [],
    }


def snapshot(**changes: Any) -> dict[str, Any]:
    """An international game after 1. 32-28 19-23 2. 28x19, quiet unless `changes` say otherwise."""
    pieces = ["b"] * 20 + ["."] * 10 + ["w"] * 20
    pieces[18], pieces[31], pieces[45] = "w", ".", "W"
    return {
        "number": 7,
        "game": 3,
        "variant": "international",
        "mode": "referee",
        "fen": "B:W19,31:B1,2",
        "first": "W",
        "to_move": "B",
        "ply": 3,
        "moves": ["32-28", "19-23", "28x19"],
        "irregularity": None,
        "candidates": [],
        "counters": [],
        "clock": None,
        "camera": {"state": "simulated", "fps": 10.0},
        "confidence": 0.98,
        "result": None,
        "board": board_view(),
        "pieces": pieces,
        "last_move": ["28", "19"],
        "message": "",
        "settings": {
            "variants": [["international", "International draughts"], ["english", "English draughts"]],
            "modes": ["referee", "training", "record"],
            "house": "correct",
            "pin_required": True,
        },
    } | changes


MISSED_CAPTURE = {
    "kind": "missed_capture",
    "squares": ["14", "20"],
    "due": ["14x23", "13x24"],
    "message": "Black moved 20-25, but a capture was due. White decides whether it stands.",
}


class FakeCompanion:
    """Implements server.web.companion.Companion; `queue` holds what wait_for gives, in order."""

    def __init__(self, pin: str = "2468", **changes: Any) -> None:
        self.pin = pin
        self.newest = snapshot(**changes)
        self.queue: list[dict[str, Any] | None] = []
        self.commands: list[dict[str, Any]] = []
        self.answer: tuple[int, dict[str, Any]] = (202, {"number": 8})
        self.jpeg: bytes | None = JPEG
        self.waited_for: list[int] = []

    def snapshot(self) -> dict[str, Any]:
        return self.newest

    def wait_for(self, number: int, timeout: float) -> dict[str, Any] | None:
        self.waited_for.append(number)
        return self.queue.pop(0) if self.queue else None

    def picture(self, overlay: bool) -> bytes | None:
        return self.jpeg + (b"overlay" if overlay else b"") if self.jpeg else None

    def command(self, command: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        self.commands.append(command)
        return self.answer

    def games(self) -> list[dict[str, Any]]:
        return [{"game": 3, "variant": "international", "plies": 3, "result": None}]

    def game(self, number: int) -> dict[str, Any] | None:
        return {"game": 3, "events": [{"type": "move"}]} if number == 3 else None

    def pdn(self, number: int | None, form: str) -> str | None:
        return f'[GameType "20"]\n{{{form}}} 1. 32-28 *\n' if number in (None, 3) else None
