"""Simulated games watched by the whole pipeline, and how right it was."""

import time
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any

import numpy as np

from calibration.calibrate import Known
from hardware.simulator.chance import ChanceGame, ChanceMistake, chance_game, chance_mistake, natural_pace
from hardware.simulator.hand import Hand
from hardware.simulator.player import Table, states
from hardware.simulator.render import Renderer
from hardware.simulator.scene import Scene, draw_scene
from hardware.simulator.staging import outline_px
from rules.board import Board
from rules.faults import FaultKind
from rules.position import Position
from rules.variant import Variant
from server.cli.replay import watched
from server.runtime.pipeline import Pipeline
from server.session.state import new_state, terms_for
from server.settings import Settings
from vision.frame import Frame

FRAMES_PER_SECOND = 2.5
"""Few, so that many games can be watched; what counts in the pipeline is seconds, not frames."""
VERDICT_FRAMES_PER_SECOND = 10.0
"""What a camera gives, where the time to a verdict is measured."""
_RIM = 0.5
"""In squares."""
_SQUARE_PX = 48
"""Width of the picture per row of the board: cheap, and the least that a real camera gives."""


@dataclass(frozen=True, slots=True)
class GameTrial:
    """One game watched: what was played and what was said."""

    variant: str
    seed: int
    played: tuple[str, ...]
    events: tuple[dict[str, Any], ...]
    found: bool

    @property
    def seen(self) -> tuple[str, ...]:
        return tuple(e["move"] for e in self.events if e["type"] == "move")

    @property
    def due(self) -> tuple[str, ...]:
        """What belongs in the record: all, or what was played before a rule of draws ended the game."""
        ended = next((i for i, e in enumerate(self.events) if e["type"] == "result"), None)
        if ended is None or "no " in str(self.events[ended]["reason"]):
            return self.played
        return self.played[: sum(e["type"] == "move" for e in self.events[:ended])]

    @property
    def right_plies(self) -> int:
        blocks = SequenceMatcher(None, self.due, self.seen, autojunk=False).get_matching_blocks()
        return sum(block.size for block in blocks)

    @property
    def accusations(self) -> int:
        """Of faults, and of crowns that lack: every crown in these games is put on."""
        return self._count("violation") + self._count("reminder")

    @property
    def questions(self) -> int:
        return self._count("attention")

    @property
    def fully_right(self) -> bool:
        quiet = not any(self._count(kind) for kind in ("violation", "reminder", "attention", "takeback", "resolved"))
        return quiet and self.seen == self.due

    def _count(self, kind: str) -> int:
        return sum(e["type"] == kind for e in self.events)


def picture_size(variant: Variant) -> tuple[int, int]:
    """16:9 and as wide as the board needs."""
    rows = max(variant.board.rows, round(variant.board.height) + 1, 8)
    width = min(rows, 12) * _SQUARE_PX * 16 // 9 // 16 * 16
    return width, width * 9 // 16


def played_frames(scene: Scene, game: ChanceGame | ChanceMistake, seed: int) -> Iterator[Frame]:
    rng = np.random.default_rng([seed, 0x9ACE])
    renderer = Renderer(scene)
    table = Table(scene, game.start.placement, seed, natural_pace(rng))
    for number, (seconds, state) in enumerate(states(game.acts, table, FRAMES_PER_SECOND)):
        yield Frame(renderer.render(state).bgr, seconds, number)


def verdict_delays(variant: Variant, seed: int, plies: int) -> list[float]:
    """Seconds from the first picture without a hand over the board to the verdict on each move; 10 pictures a second.

    What the pipeline itself takes is counted in processor time, so that other programs do not count.
    """
    scene = draw_scene(variant.board, seed, picture_size(variant))
    game = chance_game(variant, seed, plies)
    pipeline, renderer = pipeline_for(variant, game.start, scene), Renderer(scene)
    table = Table(scene, game.start.placement, seed, natural_pace(np.random.default_rng([seed, 0x9ACE])))
    delays, hand, gone = list[float](), False, 0.0
    for number, (seconds, state) in enumerate(states(game.acts, table, VERDICT_FRAMES_PER_SECOND)):
        before, hand = hand, _is_over(variant.board, state.hand)
        gone = seconds if before and not hand else gone
        frame = Frame(renderer.render(state).bgr, seconds, number)
        began = time.thread_time()
        moves = sum(effect.type == "move" for effect in pipeline.see(frame))
        delays += [seconds - gone + time.thread_time() - began] * moves
    return delays


def _is_over(board: Board, hand: Hand | None) -> bool:
    """Whether the tip of a hand is over the board or its rim."""
    if hand is None:
        return False
    return -_RIM < hand.x < board.width + _RIM and -_RIM < hand.y < board.height + _RIM


def pipeline_for(variant: Variant, start: Position, scene: Scene) -> Pipeline:
    corners = None if variant.board.rows else [[float(x), float(y)] for x, y in outline_px(scene)]
    return Pipeline(new_state(terms_for(variant, start)), Settings(), None, Known(corners))


def game_trial(variant: Variant, seed: int, plies: int) -> GameTrial:
    """One random game on a random table."""
    scene = draw_scene(variant.board, seed, picture_size(variant))
    game = chance_game(variant, seed, plies)
    pipeline = pipeline_for(variant, game.start, scene)
    events = tuple(watched(played_frames(scene, game, seed), pipeline))
    return GameTrial(variant.name, seed, game.moves, events, pipeline.calibration is not None)


@dataclass(frozen=True, slots=True)
class MistakeTrial:
    """One mistake watched: what it was, and what was said."""

    variant: str
    seed: int
    case: ChanceMistake
    events: tuple[dict[str, Any], ...]

    @property
    def kind(self) -> str:
        return self.case.mistake.kind.value

    @property
    def told(self) -> tuple[str, ...]:
        """The kinds that were told, in order; a crown that lacks is first asked for by a reminder."""
        asked = ("reminder", FaultKind.NOT_CROWNED.value)
        return tuple(
            str(e["kind"]) for e in self.events if e["type"] == "violation" or (e["type"], e.get("kind")) == asked
        )

    @property
    def found(self) -> bool:
        """Something was said of it: a violation, or that the board was disturbed."""
        return bool(self.told) or any(e["type"] in ("attention", "takeback") for e in self.events)

    @property
    def right_kind(self) -> bool:
        return self.told[:1] == (self.kind,)

    @property
    def fully_right(self) -> bool:
        """Told once, and the record right after it."""
        moves = tuple(e["move"] for e in self.events if e["type"] == "move")
        return self.told == (self.kind,) and moves == self.case.moves


def mistake_trial(kind: FaultKind, variant: Variant, seed: int) -> MistakeTrial | None:
    """A mistake of this kind on a random table; None where the game gives no room for it."""
    case = chance_mistake(kind, variant, seed)
    if case is None:
        return None
    scene = draw_scene(variant.board, seed, picture_size(variant))
    events = tuple(watched(played_frames(scene, case, seed), pipeline_for(variant, case.start, scene)))
    return MistakeTrial(variant.name, seed, case, events)
