"""Trains the closer look at discs (vision/crowns.onnx and vision/crowns_context.npz).

    pip install torch onnx
    python -m hardware.training.train_crowns --labelled FOLDER --out vision

The same scenes and the same holding out as in train_reader.py; only discs are looked at, so that all of the learning
goes into telling kings from men. Looks at each scene with wrong corners, heights and lights (crown_sets.py); mirroring
and changes of tone per board; the features must also tell where a disc's foot and top are; binary cross entropy; AdamW
with one rise and fall of the learning rate.

The installed weights were made in three runs on one core: 66 minutes with 8200 drawn scenes, 6 looks at each labelled
picture and 34 with stacks; 22 minutes from there at half the learning rate with tall discs; 60 minutes from there at a
rate of 0.002 with 6500 drawn scenes, 4 looks at each labelled picture, 20 with stacks and 10 with thickened ones, where
framings varied as they do now and a quarter of the stacks were seamless. Until then stacks of tall pieces on
photographs were no more kinglike than men (AUC 0.64; after it 0.999), for they fill their patches otherwise.
"""

import argparse
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import chain
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hardware.training.crown_sets import CrownLook, look_at_discs
from hardware.training.drawn_scene import draw_scene
from hardware.training.patch_sets import STORED_SCALE, labelled_scene, labels_in
from hardware.training.stacked_men import men_of, stack_some, thickened
from hardware.training.train_reader import DRAWN_HELD_OUT_EVERY, HOLD_OUT_EVERY, STAND, stand_loss
from hardware.training.write_model import report, write_model
from vision.context import Context
from vision.crown_reader import BATCH, CROWN_SIZE, PLANES, CrownReader

NAMES = ("crowns", "crowns_context")
BOARDS_PER_STEP = 8
DISCS_PER_BOARD = 20
PEAK_RATE = 3e-3
SHARES = (0.55, 0.12, 0.33)
"""Shares of a step's boards that are drawn, labelled, and labelled with stacks made of their men."""
STAND_WEIGHT = 0.5
SOFTNESS = 0.02
NOISE = 1 << 22
"""Random numbers drawn once and used from another place each time."""

Batch = tuple[Any, Any, Any, Any, Any]
Looks = list[CrownLook | None]


def main() -> int:
    """Reads the options, makes the looks, trains, writes the model and reports."""
    options = _options()
    looks, held_out = make_looks(options)
    report(f"{' + '.join(str(len(part)) for part in looks)} looks to learn from, {len(held_out)} held out")
    patch_network, board_network = train_networks(looks, options)
    write_model(patch_network, board_network, options.out, NAMES, (BATCH, PLANES, CROWN_SIZE, CROWN_SIZE))
    check(options.out, held_out)
    return 0


def make_looks(options: argparse.Namespace) -> tuple[tuple[list[CrownLook], ...], list[CrownLook]]:
    """Looks at drawn scenes, at labelled pictures and at the same with stacks made in them; and held-out looks."""
    labels = labels_in(options.labelled) if options.labelled else []
    with ProcessPoolExecutor(options.threads, get_context("spawn")) as pool:
        pictures = list(pool.map(partial(_labelled_looks, options), range(len(labels)), labels))
        drawn = list(pool.map(drawn_look, ((options.seed, number) for number in range(options.drawn)), chunksize=20))
    kept = [look for number, look in enumerate(drawn) if number % DRAWN_HELD_OUT_EVERY]
    held_out = [look for k in range(0, len(pictures), HOLD_OUT_EVERY) for look in pictures[k][0]]
    learned = [part for k, part in enumerate(pictures) if k % HOLD_OUT_EVERY]
    labelled, stacked = ([look for part in learned for look in part[of]] for of in range(2))
    parts = (_seen(kept), _seen(labelled), _seen(stacked))
    return parts, _seen([*held_out, *drawn[::DRAWN_HELD_OUT_EVERY]])


def _labelled_looks(options: argparse.Namespace, number: int, label: dict[str, Any]) -> tuple[Looks, Looks]:
    """Looks at one labelled picture, and at the same with stacks made in it; one exact look where it is held out."""
    rng = np.random.default_rng((options.seed, number))
    read = labelled_scene(options.labelled, label)
    if read is None:
        return [], []
    scene, size = read
    if number % HOLD_OUT_EVERY == 0:
        return [look_at_discs(rng, scene, exact=True)], []
    looks = [look_at_discs(rng, scene) for _ in range(options.looks)]
    if size is None:
        return looks, []
    men = men_of(scene, size)
    tall = (thickened(rng, men) for _ in range(options.tall))
    sets = chain((men for _ in range(options.stacked)), tall)
    return looks, [look_at_discs(rng, stack_some(rng, each)) for each in sets]


def _seen(looks: Looks) -> list[CrownLook]:
    return [look for look in looks if look is not None]


def drawn_look(seed: tuple[int, int]) -> CrownLook | None:
    """One look at one drawn scene, both following from the seed."""
    rng = np.random.default_rng(seed)
    return look_at_discs(rng, draw_scene(rng))


def train_networks(looks: tuple[list[CrownLook], ...], options: argparse.Namespace) -> tuple[Any, Any]:
    """Trains both halves for about the minutes asked for, the learning rate following the time that is left."""
    import torch  # type: ignore[import-not-found,unused-ignore]

    from hardware.training.network import BoardNetwork, PatchNetwork, load_weights

    seconds = options.minutes * 60.0
    torch.manual_seed(options.seed)
    torch.set_num_threads(options.threads)
    patch_network = PatchNetwork(PLANES, CROWN_SIZE).to(memory_format=torch.channels_last)
    board_network = BoardNetwork(told=2, classes=1)
    if options.go_on:
        some = np.concatenate([look.planes for part in looks for look in part[:60]]).astype(np.float32) / STORED_SCALE
        load_weights(patch_network, board_network, options.go_on, NAMES, some)
    aside = torch.nn.Linear(board_network.named["out"].in_features, 1 + STAND)
    parts = [*patch_network.parameters(), *board_network.parameters(), *aside.parameters()]
    optimiser = torch.optim.AdamW(parts, lr=options.rate, weight_decay=0.02)
    began, steps, total = time.monotonic(), 0, 0.0
    batches = _batches(np.random.default_rng(options.seed), looks)
    while (done := (time.monotonic() - began) / seconds) < 1.0:
        for group in optimiser.param_groups:
            group["lr"] = options.rate * (min(1.0, done / 0.05) * 0.5 * (1 + np.cos(np.pi * done)) + 0.001)
        loss = _loss(torch, (patch_network, board_network, aside), next(batches))
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(parts, 2.0)
        optimiser.step()
        steps, total = steps + 1, total + float(loss.detach())
        if steps % 200 == 0:
            report(f"{time.monotonic() - began:6.0f} s  step {steps}  loss {total / 200:.4f}")
            total = 0.0
    return patch_network.eval(), board_network.eval()


def _loss(torch: Any, networks: tuple[Any, Any, Any], batch: Batch) -> Any:
    """What the networks say of kings with and without the other discs, and of where discs stand, against the truth."""
    patch_network, board_network, aside = networks
    planes, told, kings, stands, places = (torch.from_numpy(part) for part in batch)
    with torch.autocast("cpu", dtype=torch.bfloat16):  # nearly three times as fast where the processor knows it
        features = patch_network(planes.contiguous(memory_format=torch.channels_last))
    features = features.float()
    alone = aside(features)
    boards, tokens = int(places[:, 0].max()) + 1, DISCS_PER_BOARD
    spread = torch.zeros(boards, tokens, features.shape[1])
    beside, present = torch.zeros(boards, tokens, told.shape[1]), torch.zeros(boards, tokens, dtype=torch.bool)
    at = (places[:, 0], places[:, 1])
    spread = spread.index_put(at, features)
    beside[at], present[at] = told, True
    scores = board_network(spread, beside, present)[at][:, 0]
    target = kings.float() * (1 - 2 * SOFTNESS) + SOFTNESS
    wrong = torch.nn.functional.binary_cross_entropy_with_logits
    return (
        wrong(scores, target)
        + 0.3 * wrong(alone[:, 0], target)
        + STAND_WEIGHT * stand_loss(torch, alone[:, 1:], stands)
    )


def _batches(rng: np.random.Generator, parts: tuple[list[CrownLook], ...]) -> Iterator[Batch]:
    """Discs of some boards, one below the other, with their board and place in it (n, 2)."""
    noise = rng.standard_normal(NOISE, np.float32) * np.float32(0.03)
    shares = np.array([share * bool(part) for share, part in zip(SHARES, parts, strict=True)])
    while True:
        chosen = [parts[k] for k in rng.choice(len(parts), BOARDS_PER_STEP, p=shares / shares.sum())]
        looks = [_varied(rng, part[rng.integers(len(part))], noise) for part in chosen]
        places = [np.stack([np.full(len(p[1]), k), np.arange(len(p[1]))], axis=1) for k, p in enumerate(looks)]
        planes, told, kings, stands = (np.concatenate(part) for part in zip(*looks, strict=True))
        yield planes, told, kings, stands, np.concatenate(places)


def _varied(
    rng: np.random.Generator, look: CrownLook, noise: NDArray[np.float32]
) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.bool_], NDArray[np.float32]]:
    """Some discs of a look, all flipped and toned alike."""
    n = len(look.kings)
    if rng.random() < 0.3 and n > 3:
        n = int(rng.integers(3, n + 1))
    pick = rng.permutation(len(look.kings))[: min(n, DISCS_PER_BOARD)]
    planes = look.planes[pick].astype(np.float32) / np.float32(STORED_SCALE)
    told, stand = look.told[pick].copy(), look.stands[pick].copy()
    if rng.random() < 0.5:
        planes, stand = planes[..., ::-1], stand * np.array([-1, 1, -1, 1], np.float32)
    wrong = rng.random(len(pick)) < 0.02
    told[wrong, 1] *= -1
    planes = planes * np.exp(rng.normal(0, 0.12, (1, PLANES, 1, 1))).astype(np.float32)
    planes += rng.normal(0, 0.1, (1, PLANES, 1, 1)).astype(np.float32)
    start = int(rng.integers(NOISE - planes.size))
    planes += noise[start : start + planes.size].reshape(planes.shape)
    return np.clip(planes, -4, 4), told, look.kings[pick], stand


def check(out: Path, held_out: list[CrownLook]) -> None:
    """Reads the files back as Kibitz does and reports how well kings and men of the held-out looks are told apart."""
    context = Context.from_bytes((out / "crowns_context.npz").read_bytes())
    reader = CrownReader(np.frombuffer((out / "crowns.onnx").read_bytes(), np.uint8), context)
    planes = (look.planes.astype(np.float32) / STORED_SCALE for look in held_out)
    odds = [reader.odds_of(reader.features_of(of), look.told) for of, look in zip(planes, held_out, strict=True)]
    kings, seen = np.concatenate([look.kings for look in held_out]), np.concatenate(odds) > 0
    report(f"of {kings.sum()} kings {seen[kings].mean():.4f} seen, of {(~kings).sum()} men {seen[~kings].mean():.4f}")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Train the closer look at discs.")
    parser.add_argument("--labelled", type=Path, help="folder of labelled pictures, as described in train_reader.py")
    parser.add_argument("--out", type=Path, default=Path("vision"), help="folder to write the two files to")
    parser.add_argument("--drawn", type=int, default=15000, help="number of drawn scenes")
    parser.add_argument("--looks", type=int, default=6, help="looks at each labelled picture")
    parser.add_argument("--stacked", type=int, default=34, help="looks at each labelled picture with stacks made in it")
    parser.add_argument("--tall", type=int, default=12, help="the same after the discs were made thicker")
    parser.add_argument("--rate", type=float, default=PEAK_RATE, help="learning rate at its highest")
    parser.add_argument("--minutes", type=float, default=60.0, help="time to train")
    parser.add_argument("--go-on", type=Path, help="folder of the weights to go on from")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args()


if __name__ == "__main__":
    raise SystemExit(main())
