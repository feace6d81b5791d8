"""`kibitz simulate`: a script played on the simulated board, watched by the whole pipeline or written as frames."""

import argparse
import shlex
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

from calibration.calibrate import Known
from hardware.simulator import script as script_format
from hardware.simulator.recording import recorded
from hardware.simulator.scene import Scene
from hardware.simulator.script import Script, read_script
from hardware.simulator.staging import Staging, outline_px, scene_of, shots
from rules.fen import fen
from rules.variant import Variant, start_position
from server.cli.arguments import add_game, whole
from server.cli.output import complain
from server.cli.replay import finished, ready_to_write, watched, write_event
from server.errors import UsageError
from server.runtime.pipeline import Pipeline
from server.session.state import House, Mode, State, new_state, terms_for
from server.settings import Settings
from vision.frame import Frame

_MOST_SIDE = 4096


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.description = script_format.__doc__
    parser.add_argument("script", help="file with the script, or - for the standard input")
    parser.add_argument("--frames", type=Path, metavar="DIR", help="write pictures, frames.csv and truth here")
    parser.add_argument("--events", type=Path, metavar="FILE", help="write the events as JSON lines (default: stdout)")
    parser.add_argument("--pdn", type=Path, metavar="FILE", help="write the game as PDN")
    parser.add_argument("--seed", type=whole(0, 2**31 - 1), help="table, board, discs, camera, light (default: 1)")
    parser.add_argument("--size", default="960x540", metavar="WxH", help="size of the pictures (default: 960x540)")
    parser.add_argument("--rate", type=whole(1, 60), default=10, help="frames a second (default: 10)")
    add_game(parser)


def run(given: argparse.Namespace) -> int:
    script = read_script(_text(given.script))
    if not script.acts:
        raise UsageError("saw a script in which nothing is done; expected a move, or at least `wait 5`, on a line")
    ready_to_write(given.pdn)
    seed = given.seed if given.seed is not None else script.seed if script.seed is not None else 1
    staging = Staging(seed, _size(given.size), float(given.rate))
    session = _session(given, script)
    scene = scene_of(script, staging, session.terms.light)
    frames = _frames(given, script, scene, staging)
    if given.frames is not None and given.events is None and given.pdn is None:
        written = sum(1 for _ in frames)
        complain(f"wrote {written} pictures; see them with: {_replay_command(given, script, scene)}")
        return 0
    pipeline = Pipeline(session, Settings(), None, Known(corners_needed(script.variant, scene)))
    with ExitStack() as files:
        out = files.enter_context(given.events.open("w", encoding="utf-8")) if given.events else None
        for event in watched(frames, pipeline):
            write_event(event, out)
    return finished(pipeline, given.pdn)


def corners_needed(variant: Variant, scene: Scene) -> list[list[float]] | None:
    """The outline in pixels for boards that are not squares, which are not looked for by themselves."""
    if variant.board.rows:
        return None
    return [[float(x), float(y)] for x, y in outline_px(scene)]


def _frames(given: argparse.Namespace, script: Script, scene: Scene, staging: Staging) -> Iterator[Frame]:
    played = shots(script, scene, staging)
    if given.frames is None:
        return (shot.frame for shot in played)
    return recorded(played, script, scene, given.frames)


def _session(given: argparse.Namespace, script: Script) -> State:
    terms = terms_for(script.variant, script.start, None if given.first is None else given.first == "light")
    return new_state(replace(terms, mode=Mode(given.mode), house=House(given.house)))


def _text(name: str) -> str:
    """The script; some editors begin a file with a byte order mark."""
    return (sys.stdin.read() if name == "-" else Path(name).read_text(encoding="utf-8")).removeprefix("\ufeff")


def _size(text: str) -> tuple[int, int]:
    parts = text.lower().split("x")
    if len(parts) != 2 or not all(p.isdecimal() and 160 <= int(p) <= _MOST_SIDE for p in parts):
        raise UsageError(f"saw the size {text!r}; expected width x height from 160 to {_MOST_SIDE}, such as 960x540")
    return int(parts[0]), int(parts[1])


def _replay_command(given: argparse.Namespace, script: Script, scene: Scene) -> str:
    words = ["kibitz", "replay", str(given.frames / "frames"), "--variant", script.variant.name]
    if script.start != start_position(script.variant):
        words += ["--start", fen(script.variant, script.start)]
    if given.first is not None:
        words += ["--first", given.first]
    corners = corners_needed(script.variant, scene)
    if corners is not None:
        words += ["--corners", ",".join(f"{value:.1f}" for point in corners for value in point)]
    return shlex.join(words)
