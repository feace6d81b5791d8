"""From a frame to what is said about it: the whole of Kibitz on one page."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from calibration.calibrate import Calibration, calibrate
from numpy.typing import NDArray
from vision.activity import Activity, ActivityState, watch
from vision.fusion import fused
from vision.overlay import overlay

from calibration.errors import CalibrationError
from rules.piece import Piece, Side
from rules.placement import Placement
from server.session.events import Attention, Effect
from server.session.state import Look, State
from server.session.step import Lasted, step
from server.settings import Settings
from vision.errors import VisionError
from vision.evidence import BoardEvidence, evidence, swapped
from vision.frame import Frame

_FIRST_RETRY_SECONDS = 1.0
_MOST_LOOKS = 5


class Pipeline:
    """Frames in, effects out. `session` may be replaced between two frames by whoever owns the pipeline."""

    def __init__(
        self,
        session: State,
        settings: Settings,
        calibration: Calibration | None = None,
        corners: Sequence[Sequence[float]] | None = None,
    ) -> None:
        self.session, self.calibration = session, calibration
        self._settings, self._corners = settings, corners
        self._activity = ActivityState()
        self._looks: tuple[BoardEvidence, ...] = ()
        self._next_look = self._next_search = float("-inf")
        self.confidence: float | None = None
        self.trouble = ""

    def see(self, frame: Frame) -> tuple[Effect, ...]:
        """frame -> activity -> settled? -> evidence -> fusion -> session step."""
        found = self._find_board(frame)
        if self.calibration is None:
            return found
        self._activity, activity = watch(self._activity, frame, self.calibration.pose)
        if activity is not Activity.STILL:
            return (*found, *self._passed(frame))
        if frame.captured_at < self._next_look:
            return found
        self._next_look = frame.captured_at + 1 / self._settings.looks_a_second
        self._looks = (*self._looks, self._evidence(frame))[-_MOST_LOOKS:]
        if self._activity.still_seconds < self._settings.settle_seconds:
            return found
        seen = fused(self._looks)
        self.confidence = round(float(np.mean(seen.sureness())), 4)
        look = Look(seen.log_likelihood, seen.hidden, frame.captured_at, frame.sequence)
        self.session, effects = step(self.session, look)
        return (*found, *effects)

    def finish(self, seconds: float, frame: int) -> tuple[Effect, ...]:
        """The pictures have ended: what was still ripening had stood until now."""
        self.session, effects = step(self.session, Lasted(seconds, frame))
        return effects

    def begin(self, session: State) -> None:
        """Another game; another board must be found anew."""
        if session.terms.variant.board != self.session.terms.variant.board:
            self.calibration = None
        self.session = session
        self._looks = ()

    def calibrate(self, frame: Frame, corners: Sequence[Sequence[float]] | None = None) -> None:
        """Finds the board in this frame and learns its look. Raises what calibration and vision raise."""
        terms = self.session.terms
        position = self.session.position
        shown = position if terms.light is Side.WHITE else replace(position, placement=_recoloured(position.placement))
        given = corners if corners is not None else self._corners
        four = None if given is None else np.asarray(given, np.float64)
        self.calibration = calibrate([frame], terms.variant, shown, four)
        self._activity, self._looks = ActivityState(), ()
        self.trouble = ""

    def drawn(self, frame: Frame) -> NDArray[np.uint8]:
        """The picture with what is seen drawn on it."""
        if self.calibration is None:
            return frame.bgr
        board = self.session.terms.variant.board
        seen = self._looks[-1] if self._looks else self._evidence(frame)
        return overlay(frame.bgr, self.calibration.pose, board, seen, ())

    def _find_board(self, frame: Frame) -> tuple[Effect, ...]:
        """Looks for the board until it is found, ever less often, saying once what hides it."""
        if self.calibration is not None or frame.captured_at < self._next_search:
            return ()
        self._next_search = frame.captured_at + _FIRST_RETRY_SECONDS
        try:
            self.calibrate(frame)
        except (CalibrationError, VisionError) as refusal:
            said, self.trouble = self.trouble, str(refusal)
            return () if said else (Attention("board_not_found", self.trouble),)
        return ()

    def _passed(self, frame: Frame) -> tuple[Effect, ...]:
        """A hand or a movement: what was seen last stood until now."""
        self._looks, self._next_look = (), float("-inf")
        self.session, effects = step(self.session, Lasted(frame.captured_at, frame.sequence))
        return effects

    def _evidence(self, frame: Frame) -> BoardEvidence:
        """What each square shows, by the sides of the record."""
        calibration = self.calibration
        assert calibration is not None
        board = self.session.terms.variant.board
        seen = evidence(frame.bgr, calibration.pose, board, calibration.appearance)
        return seen if self.session.terms.light is Side.WHITE else swapped(seen)


def _recoloured(placement: Placement) -> Placement:
    """The same discs in the other colour: what the camera sees where the light discs play Black."""
    other = (Piece.EMPTY, Piece.BLACK_MAN, Piece.WHITE_MAN, Piece.BLACK_KING, Piece.WHITE_KING)
    return Placement(bytes(other[piece] for piece in placement.pieces))
