"""Scripts for the simulated board: every line does what it says, and a bad one is refused with its number."""

import numpy as np
import pytest

from hardware.errors import ScriptUnusable
from hardware.simulator.acts import Displace, Drop, Fast, Ply, Remove, Restore, SetUp
from hardware.simulator.player import Table, states
from hardware.simulator.render import RenderState
from hardware.simulator.script import read_script
from hardware.simulator.staging import Staging, outline_px, scene_of
from rules.fen import fen, parse_fen
from rules.piece import Piece, Side
from rules.position import Position
from rules.variants.catalogue import VARIANT_NAMES, variant_named

SMALL = Staging(3, (320, 180), 5.0)


def _played(text: str) -> list[RenderState]:
    script = read_script(text)
    table = Table(scene_of(script, SMALL), script.standing, 1)
    return [state for _, state in states(script.acts, table, 5.0)]


def _last(text: str) -> str:
    """The board at the end as FEN."""
    script = read_script(text)
    return fen(script.variant, Position(_played(text)[-1].placement, script.start.to_move))[2:]


def test_moves_are_read_as_pdn_has_them_and_numbers_are_skipped() -> None:
    script = read_script("variant english\n1. 11-15 22-18 2. 15x22 25x18")
    assert script.moves == ("11-15", "22-18", "15x22", "25x18")
    assert all(isinstance(act, Ply) for act in script.acts)


@pytest.mark.parametrize("name", VARIANT_NAMES)
def test_every_game_can_be_scripted(name: str) -> None:
    script = read_script(f"variant {name}\nwait 1")
    assert script.variant is variant_named(name)
    assert script.standing == script.variant.start


def test_a_mistake_put_back_leaves_the_board_as_it_was() -> None:
    start = "variant english\n"
    assert _last(start + "11-15\ncarry 24-20\ncarry 20-13 taking 15\nback") == _last(start + "11-15")


def test_a_disc_left_standing_and_then_taken_off_is_no_mistake_any_more() -> None:
    opening = "variant english\n11-15 22-18\n"
    mended = read_script(opening + "15x22 leaving 18\ntake 18\n25x18")
    assert mended.moves[-1] == "25x18"
    with pytest.raises(ScriptUnusable, match="no mistake"):
        read_script(opening + "15x22 leaving 18\ntake 18\nback")


def test_moves_taken_back_are_played_no_more() -> None:
    script = read_script("variant english\n11-15 22-18\ntakeback 2\n9-13")
    assert script.moves == ("9-13",)
    assert script.acts[2] == Restore(variant_named("english").start)


def test_one_hand_restores_by_carrying_strayed_discs_back() -> None:
    seen = _played("variant english\ncarry 22-17\nback")
    counts = [sum(bool(p) for p in s.placement.pieces) + len(s.loose) for s in seen]
    assert set(counts) == {24}, "a disc is on the board or in the hand, never doubled"


def test_plies_played_fast_leave_no_still_moment_between_them() -> None:
    script = read_script("variant english\nfast 11-15 22-18")
    assert isinstance(script.acts[0], Fast)
    first = _played("variant english\n11-15")[-1].placement
    seen = _played("variant english\nfast 11-15 22-18")
    between = [s.hand is None for s in seen if s.placement == first]
    assert sum(between) <= 1


def test_a_crown_may_come_late() -> None:
    before = "variant english\nstart B:W12:B27\n27-32 uncrowned\n"
    assert _last(before).endswith("B32")
    assert _last(before + "crown 32").endswith("BK32")


def test_discs_lie_where_they_are_shifted_or_dropped_and_are_picked_up() -> None:
    script = read_script("shift 32 0.3 -0.1\ndrop black king 4.5 3\npick")
    assert script.acts[1] == Drop(Piece.BLACK_KING, 4.5, 3.0)
    seen = _played("shift 32 0.3 -0.1\ndrop black king 4.5 3")
    assert seen[-1].offsets[31] == (0.3, -0.1)
    assert [(d.piece, d.x, d.y) for d in seen[-1].loose] == [(Piece.BLACK_KING, 4.5, 3.0)]
    assert _played("drop black king 4.5 3\npick")[-1].loose == ()


def test_pieces_are_given_taken_and_carried_as_the_script_says() -> None:
    script = read_script("take 32\nput white king 32\ncarry 33-28 taking 20\nagain")
    assert [type(act) for act in script.acts[2:]] == [Displace, SetUp]
    assert isinstance(script.acts[0], Remove)
    wanted = parse_fen(script.variant, "W:WK32").placement[31]
    assert _played("take 32\nput white king 32")[-1].placement[31] is wanted


def test_the_board_may_begin_otherwise_than_the_game() -> None:
    script = read_script("variant english\nstanding B:W21-31:B1-12")
    assert script.standing[31] is Piece.EMPTY
    assert script.start.placement == script.variant.start


@pytest.mark.parametrize(
    "script",
    [
        "variant english\nstart B:W32:B1\nstanding W:W32:B2\n1-6",
        "variant english\nstanding B:W15,21-31:B1-12\n11-15",
        "variant english\nstanding B:W21,23-32:B1-12\n11-15 22-18",
    ],
)
def test_a_move_that_the_board_cannot_show_is_refused_in_words(script: str) -> None:
    with pytest.raises(ScriptUnusable, match="the board cannot show"):
        read_script(script)


def test_a_mirrored_board_is_its_reflection_and_swapped_discs_swap_colours() -> None:
    plain, mirrored = read_script("variant english"), read_script("variant english\nmirrored")
    usual, other = outline_px(scene_of(plain, SMALL)), outline_px(scene_of(mirrored, SMALL))
    assert np.allclose(usual[[1, 0, 3, 2]], other)
    swapped = scene_of(plain, SMALL, Side.BLACK)
    assert sum(swapped.discs.light) < sum(swapped.discs.dark)


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("variant englsh", 1, "did you mean 'english'"),
        ("variant english\n\n11-16 11-16", 3, "carry 11-16"),
        ("# nothing\njump 3", 2, "expected a move"),
        ("wait soon", 1, "expected a number"),
        ("wait", 1, "expected 1"),
        ("start W:W51", 1, "51"),
        ("start Q", 1, "side to move"),
        ("31-26\nseed 3", 2, "at the beginning"),
        ("seed many", 1, "whole number"),
        ("take 28", 1, "empty then"),
        ("put red man 28", 1, "white or black"),
        ("back", 1, "no mistake"),
        ("takeback 1", 1, "at most the 0"),
        ("32-28 leaving 19", 1, "does not capture"),
        ("32-28 uncrowned", 1, "does not promote"),
        ("32-28 slowly", 1, "after a move"),
        ("carry 32", 1, "two squares"),
        ("bump 9 0 0", 1, "-3 to 3"),
        ("kings tall", 1, "stacked, crown"),
        ("mirrored twice", 1, "nothing more"),
        ("fast", 1, "no move"),
        ("turn red", 1, "white or black"),
    ],
)
def test_a_bad_line_is_refused_with_its_number_and_what_was_expected(text: str, line: int, said: str) -> None:
    with pytest.raises(ScriptUnusable, match=f"^line {line}: ") as refusal:
        read_script(text)
    assert said in str(refusal.value)
