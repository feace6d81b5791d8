"""The `kibitz` command: reads the arguments, runs one subcommand, turns every refusal into a sentence."""

import argparse
import importlib
import io
import logging
import os
import sys
import textwrap
import traceback
from collections.abc import Sequence

from calibration.errors import CalibrationError
from hardware.errors import HardwareError
from rules.errors import RulesError
from server.cli.output import complain
from server.errors import FaultFound, ServerError
from server.web.errors import ServingError, WebError
from vision.errors import VisionError

DONE, FAULT, UNUSABLE, INTERRUPTED = 0, 1, 2, 130
COMMANDS = {
    "serve": "the companion: camera, referee, dashboard",
    "calibrate": "find the board, learn its look, store the calibration",
    "lens": "measure a wide-angle camera's lens from pictures of the board",
    "markers": "a sheet of corner markers to print, as a PDF",
    "look": "one photograph: where is the board, what stands on it",
    "replay": "the whole pipeline over recorded frames",
    "simulate": "a scripted game on the simulated board, mistakes and all",
    "moves": "legal moves of a position",
    "judge": "the ruling on going from one position to another",
    "perft": "count leaf nodes to a depth",
    "hint": "best move of a position",
    "pdn": "check or convert game files",
    "doctor": "what works here and what does not, with the cure",
    "bench": "the project's own figures on this machine",
    "games": "list or print the games of the journal",
}
"""Every command with its help; `server/cli/NAME.py` holds its `arguments` and `run`, loaded only when it is used."""
DEBUG = "KIBITZ_DEBUG"
"""Set in the environment, faults of Kibitz's own are told with everything the developers want to see."""
_REFUSALS = (RulesError, VisionError, CalibrationError, HardwareError, ServerError, WebError, ServingError)


def main(argv: Sequence[str] | None = None) -> int:
    """Runs one command; 0 for done, 1 for "ran, and found fault", 2 for unusable input."""
    _open_what_is_closed()
    logging.basicConfig(level=logging.WARNING, format="kibitz: %(message)s", stream=sys.stderr)
    _quieten_libraries()
    words = list(sys.argv[1:] if argv is None else argv)
    if not words:
        _parser("").print_help(sys.stderr)
        return UNUSABLE
    name = next((word for word in words if not word.startswith("-")), "")
    try:
        given = _parser(name).parse_args(words)
        status = int(importlib.import_module(f"server.cli.{given.command}").run(given))
        sys.stdout.flush()
        return status
    except FaultFound as fault:
        return _say(str(fault), FAULT)
    except _REFUSALS as refusal:
        return _say(str(refusal), UNUSABLE)
    except BrokenPipeError:
        # The reader of our output has gone (`kibitz moves ... | head`): not worth a word.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return DONE
    except (OSError, UnicodeDecodeError) as trouble:
        return _say(_named(trouble), UNUSABLE)
    except KeyboardInterrupt:
        return _say("stopped", INTERRUPTED)
    except MemoryError:
        return _say("this input needs more memory than there is; give a smaller one", UNUSABLE)
    except Exception as fault:
        return _say(_unforeseen(fault), UNUSABLE)


def _open_what_is_closed() -> None:
    """Output that nobody takes goes nowhere (`kibitz moves ... >&-`), and text that has no bytes is written escaped."""
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            try:
                os.fstat(number)  # else the next file opened, such as the journal, would be taken for the terminal
            except OSError:
                os.dup2(os.open(os.devnull, os.O_RDWR), number)
            setattr(sys, name, open(os.devnull, "w" if number else "r", encoding="utf-8"))  # noqa: SIM115
    if isinstance(sys.stdout, io.TextIOWrapper) and sys.stdout.errors == "strict":
        sys.stdout.reconfigure(errors="backslashreplace")


def _quieten_libraries() -> None:
    """OpenCV's own lines about a camera say nothing to a user; set before it is loaded, they stay away."""
    if not os.environ.get(DEBUG):
        os.environ.setdefault("OPENCV_LOG_LEVEL", "SILENT")
        os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")


def _unforeseen(fault: Exception) -> str:
    if os.environ.get(DEBUG):
        traceback.print_exception(fault)
    last = traceback.extract_tb(fault.__traceback__)[-1]
    where = f"{os.path.basename(last.filename)}:{last.lineno}"
    said = (str(fault).splitlines() or [""])[0][:200]
    return (
        f"saw a fault inside Kibitz ({type(fault).__name__}: {said}, {where}); "
        f"expected this input to be read or refused; please report it with what {DEBUG}=1 shows"
    )


def _parser(chosen: str) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="kibitz",
        description="The onlooker at the draughts board that knows the rules.",
        epilog=None if chosen else _games(),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = parser.add_subparsers(title="commands", dest="command", required=True, metavar="COMMAND")
    for name, text in COMMANDS.items():
        command = commands.add_parser(name, help=text, description=text)
        if name == chosen:
            importlib.import_module(f"server.cli.{name}").arguments(command)
    return parser


def _games() -> str:
    """What can be given as VARIANT."""
    names = importlib.import_module("rules.variants.catalogue").VARIANT_NAMES
    text = f"`kibitz COMMAND --help` tells more. Games (VARIANT): {', '.join(names)}."
    return textwrap.fill(text, 79, break_on_hyphens=False)


def _named(trouble: OSError | UnicodeDecodeError) -> str:
    if isinstance(trouble, UnicodeDecodeError):
        return f"saw bytes that are no text ({trouble.reason} at {trouble.start}); expected a text file in UTF-8"
    name = f"{trouble.filename}: " if trouble.filename else ""
    return f"{name}{trouble.strerror or trouble}; check the path and that you may read or write it"


def _say(message: str, status: int) -> int:
    complain(message)
    return status
