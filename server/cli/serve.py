"""`kibitz serve`: the companion with its camera, referee and dashboard."""

import argparse
import logging
import signal
import socket
import threading
from dataclasses import replace
from functools import partial
from pathlib import Path

from calibration.calibrate import Calibration
from calibration.errors import CalibrationError
from calibration.store import load, save
from hardware.cameras.choose import open_camera
from hardware.cameras.paced import Paced
from hardware.cameras.simulated import SimulatedBoard
from hardware.cameras.source import FrameSource
from rules.errors import RulesError
from rules.variants.catalogue import variant_named
from server.cli.arguments import add_game, add_view, known_view, speed, whole
from server.cli.calibrate import calibration_file
from server.cli.games import JOURNAL
from server.cli.output import complain
from server.errors import ServerError
from server.runtime.companion import Feed, RunningCompanion
from server.runtime.ledger import Ledger
from server.runtime.lying import lying_for
from server.runtime.pipeline import Pipeline
from server.runtime.signalling import Signals
from server.runtime.sparing import spare_memory
from server.runtime.warming import warm_up_apart
from server.runtime.wishing import Players
from server.session.state import House, Mode, State, new_state, terms_for
from server.settings import Settings, data_folder, read_settings
from server.store.door import kept_door
from server.store.resume import Begun
from server.web.app import create_app
from server.web.serving import listen, serve

_DIED = 1


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--camera", default="auto", help="auto, simulated, picamera, usb:N or a path")
    parser.add_argument("--variant", help="name of the game (default: the game going on, else international)")
    parser.add_argument(
        "--host", default="127.0.0.1", help="address to listen at (default: 127.0.0.1, this machine only)"
    )
    parser.add_argument("--port", type=whole(0, 65535), default=8000, help="port of the dashboard (default: 8000)")
    parser.add_argument("--data", type=Path, metavar="DIR", help="data folder (default: the user's)")
    parser.add_argument("--pin", help="PIN that commands need (default: one made at the first start)")
    parser.add_argument("--speed", type=speed, default=1.0, help="pace of a recording given as the camera (default: 1)")
    parser.add_argument("--seed", type=whole(0, 2**31 - 1), default=1, help="seed of the simulated board")
    parser.add_argument(
        "--signals", action="store_true", help="use the lamp, buzzer and buttons at the board and read rulings aloud"
    )
    add_game(parser)
    add_view(parser)


def run(given: argparse.Namespace) -> int:
    spare_memory()
    folder = data_folder(given.data)
    settings = read_settings(folder / "settings.toml")
    wanted = variant_named(given.variant or "international").name
    asked = load(given.calibration) if given.calibration is not None else None
    source = _tried(open_camera(given.camera, wanted, given.seed, speed=given.speed))
    with listen(given.host, given.port) as listener:
        return _watch(given, settings, source, listener, asked)


def _watch(
    given: argparse.Namespace,
    settings: Settings,
    source: FrameSource,
    listener: socket.socket,
    asked: Calibration | None,
) -> int:
    """Plays and serves until it is stopped; `asked` is the calibration that somebody chose."""
    folder = data_folder(given.data)
    ledger = Ledger(folder / JOURNAL)
    if ledger.notice:  # trouble with the journal was told by the log
        complain(ledger.notice)
    simulated = isinstance(source, SimulatedBoard)
    session = _session(given, ledger, simulated=simulated)
    name = session.terms.variant.name
    known = None if simulated else asked or _calibration(calibration_file(folder, name))
    if simulated and asked is not None:
        complain(f"the board is simulated, so the calibration of another one, {given.calibration}, is not used")
    lying = None if known is None else lying_for(known, session.terms)
    pipeline = Pipeline(session, settings, lying, known_view(given))
    door = kept_door(folder / "pin.json", given.pin)
    rest = threading.Event()
    players = Players(lambda: pipeline.session, lambda: ledger.game_number)
    if simulated:
        source = SimulatedBoard(name, given.seed, wish=players.wish, rest=rest.is_set)
    patient = isinstance(source, Paced | SimulatedBoard)
    ledger.look_around()
    keep = _forget if simulated else partial(_keep, folder, ledger)
    companion = RunningCompanion(
        Feed(lambda: source, patient, rest, players.lead), pipeline, ledger, settings, door.pin, keep
    )
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: companion.stopping.set())
    complain(f"dashboard at http://{given.host}:{listener.getsockname()[1]}/ (PIN {door.pin or 'not needed'})")
    companion.start(partial(warm_up_apart, companion.wait_for_board))
    signals = _signals(companion) if given.signals else None
    try:
        serve(create_app(companion, secret_key=door.secret), listener, companion.stopping, partial(_ending, companion))
    finally:
        companion.stop()
        if signals is not None:
            signals.close()
    if companion.failure:
        complain(companion.failure)
        return _DIED
    return 0


def _signals(companion: RunningCompanion) -> Signals:
    """What stands at the board, following the game in a thread of its own."""
    signals = Signals()
    lacking = [name for name in ("lamp", "buzzer", "buttons", "voice") if name not in signals.found]
    if signals.found:
        complain(f"at the board: {', '.join(signals.found)}")
    if lacking:
        complain(
            f"--signals: saw no {', '.join(lacking)}; expected pins of a Pi (python3-gpiozero, python3-lgpio) and "
            "espeak-ng; hardware/mount/README.md tells how to wire and install them"
        )
    threading.Thread(target=signals.follow, args=(companion, companion.stopping), name="signals", daemon=True).start()
    return signals


def _ending(companion: RunningCompanion) -> None:
    """Said at once: the camera and the game need a moment to come to their end."""
    complain("stopping; everything recorded is kept")
    companion.wake()


def _tried(source: FrameSource) -> FrameSource:
    """A recording has to show its first picture before anything is begun; a camera may come later."""
    if isinstance(source, Paced):
        with source.source as recording:
            next(recording.frames(lambda: False), None)
    return source


def _session(given: argparse.Namespace, ledger: Ledger, *, simulated: bool) -> State:
    try:
        going_on = ledger.unfinished()
    except (ServerError, RulesError, LookupError, ValueError, TypeError, AttributeError) as trouble:
        logging.getLogger(__name__).warning("the last game cannot be taken up again: %s", trouble)
        going_on = None
    if going_on is not None and given.variant in (None, going_on.terms.variant.name) and not simulated:
        return going_on
    if simulated:
        _say_what_was_cut_short(ledger)
    variant = variant_named(given.variant or "international")
    terms = terms_for(variant, None, None if given.first is None else given.first == "light")
    session = new_state(replace(terms, mode=Mode(given.mode), house=House(given.house)))
    ledger.begin(session, Begun.SIMULATED if simulated else Begun.BY_ITSELF)
    return session


def _say_what_was_cut_short(ledger: Ledger) -> None:
    """No simulated players remember where they were: their game stays as far as it went."""
    last = next(iter(ledger.games()), None)
    if last is None or not last.get("simulated") or last["result"] is not None or not last["plies"]:
        return
    if ledger.is_played_elsewhere(last["game"]):  # nothing was cut short: another Kibitz plays on
        return
    plies = f"{last['plies']} {'move' if last['plies'] == 1 else 'moves'}"
    complain(
        f"the last simulated game (number {last['game']}) was not finished; it is kept under Past games as far as it "
        f"went, {plies}. Simulated games are not taken up again: a new one begins"
    )


def _keep(folder: Path, ledger: Ledger, calibration: Calibration) -> None:
    """A calibration made on the dashboard serves the next start as well; a full disk is no reason to refuse it."""
    try:
        save(calibration, calibration_file(folder, calibration.variant))
        ledger.look_around()
    except CalibrationError as trouble:
        logging.getLogger(__name__).warning("%s", trouble)


def _forget(calibration: Calibration) -> None:
    """The simulated board is not the one a camera will see."""


def _calibration(path: Path) -> Calibration | None:
    """The stored calibration; a broken one is not fatal, for nobody asked for it."""
    if not path.exists():
        return None
    try:
        return load(path)
    except CalibrationError as trouble:
        complain(f"{trouble} The board is looked for anew.")
        return None
