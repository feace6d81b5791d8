"""Scripts watched by the whole pipeline, cheaply: a small picture, few frames, the board calibrated once a game."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

from calibration.calibrate import Calibration, Known, calibrate
from hardware.simulator.acts import Act, Pace
from hardware.simulator.script import read_script
from hardware.simulator.staging import Staging, outline_px, scene_of, shots
from rules.variant import start_position
from server.runtime.pipeline import Pipeline
from server.session.commands import Command
from server.session.events import as_json
from server.session.state import House, Mode, new_state, terms_for
from server.session.step import step
from server.settings import Settings

STAGING = Staging(7, (640, 360), 3.0, Pace(think=0.7, reach=0.4, carry=0.4, take=0.35, crown=0.4, settle=1.0))


@cache
def calibrated(variant_name: str) -> Calibration:
    """How the game's start looks on the table of all these scripts."""
    script = read_script(f"variant {variant_name}\nwait 1")
    scene = scene_of(script, STAGING)
    frame = next(shots(script, scene, STAGING)).frame
    corners = None if script.variant.board.rows else outline_px(scene)
    return calibrate([frame], script.variant, start_position(script.variant), Known(corners))


def watched(
    variant_name: str,
    text: str,
    house: str = "correct",
    mode: str = "referee",
    told: Mapping[str, Command] | None = None,
    acts: Sequence[Act] = (),
) -> list[dict[str, Any]]:
    """The events of a script and of what is done after it.

    `told` says which command the arbiter gives as soon as a violation of a kind is told.
    """
    script = read_script(f"variant {variant_name}\n{text}")
    script = replace(script, acts=(*script.acts, *acts))
    terms = replace(terms_for(script.variant, script.start), house=House(house), mode=Mode(mode))
    fixed = None if script.mirrored else calibrated(variant_name)
    pipeline = Pipeline(new_state(terms), Settings(), fixed)
    events: list[dict[str, Any]] = []
    waiting = dict(told or {})
    frame = None
    for shot in shots(script, scene_of(script, STAGING), STAGING):
        frame = shot.frame
        effects = pipeline.see(frame)
        kinds = [e.kind for e in effects if e.type == "violation"]
        for kind in kinds:
            if kind in waiting:
                pipeline.session, more = step(pipeline.session, waiting.pop(kind))
                effects = (*effects, *more)
        events += [as_json(e, frame.captured_at, frame.sequence) for e in effects]
    if frame is not None:
        events += [as_json(e, frame.captured_at, frame.sequence) for e in pipeline.finish(frame.captured_at, 0)]
    return events


def verdict_seconds(variant_name: str, text: str, frames_per_second: float) -> list[float]:
    """How long after the first picture without a hand each move is told, in the time of the pictures."""
    script, staging = (
        read_script(f"variant {variant_name}\n{text}"),
        replace(STAGING, frames_per_second=frames_per_second),
    )
    pipeline = Pipeline(new_state(terms_for(script.variant, script.start)), Settings(), calibrated(variant_name))
    delays, gone = [], 0.0
    hand = False
    for shot in shots(script, scene_of(script, staging), staging):
        if hand and shot.state.hand is None:
            gone = shot.frame.captured_at
        hand = shot.state.hand is not None
        delays += [shot.frame.captured_at - gone for e in pipeline.see(shot.frame) if e.type == "move"]
    return delays


def told(events: list[dict[str, Any]]) -> list[str]:
    """Each event in two or three words, `ready` left out: `move 11-15`, `violation missed_capture`."""
    return [words(e) for e in events if e["type"] != "ready"]


def words(event: dict[str, Any]) -> str:
    match event["type"]:
        case "move":
            return f"move {event['move']}"
        case "violation" | "reminder":
            return f"{event['type']} {event['kind']} {','.join(event['squares'])}".strip()
        case "resolved":
            return f"resolved {event['how']} {event['kind']}"
        case "attention":
            return f"attention {event['reason']}"
        case "takeback":
            return f"takeback {event['plies']}"
        case "crowned":
            return f"crowned {event['square']}"
        case "result":
            return f"result {event['result']}"
        case other:
            return str(other)
