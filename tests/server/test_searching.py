"""How often a board that is not in view is looked for."""

import numpy as np

from server.runtime.searching import LONGEST_WAIT_SECONDS, Search, in_vain, is_due
from vision.frame import Frame

RNG = np.random.default_rng(4)
TABLE = RNG.integers(90, 130, (240, 320, 3)).astype(np.uint8)
OTHER = TABLE.copy()
OTHER[40:200, 60:260] = (200, 210, 220)


def searches(pictures: dict[int, np.ndarray], tenths: int) -> list[float]:
    """When the board was looked for, a picture every tenth of a second; `pictures` from a tenth on."""
    search, now, seen = Search(), TABLE, []
    for tenth in range(tenths):
        now = pictures.get(tenth, now)
        frame = Frame(now, tenth / 10, tenth)
        if is_due(search, frame):
            seen.append(frame.captured_at)
            search = in_vain(search, frame)
    return seen


def test_a_board_that_is_not_in_view_is_looked_for_less_and_less_often():
    assert searches({}, 360) == [0, 1, 3, 7, 15, 25, 35]
    assert LONGEST_WAIT_SECONDS == 10


def test_a_picture_that_changes_much_is_searched_at_once_and_often_again():
    assert searches({200: OTHER}, 280) == [0, 1, 3, 7, 15, 20, 21, 23, 27]


def test_a_picture_that_changes_all_the_time_is_searched_once_a_second():
    flicker = {tenth: (TABLE, OTHER)[tenth % 2] for tenth in range(40)}
    assert np.diff(searches(flicker, 40)).min() >= 1.0 - 1e-9


def test_light_that_changes_everywhere_alike_is_no_reason_to_search():
    darker = (TABLE * 0.7).astype(np.uint8)
    assert searches({40: darker}, 60) == [0, 1, 3]
