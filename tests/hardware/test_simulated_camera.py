"""The simulated board as a camera: it follows what the people at the dashboard want to see."""

from collections.abc import Callable, Iterator
from itertools import islice

import numpy as np
import pytest

from hardware.cameras.simulated import SimulatedBoard, Wish
from hardware.simulator.scene import draw_scene
from rules.fen import parse_fen
from rules.variants.catalogue import variant_named
from vision.frame import Frame

SIZE = (320, 180)
ENGLISH = variant_named("english")
NEARLY_OVER = parse_fen(ENGLISH, "W:W22:B18")


class _Dashboard:
    """A wish that a test changes while the camera runs."""

    def __init__(self, wish: Wish) -> None:
        self.wish = wish
        self.paused = False

    def frames(self) -> Iterator[Frame]:
        board = SimulatedBoard("english", 3, False, 5.0, SIZE, wish=lambda: self.wish, rest=lambda: self.paused)
        return board.frames(lambda: False)


def _seconds_until(frames: Iterator[Frame], done: Callable[[Frame], bool], most: int = 400) -> float | None:
    return next((f.captured_at for f in islice(frames, most) if done(f)), None)


def _like(frame: Frame) -> Callable[[Frame], bool]:
    """Whether a picture shows the same but for the sensor's noise."""
    wanted = frame.bgr.astype(np.int16)
    return lambda other: float(np.percentile(np.abs(other.bgr - wanted), 99.5)) < 16


def test_another_game_on_another_board_is_laid_on_the_table_at_once() -> None:
    dashboard = _Dashboard(Wish("english"))
    frames = dashboard.frames()
    before = next(frames)
    dashboard.wish = Wish("turkish")
    after = next(frames)
    assert not _like(before)(after)
    fresh = next(SimulatedBoard("turkish", 3, False, 5.0, SIZE).frames(lambda: False))
    assert _like(fresh)(after)


def test_a_new_game_in_the_middle_of_one_is_set_up_by_hand_on_the_same_board() -> None:
    dashboard = _Dashboard(Wish("english", NEARLY_OVER))
    frames = dashboard.frames()
    first = next(frames)
    dashboard.wish = Wish("english", None, 1)
    start = next(SimulatedBoard("english", 3, False, 5.0, SIZE).frames(lambda: False))
    assert not _like(start)(first)
    # Discs are put down a little off centre, each time elsewhere: what counts is where there is a disc.
    assert _seconds_until(frames, lambda f: float(np.percentile(np.abs(f.bgr - start.bgr.astype(np.int16)), 95)) < 16)


def test_a_game_begun_where_its_start_stands_already_disturbs_nobody() -> None:
    dashboard = _Dashboard(Wish("english"))
    undisturbed = [f.bgr.mean() for f in islice(_Dashboard(Wish("english")).frames(), 30)]
    frames = dashboard.frames()
    seen = [next(frames).bgr.mean() for _ in range(3)]
    dashboard.wish = Wish("english", None, 1)
    seen += [f.bgr.mean() for f in islice(frames, 27)]
    assert seen == undisturbed


def test_time_goes_on_evenly_across_a_change_of_the_game() -> None:
    dashboard = _Dashboard(Wish("english"))
    frames = dashboard.frames()
    times = [next(frames).captured_at for _ in range(4)]
    dashboard.wish = Wish("international")
    times += [f.captured_at for f in islice(frames, 4)]
    assert np.allclose(np.diff(times), 0.2)


def test_a_game_is_played_to_its_end_and_the_next_is_set_up() -> None:
    dashboard = _Dashboard(Wish("english", NEARLY_OVER))
    start = next(SimulatedBoard("english", 3, False, 5.0, SIZE).frames(lambda: False))
    ended = _seconds_until(
        dashboard.frames(), lambda f: float(np.percentile(np.abs(f.bgr - start.bgr.astype(np.int16)), 95)) < 16
    )
    assert ended is not None
    assert 10 < ended < 40


def test_a_paused_game_stands_still_once_the_hand_is_gone_and_goes_on_later() -> None:
    dashboard = _Dashboard(Wish("english"))
    frames = dashboard.frames()
    begun = list(islice(frames, 25))
    dashboard.paused = True
    paused = list(islice(frames, 60))
    assert _like(paused[-1])(paused[25])
    assert not _like(paused[-1])(begun[0])
    dashboard.paused = False
    after = list(islice(frames, 20))
    times = [f.captured_at for f in (*begun, *paused, *after)]
    assert np.allclose(np.diff(times), 0.2)
    assert not all(map(_like(paused[-1]), after))


def test_a_position_wished_while_the_game_is_paused_is_still_set_up() -> None:
    dashboard = _Dashboard(Wish("english"))
    dashboard.paused = True
    frames = dashboard.frames()
    list(islice(frames, 5))
    dashboard.wish = Wish("english", NEARLY_OVER, 1)
    wanted = next(_Dashboard(Wish("english", NEARLY_OVER)).frames()).bgr.astype(np.int16)
    assert _seconds_until(frames, lambda f: float(np.percentile(np.abs(f.bgr - wanted), 95)) < 16)
    seen = list(islice(frames, 80))[-60:]
    assert all(float(np.percentile(np.abs(f.bgr - wanted), 95)) < 16 for f in seen)


@pytest.mark.parametrize("seed", range(6))
def test_the_picture_stands_the_same_way_up_as_boards_are_drawn_in_books(seed: int) -> None:
    scene = draw_scene(ENGLISH.board, seed, SIZE, 0)
    black_king_row, white_king_row = scene.project(np.array([[4.0, 8.0, 0.0], [4.0, 0.0, 0.0]]))
    assert white_king_row[1] > black_king_row[1] + 40
    any_side = draw_scene(ENGLISH.board, seed, SIZE)
    assert any_side.board_look == scene.board_look
    assert any_side.noise == scene.noise


def test_while_the_players_lay_the_board_that_was_wished_they_are_arranging_and_then_no_more() -> None:
    dashboard = _Dashboard(Wish("english"))
    board = SimulatedBoard("english", 3, False, 5.0, SIZE, wish=lambda: dashboard.wish, rest=lambda: dashboard.paused)
    frames = board.frames(lambda: False)
    assert not board.is_arranging()
    start = next(frames)
    assert not board.is_arranging()
    dashboard.paused = True  # the board is set up all the same
    dashboard.wish = Wish("english", on_from=NEARLY_OVER, turns=1)
    assert board.is_arranging()
    while board.is_arranging():
        last = next(frames)
    assert not _like(start)(last)
    stood = [_like(last)(next(frames)) for _ in range(20)]
    assert all(stood)
    dashboard.paused = False
    assert [_like(last)(next(frames)) for _ in range(25)] == [True] * 25, "they wait before they play on"
    dashboard.wish = Wish("turkish", game=2)
    assert board.is_arranging()
    next(frames)
    assert not board.is_arranging()


def test_a_board_of_which_little_is_to_be_changed_is_set_up_quickly() -> None:
    dashboard = _Dashboard(Wish("english", NEARLY_OVER))
    board = SimulatedBoard("english", 3, False, 5.0, SIZE, wish=lambda: dashboard.wish)
    frames = board.frames(lambda: False)
    asked = next(frames).captured_at
    dashboard.wish = Wish("english", NEARLY_OVER, on_from=parse_fen(ENGLISH, "W:W21:B18"), turns=1)
    done = next(frame.captured_at for frame in frames if not board.is_arranging())
    assert done - asked < 6.0
