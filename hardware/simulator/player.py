"""What happens at a simulated table in time: hands come, lift, move, take and crown discs, and go again."""

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from hardware.simulator.acts import (
    HASTE,
    USUAL,
    Act,
    Displace,
    Drop,
    Fast,
    HandOver,
    LightChange,
    Pace,
    PickUp,
    Place,
    Ply,
    Remove,
    Restore,
    SetUp,
    Shift,
    Touch,
    Wait,
)
from hardware.simulator.discs import Disc
from hardware.simulator.hand import Hand
from hardware.simulator.render import Bump, Offsets, Renderer, RenderState, offsets
from hardware.simulator.scene import Scene
from rules.piece import Piece, Side, king
from rules.placement import Placement
from vision.frame import Frame

Spot = tuple[float, float]
_AWAY = 9.0
"""How far outside the board a resting hand is, in squares."""
_DISC_SECONDS = 0.8
"""The longest that one disc takes where a few are set up."""


@dataclass(frozen=True, slots=True)
class Phase:
    """Some seconds of a script; `at(progress from 0 to 1)` is how the table looks then."""

    seconds: float
    at: Callable[[float], RenderState]


class Table:
    """The discs and hands of a running script, in the scene's own geometry."""

    def __init__(self, scene: Scene, start: Placement, seed: int, pace: Pace = USUAL) -> None:
        self._scene = scene
        self._usual = self._pace = pace
        self._rng = np.random.default_rng([seed, 0xAC7])
        self._placement = start
        self._offsets: Offsets = offsets(scene, self._rng)
        self._loose: tuple[Disc, ...] = ()
        self._light = 1.0
        self._bump = Bump()
        self._held: list[Piece] = []
        self._side = Side.WHITE
        self._at: Spot = (0.0, 0.0)

    @property
    def placement(self) -> Placement:
        """What stands on the points now."""
        return self._placement

    def phases(self, act: Act) -> Iterator[Phase]:
        """The phases of one act in order; each belongs to the table as it stands when it is asked for."""
        self._pace = self._usual.at(self._rng)
        match act:
            case Ply() | Fast() | Displace():
                yield from self._moves(act)
            case Bump():
                yield from self._take_bump(act)
            case HandOver(seconds):
                yield from self._hover(seconds)
            case LightChange(factor):
                yield from self._change_light(factor)
            case Wait(seconds):
                yield self._rest(seconds)
            case Restore(placement):
                yield from self._restore(placement)
            case SetUp():
                yield from self._set_up(act)
            case _:
                yield self._rest(self._pace.think)
                yield from self._one_disc(act)

    def _one_disc(self, act: Act) -> Iterator[Phase]:
        match act:
            case Remove(point):
                yield from self._visit(point, Piece.EMPTY)
            case Place(point, piece):
                yield from self._visit(point, piece)
            case Touch(point):
                yield from self._touch(point)
            case Shift(point, dx, dy):
                yield from self._shift(point, (dx, dy))
            case Drop(piece, x, y):
                yield from self._change_loose((x, y), (*self._loose, Disc(piece, x, y)), piece.side)
            case PickUp():
                if self._loose:
                    yield from self._change_loose((self._loose[0].x, self._loose[0].y), (), None)

    def _moves(self, act: Ply | Fast | Displace) -> Iterator[Phase]:
        if isinstance(act, Fast):
            yield self._rest(self._pace.think)
            settle, self._pace = self._pace.settle, HASTE
            for ply in act.plies:
                yield from self._ply(ply)
            yield self._rest(settle)
        elif isinstance(act, Ply):
            yield self._rest(self._pace.think)
            yield from self._ply(act)
        else:
            yield self._rest(self._pace.think)
            yield from self._carried((act.start, act.end), act.taking, crown=act.crown)

    def _ply(self, act: Ply) -> Iterator[Phase]:
        taken = (*(p for p in act.move.captured if p not in act.leaving), *act.also)
        yield from self._carried(act.move.path, taken, crown=act.move.promotes if act.crown is None else act.crown)

    def _carried(self, path: tuple[int, ...], taken: tuple[int, ...], *, crown: bool) -> Iterator[Phase]:
        piece = self._placement[path[0]]
        yield from self._reach(path[0], piece.side)
        yield from self._carry(path)
        for point in (p for p in taken if p != path[-1]):  # a disc that stood where it lands was taken on the way
            yield self._to(self._xy(point), self._pace.take)
            self._held.append(self._placement[point])
            self._placement = self._placement.replaced({point: Piece.EMPTY})
        if crown and piece.side is not None:
            yield self._to(self._xy(path[-1]), self._pace.take)
            yield self._dwell(self._pace.crown / 2)
            self._placement = self._placement.replaced({path[-1]: king(piece.side)})
            yield self._dwell(self._pace.crown / 2)
        yield from self._withdraw()

    def _touch(self, point: int) -> Iterator[Phase]:
        yield from self._reach(point, self._placement[point].side)
        yield from self._carry((point, point))
        yield from self._withdraw()

    def _shift(self, point: int, by: Spot) -> Iterator[Phase]:
        """A finger pushes the disc: it slides without leaving the board."""
        yield from self._reach(point, self._placement[point].side)
        before = self._offsets[point]
        (x, y) = self._scene.board.xy[point]

        def pushed(progress: float) -> RenderState:
            now = (before[0] + (by[0] - before[0]) * progress, before[1] + (by[1] - before[1]) * progress)
            self._lay(point, now)
            return self._state((x + now[0], y + now[1]))

        yield Phase(self._pace.carry, pushed)
        self._lay(point, by)
        self._at = (x + by[0], y + by[1])
        yield from self._withdraw()

    def _change_loose(self, at: Spot, after: tuple[Disc, ...], side: Side | None) -> Iterator[Phase]:
        self._side = side or self._side
        self._at = self._home(at[0])
        yield self._to(at, self._pace.reach)
        yield self._dwell(self._pace.take / 2)
        self._loose = after
        yield self._dwell(self._pace.take / 2)
        yield from self._withdraw()

    def _visit(self, point: int, piece: Piece) -> Iterator[Phase]:
        """A hand comes, changes what stands on one point, and goes."""
        before = self._placement[point]
        if piece is not Piece.EMPTY:
            self._held.append(piece)
        yield from self._reach(point, piece.side or before.side)
        yield from self._exchange(point, piece)
        yield from self._withdraw()

    def _exchange(self, point: int, piece: Piece) -> Iterator[Phase]:
        before = self._placement[point]
        yield self._dwell(self._pace.take / 2)
        self._placement = self._placement.replaced({point: piece})
        self._held.clear()
        if piece is Piece.EMPTY and before is not Piece.EMPTY:
            self._held.append(before)
        else:
            self._nudge(point)
        yield self._dwell(self._pace.take / 2)

    def _restore(self, wanted: Placement) -> Iterator[Phase]:
        """Discs that left a point go back to it from where the same piece strayed; then what lacks or is too much."""
        wrong = list(self._placement.difference(wanted))
        if not wrong:
            return
        yield self._rest(self._pace.think)
        self._side = self._placement[wrong[0]].side or wanted[wrong[0]].side or self._side
        self._at = self._home(self._scene.board.xy[wrong[0]][0])
        for point in wrong:
            piece, now = wanted[point], self._placement
            if now[point] is piece:
                continue
            source = next((q for q in wrong if piece and now[q] is piece and wanted[q] is not piece), None)
            if source is not None and now[point] is Piece.EMPTY:
                yield self._to(self._xy(source), self._pace.reach)
                yield from self._carry((source, point))
            elif piece is not Piece.EMPTY or not self._wanted_elsewhere(point, wanted):
                yield self._to(self._xy(point), self._pace.reach)
                yield from self._exchange(point, piece)
        yield from self._withdraw()

    def _wanted_elsewhere(self, point: int, wanted: Placement) -> bool:
        """Whether the disc on `point` belongs on an empty point, to which it will be carried."""
        piece, now = self._placement[point], self._placement
        return any(wanted[q] is piece and now[q] is Piece.EMPTY for q in now.difference(wanted))

    def _hover(self, seconds: float) -> Iterator[Phase]:
        middle = (self._scene.board.width / 2, self._scene.board.height / 2)
        self._at = self._home(middle[0])
        yield self._to(middle, self._pace.reach)
        yield self._dwell(seconds)
        yield from self._withdraw()

    def _change_light(self, factor: float) -> Iterator[Phase]:
        before, after = self._light, self._light * factor

        def dimmed(progress: float) -> RenderState:
            self._light = before + (after - before) * progress
            return self._state(None)

        yield Phase(1.0, dimmed)
        self._light = after

    def _take_bump(self, act: Bump) -> Iterator[Phase]:
        """An arm knocks against the board: it slides while the arm is over it."""
        middle = (self._scene.board.width / 2, self._scene.board.height / 2)
        self._at = self._home(middle[0])
        yield self._to(middle, self._pace.reach)
        now = self._bump
        self._bump = Bump(now.dx + act.dx, now.dy + act.dy, now.rotation + act.rotation)
        yield self._dwell(self._pace.take)
        yield from self._withdraw()

    def _set_up(self, act: SetUp) -> Iterator[Phase]:
        """Row by row: the discs of the old game off, those of the new one on."""
        board = self._scene.board
        self._held.clear()
        changes = self._placement.difference(act.placement)
        if not changes:
            return
        self._at = self._home(board.width / 2)
        yield self._to(board.xy[changes[0]], self._pace.reach)
        self._loose = ()
        each = min(max(0.12, act.seconds / len(changes)), _DISC_SECONDS)
        for point in changes:
            yield self._to(board.xy[point], each)
            self._placement = self._placement.replaced({point: act.placement[point]})
            self._nudge(point)
        yield from self._withdraw()

    def _rest(self, seconds: float) -> Phase:
        return Phase(seconds, lambda _: self._state(None))

    def _dwell(self, seconds: float) -> Phase:
        """A hand that stays where it is, never quite still."""
        x, y = self._at
        return Phase(seconds, lambda p: self._state((x + 0.06 * math.sin(9 * p), y + 0.05 * math.sin(7 * p))))

    def _to(self, target: Spot, seconds: float) -> Phase:
        """The hand goes from where it is to `target`, starting and stopping gently."""
        (x0, y0), (x1, y1) = self._at, target
        self._at = target

        def under_way(progress: float) -> RenderState:
            eased = progress * progress * (3 - 2 * progress)
            return self._state((x0 + (x1 - x0) * eased, y0 + (y1 - y0) * eased))

        return Phase(seconds, under_way)

    def _reach(self, point: int, side: Side | None) -> Iterator[Phase]:
        self._side = side or self._side
        target = self._xy(point)
        self._at = self._home(target[0])
        yield self._to(target, self._pace.reach)

    def _carry(self, path: tuple[int, ...]) -> Iterator[Phase]:
        """Lifts the disc at the beginning of the path, stops at every landing, puts it down at the end."""
        piece = self._placement[path[0]]
        self._placement = self._placement.replaced({path[0]: Piece.EMPTY})
        self._held.append(piece)
        for point in path[1:]:
            yield self._to(self._xy(point), self._pace.carry)
        self._held.pop()
        self._placement = self._placement.replaced({path[-1]: piece})
        self._nudge(path[-1])
        yield self._dwell(0.15)

    def _withdraw(self) -> Iterator[Phase]:
        yield self._to(self._home(self._at[0]), self._pace.reach)
        self._held.clear()
        yield self._rest(self._pace.settle)

    def _home(self, x: float) -> Spot:
        """Where a hand waits out of the picture: behind its player's edge."""
        return (x, -_AWAY) if self._side is Side.WHITE else (x, self._scene.board.height + _AWAY)

    def _xy(self, point: int) -> Spot:
        (x, y), (dx, dy) = self._scene.board.xy[point], self._offsets[point]
        return (x + dx, y + dy)

    def _nudge(self, point: int) -> None:
        """A disc put down lies off centre in its own way."""
        drawn = np.clip(self._rng.standard_normal(2), -2, 2) * self._scene.discs.untidiness
        self._lay(point, (float(drawn[0]), float(drawn[1])))

    def _lay(self, point: int, off: Spot) -> None:
        self._offsets = (*self._offsets[:point], off, *self._offsets[point + 1 :])

    def _state(self, at: Spot | None) -> RenderState:
        hand = None if at is None else Hand(at[0], at[1], self._side)
        held = () if at is None else tuple(Disc(p, at[0], at[1], 0.35 + 0.2 * i) for i, p in enumerate(self._held))
        loose = (*self._loose, *held)
        return RenderState(self._placement, self._offsets, loose, hand, self._light, self._bump)


def states(script: Iterable[Act], table: Table, frames_per_second: float) -> Iterator[tuple[float, RenderState]]:
    """(seconds since the beginning, how the table looks) at an even rate; endless for an endless script."""
    began, count = 0.0, 0
    for act in script:
        for phase in table.phases(act):
            while count / frames_per_second < began + phase.seconds:
                seconds = count / frames_per_second
                yield seconds, phase.at((seconds - began) / phase.seconds)
                count += 1
            began += phase.seconds


def simulated_frames(
    script: Iterable[Act], scene: Scene, start: Placement, frames_per_second: float = 10.0, seed: int = 0
) -> Iterator[Frame]:
    """The camera's pictures of a script that begins with `start` on the board, as fast as they can be drawn."""
    renderer = Renderer(scene)
    for sequence, (seconds, state) in enumerate(states(script, Table(scene, start, seed), frames_per_second)):
        yield Frame(bgr=renderer.render(state).bgr, captured_at=seconds, sequence=sequence)
