"""Writes a trained network as the two files that Kibitz reads."""

from pathlib import Path
from typing import Any


def write_model(
    patch_network: Any, board_network: Any, out: Path, names: tuple[str, str], shape: tuple[int, int, int, int]
) -> None:
    """Folds the batch norms and writes `names` (.onnx, .npz) into `out`; `shape` is the batch, fixed for old OpenCV.

    The weights of the comparison are kept as float16: half the size, and no difference that counts.
    """
    import numpy as np
    import torch  # type: ignore[import-not-found,unused-ignore]

    folded: list[Any] = []
    for layer in patch_network:
        if isinstance(layer, torch.nn.BatchNorm2d):
            folded[-1] = torch.nn.utils.fusion.fuse_conv_bn_eval(folded[-1], layer)
        else:
            folded.append(layer)
    plain = torch.nn.Sequential(*folded).eval()
    model = out / f"{names[0]}.onnx"
    torch.onnx.export(
        plain,
        (torch.zeros(*shape),),
        str(model),
        opset_version=11,
        dynamo=False,
        input_names=["patches"],
        output_names=["features"],
    )
    context = out / f"{names[1]}.npz"
    np.savez(context, **{name: part.astype(np.float16) for name, part in board_network.weights().items()})
    count = sum(p.numel() for half in (plain, board_network) for p in half.parameters())
    report(f"{count} weights, {model.stat().st_size + context.stat().st_size} bytes in {model} and {context}")


def report(text: str) -> None:
    """Progress for whoever trains."""
    print(text, flush=True)  # noqa: T201
