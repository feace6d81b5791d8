"""The whole pipeline while light changes and things lie over the board: no move meanwhile, and the game goes on."""

from collections.abc import Callable

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from hardware.simulator.script import read_script
from hardware.simulator.staging import scene_of, shots
from server.runtime.pipeline import Pipeline
from server.session.events import as_json
from server.session.state import new_state, terms_for
from server.settings import Settings
from tests.support.simulated import STAGING, calibrated, words
from vision.activity import Activity, watch, watching
from vision.frame import Frame
from vision.pose import BoardPose

Picture = NDArray[np.uint8]
Over = Callable[[float, Picture, BoardPose], Picture]
ENGLISH = "11-15\nwait 1\n22-17\nwait 1\n15-19\nwait 2"
SKIN, CUP = (120, 150, 205), (225, 230, 235)


def told(text: str, over: Over) -> list[tuple[float, str]]:
    """What is said of a script, and when, with something laid over its pictures."""
    script, known = read_script(f"variant english\n{text}"), calibrated("english")
    pipeline = Pipeline(new_state(terms_for(script.variant, script.start)), Settings(), known)
    said = []
    for shot in shots(script, scene_of(script, STAGING), STAGING):
        seconds = shot.frame.captured_at
        frame = Frame(over(seconds, shot.frame.bgr, known.pose), seconds, shot.frame.sequence)
        events = [as_json(effect, seconds, frame.sequence) for effect in pipeline.see(frame)]
        said += [(seconds, words(event)) for event in events if event["type"] != "ready"]
    return said


def painted(bgr: Picture, outline: NDArray[np.float64], colour: tuple[int, int, int]) -> Picture:
    done = bgr.copy()
    cv2.fillPoly(done, [np.rint(outline * 8).astype(np.int32)], colour, cv2.LINE_AA, 3)
    return done


def shaded(bgr: Picture, outline: NDArray[np.float64], light: float) -> Picture:
    """The picture with less light within an outline, soft at its edge."""
    mask = np.zeros(bgr.shape[:2], np.float32)
    cv2.fillPoly(mask, [np.rint(outline).astype(np.int32)], 1.0)
    soft = cv2.GaussianBlur(mask, (0, 0), 4)[..., None]
    return np.asarray(bgr * (1 - soft * (1 - light)), np.uint8)


def round_thing(pose: BoardPose, place: tuple[float, float], radius: float) -> NDArray[np.float64]:
    angle = np.linspace(0, 2 * np.pi, 40)
    return pose.project(np.array(place) + radius * np.stack([np.cos(angle), np.sin(angle)], axis=1))


def arm(pose: BoardPose, tip: tuple[float, float], elbow: tuple[float, float], width: float) -> NDArray[np.float64]:
    """A forearm from beyond the board's edge to its tip, on the plane."""
    a, b = np.array(elbow), np.array(tip)
    side = width / 2 * np.array([(b - a)[1], -(b - a)[0]]) / np.linalg.norm(b - a)
    return pose.project(np.array([a + side, b + side, b - side, a - side]))


def light_step(seconds: float, bgr: Picture, _: BoardPose) -> Picture:
    return np.asarray(bgr * (0.6 if seconds > 2.6 else 1.0), np.uint8)


def half_in_shadow(seconds: float, bgr: Picture, pose: BoardPose) -> Picture:
    half = pose.project([(-1, -1), (4.3, -1), (3.7, 9), (-1, 9)])
    return shaded(bgr, half, 0.55) if seconds > 2.6 else bgr


def hands_on_the_edge(seconds: float, bgr: Picture, pose: BoardPose) -> Picture:
    """Both players' hands rest at the board's edge from a moment on."""
    if seconds <= 2.6:
        return bgr
    once = painted(bgr, arm(pose, (2.5, -0.15), (2.0, -3.0), 0.9), SKIN)
    return painted(once, arm(pose, (5.5, 8.15), (6.0, 11.0), 0.9), SKIN)


def cup_on_an_empty_place(seconds: float, bgr: Picture, pose: BoardPose) -> Picture:
    return painted(bgr, round_thing(pose, (0.9, 4.2), 1.15), CUP) if seconds > 1.5 else bgr


@pytest.mark.parametrize("over", [light_step, half_in_shadow, hands_on_the_edge])
def test_the_game_goes_on_under_other_light_and_beside_things(over: Over) -> None:
    assert [said for _, said in told(ENGLISH, over)] == ["move 11-15", "move 22-17", "move 15-19"]


def test_the_game_goes_on_beside_a_cup_put_down_while_nobody_moves() -> None:
    said = told("wait 3\n11-15\nwait 1\n23-18\nwait 2", cup_on_an_empty_place)
    assert [words for _, words in said] == ["move 11-15", "move 23-18"]


@pytest.mark.parametrize("thing", ["arm", "cup"])
def test_no_move_is_told_while_something_covers_where_it_goes_and_at_once_after(thing: str) -> None:
    first = next(seconds for seconds, _ in told(ENGLISH, lambda _, bgr, __: bgr))
    gone = first + 3.0

    def over(seconds: float, bgr: Picture, pose: BoardPose) -> Picture:
        if not 0.7 < seconds < gone:
            return bgr
        if thing == "arm":
            return painted(bgr, arm(pose, (4.5, 4.4), (11.0, 4.4), 1.6), SKIN)
        return painted(bgr, round_thing(pose, (4.5, 4.5), 1.1), CUP)

    said = told("11-15\nwait 6\n22-17\nwait 2", over)
    assert [words for _, words in said] == ["move 11-15", "move 22-17"]
    assert gone <= said[0][0] < gone + 2.0


@pytest.mark.parametrize("name", ["turkish", "turkish-10"])
def test_an_arm_is_a_hand_on_boards_full_of_points_too(name: str) -> None:
    script, known = read_script(f"variant {name}\nwait 4"), calibrated(name)
    board, state, seen = script.variant.board, watching(script.variant.board), []
    pose = known.pose
    middle = (board.width / 2 + 0.5, board.height / 2)
    for shot in shots(script, scene_of(script, STAGING), STAGING):
        bgr, seconds = shot.frame.bgr, shot.frame.captured_at
        if seconds > 2.0:
            bgr = painted(bgr, arm(pose, middle, (middle[0], -6.0), 1.0), SKIN)
        state, watched = watch(state, Frame(bgr, seconds, shot.frame.sequence), pose)
        seen += [watched.activity] if seconds > 2.0 else []
    assert len(seen) > 4
    assert set(seen) == {Activity.HAND}
