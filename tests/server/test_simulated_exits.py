"""Every kind of irregularity through each of its exits, in three games, through the pictures.

A few stand for all in every run; `make rulings` watches the whole table.
"""

import re
from typing import Any

import pytest

from rules.legal_moves import legal_moves
from rules.notation import move_text
from server.session.commands import Command
from tests.server.irregular_cases import CASES, Case, played_on

EXITS = ("corrected", "accepted", "accepted by the arbiter", "dismissed")
ALWAYS = {
    "international-not_majority: accepted",
    "international-wrong_removed: dismissed",
    "english-piece_appeared: accepted by the arbiter",
    "turkish-out_of_turn: corrected",
    "turkish-opponent_piece_moved: accepted",
    "turkish-captured_not_removed: corrected",
    "turkish-capture_incomplete: dismissed",
    "turkish-missed_capture: huffed",
    "turkish-wrongly_crowned: corrected",
}


def _every() -> list[Any]:
    found = [(case, way_out) for case in CASES for way_out in EXITS]
    found += [(case, "huffed") for case in CASES if case.kind == "missed_capture"]
    names = [f"{case}: {way_out}" for case, way_out in found]
    marks = [() if name in ALWAYS else (pytest.mark.exhaustive,) for name in names]
    return [pytest.param(*pair, id=name, marks=mark) for pair, name, mark in zip(found, names, marks, strict=True)]


def by_hand(edits: tuple[str, ...]) -> str:
    """The edits of a case as lines of a script."""
    taken = " ".join(edit[1:] for edit in edits if edit[0] == "-")
    lines = []
    for edit in edits:
        if edit[0] == "^":
            lines.append(f"crown {edit[1:]}")
        elif edit[0] == "+":
            lines.append(f"put {'white' if edit[1] == 'w' else 'black'} man {edit[2:]}")
        elif edit[0] != "-":
            lines.append(f"carry {edit} taking {taken}" if taken else f"carry {edit}")
    return "\n".join(lines or [f"take {taken}"])


def _begun(case: Case) -> str:
    return f"kings crown\nstart {case.start}\nwait 1\n{by_hand(case.edits)}\nwait 2.5\n"


def _right_move(case: Case) -> str:
    return move_text(case.variant, case.position, legal_moves(case.variant, case.position)[0])


def _played_on(case: Case) -> tuple[str, str]:
    text, _ = played_on(case)
    return f"turn {'white' if case.next == 'W' else 'black'}\n{text}", f"move {text}"


def _watched(simulated: Any, case: Case, script: str, **more: Any) -> list[str]:
    told = simulated.told(simulated.watched(case.game, _begun(case) + script, **more))
    return [word for word in told if not word.startswith("draw_counter")]


@pytest.mark.parametrize(("case", "way_out"), _every())
def test_through_the_pictures(case: Case, way_out: str, simulated: Any) -> None:
    said = f"violation {case.kind} {','.join(case.squares)}"
    counted = [f"move {case.counted}"] if case.counted else []
    if way_out == "corrected":
        text = _right_move(case)
        assert _watched(simulated, case, f"back\nwait 1\n{text}") == [
            said,
            f"resolved corrected {case.kind}",
            f"move {text}",
        ]
    elif way_out == "accepted":
        script, move = _played_on(case)
        assert _watched(simulated, case, script) == [said, *counted, f"resolved accepted {case.kind}", move]
    elif way_out == "huffed":
        lazy = re.split("[x:]", case.due[0])[0]
        told = _watched(simulated, case, f"take {lazy}\nwait 1", house="huff")
        assert told == [said, f"resolved huffed {case.kind}"]
    else:
        order = "accept" if way_out.startswith("accepted") else "dismiss"
        script, move = _played_on(case)
        told = _watched(simulated, case, script, told={case.kind: Command(order)})
        resolved = f"resolved {'accepted' if order == 'accept' else 'dismissed'} {case.kind}"
        assert told[0] == said
        assert told[-1] == move
        assert resolved in told
        assert sum(word.startswith("violation") for word in told) == 1
