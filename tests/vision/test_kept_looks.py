"""The same photographs look the same to every OpenCV and numpy that Kibitz runs on."""

import json

import numpy as np
import pytest

from tests.support.kept_looks import FRAMES, KEPT, PICTURES, look, reader_mark


@pytest.mark.parametrize("name", PICTURES)
def test_a_photograph_looks_as_it_did_to_another_opencv(name):
    if not (FRAMES / name).exists():
        pytest.skip(f"the labelled pictures are not at {FRAMES}")
    kept = json.loads(KEPT.read_text(encoding="utf-8"))
    before, now = kept["looks"][name], look(name, PICTURES[name])
    assert np.abs(np.array(now["corners"]) - before["corners"]).max() < 1.0
    assert np.percentile(np.abs(np.array(now["colours"]) - before["colours"]), 95) < 4.0
    if kept["reader"] != reader_mark():
        pytest.skip("the answers kept are another reader's: python -m tests.support.kept_looks writes them anew")
    alike = np.array(now["pieces"]) == before["pieces"]
    assert alike.mean() >= 0.96
    assert np.abs(np.array(now["sureness"]) - before["sureness"])[alike].max() < 0.15
    assert np.abs(np.array(now["sureness"]) - before["sureness"]).mean() < 0.02
