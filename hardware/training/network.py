"""The reader as a torch network: convolutions for each patch, then attention among the squares of one board."""

from pathlib import Path
from typing import Any

import numpy as np
import torch  # type: ignore[import-not-found,unused-ignore]
from numpy.typing import NDArray
from torch import nn  # type: ignore[import-not-found,unused-ignore]

from vision.context import EPSILON, FEATURES, HEADS, LAYERS
from vision.reader import CLASSES
from vision.rectify import PATCH_SIZE


class PatchNetwork(nn.Sequential):  # type: ignore[misc,unused-ignore]
    """Features (n, 64) of patches (n, planes, size, size).

    Of the first look's patches about 154,000 weights and 5 million products each, of the closer look's 199,000 and 7.
    """

    def __init__(self, planes: int = 3, size: int = PATCH_SIZE) -> None:
        eighth = size // 8
        super().__init__(
            *_block(planes, 16, size=5, stride=2),
            *_block(16, 24),
            nn.MaxPool2d(2),
            *_block(24, 40),
            *_block(40, 40),
            nn.MaxPool2d(2),
            *_block(40, 64),
            nn.Flatten(),
            nn.Linear(64 * eighth * eighth, FEATURES),
        )


class BoardNetwork(nn.Module):  # type: ignore[misc,unused-ignore]
    """The second half; vision/context.py computes the same with numpy and knows its weights by these names.

    `told` numbers are told beside each picture, `classes` scores come of it.
    """

    def __init__(self, told: int = 1, classes: int = len(CLASSES)) -> None:
        super().__init__()
        self.named = nn.ModuleDict({"lean": nn.Linear(told, FEATURES)})
        for layer in range(LAYERS):
            self.named[f"{layer}-before"] = nn.LayerNorm(FEATURES, eps=EPSILON)
            self.named[f"{layer}-asks"] = nn.Linear(FEATURES, 3 * FEATURES)
            self.named[f"{layer}-joins"] = nn.Linear(FEATURES, FEATURES)
            self.named[f"{layer}-between"] = nn.LayerNorm(FEATURES, eps=EPSILON)
            self.named[f"{layer}-wide"] = nn.Linear(FEATURES, 2 * FEATURES)
            self.named[f"{layer}-narrow"] = nn.Linear(2 * FEATURES, FEATURES)
        self.named["last"] = nn.LayerNorm(FEATURES, eps=EPSILON)
        self.named["out"] = nn.Linear(FEATURES, classes)

    def forward(self, features: Any, told: Any, present: Any) -> Any:
        """Scores (b, t, classes) for `features` (b, t, 64), what is `told` (b, t, k) and `present` (b, t) bool."""
        x = features + self.named["lean"](told)
        for layer in range(LAYERS):
            x = x + self._attended(layer, self.named[f"{layer}-before"](x), present)
            wide = torch.relu(self.named[f"{layer}-wide"](self.named[f"{layer}-between"](x)))
            x = x + self.named[f"{layer}-narrow"](wide)
        return self.named["out"](self.named["last"](x))

    def _attended(self, layer: int, x: Any, present: Any) -> Any:
        boards, tokens, _ = x.shape
        parts = self.named[f"{layer}-asks"](x).reshape(boards, tokens, 3, HEADS, -1).permute(2, 0, 3, 1, 4)
        mask = present[:, None, None, :]
        joined = nn.functional.scaled_dot_product_attention(parts[0], parts[1], parts[2], attn_mask=mask)
        return self.named[f"{layer}-joins"](joined.transpose(1, 2).reshape(boards, tokens, FEATURES))

    def weights(self) -> dict[str, Any]:
        """The weights as numpy arrays under the names of vision/context.py."""
        state = self.named.state_dict()
        return {name.replace("-", "."): value.detach().numpy() for name, value in state.items()}


def load_weights(
    patch_network: Any, board_network: Any, folder: Path, names: tuple[str, str], planes: NDArray[np.float32]
) -> None:
    """Begins with the weights of the .onnx and the .npz of these `names` in `folder`.

    The file's convolutions have their batch norms folded in; they are unfolded by what the convolutions give for some
    `planes` (n, k, p, p), so that both networks say the same before training goes on.
    """
    import onnx  # type: ignore[import-not-found,unused-ignore]

    model = onnx.load(str(folder / f"{names[0]}.onnx"))
    stored = [onnx.numpy_helper.to_array(part) for part in model.graph.initializer]
    kernels = iter([torch.from_numpy(part.copy()) for part in stored if part.ndim > 1])
    biases = iter([torch.from_numpy(part.copy()) for part in stored if part.ndim == 1])
    seen = torch.from_numpy(planes)
    with torch.no_grad():
        for layer in patch_network:
            if isinstance(layer, nn.Conv2d):
                layer.weight.copy_(next(kernels))
                seen = layer(seen)
            elif isinstance(layer, nn.BatchNorm2d):
                _unfold(layer, seen, bias := next(biases))
                seen = seen + bias[None, :, None, None]
            elif isinstance(layer, nn.Linear):
                kernel = next(kernels)
                layer.weight.copy_(kernel if kernel.shape == layer.weight.shape else kernel.T)
                layer.bias.copy_(next(biases))
            else:
                seen = layer(seen)
    with np.load(folder / f"{names[1]}.npz") as file:
        state = {name: torch.from_numpy(file[name.replace("-", ".")]) for name in board_network.named.state_dict()}
    board_network.named.load_state_dict(state)


def _unfold(layer: Any, seen: Any, bias: Any) -> None:
    """Gives a batch norm the statistics of `seen` (n, c, h, w), undone by its own scale, and the bias (c,)."""
    mean, variance = seen.mean((0, 2, 3)), seen.var((0, 2, 3))
    layer.running_mean.copy_(mean)
    layer.running_var.copy_(variance)
    layer.weight.copy_((variance + layer.eps).sqrt())
    layer.bias.copy_(mean + bias)


def _block(inward: int, outward: int, size: int = 3, stride: int = 1) -> list[nn.Module]:
    convolution = nn.Conv2d(inward, outward, size, stride, size // 2, bias=False)
    return [convolution, nn.BatchNorm2d(outward), nn.ReLU()]
