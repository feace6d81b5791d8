import io
from concurrent.futures import ThreadPoolExecutor
from importlib import resources

import numpy as np
import pytest

from vision.context import FEATURES, Context, weight_names
from vision.errors import ReaderError
from vision.pose import BoardPose
from vision.reader import LightOfBoard, installed_reader, light_of_board
from vision.rectify import square_lean

INSTALLED = resources.files("vision").joinpath("reader_context.npz").read_bytes()


def _squares(count: int, seed: int = 3) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    return (
        rng.normal(0, 1, (count, FEATURES)).astype(np.float32),
        rng.normal(0, 0.3, (count, 1)).astype(np.float32),
    )


def test_the_order_of_the_squares_does_not_matter() -> None:
    context = Context.from_bytes(INSTALLED)
    features, lean = _squares(20)
    order = np.random.default_rng(1).permutation(20)
    together = context.scores(features, lean)
    assert np.allclose(context.scores(features[order], lean[order]), together[order], atol=1e-4)


def test_what_stands_elsewhere_on_the_board_counts() -> None:
    context = Context.from_bytes(INSTALLED)
    features, lean = _squares(20)
    others = np.vstack([features[:1], _squares(19, seed=4)[0]])
    assert not np.allclose(context.scores(features, lean)[0], context.scores(others, lean)[0], atol=0.01)


def test_context_weights_that_cannot_be_read_are_named_as_such() -> None:
    with pytest.raises(ReaderError, match="install Kibitz again"):
        Context.from_bytes(b"no weights")


def test_missing_context_weights_are_named() -> None:
    with np.load(io.BytesIO(INSTALLED)) as file:
        kept = {name: file[name] for name in weight_names() if name != "out.bias"}
    packed = io.BytesIO()
    np.savez(packed, **kept)
    with pytest.raises(ReaderError, match=r"without out\.bias"):
        Context.from_bytes(packed.getvalue())


def test_no_patches_give_no_scores() -> None:
    light = LightOfBoard(128.0, 128.0, 128.0, 40.0)
    none = np.zeros((0, 40, 40, 3), np.uint8)
    assert installed_reader().read(none, light, np.zeros(0, np.float32)).shape == (0, 6)


def test_readings_of_other_boards_between_do_not_matter() -> None:
    rng, reader = np.random.default_rng(7), installed_reader()
    boards = [rng.integers(0, 256, (n, 40, 40, 3)).astype(np.uint8) for n in (50, 7, 70)]
    lean = np.zeros(70, np.float32)
    told = [reader.read(some, light_of_board(some), lean[: len(some)]) for some in (*boards, boards[0])]
    assert np.allclose(told[0], told[3], atol=1e-5)


def test_threads_share_a_reader() -> None:
    patches = np.random.default_rng(8).integers(0, 256, (50, 40, 40, 3)).astype(np.uint8)
    light, lean = light_of_board(patches), np.zeros(50, np.float32)
    alone = installed_reader().read(patches, light, lean)
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(lambda _: installed_reader().read(patches, light, lean), range(12)))
    assert all(np.allclose(each, alone, atol=1e-5) for each in together)


def test_height_is_seen_shifted_away_from_the_camera_only_at_a_tilt() -> None:
    camera = np.array([[800.0, 0, 320], [0, 800, 240], [0, 0, 1]])
    straight = np.column_stack([[1.0, 0, 0], [0, -1.0, 0], [-4.0, 4.0, 14.0]])
    overhead = BoardPose(camera @ straight, 0.5, None, (640, 480))
    assert np.abs(square_lean(overhead, [(4.0, 4.0)])).max() < 0.02
    tilt = np.radians(45)
    down = np.array([[1, 0, 0], [0, np.cos(tilt), -np.sin(tilt)], [0, np.sin(tilt), np.cos(tilt)]])
    axes = np.diag([1.0, -1.0, -1.0]) @ down.T
    middle = np.array([0, 0, 14.0]) - axes @ np.array([4.0, 4.0, 0])
    tilted = BoardPose(camera @ np.column_stack([axes[:, 0], axes[:, 1], middle]), 0.5, None, (640, 480))
    assert square_lean(tilted, [(4.0, 4.0)])[0] == pytest.approx(1.0, abs=0.1)
