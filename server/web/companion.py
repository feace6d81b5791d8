"""What the dashboard needs of the running companion: snapshots to show, commands to hand on."""

from typing import Any, NotRequired, Protocol, TypedDict

Command = dict[str, Any]
"""`{"do": name, ...}` with every field already checked by `server.web.commands`; see the table there."""


class PointView(TypedDict):
    """One point that is played on, in the engine's order and coordinates (rules/board.py)."""

    name: str
    """What the record calls it: a number on international and English boards, else algebraic."""
    label: str
    """What is printed small on the board; may be empty."""
    x: float
    y: float


class BoardView(TypedDict):
    """The board to draw: White at the bottom, y upwards, one unit the width of a square."""

    kind: str
    """`chequered`, `full`, `alquerque`, `serpents` or `hexagon` (BoardKind values)."""
    width: float
    height: float
    points: list[PointView]
    idle: list[tuple[float, float]]
    """Centres of squares never played on."""
    outline: list[tuple[float, float]]
    lines: list[tuple[int, int]]
    """Pairs of neighbouring points to join by a line; empty for boards of squares and hexagons."""


class IrregularityView(TypedDict):
    """The irregularity that stands; `squares` and `due` use the record's names.

    `ways` are the captures among `due`, to draw: the `path` of squares, and those it captures `over`.
    """

    kind: str
    squares: list[str]
    due: list[str]
    ways: NotRequired[list[dict[str, list[str]]]]
    """Each capture that was due, as `path` and the squares `over` which it takes."""
    seen: NotRequired[list[str]]
    """What stands on the board, as in `pieces`, which tells what the record has."""
    played: NotRequired[list[str]]
    """Squares by which the one disc that moved went; empty if it was not one."""
    message: str


class CameraView(TypedDict):
    """`state` is `ok`, `lost` or `simulated`; `fps` frames a second; `message` says what to do when lost."""

    state: str
    fps: float
    message: NotRequired[str]
    paused: NotRequired[bool]
    """Whether the simulated players rest; only for the simulated board."""


class CounterView(TypedDict):
    """A draw rule under way: `count` of `limit`, with a label and a whole sentence for people."""

    label: str
    text: NotRequired[str]
    count: int
    limit: int


class HintView(TypedDict):
    """The newest answer to a `hint` command, for the ply it was asked at."""

    move: str
    line: list[str]
    score: float
    depth: int
    ply: int
    fen: NotRequired[str]
    """The position it was asked in."""
    way: NotRequired[dict[str, list[str]]]
    """The move as `path` and the squares `over` which it takes."""


class RecordView(TypedDict):
    """Whether everything is written down; `message` says what is the matter, or what was."""

    ok: bool
    message: str


class SettingsView(TypedDict):
    """What the pickers offer and what is in force."""

    variants: list[tuple[str, str]]
    """Every variant as (name, title)."""
    modes: list[str]
    house: str
    pin_required: bool


class Snapshot(TypedDict):
    """The newest state, JSON-able. The web layer never changes it and never sees a half-made one."""

    number: int
    """Rises by one with every change, never repeats while the process lives."""
    changed: NotRequired[int]
    """Number of the snapshot with which the game itself changed last, rather than the camera or the clock."""
    game: int
    """Number of the game in the journal."""
    variant: str
    variant_title: NotRequired[str]
    mode: str
    """`referee`, `training` or `record`."""
    fen: str
    first: str
    """`W` or `B`: the side that began, so that moves are paired rightly."""
    begins: NotRequired[str]
    """`W` or `B`: the side that begins by the rules of the game."""
    start_ply: NotRequired[int]
    """0, or 1 if the record starts with the second side to move (set position)."""
    to_move: str
    """`W` or `B`."""
    ply: int
    moves: list[str]
    irregularity: IrregularityView | None
    candidates: list[str]
    """Moves a person is asked to choose from; empty when nobody is asked."""
    counters: list[CounterView]
    clock: dict[str, Any] | None
    """Seconds left when it was sent as `{"W": s, "B": s, "running": side or null, "wait": s}`, or null. `wait` is what
    is left of the delay before the running side's time runs."""
    camera: CameraView
    confidence: float | None
    unsure: NotRequired[list[str]]
    """Squares that the camera cannot tell for a while now."""
    restore: NotRequired[list[dict[str, str]]]
    """A disturbed board: `square`, what should stand there (`want`) and what was `seen`, as in `pieces`."""
    results: NotRequired[dict[str, str]]
    """PDN results of this game for `W`, `draw` and `B`."""
    result: str | None
    """PDN result once the game is over, else null."""
    tags: NotRequired[dict[str, str]]
    board: BoardView
    facing: NotRequired[int]
    """Quarter turns after which the drawn board stands the same way up as in the camera picture."""
    pieces: list[str]
    """One of `.wbWB` per point, in the order of board.points; capitals are kings; w is White's."""
    last_move: list[str]
    """Names of the squares of the last move: from, ..., to; empty before the first."""
    message: str
    """One calm sentence for the players: what Kibitz waits for, or a reminder."""
    hint: NotRequired[HintView | None]
    draw_offer: NotRequired[str | None]
    """Side whose draw offer stands."""
    settings: SettingsView
    record: NotRequired[RecordView]


class Companion(Protocol):
    """The running companion as web threads see it. Every method is safe to call from any thread."""

    @property
    def pin(self) -> str:
        """The PIN that commands need; empty when the settings say that none is needed."""
        ...

    def snapshot(self) -> dict[str, Any]:
        """The newest `Snapshot`; never blocks."""
        ...

    def wait_for(self, number: int, timeout: float) -> dict[str, Any] | None:
        """The newest snapshot whose number is at least `number`, waiting up to `timeout` seconds; None if none came.

        A numbering that started again (the companion restarted) is the caller's to notice.
        """
        ...

    def picture(self, overlay: bool) -> bytes | None:
        """The newest camera picture as JPEG, if `overlay` with what the pipeline sees on it; None if there is none."""
        ...

    def command(self, command: Command) -> tuple[int, dict[str, Any]]:
        """Queue a checked command: `(202, {"number": n})`, n being the snapshot from which it shows.

        Otherwise the fitting status with `{"error": sentence}`: 409 if the state does not allow it (nothing to accept,
        no such candidate, an illegal move, a FEN that is none), 503 if the queue is full or the companion is stopping.
        """
        ...

    def legal(self, ply: int | None) -> list[str] | None:
        """The legal moves at a ply of the game being played (None: the next one); None if there is no such ply."""
        ...

    def seen(self) -> dict[str, Any] | None:
        """What the camera saw last: the board's `corners` in the picture, `pieces` in board order, `fen` and `unsure`
        square names, all three null while a hand is over the board; None if the board has not been found."""
        ...

    def games(self) -> list[dict[str, Any]]:
        """Games of the journal, newest first: `game`, `variant`, `started`, `plies`, `result`, `tags`."""
        ...

    def game(self, number: int) -> dict[str, Any] | None:
        """One game with its `events`; None if there is no such game."""
        ...

    def event_picture(self, number: int, event: int, when: str) -> bytes | None:
        """The small JPEG `before` or `after` an event (from 1) of a game; None if there is none."""
        ...

    def pdn(self, number: int | None, form: str) -> str | None:
        """PDN of a game (None: the one being played) in `form` `strict` or `full`; None if there is no such game."""
        ...
