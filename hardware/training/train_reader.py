"""Trains vision/reader.onnx: half drawn scenes, half labelled rendered pictures; about ten minutes on one core.

    pip install torch onnx
    python -m hardware.training.train_reader --labelled FOLDER --out vision/reader.onnx

FOLDER holds pictures with a labels.json; every fifth picture is held out to report figures and is never trained on.
Without --labelled the drawn scenes alone are used. The recipe: patches of 40 by 40 pixels, one and a half squares wide,
Lab relative to the board; several looks at each scene with wrong corners, heights and lights (patch_sets.py);
flips and changes of tone per batch; cross entropy, where two sets of equal lightness count as either; AdamW with one
rise and fall of the learning rate. Batch norm is folded into the convolutions, so that the file holds only
convolutions, relu, pooling and two linear layers, which every OpenCV from 4.6 on reads.
"""

import argparse
import time
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.training.drawn_scene import draw_scene
from hardware.training.patch_sets import STORED_SCALE, PatchSet, joined, labelled_scenes, patches_of
from vision.reader import BATCH as READER_BATCH
from vision.reader import CLASSES
from vision.rectify import PATCH_SIZE

TRAIN_BATCH = 192
HOLD_OUT_EVERY = 5
EMPTY_SHARE = 0.5
"""Of the empty squares only this share is kept: there are too many of them."""


def main() -> int:
    """Reads the options, makes the patches, trains, writes the model and reports."""
    options = _options()
    rng = np.random.default_rng(options.seed)
    train, held_out = make_patches(rng, options)
    report(f"{len(train.labels)} patches to learn from, {len(held_out.labels)} held out")
    network = train_network(train, options.minutes * 60.0, options.seed)
    write_onnx(network, options.out)
    check(options.out, held_out)
    return 0


def make_patches(rng: np.random.Generator, options: argparse.Namespace) -> tuple[PatchSet, PatchSet]:
    """Patches to train on and patches of the held-out pictures."""
    train: list[PatchSet] = []
    held_out: list[PatchSet] = []
    for number, scene in enumerate(labelled_scenes(options.labelled) if options.labelled else ()):
        if number % HOLD_OUT_EVERY == 0:
            held_out.append(patches_of(rng, scene, exact=True))
        else:
            train.extend(_thinned(rng, patches_of(rng, scene)) for _ in range(options.looks))
    for seed in range(options.drawn):
        scene = draw_scene(np.random.default_rng((options.seed, seed)))
        look = _thinned(rng, patches_of(rng, scene))
        (held_out if seed % 50 == 0 else train).append(look)
    return joined(train), joined(held_out)


def build_network(torch: Any) -> Any:
    """The layers: about 49,000 weights."""
    nn = torch.nn

    def block(inward: int, outward: int, size: int = 3, stride: int = 1) -> list[Any]:
        convolution = nn.Conv2d(inward, outward, size, stride, size // 2, bias=False)
        return [convolution, nn.BatchNorm2d(outward), nn.ReLU()]

    quarter = PATCH_SIZE // 8
    return nn.Sequential(
        *block(3, 20, size=5, stride=2),
        *block(20, 24),
        nn.MaxPool2d(2),
        *block(24, 32),
        *block(32, 32),
        nn.MaxPool2d(2),
        *block(32, 32),
        nn.Flatten(),
        nn.Linear(32 * quarter * quarter, 24),
        nn.ReLU(),
        nn.Linear(24, len(CLASSES)),
    )


def train_network(patches: PatchSet, seconds: float, seed: int) -> Any:
    """Trains for about `seconds`, the learning rate following the time that is left."""
    import torch  # type: ignore[import-not-found,unused-ignore]

    torch.manual_seed(seed)
    torch.set_num_threads(1)
    network = build_network(torch)
    peak = 4e-3
    optimiser = torch.optim.AdamW(network.parameters(), lr=peak, weight_decay=0.02)
    rng = np.random.default_rng(seed)
    targets = soft_targets(patches)
    began, steps, total = time.monotonic(), 0, 0.0
    while (done := (time.monotonic() - began) / seconds) < 1.0:
        for group in optimiser.param_groups:
            group["lr"] = peak * (min(1.0, done / 0.08) * 0.5 * (1 + np.cos(np.pi * done)) + 0.002)
        pick = rng.integers(0, len(targets), TRAIN_BATCH)
        inputs = torch.from_numpy(varied(rng, patches.planes[pick]))
        scores = torch.log_softmax(network(inputs), dim=1)
        loss = -(torch.from_numpy(targets[pick]) * scores).sum(dim=1).mean()
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        steps, total = steps + 1, total + float(loss)
        if steps % 200 == 0:
            report(f"{time.monotonic() - began:6.0f} s  step {steps}  loss {total / 200:.4f}")
            total = 0.0
    return network.eval()


def soft_targets(patches: PatchSet) -> NDArray[np.float32]:
    """Targets (n, 6): nearly one class, or either side where the two sets are about equally light."""
    targets = np.eye(len(CLASSES), dtype=np.float32)[patches.labels]
    for light, dark in ((1, 2), (3, 4)):
        either = ~patches.clear & ((patches.labels == light) | (patches.labels == dark))
        targets[either, light] = targets[either, dark] = 0.5
    return np.asarray(targets * 0.97 + 0.03 / len(CLASSES), np.float32)


def varied(rng: np.random.Generator, stored: NDArray[np.int8]) -> NDArray[np.float32]:
    """A batch as float, flipped at random, its tones stretched and shifted a little, some shaded on one side."""
    planes = stored.astype(np.float32) / STORED_SCALE
    flip = rng.random(len(planes)) < 0.5
    planes[flip] = planes[flip][..., ::-1]
    upside = rng.random(len(planes)) < 0.1
    planes[upside] = planes[upside][..., ::-1, :]
    planes *= np.exp(rng.normal(0, 0.12, (len(planes), 3, 1, 1))).astype(np.float32)
    planes += rng.normal(0, 0.1, (len(planes), 3, 1, 1)).astype(np.float32)
    shaded = np.flatnonzero(rng.random(len(planes)) < 0.15)
    column = np.arange(PATCH_SIZE, dtype=np.float32)
    for index in shaded:
        edge = 1 / (1 + np.exp(-(column - rng.uniform(0, PATCH_SIZE)) * rng.uniform(0.1, 1.5)))
        edge = edge[:, None] if rng.random() < 0.5 else edge[None, :]
        planes[index, 0] -= (edge * rng.uniform(0, 0.9)).astype(np.float32)
    return np.ascontiguousarray(np.clip(planes, -4, 4), np.float32)


def write_onnx(network: Any, out: Path) -> None:
    """Folds the batch norms and writes the file, the batch fixed for the sake of old OpenCV."""
    import torch

    layers = list(network)
    folded: list[Any] = []
    for layer in layers:
        if isinstance(layer, torch.nn.BatchNorm2d):
            folded[-1] = torch.nn.utils.fusion.fuse_conv_bn_eval(folded[-1], layer)
        else:
            folded.append(layer)
    plain = torch.nn.Sequential(*folded).eval()
    example = torch.zeros(READER_BATCH, 3, PATCH_SIZE, PATCH_SIZE)
    torch.onnx.export(
        plain, (example,), str(out), opset_version=11, dynamo=False, input_names=["patches"], output_names=["scores"]
    )
    report(f"{sum(p.numel() for p in plain.parameters())} weights, {out.stat().st_size} bytes in {out}")


def check(model: Path, held_out: PatchSet) -> None:
    """Reads the file back with OpenCV and reports the confusion on the held-out patches."""
    network = cv2.dnn.readNetFromONNX(str(model))
    confusion = np.zeros((len(CLASSES), len(CLASSES)), int)
    for start in range(0, len(held_out.labels) - READER_BATCH + 1, READER_BATCH):
        part = slice(start, start + READER_BATCH)
        network.setInput(held_out.planes[part].astype(np.float32) / STORED_SCALE)
        guess = np.asarray(network.forward()).reshape(READER_BATCH, -1).argmax(axis=1)
        np.add.at(confusion, (held_out.labels[part], guess), 1)
    report("rows: truth, columns: read, in the order " + ", ".join(CLASSES))
    report(str(confusion))
    report(f"right: {np.trace(confusion) / confusion.sum():.4f}")


def report(text: str) -> None:
    """Progress for whoever trains."""
    print(text, flush=True)  # noqa: T201


def _thinned(rng: np.random.Generator, patches: PatchSet) -> PatchSet:
    keep = (patches.labels != 0) | (rng.random(len(patches.labels)) < EMPTY_SHARE)
    return PatchSet(patches.planes[keep], patches.labels[keep], patches.clear[keep])


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Train the reader network.")
    parser.add_argument("--labelled", type=Path, help="folder of labelled pictures, as described above")
    parser.add_argument("--out", type=Path, default=Path("vision/reader.onnx"))
    parser.add_argument("--drawn", type=int, default=1100, help="number of drawn scenes")
    parser.add_argument("--looks", type=int, default=5, help="looks at each labelled picture")
    parser.add_argument("--minutes", type=float, default=6.0, help="time to train")
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args()


if __name__ == "__main__":
    raise SystemExit(main())
