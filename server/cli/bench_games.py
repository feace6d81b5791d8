"""`kibitz bench games`: simulated games and planted mistakes over all variants, and the table of how right it was."""

import argparse
import time
from collections.abc import Sequence

import cv2
import numpy as np

from hardware.simulator.mistakes import PLANTED
from rules.faults import FaultKind
from rules.legal_moves import warm_up
from rules.variants.catalogue import VARIANT_NAMES, variant_named
from server.cli.arguments import whole
from server.cli.output import complain, say
from server.cli.trials import (
    VERDICT_FRAMES_PER_SECOND,
    GameTrial,
    MistakeTrial,
    game_trial,
    mistake_trial,
    verdict_delays,
)
from server.settings import Settings

_TRIES = 8
_PLIES_TIMED, _MOST_TIMED = 10, 1000
_STRIDE = 7
"""Prime to the number of variants: mistakes of one kind go through all of them."""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--games", type=whole(0, 100_000), default=40, help="games to watch (default: 40)")
    parser.add_argument("--mistakes", type=whole(0, 100_000), default=48, help="mistakes to plant (default: 48)")
    parser.add_argument("--plies", type=whole(1, 1000), default=20, help="plies of a game at most (default: 20)")
    parser.add_argument("--verdicts", type=whole(0, 10_000), default=40, help="verdicts to time (default: 40)")
    parser.add_argument("--seed", type=whole(0, 2**31 - 1), default=1, help="first seed (default: 1)")


def run(given: argparse.Namespace) -> int:
    """Plays, watches and prints; 1 if anything went wrong, with the seed by which it can be looked at again."""
    warm_up()
    cv2.setNumThreads(1)
    began = time.perf_counter()
    games = [_game(given.seed + i, given.plies) for i in range(given.games)]
    mistakes = [m for m in (_mistake(given.seed + i) for i in range(given.mistakes)) if m is not None]
    delays = _delays(given.seed, given.verdicts)
    for line in (*games_table(games), *mistakes_table(mistakes), *verdicts_table(delays)):
        say(line)
    say(f"in {time.perf_counter() - began:.0f} seconds")
    return 0 if all(g.fully_right for g in games) and all(m.fully_right for m in mistakes) else 1


def games_table(games: Sequence[GameTrial]) -> list[str]:
    if not games:
        return []
    plies, right = sum(len(g.due) for g in games), sum(g.right_plies for g in games)
    whole = sum(g.fully_right for g in games)
    return [
        f"games                      {len(games)}",
        f"  fully right, unaided     {whole} ({whole / len(games):.1%})",
        f"  plies right              {right} of {plies} ({right / max(1, plies):.2%})",
        f"  false accusations        {sum(g.accusations for g in games)}",
        f"  questions asked          {sum(g.questions for g in games)}",
        f"  board not found          {sum(not g.found for g in games)}",
    ]


def mistakes_table(mistakes: Sequence[MistakeTrial]) -> list[str]:
    """All mistakes, then each kind: planted, found, told as what it was, and the record right after it."""
    if not mistakes:
        return []
    lines = [f"{'mistakes':<26} planted  found  right kind  record right"]
    for kind in (None, *sorted({m.kind for m in mistakes})):
        own = [m for m in mistakes if kind in (None, m.kind)]
        counts = (sum(m.found for m in own), sum(m.right_kind for m in own), sum(m.fully_right for m in own))
        found, right, whole = (f"{count} ({count / len(own):.0%})" for count in counts)
        lines.append(f"  {kind or 'all':<24} {len(own):>7}  {found}  {right}  {whole}")
    return lines


def verdicts_table(delays: Sequence[float]) -> list[str]:
    """How long after the hand has gone a verdict comes, beside the time for which a board must have lain still."""
    if not delays:
        return []
    settle = Settings().settle_seconds
    late = float(np.percentile(delays, 95)) - settle
    return [
        f"verdicts timed             {len(delays)}, at {VERDICT_FRAMES_PER_SECOND:g} pictures a second",
        f"  95 in 100 within         the settle time ({settle:g} s) and {1000 * late:.0f} ms",
    ]


def _delays(seed: int, count: int) -> list[float]:
    """Verdicts from as many games as it takes."""
    delays: list[float] = []
    for game in range(_MOST_TIMED):
        if len(delays) >= count:
            break
        variant = variant_named(VARIANT_NAMES[(seed + game * _STRIDE) % len(VARIANT_NAMES)])
        delays += verdict_delays(variant, seed + game, _PLIES_TIMED)
    return delays[:count]


def _game(seed: int, plies: int) -> GameTrial:
    trial = game_trial(variant_named(VARIANT_NAMES[seed % len(VARIANT_NAMES)]), seed, plies)
    if not trial.fully_right:
        said = [_words(e) for e in trial.events if e["type"] != "move"]
        complain(f"game {seed} ({trial.variant}): due {' '.join(trial.due)}; seen {' '.join(trial.seen)}; {said}")
    return trial


def _mistake(seed: int) -> MistakeTrial | None:
    """The kind by turns; the first of some variants that gives room for it."""
    kinds = [k for k in PLANTED if k is not FaultKind.OFF_SQUARE]
    kind = kinds[seed % len(kinds)]
    for i in range(_TRIES):
        name = VARIANT_NAMES[(seed * _STRIDE + i * 11) % len(VARIANT_NAMES)]
        trial = mistake_trial(kind, variant_named(name), seed)
        if trial is not None:
            if not trial.fully_right:
                complain(f"mistake {seed} ({name}): {trial.kind}; {[_words(e) for e in trial.events]}")
            return trial
    return None


def _words(event: dict[str, object]) -> str:
    detail = next((event[k] for k in ("move", "kind", "reason", "how") if k in event), "")
    return f"{event['t']} {event['type']} {detail}".strip()
