import cv2
import numpy as np
from numpy.typing import NDArray

from tests.vision.drawn_board import BOARD, drawn, pose_of, start, with_arm
from vision.activity import Activity, Watched, is_settled, shown, watch, watching
from vision.frame import Frame

POSE = pose_of()


def watched(pictures: list[NDArray[np.uint8]], spacing: float = 0.5) -> list[Watched]:
    state, seen = watching(BOARD), []
    for number, picture in enumerate(pictures):
        state, one = watch(state, Frame(picture, number * spacing, number), POSE)
        seen.append(one)
    return seen


def looks(count: int, gain: float = 1.0) -> list[NDArray[np.uint8]]:
    return [drawn(start(), POSE, gain=gain, seed=seed) for seed in range(count)]


def test_a_board_left_alone_settles() -> None:
    seen = watched(looks(3))
    assert seen[0].activity is Activity.MOVING
    assert is_settled(seen[1], 0.4)
    assert seen[2].still_seconds == 1.0


def test_an_arm_over_the_board_is_a_hand_while_it_moves_and_while_it_rests() -> None:
    seen = watched([*looks(3), with_arm(drawn(start(), POSE, seed=7)), with_arm(drawn(start(), POSE, seed=8))])
    assert [one.activity for one in seen[3:]] == [Activity.HAND, Activity.HAND]
    assert seen[4].moving_area < 0.1


def test_a_moved_disc_is_still_again_in_the_second_picture_after_the_hand_has_gone() -> None:
    after = {point: piece for point, piece in start().items() if point != 21} | {17: 1}
    seen = watched([*looks(3), with_arm(drawn(start(), POSE)), drawn(after, POSE, seed=3), drawn(after, POSE, seed=4)])
    assert seen[4].activity is Activity.MOVING
    assert is_settled(seen[5], 0.4)


def test_light_that_changes_everywhere_is_no_movement() -> None:
    seen = watched([*looks(3), *looks(2, gain=0.75)])
    assert [one.activity for one in seen[3:]] == [Activity.STILL, Activity.STILL]


def test_settling_is_counted_in_seconds_at_any_frame_rate() -> None:
    seen = watched(looks(12), spacing=0.1)
    assert [is_settled(one, 0.4) for one in seen].index(True) == 4


def test_what_lies_there_for_long_becomes_scenery() -> None:
    arm = [with_arm(drawn(start(), POSE, seed=seed)) for seed in range(12)]
    assert watched([*looks(3), *arm], spacing=2.0)[-1].activity is Activity.STILL


def with_thing(picture: NDArray[np.uint8], xy: tuple[float, float], radius: float = 0.9) -> NDArray[np.uint8]:
    """The same with a round thing lying on a plane point, its radius in squares."""
    ring = np.stack([np.cos(np.linspace(0, 2 * np.pi, 40)), np.sin(np.linspace(0, 2 * np.pi, 40))], axis=1)
    laid = picture.copy()
    cv2.fillPoly(laid, [np.rint(POSE.project(np.array(xy) + radius * ring)).astype(np.int32)], (190, 90, 40))
    return laid


def shaded(picture: NDArray[np.uint8], middle: float = 330.0) -> NDArray[np.uint8]:
    """The same with a person's shadow over all that is left of a line."""
    x = np.arange(picture.shape[1])
    light = 1 - 0.5 / (1 + np.exp((x - middle) / 4.0))
    return np.clip(picture * light[None, :, None], 0, 255).astype(np.uint8)


def test_a_hand_that_was_first_seen_at_the_very_edge_leaves_nothing_strange_behind() -> None:
    after = {point: piece for point, piece in start().items() if point != 20} | {16: 1}
    tip = with_thing(drawn(start(), POSE, seed=9), (0.6, -0.45), 0.2)
    gone = [drawn(after, POSE, seed=seed) for seed in (11, 12)]
    seen = watched([*looks(3), tip, with_arm(drawn(start(), POSE)), *gone])
    assert seen[3].activity is Activity.STILL
    assert is_settled(seen[6], 0.4)
    assert not seen[6].covered.any()


def test_discs_moved_along_the_edge_are_no_hand() -> None:
    after = {point: piece for point, piece in start().items() if point not in (20, 28)} | {16: 1, 17: 1}
    seen = watched([*looks(3), drawn(after, POSE, seed=7), drawn(after, POSE, seed=8)])
    assert seen[4].activity is Activity.STILL
    assert not seen[4].covered.any()


def test_the_shadow_of_a_person_is_no_hand() -> None:
    shadow = [shaded(drawn(start(), POSE, seed=seed)) for seed in range(3)]
    seen = watched([*looks(3), *shadow, *looks(2)])
    assert [one.activity for one in seen[4:6]] == [Activity.STILL, Activity.STILL]
    assert seen[-1].activity is Activity.STILL
    assert not any(one.covered.any() for one in seen)


def test_a_hand_beside_the_board_does_not_stop_the_game() -> None:
    beside = [with_thing(drawn(start(), POSE, seed=seed), (-0.75, 4.0), 0.6) for seed in range(3)]
    seen = watched([*looks(3), *beside])
    assert [one.activity for one in seen[4:]] == [Activity.STILL, Activity.STILL]


def test_a_cup_put_down_hides_its_squares_until_it_is_taken_away() -> None:
    cup = [with_thing(drawn(start(), POSE, seed=seed), (4.0, 4.0), 1.2) for seed in range(14)]
    seen = watched([*looks(3), *cup, *looks(3)], spacing=1.0)
    assert [one.activity for one in seen[5:12]] == [Activity.HAND] * 7
    resting = seen[16]
    assert resting.activity is Activity.STILL
    names = {BOARD.names[point] for point in np.flatnonzero(resting.covered)}
    assert {"d4", "e5"} <= names
    assert "a1" not in names
    assert is_settled(seen[18], 0.4)
    assert not seen[18].covered.any()


def test_squares_that_show_themselves_under_a_veil_are_believed_again() -> None:
    state = watching(BOARD)
    thing = [with_thing(drawn(start(), POSE, seed=seed), (4.0, 4.0), 1.2) for seed in range(14)]
    for number, picture in enumerate([*looks(3), *thing]):
        state, seen = watch(state, Frame(picture, float(number), number), POSE)
    assert seen.veiled.any()
    _, after = watch(shown(state, seen.veiled), Frame(thing[0], 17.0, 17), POSE)
    assert not after.veiled.any()


def test_a_board_nudged_and_found_again_needs_no_second_acquaintance() -> None:
    state = watching(BOARD)
    for number, picture in enumerate(looks(3)):
        state, _ = watch(state, Frame(picture, 0.5 * number, number), POSE)
    there = pose_of((14.0, -9.0))
    for number in (3, 4):
        nudged = with_arm(drawn(start(), there, seed=number))
        state, seen = watch(state, Frame(nudged, 0.5 * number, number), there)
    assert seen.activity is Activity.HAND


def test_a_cup_does_not_stop_a_game_that_goes_on_beside_it() -> None:
    def at(number: int) -> NDArray[np.uint8]:
        picture = with_thing(drawn(start(), POSE, seed=number), (1.6, 4.0), 1.2)
        return with_arm(picture) if number % 4 == 3 else picture

    seen = watched([*looks(3), *[at(number) for number in range(18)]], spacing=1.0)
    assert all(one.activity is Activity.HAND for one in seen[4:12])
    assert [one.activity for one in seen[17:]] == [Activity.STILL, Activity.HAND, Activity.MOVING, Activity.STILL]
    assert seen[20].covered.any()


def test_many_discs_set_up_at_once_are_no_hand() -> None:
    for before in ({}, {23: 1, 27: 1, 22: 1, 31: 1, 19: 1}):
        seen = watched([*(drawn(before, POSE, seed=seed) for seed in range(4)), *looks(3)])
        assert is_settled(seen[5], 0.4)
        assert not any(one.covered.any() for one in seen)
