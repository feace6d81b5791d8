"""A second, closer look at the discs alone: which of them are kings.

What tells a stack from a man is a rim a few pixels high, what tells a mark is a line on a dark top: too little beside
the difference between a board and its discs, on whose scale the first reader sees. So each disc is looked at closer, in
its own contrast, and compared with the other discs of its board.
"""

from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.context import FEATURES, Context
from vision.errors import ReaderError
from vision.reader import LightOfBoard, network_input

CROWN_SIZE = 48
PLANES = 4
LEAST_SPREAD = 4.0
"""Grey levels that the contrast within a disc is at least taken to be: below it is noise."""
BATCH = 16
"""The most discs read at once."""
_ACROSS = (np.arange(CROWN_SIZE) + 0.5) / CROWN_SIZE - 0.5
_HEART = _ACROSS[:, None] ** 2 + _ACROSS[None, :] ** 2 < 0.28**2
_FARTHEST = 4.0


def crown_planes(patches: NDArray[np.uint8], light: LightOfBoard) -> NDArray[np.float32]:
    """Closer patches (n, 48, 48, 3) BGR as the network takes them: (n, 4, 48, 48) float32.

    First lightness relative to the disc's own middle and contrast, then Lab relative to the board.
    """
    if patches.shape[1:] != (CROWN_SIZE, CROWN_SIZE, 3):
        raise ReaderError(f"saw patches {patches.shape}; expected (n, {CROWN_SIZE}, {CROWN_SIZE}, 3)")
    if len(patches) == 0:
        return np.zeros((0, PLANES, CROWN_SIZE, CROWN_SIZE), np.float32)
    beside_board = network_input(patches, light)
    lightness = beside_board[:, 0] * np.float32(light.spread)
    heart = lightness[:, _HEART]
    middle = np.median(heart, axis=1)[:, None, None]
    spread = np.maximum(heart.std(axis=1), LEAST_SPREAD)[:, None, None]
    own = np.clip((lightness - middle) / spread, -_FARTHEST, _FARTHEST)
    return np.concatenate([own[:, None], beside_board], axis=1).astype(np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class CrownReader:
    """The network's file and the weights with which discs are compared; threads may share it."""

    model: NDArray[np.uint8]
    context: Context

    def king_odds(
        self, patches: NDArray[np.uint8], light: LightOfBoard, lean: NDArray[np.float32], light_side: NDArray[np.bool_]
    ) -> NDArray[np.float32]:
        """Log-odds (n,) of king over man of discs whose closer patches are (n, 48, 48, 3) BGR, all of one board.

        `lean` (n,) is what vision/rectify.py's square_lean says of their squares, `light_side` (n,) whose they are.
        """
        return self.odds_of(self.features_of(crown_planes(patches, light)), beside(lean, light_side))

    def features_of(self, planes: NDArray[np.float32], built: Any = None) -> NDArray[np.float32]:
        """Features (n, 64) of `planes` (n, 4, 48, 48) of crown_planes, by the network `built` or a fresh one."""
        if len(planes) == 0:
            return np.zeros((0, FEATURES), np.float32)
        net = self.built() if built is None else built
        return np.concatenate([_forward(net, planes[start : start + BATCH]) for start in range(0, len(planes), BATCH)])

    def odds_of(self, features: NDArray[np.float32], told: NDArray[np.float32]) -> NDArray[np.float32]:
        """Log-odds (n,) of king over man of discs of one board with `features` (n, 64) and `told` (n, 2) by beside."""
        if len(features) == 0:
            return np.zeros(0, np.float32)
        return self.context.scores(features, told)[:, 0]

    def built(self) -> Any:
        """The network ready to run, for one thread alone. Raises ReaderError where OpenCV cannot load it."""
        try:
            return cv2.dnn.readNetFromONNX(self.model)
        except cv2.error as error:
            raise ReaderError(
                f"saw a network of {len(self.model)} bytes that OpenCV {cv2.__version__} cannot load; install Kibitz "
                "again or train it anew with hardware/training/train_crowns.py"
            ) from error


def beside(lean: NDArray[np.float32], light_side: NDArray[np.bool_]) -> NDArray[np.float32]:
    """What is told beside each picture (n, 2): how the camera leans there and whose the disc is."""
    return np.stack([lean, np.where(light_side, 1.0, -1.0)], axis=1).astype(np.float32)


@cache
def installed_crown_reader() -> CrownReader:
    """The network that comes with Kibitz, made by hardware/training/train_crowns.py."""
    folder = resources.files("vision")
    context = Context.from_bytes(folder.joinpath("crowns_context.npz").read_bytes())
    return CrownReader(np.frombuffer(folder.joinpath("crowns.onnx").read_bytes(), np.uint8), context)


def _forward(net: Any, planes: NDArray[np.float32]) -> NDArray[np.float32]:
    """Features (n, 64)."""
    net.setInput(planes)
    return np.asarray(net.forward(), np.float32).reshape(len(planes), -1).copy()
