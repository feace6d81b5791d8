"""The second half of the reader: every square compared with all the others of its board.

A thick man looks like a stacked king until one sees the other men; a red disc is the light or the dark one only beside
the other set. So the squares' features attend to one another (two layers of multi-head self-attention as in Vaswani et
al., "Attention Is All You Need", 2017, without any order of the squares) before each is named.
"""

import io
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.errors import ReaderError

Array = NDArray[np.float32]
FEATURES = 64
HEADS = 4
LAYERS = 3
EPSILON = 1e-5


@dataclass(frozen=True, slots=True, eq=False)
class Context:
    """Weights by name, as hardware/training/train_reader.py wrote them."""

    weights: Mapping[str, Array]

    @classmethod
    def from_bytes(cls, packed: bytes) -> "Context":
        """Reads an .npz file's bytes; raises ReaderError where it is none or weights are missing."""
        try:
            with np.load(io.BytesIO(packed), allow_pickle=False) as file:
                weights = {name: np.asarray(file[name], np.float32) for name in file.files}
        except (OSError, ValueError, KeyError) as error:
            raise ReaderError(
                f"saw {len(packed)} bytes of context weights that numpy cannot read ({error}); install Kibitz again"
            ) from error
        missing = [name for name in weight_names() if name not in weights]
        if missing:
            raise ReaderError(f"saw context weights without {', '.join(missing)}; install Kibitz again")
        return cls(weights)

    def scores(self, features: Array, told: Array) -> Array:
        """Scores (n, classes) of squares of one board with `features` (n, 64) and what is `told` (n, k) of them."""
        x = features + self._dense("lean", told)
        for layer in range(LAYERS):
            x = x + self._attended(f"{layer}.", self._normed(f"{layer}.before", x))
            wide = np.maximum(self._dense(f"{layer}.wide", self._normed(f"{layer}.between", x)), 0)
            x = x + self._dense(f"{layer}.narrow", wide)
        return self._dense("out", self._normed("last", x))

    def _attended(self, layer: str, x: Array) -> Array:
        n = len(x)
        asked, offered, told = self._dense(layer + "asks", x).reshape(n, 3, HEADS, -1).transpose(1, 2, 0, 3)
        match = asked @ offered.transpose(0, 2, 1) / np.float32(np.sqrt(FEATURES // HEADS))
        weight = np.exp(match - match.max(axis=-1, keepdims=True))
        weight /= weight.sum(axis=-1, keepdims=True)
        joined = (weight @ told).transpose(1, 0, 2).reshape(n, FEATURES)
        return self._dense(layer + "joins", np.ascontiguousarray(joined, np.float32))

    def _normed(self, name: str, x: Array) -> Array:
        middle = x.mean(axis=1, keepdims=True)
        spread = np.sqrt(x.var(axis=1, keepdims=True) + np.float32(EPSILON))
        return np.asarray((x - middle) / spread * self.weights[name + ".weight"] + self.weights[name + ".bias"])

    def _dense(self, name: str, x: Array) -> Array:
        return np.asarray(x @ self.weights[name + ".weight"].T + self.weights[name + ".bias"], np.float32)


def weight_names() -> list[str]:
    """The names of all weights."""
    parts = ["before", "asks", "joins", "between", "wide", "narrow"]
    layers = [f"{layer}.{part}" for layer in range(LAYERS) for part in parts]
    return [f"{name}.{kind}" for name in ["lean", *layers, "last", "out"] for kind in ("weight", "bias")]
