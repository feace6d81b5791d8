"""`kibitz replay`: the whole pipeline over recorded frames, as fast as it can."""

import argparse
import json
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any, TextIO

from calibration.store import load
from hardware.cameras.recorded import open_recorded
from rules.fen import parse_fen
from rules.variants.catalogue import VARIANT_NAMES, variant_named
from server.cli.arguments import NAME_OF_THE_GAME, add_game, add_view, known_view
from server.cli.output import complain, say_json
from server.errors import FaultFound, UsageError
from server.runtime.lying import lying_for
from server.runtime.pipeline import Pipeline
from server.session.events import as_json
from server.session.state import House, Mode, State, new_state, terms_for
from server.settings import Settings
from server.store.game_record import pdn, record_of
from vision.frame import Frame


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "source",
        type=Path,
        help="folder of pictures (with optional frames.csv), a folder whose `frames` holds them, or a video",
    )
    parser.add_argument("--variant", help=NAME_OF_THE_GAME)
    add_game(parser)
    add_view(parser)
    parser.add_argument("--start", metavar="FEN", help="position in which the recording begins")
    parser.add_argument("--events", type=Path, metavar="FILE", help="write the events as JSON lines (default: stdout)")
    parser.add_argument("--pdn", type=Path, metavar="FILE", help="write the game as PDN")


def run(given: argparse.Namespace) -> int:
    if given.variant is None:
        raise UsageError(
            "saw no --variant; expected the game that the recording shows, as in `kibitz replay FOLDER --variant "
            f"english`; the games are: {', '.join(VARIANT_NAMES)}"
        )
    ready_to_write(given.pdn)
    session = _session(given)
    lying = lying_for(load(given.calibration), session.terms) if given.calibration else None
    pipeline = Pipeline(session, Settings(), lying, known_view(given))
    with ExitStack() as files:
        out = files.enter_context(given.events.open("w", encoding="utf-8")) if given.events else None
        for event in replayed(given.source, pipeline):
            write_event(event, out)
    return finished(pipeline, given.pdn)


def ready_to_write(pdn_file: Path | None) -> None:
    """Raises OSError before anything is played, rather than when the game is to be written."""
    if pdn_file is not None:
        pdn_file.open("a", encoding="utf-8").close()


def finished(pipeline: Pipeline, pdn_file: Path | None) -> int:
    """Writes the game and says how the run ended. Raises FaultFound if the board was never found."""
    if pdn_file:
        record = record_of(pipeline.session)
        pdn_file.write_text(pdn(record, full=not record.legal_throughout), encoding="utf-8")
    if pipeline.calibration is None:
        raise FaultFound(pipeline.trouble or "the board was not found in any picture; give --corners")
    if not pipeline.session.started:
        complain("the board was found, but it never showed the start position; give --start or another --variant")
        return 1
    return 0


def replayed(source: Path, pipeline: Pipeline) -> Iterator[dict[str, Any]]:
    """The events of a recording, in order, as JSON-able objects."""
    with open_recorded(source) as frames:
        yield from watched(frames.frames(lambda: False), pipeline)


def watched(frames: Iterable[Frame], pipeline: Pipeline) -> Iterator[dict[str, Any]]:
    """The events of frames, in order, as JSON-able objects."""
    seconds, number = 0.0, 0
    for frame in frames:
        seconds, number = frame.captured_at, frame.sequence
        for effect in pipeline.see(frame):
            yield as_json(effect, seconds, number)
    for effect in pipeline.finish(seconds, number):
        yield as_json(effect, seconds, number)


def _session(given: argparse.Namespace) -> State:
    variant = variant_named(given.variant)
    start = parse_fen(variant, given.start) if given.start is not None else None
    terms = terms_for(variant, start, None if given.first is None else given.first == "light")
    return new_state(replace(terms, mode=Mode(given.mode), house=House(given.house)))


def write_event(event: dict[str, Any], out: TextIO | None) -> None:
    if out is None:
        say_json(event)
    else:
        out.write(json.dumps(event, ensure_ascii=False) + "\n")
