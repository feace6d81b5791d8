"""The small network that says of a patch what stands there, knowing nothing of the game or of this set."""

from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any, Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.context import FEATURES, Context
from vision.errors import ReaderError
from vision.rectify import PATCH_SIZE

CLASSES = ("empty", "light man", "dark man", "light king", "dark king", "covered")
COVERED = 5
SMALLEST_SPREAD = 12.0
CHROMA_SCALE = 25.0
FARTHEST = 4.0
"""Normalised values are kept within this, so that glare cannot outshout everything."""
BATCH = 16
"""The most patches read at once."""


@dataclass(frozen=True, slots=True)
class LightOfBoard:
    """What patches are normalised by: the board's median Lab (8-bit scale) and the spread of its lightness."""

    lightness: float
    a: float
    b: float
    spread: float


def light_of_board(patches: NDArray[np.uint8]) -> LightOfBoard:
    """The board's own scale of light, from the patches (n, p, p, 3) BGR of all its squares, idle ones included."""
    some = np.ascontiguousarray(patches[:, 1::4, 1::4])
    lab = cv2.cvtColor(some.reshape(-1, some.shape[2], 3), cv2.COLOR_BGR2LAB).reshape(-1, 3)
    low, middle, high = np.percentile(lab[:, 0], (5, 50, 95))
    a, b = np.median(lab[:, 1:], axis=0)
    return LightOfBoard(float(middle), float(a), float(b), max(SMALLEST_SPREAD, float(high - low) / 2))


def network_input(patches: NDArray[np.uint8], light: LightOfBoard) -> NDArray[np.float32]:
    """Patches (n, p, p, 3) BGR as the network takes them: (n, 3, p, p) float32, Lab relative to the board."""
    if len(patches) == 0:
        return np.zeros((0, 3, *patches.shape[1:3]), np.float32)
    lab = cv2.cvtColor(patches.reshape(-1, patches.shape[2], 3), cv2.COLOR_BGR2LAB).astype(np.float32)
    lab -= np.array([light.lightness, light.a, light.b], np.float32)
    lab /= np.array([light.spread, CHROMA_SCALE, CHROMA_SCALE], np.float32)
    planes = np.clip(lab, -FARTHEST, FARTHEST).reshape(*patches.shape).transpose(0, 3, 1, 2)
    return np.ascontiguousarray(planes, np.float32)


class SquareReader(Protocol):
    """Whatever says of patches what stands there."""

    def read(self, patches: NDArray[np.uint8], light: LightOfBoard, lean: NDArray[np.float32]) -> NDArray[np.float32]:
        """Log-probabilities (n, 6) in the order of CLASSES; see Reader.read."""
        ...


class Reader:
    """The network. Every reading builds its own runtime (about a millisecond), so that threads may share a Reader."""

    def __init__(self, model: bytes, context: Context) -> None:
        self._model = np.frombuffer(model, np.uint8)
        self._context = context
        self.built()

    def built(self) -> Any:
        """The network ready to run, for one thread alone. Raises ReaderError where OpenCV cannot load it."""
        try:
            return cv2.dnn.readNetFromONNX(self._model)
        except cv2.error as error:
            raise ReaderError(
                f"saw a reader network of {len(self._model)} bytes that OpenCV {cv2.__version__} cannot load; "
                "install Kibitz again or train it anew with hardware/training/train_reader.py"
            ) from error

    def read(self, patches: NDArray[np.uint8], light: LightOfBoard, lean: NDArray[np.float32]) -> NDArray[np.float32]:
        """Log-probabilities (n, 6) in the order of CLASSES for all patches (n, 40, 40, 3) BGR of one board.

        `lean` (n,) is what vision/rectify.py's square_lean says of the same squares.
        """
        if patches.shape[1:] != (PATCH_SIZE, PATCH_SIZE, 3):
            raise ReaderError(f"saw patches {patches.shape}; expected (n, {PATCH_SIZE}, {PATCH_SIZE}, 3)")
        if len(patches) == 0:
            return np.zeros((0, len(CLASSES)), np.float32)
        return self.read_planes(network_input(patches, light), lean)

    def read_planes(self, planes: NDArray[np.float32], lean: NDArray[np.float32]) -> NDArray[np.float32]:
        """The same for `planes` (n, 3, 40, 40) as network_input makes them, n > 0."""
        return self.scores_of(self.features_of(planes), lean)

    def features_of(self, planes: NDArray[np.float32], built: Any = None) -> NDArray[np.float32]:
        """Features (n, 64) of `planes` (n, 3, 40, 40), each by itself, by the network `built` or a fresh one."""
        if len(planes) == 0:
            return np.zeros((0, FEATURES), np.float32)
        net = self.built() if built is None else built
        return np.concatenate([_forward(net, planes[start : start + BATCH]) for start in range(0, len(planes), BATCH)])

    def scores_of(self, features: NDArray[np.float32], lean: NDArray[np.float32]) -> NDArray[np.float32]:
        """Log-probabilities (n, 6) of the squares of one board, compared with one another, by `features` (n, 64)."""
        return log_softmax(self._context.scores(features, lean[:, None]))


@cache
def installed_reader() -> Reader:
    """The network that comes with Kibitz, made by hardware/training/train_reader.py."""
    folder = resources.files("vision")
    context = Context.from_bytes(folder.joinpath("reader_context.npz").read_bytes())
    return Reader(folder.joinpath("reader.onnx").read_bytes(), context)


def log_softmax(scores: NDArray[np.float32]) -> NDArray[np.float32]:
    """Log-probabilities along the last axis."""
    shifted = scores - scores.max(axis=-1, keepdims=True)
    return np.asarray(shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True)), np.float32)


def occupied_odds(scores: NDArray[np.float32]) -> NDArray[np.float32]:
    """Log-odds (n,) of occupied over empty in a reader's log-probabilities (n, 6)."""
    return np.asarray(np.logaddexp.reduce(scores[:, 1:COVERED], axis=1) - scores[:, 0], np.float32)


def network_king_odds(scores: NDArray[np.float32]) -> NDArray[np.float32]:
    """Log-odds (n,) of king over man in a reader's log-probabilities (n, 6)."""
    kings, men = np.logaddexp(scores[:, 3], scores[:, 4]), np.logaddexp(scores[:, 1], scores[:, 2])
    return np.asarray(kings - men, np.float32)


def _forward(net: Any, planes: NDArray[np.float32]) -> NDArray[np.float32]:
    """Features (n, 64); a batch of any size, whatever the network's file says."""
    net.setInput(planes)
    return np.asarray(net.forward(), np.float32).reshape(len(planes), -1).copy()
