"""What seeing costs: processor time as ratios measured side by side in one run, and memory."""

import os
import time
import tracemalloc
from collections.abc import Callable
from dataclasses import dataclass
from itertools import count
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.find_board import find_board
from hardware.simulator.render import render, with_size
from hardware.simulator.scene import draw_scene
from rules.board import Board
from rules.legal_moves import legal_moves, play
from rules.variant import Variant, start_position
from rules.variants.catalogue import variant_named
from server.runtime.pipeline import Pipeline
from server.session.state import new_state, terms_for
from server.settings import Settings
from vision.activity import watch, watching
from vision.compared import sampled
from vision.evidence import evidence, learn_look
from vision.frame import Frame
from vision.fusion import fused
from vision.pose import BoardPose
from vision.rereading import ReadSquares, evidence_again, networks

SIZE = (1920, 1080)
SMALL = (320, 180)
_ROUNDS = 5
_REPEATS = 20


@dataclass(frozen=True, slots=True)
class Costs:
    """Milliseconds of one thread's processor time at 1080p, and the same as multiples of `reduce_ms`."""

    reduce_ms: float
    """Reducing a 1080p frame to a grey picture 320 wide, by cv2.resize with INTER_AREA: the unit."""
    idle_ms: float
    """Watching a frame in which nothing has changed."""
    still_ms: float
    """The mean frame of a still board through the whole pipeline at ten frames a second, looks and rulings included."""
    look_ms: float
    """A settled look at the 50 squares in a game: sampled, and read where a move changed them or it was their turn."""
    first_ms: float
    """A look that reads every square, as the first one does."""
    find_seconds: float
    """Finding the board."""

    @property
    def idle_ratio(self) -> float:
        return self.idle_ms / self.reduce_ms

    @property
    def still_ratio(self) -> float:
        return self.still_ms / self.reduce_ms

    @property
    def look_ratio(self) -> float:
        return self.look_ms / self.reduce_ms

    @property
    def first_ratio(self) -> float:
        return self.first_ms / self.reduce_ms


@dataclass(frozen=True, slots=True)
class Memory:
    """Of a pipeline at 1080p: resident megabytes in all, and kilobytes of Python's own more after `frames` frames."""

    resident_mb: float
    grown_kb: float
    frames: int


def costs(seed: int = 0) -> Costs:
    """Measures on a drawn international board; OpenCV keeps to one thread meanwhile."""
    threads = cv2.getNumThreads()
    cv2.setNumThreads(1)
    try:
        return _costs(seed)
    finally:
        cv2.setNumThreads(threads)


def memory(frames: int, seed: int = 0) -> Memory:
    """Runs a pipeline over a still board for `frames` frames at ten a second."""
    pictures, _, variant = _table(seed)
    pipeline = _pipeline(variant)
    warm = max(50, frames // 10)
    tracemalloc.start()
    try:
        for number in range(warm):
            pipeline.see(Frame(pictures[number % 2], number / 10, number))
        before = tracemalloc.get_traced_memory()[0]
        for number in range(warm, warm + frames):
            pipeline.see(Frame(pictures[number % 2], number / 10, number))
        grown = tracemalloc.get_traced_memory()[0] - before
    finally:
        tracemalloc.stop()
    return Memory(_resident_mb(), grown / 1024, frames)


def _costs(seed: int) -> Costs:
    pictures, pose, variant = _table(seed)
    pipeline = _pipeline(variant)
    for number in range(40):
        pipeline.see(Frame(pictures[number % 2], number / 10, number))
    state, board = watching(variant.board), variant.board
    for number in range(20):
        state, _ = watch(state, Frame(pictures[number % 2], number / 10, number), pose)
    numbers, settled = count(40), _Settled(_after_a_move(seed), pictures[0], pose, board)

    def idle() -> None:
        watch(state, Frame(pictures[1], 2.0, 20), pose)

    def still() -> None:
        number = next(numbers)
        pipeline.see(Frame(pictures[number % 2], number / 10, number))

    reduced, idled, stood, looked, first = _fastest(
        lambda: cv2.resize(cv2.cvtColor(pictures[0], cv2.COLOR_BGR2GRAY), SMALL, interpolation=cv2.INTER_AREA),
        idle,
        still,
        settled.look,
        lambda: evidence(pictures[0], pose, board),
    )
    began = time.process_time()
    find_board(pictures[0], board.rows, board.columns)
    return Costs(reduced, idled, stood, looked, first, time.process_time() - began)


class _Settled:
    """Looks in a game at two pictures that are one move apart, in turn, each beside what was read before."""

    def __init__(self, moved: NDArray[np.uint8], start: NDArray[np.uint8], pose: BoardPose, board: Board) -> None:
        pieces = np.frombuffer(start_position(variant_named("international")).placement.pieces, np.uint8)
        self._appearance = learn_look(start, pose, board, pieces.tolist())
        self._pictures, self._pose, self._board = (start, moved), pose, board
        self._numbers, self._nets = count(), networks()
        self._read: ReadSquares | None = None
        for _ in range(10):
            self.look()

    def look(self) -> None:
        picture = self._pictures[next(self._numbers) % 2]
        look = sampled(picture, self._pose, self._board)
        seen, self._read = evidence_again(look, self._board, self._appearance, self._nets, self._read)
        fused([seen])


def _fastest(*works: Callable[[], object]) -> list[float]:
    """Milliseconds of each work, the least of several rounds in which they take turns."""
    for work in works:
        work()
    best = [float("inf")] * len(works)
    for _ in range(_ROUNDS):
        for number, work in enumerate(works):
            began = time.process_time()
            for _ in range(_REPEATS):
                work()
            best[number] = min(best[number], (time.process_time() - began) / _REPEATS * 1000)
    return best


def _table(seed: int) -> tuple[list[NDArray[np.uint8]], BoardPose, Variant]:
    """Two pictures of the start position that differ by their noise, the true pose, the game."""
    variant = variant_named("international")
    scene = with_size(draw_scene(variant.board, seed), SIZE)
    drawn = render(scene, start_position(variant).placement)
    noise = np.random.default_rng(seed).normal(0, scene.noise, drawn.bgr.shape)
    pictures = [drawn.bgr, np.clip(drawn.bgr + noise, 0, 255).astype(np.uint8)]
    return pictures, BoardPose(drawn.image_from_board, 0.5, None, SIZE), variant


def _after_a_move(seed: int) -> NDArray[np.uint8]:
    """The same board with other noise after the first legal move."""
    variant = variant_named("international")
    scene, start = with_size(draw_scene(variant.board, seed), SIZE), start_position(variant)
    drawn = render(scene, play(variant, start, legal_moves(variant, start)[0]).placement)
    noise = np.random.default_rng(seed + 1).normal(0, scene.noise, drawn.bgr.shape)
    return np.clip(drawn.bgr + noise, 0, 255).astype(np.uint8)


def _pipeline(variant: Variant) -> Pipeline:
    return Pipeline(new_state(terms_for(variant, None, None)), Settings())


def _resident_mb() -> float:
    """Resident memory of this process; 0 where the system does not tell (`/proc` is Linux's)."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") / 2**20
    except (OSError, ValueError, AttributeError):
        return 0.0
