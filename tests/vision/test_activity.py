import numpy as np
from numpy.typing import NDArray

from tests.vision.drawn_board import BOARD, drawn, pose_of, start, with_arm
from vision.activity import Activity, Watched, is_settled, watch, watching
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
