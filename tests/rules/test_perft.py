"""The tree of moves has as many leaves as independent programs count."""

import json
from pathlib import Path

import pytest

from rules.fen import parse_fen
from rules.perft import perft
from rules.position import Position
from rules.variant import Variant, start_position
from rules.variants.catalogue import VARIANT_NAMES, variant_named

ROOT = Path(__file__).resolve().parents[2]
OWN = json.loads((ROOT / "tests/data/perft_start.json").read_text())["rows"]
SHARED = ROOT.parent / "shared/rules/perft.json"
MOST_LEAVES = 250_000
RENAMED = {"srilankan": "sri-lankan", "armenian_tama": "armenian+man-goes-on"}


@pytest.mark.parametrize("name", VARIANT_NAMES)
def test_the_start_position_has_the_known_number_of_leaves(name: str) -> None:
    variant = variant_named(name)
    rows = [row for row in OWN if row["variant"] == name]
    assert rows
    for row in rows:
        assert perft(variant, start_position(variant), row["depth"]) == row["leaves"]


@pytest.mark.parametrize("name", VARIANT_NAMES)
def test_the_compiled_and_the_uncompiled_kernel_count_alike(name: str) -> None:
    variant = variant_named(name)
    depth = 3 if perft(variant, start_position(variant), 4) > 30_000 else 4
    position = start_position(variant)
    assert perft(variant, position, depth) == perft(variant, position, depth, compiled=False)


def test_international_and_english_agree_in_depth() -> None:
    international, english = variant_named("international"), variant_named("english")
    assert perft(international, start_position(international), 7) == 1_049_442
    assert perft(english, start_position(english), 8) == 845_931


def test_depth_zero_is_one_leaf() -> None:
    variant = variant_named("english")
    assert perft(variant, start_position(variant), 0) == 1


def _position(variant: Variant, row: dict[str, str]) -> Position:
    at_start = row["fen"] == "start" or "each" in row["fen"] or row["variant"] == "spanish"
    return start_position(variant) if at_start else parse_fen(variant, row["fen"])


def _shared_rows() -> list[tuple[str, str]]:
    if not SHARED.exists():
        return []
    rows = json.loads(SHARED.read_text())["rows"]
    names = {RENAMED.get(row["variant"], row["variant"]) for row in rows} & {*VARIANT_NAMES, *RENAMED.values()}
    return sorted(
        {(name, row["fen"]) for row in rows for name in names if RENAMED.get(row["variant"], row["variant"]) == name}
    )


@pytest.mark.skipif(not SHARED.exists(), reason="the big table of published counts (../shared) is not here")
@pytest.mark.parametrize(("name", "fen"), _shared_rows())
def test_published_counts_come_out(name: str, fen: str) -> None:
    variant = variant_named(name)
    for row in json.loads(SHARED.read_text())["rows"]:
        ours = RENAMED.get(row["variant"], row["variant"]) == name and row["fen"] == fen
        if ours and row["convention"] == "dedup" and row["nodes"] <= MOST_LEAVES:
            assert perft(variant, _position(variant, row), row["depth"]) == row["nodes"], row["depth"]
