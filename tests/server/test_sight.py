"""The camera picture with what is seen on it: drawn for web threads, which read no squares."""

from dataclasses import replace

import cv2
import numpy as np

from hardware.cameras.simulated import SimulatedBoard
from rules.variants.catalogue import variant_named
from server.runtime.companion import Feed, RunningCompanion
from server.runtime.ledger import Ledger
from server.runtime.pipeline import Pipeline
from server.runtime.sight import drawn_on
from server.session.state import new_state, terms_for
from server.settings import Settings
from vision.evidence import evidence, swapped


def test_a_picture_asked_for_while_no_look_is_there_reads_no_squares(tmp_path, monkeypatch):
    session = new_state(terms_for(variant_named("english")))
    ledger = Ledger(tmp_path / "games.sqlite3")
    ledger.begin(session)
    pipeline = Pipeline(session, Settings())
    board = SimulatedBoard("english", 3, paced=False, size=(640, 360))
    frame = next(board.frames(lambda: False))
    pipeline.calibrate(frame)
    companion = RunningCompanion(Feed(lambda: board), pipeline, ledger, Settings(), "")
    monkeypatch.setattr(companion._camera, "jpeg", lambda: (frame, b"plain"))
    monkeypatch.delattr(Pipeline, "_evidence")
    picture = cv2.imdecode(np.frombuffer(companion.picture(overlay=True), np.uint8), cv2.IMREAD_COLOR)
    companion.stop()
    assert picture.shape == frame.bgr.shape
    assert (np.abs(picture.astype(int) - frame.bgr).max(axis=2) > 60).mean() > 0.002


def test_a_picture_without_a_board_is_shown_as_it_is():
    plain = np.full((40, 60, 3), 90, np.uint8)
    assert drawn_on(plain, None, None) is plain


def test_discs_are_marked_in_their_own_shade_whoever_plays_white():
    frame = next(SimulatedBoard("english", 3, paced=False, size=(640, 360)).frames(lambda: False))
    variant = variant_named("english")
    pipeline = Pipeline(new_state(terms_for(variant)), Settings())
    pipeline.calibrate(frame)
    known = pipeline.calibration
    look = evidence(frame.bgr, known.pose, variant.board, known.appearance)
    as_usual = drawn_on(frame.bgr, known, look)
    the_other_way = drawn_on(frame.bgr, replace(known, white_is_dark=True), swapped(look))
    assert (as_usual == the_other_way).all()
    assert (as_usual != drawn_on(frame.bgr, known, swapped(look))).any()
