"""Kinds of irregularity through the pictures: a script is drawn, the whole pipeline watches, the exact events come."""

from typing import Any

import pytest

from rules.variants.catalogue import variant_named
from server.session.commands import Command
from server.settings import Settings

ENGLISH = "kings crown\nstart B:W18,21,23-32:B1-10,12,15\nwait 1\n"
"""After 11-15 22-18: 15x22 is due."""
PROMOTING = "kings crown\nstart B:W10,22,29:B5,4,27\nwait 1\n"
TURKISH = "start W:Wc3,d3,h3:Bd4,a7,h8\nwait 1\n"
"""d3xd5 is due."""

CASES: dict[str, tuple[str, str, list[str]]] = {}


def _case(name: str, variant: str, script: str, *events: str) -> None:
    CASES[name] = (variant, script, list(events))


_case(
    "a missed capture is put right",
    "english",
    ENGLISH + "carry 12-16\nwait 1\nback\n15x22",
    "violation missed_capture 12,16",
    "resolved corrected missed_capture",
    "move 15x22",
)
_case(
    "a missed capture is accepted by playing on",
    "english",
    ENGLISH + "carry 12-16\nwait 1\n18x11",
    "violation missed_capture 12,16",
    "resolved accepted missed_capture",
    "move 18x11",
)
_case(
    "a captured disc left standing is taken off",
    "english",
    ENGLISH + "15x22 leaving 18\nwait 3\ntake 18\n25x18",
    "violation captured_not_removed 18",
    "resolved corrected captured_not_removed",
    "move 15x22",
    "move 25x18",
)
_case(
    "a disc wrongly taken is given back",
    "english",
    ENGLISH + "15x22 also 23\nwait 2\nput white man 23\n25x18",
    "violation wrong_removed 23",
    "resolved corrected wrong_removed",
    "move 15x22",
    "move 25x18",
)
_case(
    "a move out of turn is put back",
    "english",
    ENGLISH + "carry 24-20\nwait 1\nback\n15x22",
    "violation out_of_turn 24,20",
    "resolved corrected out_of_turn",
    "move 15x22",
)
_case(
    "a disc of the opponent is put back",
    "english",
    ENGLISH + "carry 24-14\nwait 1\nback\n15x22",
    "violation opponent_piece_moved 24,14",
    "resolved corrected opponent_piece_moved",
    "move 15x22",
)
_case(
    "an illegal move is put back",
    "english",
    ENGLISH + "carry 12-20\nwait 1\nback\n15x22",
    "violation illegal_move 12,20",
    "resolved corrected illegal_move",
    "move 15x22",
)
_case(
    "a disc that vanished comes back, one that appeared goes",
    "english",
    ENGLISH + "take 29\nwait 1\nput white man 29\nput black man 11\nwait 1\ntake 11\n15x22",
    "violation piece_vanished 29",
    "resolved corrected piece_vanished",
    "violation piece_appeared 11",
    "resolved corrected piece_appeared",
    "move 15x22",
)
_case(
    "a crown that comes late is asked for and seen",
    "english",
    PROMOTING + "27-31 uncrowned\nwait 1\n22-18\nwait 3\ncrown 31\n4-8",
    "move 27-31",
    "move 22-18",
    "reminder not_crowned 31",
    "crowned 31",
    "move 4-8",
)
_case(
    "touching, hands and other light are no moves",
    "english",
    ENGLISH + "touch 9\nhand 1\nlight 0.7\n15x22\nlight 1.4\n25x18",
    "move 15x22",
    "move 25x18",
)
_case(
    "two plies played fast are two moves",
    "english",
    ENGLISH + "fast 15x22 25x18\nwait 1",
    "move 15x22",
    "move 25x18",
)
_case(
    "a capture that stopped too early goes on",
    "international",
    "start W:W32,36,47,48,40:B27,17,3,4,9,15\nwait 1\ncarry 32-21 taking 27\nwait 3\ncarry 21-12 taking 17\nwait 1",
    "violation capture_incomplete 32,21",
    "resolved corrected capture_incomplete",
    "move 32x12",
)
_case(
    "the lesser capture is put back",
    "international",
    "start W:W32,36,47,48,40,31:B27,28,17,3,4,15\nwait 1\ncarry 32-23 taking 28\nwait 1\nback\nwait 1\n32x12",
    "violation not_majority 32,23",
    "resolved corrected not_majority",
    "move 32x12",
)
_case(
    "a crown put on a man is taken off again",
    "english",
    ENGLISH + "crown 3\nwait 2\nput black man 3\n15x22",
    "violation wrongly_crowned 3",
    "resolved corrected wrongly_crowned",
    "move 15x22",
)
_case(
    "a crown put on a man is accepted by playing on",
    "english",
    ENGLISH + "crown 3\nwait 2\n15x22",
    "violation wrongly_crowned 3",
    "resolved accepted wrongly_crowned",
    "move 15x22",
)
_case(
    "a king without a crown that moves is told of, and accepted by playing on",
    "english",
    PROMOTING + "27-31 uncrowned\nwait 1\n22-18\n31-26\n18-14\nwait 1\n5-9",
    "move 27-31",
    "move 22-18",
    "reminder not_crowned 31",
    "move 31-26",
    "violation uncrowned_king_moved 26",
    "move 18-14",
    "resolved accepted uncrowned_king_moved",
    "move 5-9",
)
_case(
    "a missed capture straight ahead is put right",
    "turkish",
    TURKISH + "carry c3-c4\nwait 1\nback\nd3xd5",
    "violation missed_capture c3,c4",
    "resolved corrected missed_capture",
    "move d3xd5",
)
_case(
    "a missed capture straight ahead is accepted by playing on",
    "turkish",
    TURKISH + "carry c3-c4\nwait 1\nd4xb4",
    "violation missed_capture c3,c4",
    "resolved accepted missed_capture",
    "move d4xb4",
)


@pytest.mark.parametrize("name", CASES)
def test_through_the_pictures(name: str, simulated: Any) -> None:
    variant, script, events = CASES[name]
    assert simulated.told(simulated.watched(variant, script)) == events


def test_a_set_up_that_lacks_a_disc_is_told_before_the_start(simulated: Any) -> None:
    events = simulated.watched("english", "standing B:W21-31:B1-12\nwait 4\nput white man 32\nwait 1\n11-15")
    assert [simulated.words(e) for e in events] == [
        "violation wrong_setup 32",
        "resolved corrected wrong_setup",
        "ready",
        "move 11-15",
    ]


def test_the_arbiter_dismisses_what_was_in_order(simulated: Any) -> None:
    script = ENGLISH + "carry 12-16\nwait 2\n18x11"
    events = simulated.watched("english", script, told={"missed_capture": Command("dismiss")})
    assert simulated.told(events)[:2] == ["violation missed_capture 12,16", "resolved dismissed missed_capture"]


def test_where_the_house_huffs_the_lazy_disc_comes_off(simulated: Any) -> None:
    english = variant_named("english")
    assert english.huff_allowed
    events = simulated.watched("english", ENGLISH + "carry 12-16\nwait 1\ntake 15\nwait 1\n18-14", house="huff")
    assert simulated.told(events) == [
        "violation missed_capture 12,16",
        "resolved huffed missed_capture",
        "move 18-14",
    ]


def test_a_verdict_comes_within_150_milliseconds_of_the_settle_time(simulated: Any) -> None:
    delays = simulated.verdict_seconds("english", "wait 1\n11-15 22-18", frames_per_second=10.0)
    assert len(delays) == 2
    assert max(delays) <= Settings().settle_seconds + 0.15
