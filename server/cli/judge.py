"""`kibitz judge`: the ruling on going from one position to another."""

import argparse
from typing import Any

from rules.faults import Fault
from rules.fen import parse_fen
from rules.judge import Ambiguous, Irregular, Legal, Unchanged, Unreadable, Verdict, judge
from rules.notation import move_text, point_name
from rules.position import Position
from rules.variant import Variant
from rules.variants.catalogue import variant_named
from server.cli.arguments import NAME_OF_THE_GAME
from server.cli.output import say, say_json


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("variant", help=NAME_OF_THE_GAME)
    parser.add_argument("before", metavar="FEN", help="position before, with whose turn it is")
    parser.add_argument("after", metavar="FEN", help="position after")
    parser.add_argument("--json", action="store_true", help="one JSON object")


def run(given: argparse.Namespace) -> int:
    variant = variant_named(given.variant)
    before = parse_fen(variant, given.before)
    after = parse_fen(variant, given.after, uncrowned=True)
    ruling = described(variant, before, judge(variant, before, after.placement))
    if given.json:
        say_json(ruling)
    else:
        _tell(ruling)
    return 1 if ruling["faults"] else 0


def described(variant: Variant, before: Position, verdict: Verdict) -> dict[str, Any]:
    """The verdict with squares and moves as text."""
    ruling: dict[str, Any] = {"verdict": type(verdict).__name__.lower(), "moves": [], "faults": [], "reason": None}
    position = before
    match verdict:
        case Legal(moves=moves) | Ambiguous(moves=moves):
            ruling["moves"] = (
                [move_text(variant, position, m) for m in moves[:1]]
                if isinstance(verdict, Legal)
                else [move_text(variant, position, m) for m in moves]
            )
        case Irregular(faults=faults):
            ruling["faults"] = [_fault(variant, before, f) for f in faults]
        case Unreadable(reason=reason):
            ruling["reason"] = reason
        case Unchanged():
            pass
    return ruling


def _fault(variant: Variant, before: Position, fault: Fault) -> dict[str, Any]:
    return {
        "kind": fault.kind.value,
        "side": "white" if fault.side.value == "W" else "black",
        "squares": [point_name(variant, int(p)) for p in fault.squares],
        "due": [move_text(variant, before, m) for m in fault.due],
        "message": fault.message,
    }


def _tell(ruling: dict[str, Any]) -> None:
    say(" ".join([ruling["verdict"], *ruling["moves"]]))
    for fault in ruling["faults"]:
        due = f" (due: {', '.join(fault['due'])})" if fault["due"] else ""
        say(f"{fault['kind']}: {fault['message']}{due}")
    if ruling["reason"]:
        say(str(ruling["reason"]))
