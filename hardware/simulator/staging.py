"""A script put on a table drawn from a seed: the pictures with the truth about each."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from hardware.simulator.acts import USUAL, Pace
from hardware.simulator.player import Table, states
from hardware.simulator.render import Renderer, RenderState
from hardware.simulator.scene import Scene, draw_scene
from hardware.simulator.script import Script
from rules.piece import Side
from vision.frame import Frame


@dataclass(frozen=True, slots=True)
class Staging:
    """How a script is filmed."""

    seed: int = 1
    size: tuple[int, int] = (960, 540)
    """Width and height of the pictures in pixels."""
    frames_per_second: float = 10.0
    pace: Pace = USUAL


@dataclass(frozen=True, slots=True, eq=False)
class Shot:
    """A picture and what is true of it."""

    frame: Frame
    state: RenderState


def scene_of(script: Script, staging: Staging, light_side: Side = Side.WHITE) -> Scene:
    """The table on which a script is played; `light_side` plays the lighter discs."""
    scene = draw_scene(script.variant.board, staging.seed, staging.size)
    discs = scene.discs if script.kings is None else replace(scene.discs, kings=script.kings)
    if light_side is Side.BLACK:
        discs = replace(discs, light=discs.dark, dark=discs.light)
    scene = replace(scene, discs=discs)
    return mirrored(scene) if script.mirrored else scene


def mirrored(scene: Scene) -> Scene:
    """The same table seen as its mirror image: a light corner lies at the players' left."""
    reflection = np.diag([-1.0, 1.0, 1.0, 1.0])
    reflection[0, 3] = scene.board.width
    return replace(scene, camera=scene.camera @ reflection, board_look=replace(scene.board_look, labels=False))


def shots(script: Script, scene: Scene, staging: Staging) -> Iterator[Shot]:
    """Every picture of the script, as fast as they can be drawn."""
    renderer = Renderer(scene)
    table = Table(scene, script.standing, staging.seed, staging.pace)
    for number, (seconds, state) in enumerate(states(script.acts, table, staging.frames_per_second)):
        yield Shot(Frame(renderer.render(state).bgr, seconds, number), state)


def outline_px(scene: Scene) -> NDArray[np.float64]:
    """(m, 2) pixels of the corners of the playing area, in the outline's own order."""
    outline = np.asarray(scene.board.outline, np.float64)
    return scene.project(np.column_stack([outline, np.zeros(len(outline))]))
