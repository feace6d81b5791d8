"""After a crash or a power cut the board is compared with the record, square by square."""

import time

import pytest

from hardware.cameras.simulated import SimulatedBoard, Wish
from rules.fen import parse_fen
from rules.variants.catalogue import variant_named
from server.runtime.companion import Feed, RunningCompanion
from server.runtime.ledger import Ledger
from server.runtime.pipeline import Pipeline
from server.settings import Settings

ENGLISH = variant_named("english")
RECORD = "W:W21,23-32:B1-8,10-13"
LONGEST_SECONDS = 60.0


@pytest.fixture
def left_by_a_crash(tmp_path, games):
    """A journal whose game stands after 1. 9-13 22-18 2. 13-17 with 18 and 22 emptied: any position will do."""
    ledger = Ledger(tmp_path / "games.sqlite3")
    state = games.fresh()
    ledger.begin(state)
    ready = {"t": 0.0, "frame": 0, "type": "ready", "fen": "start"}
    state, put_up = games.told(state, "set_position", fen=RECORD)
    ledger.append([ready, *put_up, ready], None, None)
    ledger.close()
    return tmp_path / "games.sqlite3"


def resumed_before(path, placements):
    """A companion going on with the game, before a board on which the given positions stand one after another."""
    ledger = Ledger(path)
    session = ledger.unfinished()
    assert session.started
    wanted = [placements[0]]

    def wish():
        return Wish("english", parse_fen(ENGLISH, wanted[0]), placements.index(wanted[0]))

    board = SimulatedBoard("english", 3, paced=False, size=(960, 540), wish=wish)
    companion = RunningCompanion(Feed(lambda: board, True), Pipeline(session, Settings()), ledger, Settings(), "")
    return companion, wanted


def until(companion, fits):
    """The first snapshot that fits."""
    end, number = time.monotonic() + LONGEST_SECONDS, 0
    while time.monotonic() < end:
        found = companion.wait_for(number + 1, 1.0)
        if found is not None and fits(found):
            return found
        number = companion.snapshot()["number"]
    pytest.fail(f"nothing fitting was shown within {LONGEST_SECONDS:g} s; last: {companion.snapshot()['message']}")


def test_a_board_that_agrees_with_the_record_goes_on_by_itself(left_by_a_crash):
    companion, _ = resumed_before(left_by_a_crash, [RECORD])
    assert "compared" in companion.snapshot()["message"]
    companion.start()
    shown = until(companion, lambda s: "compared" not in s["message"])
    companion.stop()
    assert shown["irregularity"] is None
    assert shown["restore"] == []
    assert shown["game"] == 1
    types = [event["type"] for event in companion.game(1)["events"]]
    assert types[:4] == ["ready", "position_set", "ready", "resumed"]
    assert "violation" not in types[:4]


def test_while_the_board_is_compared_there_is_nothing_to_decide(left_by_a_crash, table):
    companion = table.companion_at(left_by_a_crash.parent, pin="")
    companion.start()
    answers = [companion.command({"do": do}) for do in ("accept", "dismiss")]
    companion.stop()
    assert [status for status, _ in answers] == [409, 409]
    assert "compared" in answers[0][1]["error"]


def test_squares_that_differ_are_guided_back_and_accuse_nobody(left_by_a_crash):
    other = "W:W21,23-31:B1-8,10-12,17"
    companion, wanted = resumed_before(left_by_a_crash, [other, RECORD])
    companion.start()
    shown = until(companion, lambda s: s["restore"])
    assert sorted(mend["square"] for mend in shown["restore"]) == ["13", "17", "32"]
    assert {mend["square"]: (mend["seen"], mend["want"]) for mend in shown["restore"]} == {
        "13": (".", "b"),
        "17": ("b", "."),
        "32": (".", "w"),
    }
    assert shown["irregularity"] is None
    wanted[0] = RECORD
    until(companion, lambda s: not s["restore"])
    companion.stop()
    assert "violation" not in [event["type"] for event in companion.game(1)["events"]]
