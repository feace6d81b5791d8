"""Trains the reader (vision/reader.onnx and vision/reader_context.npz) from drawn scenes and labelled pictures.

    pip install torch onnx
    python -m hardware.training.train_reader --labelled FOLDER --out vision

FOLDER holds pictures with a labels.json; every fifth picture is held out to report figures and is never trained on.
Without --labelled the drawn scenes alone are used. The recipe: patches of 40 by 40 pixels, 1.7 squares wide, turned
so that height shifts a top straight up, Lab relative to the board; looks at each scene with wrong corners, heights and
lights (patch_sets.py); mirroring, glare and changes of tone per board; the features must also tell where a disc's foot
and top are; cross entropy, where two sets of equal lightness may be named either way round but must be kept apart;
AdamW with one rise and fall of the learning rate.

About an hour and three quarters on one core that knows bfloat16. The installed weights were made in two runs: seed 31
for 82 minutes with 9000 drawn scenes, 8 looks at each labelled picture; then --go-on with seed 57 for 23 minutes at a
third of the learning rate, a third of the boards labelled (16 looks each), a third of 3000 new scenes with discs of the
colour of their squares, and a third of the first run's.

Batch norm is folded into the convolutions, so that the file holds only convolutions, relu, pooling and one linear
layer, which every OpenCV from 4.6 on reads; the attention among squares is a few matrices that vision/context.py
multiplies.
"""

import argparse
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hardware.training.drawn_scene import draw_scene
from hardware.training.patch_sets import STORED_SCALE, BoardLook, labelled_scenes, look_at
from hardware.training.write_model import report, write_model
from vision.context import Context
from vision.reader import BATCH as READER_BATCH
from vision.reader import CLASSES, Reader
from vision.rectify import PATCH_SIZE

BOARDS_PER_STEP = 6
SQUARES_PER_BOARD = 36
HOLD_OUT_EVERY = 5
DRAWN_HELD_OUT_EVERY = 25
NAMES = ("reader", "reader_context")
PEAK_RATE = 3e-3
STAND = 4
STAND_WEIGHT = 1.5
"""The features must also tell where a disc's foot and top are: so they come to know its height."""
SOFTNESS = 0.02
"""Share of each target spread over all classes."""


def main() -> int:
    """Reads the options, makes the looks, trains, writes the model and reports."""
    options = _options()
    train, held_out = make_looks(options)
    report(f"{len(train)} looks to learn from, {len(held_out)} held out")
    patch_network, board_network = train_networks(train, options)
    shape = (READER_BATCH, 3, PATCH_SIZE, PATCH_SIZE)
    write_model(patch_network, board_network, options.out, NAMES, shape)
    check(options.out, held_out)
    return 0


def make_looks(options: argparse.Namespace) -> tuple[list[BoardLook], list[BoardLook]]:
    """Looks to train on and looks at held-out scenes."""
    train: list[BoardLook] = []
    held_out: list[BoardLook] = []
    rng = np.random.default_rng(options.seed)
    for number, (scene, _) in enumerate(labelled_scenes(options.labelled) if options.labelled else ()):
        if number % HOLD_OUT_EVERY == 0:
            held_out.append(look_at(rng, scene, exact=True))
        else:
            train.extend(look_at(rng, scene) for _ in range(options.looks))
    report(f"{len(train)} looks at labelled pictures")
    with ProcessPoolExecutor(options.threads, get_context("spawn")) as pool:
        seeds = [(options.seed, number) for number in range(options.drawn)]
        for number, look in enumerate(pool.map(drawn_look, seeds, chunksize=20)):
            (held_out if number % DRAWN_HELD_OUT_EVERY == 0 else train).append(look)
    return train, held_out


def drawn_look(seed: tuple[int, int]) -> BoardLook:
    """One look at one drawn scene, both following from the seed."""
    rng = np.random.default_rng(seed)
    return look_at(rng, draw_scene(rng))


def train_networks(train: list[BoardLook], options: argparse.Namespace) -> tuple[Any, Any]:
    """Trains both halves for about the minutes asked for, the learning rate following the time that is left."""
    import torch  # type: ignore[import-not-found,unused-ignore]

    from hardware.training.network import BoardNetwork, PatchNetwork, load_weights

    seconds, seed = options.minutes * 60.0, options.seed
    torch.manual_seed(seed)
    torch.set_num_threads(options.threads)
    patch_network = PatchNetwork().to(memory_format=torch.channels_last)
    board_network = BoardNetwork()
    if options.go_on:
        some = np.concatenate([look.planes for look in train[:100]]).astype(np.float32) / STORED_SCALE
        load_weights(patch_network, board_network, options.go_on, NAMES, some)
    aside = torch.nn.Linear(board_network.named["out"].in_features, len(CLASSES) + STAND)
    parts = [*patch_network.parameters(), *board_network.parameters(), *aside.parameters()]
    optimiser = torch.optim.AdamW(parts, lr=PEAK_RATE, weight_decay=0.02)
    rng = np.random.default_rng(seed)
    began, steps, total = time.monotonic(), 0, 0.0
    while (done := (time.monotonic() - began) / seconds) < 1.0:
        for group in optimiser.param_groups:
            group["lr"] = PEAK_RATE * (min(1.0, done / 0.05) * 0.5 * (1 + np.cos(np.pi * done)) + 0.001)
        batch = [varied(rng, train[k]) for k in rng.integers(0, len(train), BOARDS_PER_STEP)]
        planes, lean, labels, clear, stands = (torch.from_numpy(np.stack(part)) for part in zip(*batch, strict=True))
        present = labels >= 0
        patches = planes.flatten(0, 1).to(memory_format=torch.channels_last)
        with torch.autocast("cpu", dtype=torch.bfloat16):  # nearly three times as fast where the processor knows it
            features = patch_network(patches)
        features = features.float().unflatten(0, labels.shape)
        told = aside(features)
        alone = loss_of(torch, told[..., :-STAND], labels, clear)
        loss = loss_of(torch, board_network(features, lean[..., None], present), labels, clear) + 0.3 * alone
        loss = loss + STAND_WEIGHT * stand_loss(torch, told[..., -STAND:], stands)
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(parts, 2.0)
        optimiser.step()
        steps, total = steps + 1, total + float(loss.detach())
        if steps % 200 == 0:
            report(f"{time.monotonic() - began:6.0f} s  step {steps}  loss {total / 200:.4f}")
            total = 0.0
    return patch_network.eval(), board_network.eval()


def loss_of(torch: Any, scores: Any, labels: Any, clear: Any) -> Any:
    """Cross entropy of scores (b, t, 6) for labels (b, t), -1 for none; the better naming of sides where unclear."""
    exchanged = torch.tensor([0, 2, 1, 4, 3, 5])
    known = labels >= 0
    logs = torch.log_softmax(scores, dim=2)

    def of(targets: Any) -> Any:
        picked = -logs.gather(2, targets[..., None])[..., 0] * (1 - SOFTNESS) - logs.mean(dim=2) * SOFTNESS
        return (picked * known).sum(dim=1)

    plain = of(labels.clamp(min=0))
    other = of(exchanged[labels.clamp(min=0)])
    chosen = torch.where(clear, plain, torch.minimum(plain, other))
    return chosen.sum() / known.sum()


def stand_loss(torch: Any, told: Any, stands: Any) -> Any:
    """Error of the places (b, t, 4) of feet and tops where they are known, in tenths of a square."""
    known = torch.isfinite(stands)
    errors = torch.nn.functional.smooth_l1_loss(told[known] * 10, stands[known] * 10, reduction="sum")
    return errors / known.sum().clamp(min=1)


def varied(
    rng: np.random.Generator, look: BoardLook
) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.int64], np.bool_, NDArray[np.float32]]:
    """Some squares of a look, all flipped and toned alike, filled up to a fixed number with label -1."""
    n = len(look.labels)
    if rng.random() < 0.3 and n > 6:
        n = int(rng.integers(6, n + 1))
    pick = rng.permutation(len(look.labels))[: min(n, SQUARES_PER_BOARD)]
    planes = look.planes[pick].astype(np.float32) / STORED_SCALE
    lean, stand = look.lean[pick], look.stands[pick].copy()
    if rng.random() < 0.5:
        planes, stand = planes[..., ::-1], stand * np.array([-1, 1, -1, 1], np.float32)
    planes = planes * np.exp(rng.normal(0, 0.12, (1, 3, 1, 1))).astype(np.float32)
    planes = planes + rng.normal(0, 0.1, (1, 3, 1, 1)).astype(np.float32)
    planes = planes + rng.normal(0, 0.03, (len(pick), 3, 1, 1)).astype(np.float32)
    _shade_some(rng, planes)
    if rng.random() < 0.3:
        _burn_some(rng, planes)
    filled = np.zeros((SQUARES_PER_BOARD, 3, PATCH_SIZE, PATCH_SIZE), np.float32)
    filled[: len(pick)] = np.clip(planes, -4, 4)
    leans = np.zeros(SQUARES_PER_BOARD, np.float32)
    leans[: len(pick)] = lean
    labels = np.full(SQUARES_PER_BOARD, -1, np.int64)
    labels[: len(pick)] = look.labels[pick]
    stands = np.full((SQUARES_PER_BOARD, STAND), np.nan, np.float32)
    stands[: len(pick)] = stand
    return filled, leans, labels, np.bool_(look.clear), stands


def _shade_some(rng: np.random.Generator, planes: NDArray[np.float32]) -> None:
    """The edge of a shadow over some of the patches, in place."""
    column = np.arange(PATCH_SIZE, dtype=np.float32)
    for index in np.flatnonzero(rng.random(len(planes)) < 0.1):
        edge = 1 / (1 + np.exp(-(column - rng.uniform(0, PATCH_SIZE)) * rng.uniform(0.1, 1.5)))
        edge = edge[:, None] if rng.random() < 0.5 else edge[None, :]
        planes[index, 0] -= (edge * rng.uniform(0, 0.9)).astype(np.float32)


def _burn_some(rng: np.random.Generator, planes: NDArray[np.float32]) -> None:
    """A lamp or window mirrored in some of the patches until they are white, in place: glare is no hand."""
    axis = np.arange(PATCH_SIZE, dtype=np.float32) - PATCH_SIZE / 2
    for index in np.flatnonzero(rng.random(len(planes)) < 0.15):
        middle, reach = rng.uniform(-PATCH_SIZE / 2, PATCH_SIZE / 2, 2), rng.uniform(3, PATCH_SIZE, 2)
        far = ((axis[None, :] - middle[0]) / reach[0]) ** 2 + ((axis[:, None] - middle[1]) / reach[1]) ** 2
        glare = np.float32(rng.uniform(0.3, 1.0)) / (1 + np.exp((far - 1) * np.float32(rng.uniform(2, 20))))
        planes[index, 0] += glare * (np.float32(rng.uniform(1.5, 4)) - planes[index, 0]).clip(0)
        planes[index, 1:] *= 1 - glare


def check(out: Path, held_out: list[BoardLook]) -> None:
    """Reads the files back as Kibitz does and reports the confusion on the held-out looks."""
    context = Context.from_bytes((out / "reader_context.npz").read_bytes())
    reader = Reader((out / "reader.onnx").read_bytes(), context)
    confusion = np.zeros((len(CLASSES), len(CLASSES)), int)
    for look in held_out:
        guess = reader.read_planes(look.planes.astype(np.float32) / STORED_SCALE, look.lean).argmax(axis=1)
        np.add.at(confusion, (look.labels, guess), 1)
    report("rows: truth, columns: read, in the order " + ", ".join(CLASSES))
    report(str(confusion))
    report(f"right: {np.trace(confusion) / confusion.sum():.4f}")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Train the reader.")
    parser.add_argument("--labelled", type=Path, help="folder of labelled pictures, as described above")
    parser.add_argument("--out", type=Path, default=Path("vision"), help="folder to write the two files to")
    parser.add_argument("--drawn", type=int, default=5000, help="number of drawn scenes")
    parser.add_argument("--looks", type=int, default=6, help="looks at each labelled picture")
    parser.add_argument("--minutes", type=float, default=60.0, help="time to train")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--go-on", type=Path, help="folder of the weights to go on from")
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args()


if __name__ == "__main__":
    raise SystemExit(main())
