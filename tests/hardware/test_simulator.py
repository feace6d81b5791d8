"""The simulated board: what is drawn is where the geometry says, and what is played is legal."""

import itertools

import numpy as np
import pytest

from hardware.simulator.acts import (
    Act,
    Displace,
    HandOver,
    LightChange,
    Place,
    Ply,
    Remove,
    Restore,
    SetUp,
    Wait,
)
from hardware.simulator.game import LONGEST_GAME, evening, game
from hardware.simulator.hand import Hand
from hardware.simulator.player import Table, simulated_frames, states
from hardware.simulator.render import Bump, Renderer, RenderState, offsets, render, with_size
from hardware.simulator.scene import Scene, draw_scene
from rules.board import Board
from rules.boards.hexagons import honeycomb
from rules.boards.lined import alquerque, serpents
from rules.boards.squares import chequered, full
from rules.faults import FaultKind
from rules.fen import parse_fen
from rules.judge import Irregular, judge
from rules.legal_moves import legal_moves, play
from rules.move import Move
from rules.piece import Piece, Side
from rules.placement import Placement
from rules.variant import start_position
from rules.variants.catalogue import variant_named

SMALL = (320, 180)
ENGLISH = variant_named("english")
BOARDS = [chequered(8, 8), chequered(10, 10), full(8, 8), alquerque(), serpents(), honeycomb(5)]


def _small(board: Board, seed: int) -> Scene:
    return with_size(draw_scene(board, seed), SMALL)


def _standing(script: list[Act], start: Placement = ENGLISH.start, seed: int = 5) -> list[RenderState]:
    return [state for _, state in states(script, Table(_small(ENGLISH.board, seed), start, seed), 10.0)]


@pytest.mark.parametrize("board", BOARDS, ids=lambda b: b.name)
def test_the_whole_board_is_in_the_picture_for_every_kind_of_board(board: Board) -> None:
    for seed in range(6):
        scene = draw_scene(board, seed)
        corners = scene.project(np.column_stack([np.asarray(board.outline), np.zeros(len(board.outline))]))
        assert (corners > 0).all()
        assert (corners < scene.size).all()


@pytest.mark.parametrize("board", BOARDS, ids=lambda b: b.name)
def test_discs_change_the_picture_where_the_homography_says_they_are(board: Board) -> None:
    scene = _small(board, 2)
    point = board.size // 2
    empty = render(scene, Placement.empty(board.size))
    taken = render(scene, Placement.empty(board.size).replaced({point: Piece.WHITE_MAN}))
    x, y, w = taken.image_from_board @ [*board.xy[point], 1.0]
    difference = np.abs(empty.bgr.astype(int) - taken.bgr.astype(int)).sum(axis=2)
    strong = np.argwhere(difference > 60)[:, ::-1]
    assert len(strong) > 0
    nearest = np.hypot(*(strong - (x / w, y / w)).T).min()
    assert nearest < 4


def test_a_white_disc_is_lighter_than_a_black_one_in_every_scene() -> None:
    for seed in range(8):
        scene = draw_scene(chequered(8, 8), seed)
        assert sum(scene.discs.light) > sum(scene.discs.dark) + 100


def test_the_same_seed_gives_the_same_picture_and_another_seed_another() -> None:
    first, again, other = (render(_small(ENGLISH.board, seed), ENGLISH.start).bgr for seed in (3, 3, 4))
    assert (first == again).all()
    assert (first != other).any()


def test_a_kept_background_draws_what_a_fresh_one_would() -> None:
    scene = _small(ENGLISH.board, 6)
    state = RenderState(ENGLISH.start, offsets(scene, np.random.default_rng(1)), hand=Hand(4.0, 4.0, Side.BLACK))
    used = Renderer(scene)
    used.render(RenderState(Placement.empty(32), state.offsets))
    kept, fresh = used.render(state).bgr.astype(int), Renderer(scene).render(state).bgr.astype(int)
    # They differ by the sensor's noise alone.
    assert np.abs(kept - fresh).mean() < 3 * scene.noise


@pytest.mark.parametrize("side", [Side.WHITE, Side.BLACK])
def test_an_arm_that_has_gone_past_the_camera_shows_nothing_of_itself(side: Side) -> None:
    for seed in range(8):
        quarter_turns = 0 if side is Side.WHITE else 2
        scene = draw_scene(ENGLISH.board, seed, (320, 180), side=quarter_turns)
        away = -20.0 if side is Side.WHITE else ENGLISH.board.height + 20.0
        empty = render(scene, ENGLISH.start).bgr.astype(int)
        gone = render(scene, ENGLISH.start, hand=Hand(4.0, away, side)).bgr.astype(int)
        assert np.abs(gone - empty).max() < 60, f"seed {seed}"


def test_a_hand_hides_what_lies_under_its_fingers() -> None:
    scene = _small(ENGLISH.board, 9)
    bare = render(scene, ENGLISH.start).bgr.astype(int)
    reached = render(scene, ENGLISH.start, hand=Hand(4.0, 4.0, Side.WHITE)).bgr.astype(int)
    assert (np.abs(bare - reached).sum(axis=2) > 60).sum() > 500


def test_a_ply_ends_with_the_position_that_the_rules_give() -> None:
    for move in legal_moves(ENGLISH, start_position(ENGLISH))[:2]:
        expected = play(ENGLISH, start_position(ENGLISH), move).placement
        last = _standing([Ply(move)])[-1]
        assert last.placement == expected
        assert last.hand is None
        assert last.loose == ()


def test_a_king_that_lands_where_a_disc_was_taken_on_the_way_stays_there() -> None:
    turkish = variant_named("turkish")
    position = parse_fen(turkish, "B:Wh2,f4,e3,g2:BKh1")
    (move,) = legal_moves(turkish, position)
    assert move.end in move.captured
    table = Table(_small(turkish.board, 5), position.placement, 5)
    *_, (_, last) = states([Ply(move)], table, 10.0)
    assert last.placement == play(turkish, position, move).placement


def test_a_quiet_ply_takes_about_four_seconds() -> None:
    move = legal_moves(ENGLISH, start_position(ENGLISH))[0]
    assert 3.0 <= len(_standing([Ply(move)])) / 10 <= 5.0


def test_captured_discs_go_one_by_one_under_a_hand_and_the_crown_comes_last() -> None:
    start = Placement.empty(32).replaced({22: Piece.BLACK_MAN, 25: Piece.WHITE_MAN})
    seen = _standing([Ply(Move((22, 29), (25,), promotes=True))], start)
    changed = [b for a, b in itertools.pairwise(seen) if a.placement != b.placement]
    assert [(s.placement[22], s.placement[25], s.placement[29]) for s in changed] == [
        (Piece.EMPTY, Piece.WHITE_MAN, Piece.EMPTY),
        (Piece.EMPTY, Piece.WHITE_MAN, Piece.BLACK_MAN),
        (Piece.EMPTY, Piece.EMPTY, Piece.BLACK_MAN),
        (Piece.EMPTY, Piece.EMPTY, Piece.BLACK_KING),
    ]
    assert all(s.hand is not None and s.hand.side is Side.BLACK for s in changed)


def test_mistakes_and_corrections_leave_what_they_say() -> None:
    seen = _standing([Displace(8, 12), Remove(0), Place(0, Piece.WHITE_KING), HandOver(0.5), Wait(0.5)])
    assert seen[-1].placement == ENGLISH.start.replaced({8: Piece.EMPTY, 12: ENGLISH.start[8], 0: Piece.WHITE_KING})


def test_light_and_bumps_stay() -> None:
    last = _standing([LightChange(0.8), Bump(0.2, -0.1, 0.05), Bump(0.1, 0.0, 0.0), Wait(0.3)])[-1]
    assert last.light == pytest.approx(0.8)
    assert (last.bump.dx, last.bump.dy, last.bump.rotation) == pytest.approx((0.3, -0.1, 0.05))


def test_a_bump_moves_the_homography_by_as_much() -> None:
    scene = _small(ENGLISH.board, 1)
    state = RenderState(ENGLISH.start, offsets(scene, np.random.default_rng(0)), bump=Bump(0.5, 0.0, 0.0))
    moved = Renderer(scene).render(state).image_from_board
    expected = scene.project(np.array([[2.5, 3.0, 0.0]]))[0]
    x, y, w = moved @ [2.0, 3.0, 1.0]
    assert (x / w, y / w) == pytest.approx(tuple(expected))


def test_setting_up_again_ends_with_the_start_position() -> None:
    assert _standing([SetUp(ENGLISH.start, 1.0)], Placement.empty(32))[-1].placement == ENGLISH.start


def test_frames_of_a_script_are_evenly_timed_and_numbered() -> None:
    frames = list(simulated_frames([Wait(1.0)], _small(ENGLISH.board, 1), ENGLISH.start, 4.0))
    assert [f.captured_at for f in frames] == [0.0, 0.25, 0.5, 0.75]
    assert [f.sequence for f in frames] == [0, 1, 2, 3]


@pytest.mark.parametrize("name", ["english", "international"])
def test_a_simulated_game_is_legal_from_the_first_move_to_the_last(name: str) -> None:
    variant = variant_named(name)
    position = start_position(variant)
    plies = 0
    for move in game(variant, 1):
        assert move in legal_moves(variant, position)
        position = play(variant, position, move)
        plies += 1
    assert 10 < plies <= LONGEST_GAME


def test_after_a_game_the_discs_are_set_up_and_another_begins() -> None:
    acts = list(itertools.islice(evening(ENGLISH, 2).acts(), LONGEST_GAME + 10))
    after = next(i for i, act in enumerate(acts) if isinstance(act, SetUp))
    assert acts[after] == SetUp(ENGLISH.start)
    assert isinstance(acts[after + 3], Ply)


@pytest.mark.parametrize("name", ["international", "english", "turkish", "alquerque", "gothic"])
def test_a_game_of_the_simulated_board_shows_an_irregularity_and_its_correction(name: str) -> None:
    variant = variant_named(name)
    position, seen = start_position(variant), []
    for act in itertools.islice(evening(variant, 3).acts(), 30):
        match act:
            case Ply(move):
                assert move in legal_moves(variant, position)
                position = play(variant, position, move)
            case Displace(start, end, taking):
                moved = {start: Piece.EMPTY, end: position.placement[start]} | dict.fromkeys(taking, Piece.EMPTY)
                verdict = judge(variant, position, position.placement.replaced(moved))
                assert isinstance(verdict, Irregular)
                seen.append(verdict.faults[0].kind)
            case Restore(placement):
                assert placement == position.placement
                seen.append("restored")
    assert seen in ([FaultKind.MISSED_CAPTURE, "restored"], [FaultKind.ILLEGAL_MOVE, "restored"])
