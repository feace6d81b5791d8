"""The kernel runs from the cache, in fresh processes and without numba."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
COUNT = """
from itertools import count

from rules.hint import hint
from rules.legal_moves import legal_moves, warm_up
from rules.perft import perft
from rules.variant import start_position
from rules.variants.catalogue import variant_named

variant = variant_named("russian")
position = start_position(variant)
before = legal_moves.__wrapped__(variant, position)
ready = warm_up()
ticks = count()
found = hint(variant, position, seconds=30, stop=lambda: False, clock=lambda: float(next(ticks)))
assert found.line[0] in before
print(ready, perft(variant, position, 5), before == legal_moves.__wrapped__(variant, position))
"""


def _run(program: str, cache: Path) -> str:
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(cache)}
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, env=environment, capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


def test_a_second_process_loads_the_compiled_kernel_from_the_cache(tmp_path: Path) -> None:
    answers = [_run(COUNT, tmp_path) for _ in range(2)]
    assert answers[0] == answers[1]
    assert answers[0].endswith("7482 True")


def test_without_numba_the_same_source_answers(tmp_path: Path) -> None:
    assert _run(f"import sys; sys.modules['numba'] = None\n{COUNT}", tmp_path) == "False 7482 True"
