"""From a frame to what is said about it: the whole of Kibitz on one page."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from calibration.calibrate import NOTHING_KNOWN, Calibration, Known, calibrate
from calibration.errors import CalibrationError
from calibration.orientation import SWAPPED
from rules.piece import SIDE_OF, Side
from rules.variant import start_position
from server.runtime.looking import Read, settled_look
from server.runtime.lying import lying_like
from server.runtime.remembering import as_it_looks, long_there, reads_otherwise
from server.runtime.searching import Search, in_vain, is_awaited, is_due
from server.session.events import Attention, BoardMoved, Effect
from server.session.state import State
from server.session.step import BoardLies, Lasted, step
from server.settings import Settings
from vision.activity import Activity, Watched, is_settled, shown, watch, watching
from vision.change import Reference, reference, with_reference
from vision.compared import Sampled, sampled
from vision.errors import VisionError
from vision.evidence import BoardEvidence, evidence_of, learn_look, swapped
from vision.frame import Frame
from vision.fusion import covered, fused
from vision.locate import moved_squares, relocate
from vision.off_square import InOrder, any_gone, board_picture, candidates, discs_off_square
from vision.patches import board_patches
from vision.pose import BoardPose
from vision.rereading import ReadSquares, evidence_again, networks, read_beside

_MOST_LOOKS = 5
_MOVED_SQUARES = 0.12
_TURNED_GAIN = 0.15
"""Share of the points by which a board must fit better turned than as it lay before: else few discs turned it."""
_STRANGE_SQUARES = 3.0
_FIX_SECONDS = 0.4
_GLANCE_SECONDS = 2.0
"""How often a board that has been seen enough is read again, for light that creeps."""
_SURE_UNDER_VEIL = 0.9
_LESSON_SECONDS = 10.0
_LESSON_RATE = 0.15
_SURE_LESSON = 0.9
_LOOKS_AT_START = 3
_MISREAD_AT_START = 1


class Pipeline:
    """Frames in, effects out. `session` may be replaced between two frames by whoever owns the pipeline."""

    def __init__(
        self,
        session: State,
        settings: Settings,
        calibration: Calibration | None = None,
        known: Known = NOTHING_KNOWN,
    ) -> None:
        self.session, self.calibration = session, calibration
        self._settings, self._given = settings, known
        self._watch = watching(session.terms.variant.board)
        self._looks: tuple[BoardEvidence, ...] = ()
        self._read: BoardEvidence | None = None
        self._nets = networks()
        self._squares: ReadSquares | None = None
        self._known: Reference | None = None
        self._in_order: InOrder | None = None
        self._astray: tuple[tuple[float, float], ...] = ()
        self._covered = np.zeros(session.terms.variant.board.size, bool)
        self._next_look = self._next_fix = self._next_glance = float("-inf")
        self._search = Search()
        self._next_lesson = float("-inf")
        self._settled = False
        self._to_learn: Callable[[], None] = _nothing
        self.confidence: float | None = None
        self.trouble = ""

    def see(self, frame: Frame) -> tuple[Effect, ...]:
        """frame -> activity -> settled? -> evidence -> fusion -> session step."""
        self.learn()
        found = self._find_board(frame)
        if self.calibration is None:
            return found
        self._watch, watched = watch(self._watch, frame, self.calibration.pose)
        if self._nudged(frame, watched):
            found = (*found, BoardMoved("The board or the camera was moved; it is found again."))
            self._watch, watched = watch(self._watch, frame, self._pose())
        if watched.activity is Activity.HAND or watched.still_seconds == 0.0:
            found = (*found, *self._passed(frame))
        if watched.activity is Activity.HAND:
            return found
        settled = is_settled(watched, self._settings.settle_seconds)
        at_once, self._settled = settled and not self._settled, settled
        if frame.captured_at < self._next_look and not at_once:
            return found
        self._next_look = frame.captured_at + 1 / self._settings.looks_a_second
        look = self._look(frame, watched)
        if not settled:
            return found
        seen = fused(self._looks)
        self.confidence = round(float(np.mean(seen.sureness())), 4)
        strays = self._strays(frame, look, seen)
        read = Read(seen, self._read, self._known, strays)
        said = settled_look(read, watched, frame, self._pose(), self.session.terms.variant.board)
        light = self.session.terms.light
        self.session, effects = step(self.session, said)
        if self.session.terms.light is not light:
            self._turn_round()
            return (*found, *effects)
        if look is not None and not strays:
            self._to_learn = partial(self._remember, self.session, frame, look, watched)
        return (*found, *effects, *self._board_moved(frame))

    def learn(self) -> None:
        """What the last picture teaches of this board; it can wait until what was seen in it has been shown."""
        learn, self._to_learn = self._to_learn, _nothing
        learn()

    def finish(self, seconds: float, frame: int) -> tuple[Effect, ...]:
        """The pictures have ended: what was still ripening had stood until now."""
        self.session, effects = step(self.session, Lasted(seconds, frame))
        return effects

    def begin(self, session: State) -> None:
        """Another game; another board must be found anew."""
        if session.terms.variant.board != self.session.terms.variant.board:
            self.calibration, self.confidence = None, None
            self.trouble, self._search = "", Search(awaited_until=float("inf"))
        self.session = session
        self._known, self._in_order = None, None
        self.pass_over()

    def pass_over(self) -> None:
        """What was seen says nothing of the board that is being laid now."""
        self._looks, self._next_look, self._settled, self._to_learn = (), float("-inf"), False, _nothing

    def shows_start(self) -> bool:
        """Whether the newest looks agree that the game's start position stands, whatever the record says."""
        placement = start_position(self.session.terms.variant).placement
        sides = np.asarray(SIDE_OF)
        wanted = sides[np.frombuffer(placement.pieces, dtype=np.uint8)]
        looks = self._looks[-_LOOKS_AT_START:]
        if len(looks) < _LOOKS_AT_START:
            return False
        wrong = [((sides[look.log_likelihood.argmax(axis=1)] != wanted) & ~look.hidden).sum() for look in looks]
        return max(wrong) <= _MISREAD_AT_START and not any(look.hidden.sum() > _MISREAD_AT_START for look in looks)

    @property
    def newest_look(self) -> BoardEvidence | None:
        """What the squares showed last while no hand was over them, by the sides of the record."""
        return self._looks[-1] if self._looks else None

    def calibrate(self, frame: Frame, corners: Sequence[Sequence[float]] | None = None) -> None:
        """Finds the board in this frame and learns its look. Raises what calibration and vision raise."""
        self.calibration = self._located(frame, corners)
        self._start_afresh()
        self.trouble = ""

    def _located(self, frame: Frame, corners: Sequence[Sequence[float]] | None = None) -> Calibration:
        terms = self.session.terms
        known = self._given if corners is None else replace(self._given, corners=np.asarray(corners, np.float64))
        return calibrate([frame], terms.variant, self.session.position, known, terms.light is not Side.WHITE)

    def _start_afresh(self) -> None:
        self._watch, self._looks, self._known = watching(self.session.terms.variant.board), (), None
        self._in_order, self._to_learn = None, _nothing
        self._search = Search()

    def _find_board(self, frame: Frame) -> tuple[Effect, ...]:
        """Looks for the board until it is found, less and less often, saying once what hides it."""
        if self.calibration is not None or not is_due(self._search, frame):
            return ()
        try:
            self.calibrate(frame)
        except (CalibrationError, VisionError) as refusal:
            self._search = in_vain(self._search, frame)
            if is_awaited(self._search, frame):
                return ()
            said, self.trouble = self.trouble, str(refusal)
            return () if said else (Attention("board_not_found", self.trouble),)
        self.session, effects = step(self.session, BoardLies(self._calibrated().mirrored))
        return effects

    def _board_moved(self, frame: Frame) -> tuple[Effect, ...]:
        """A board that makes no sense any more may have been moved, or the camera: it is looked for again."""
        waiting, old = self.session.waiting, self.calibration
        lost = waiting is not None and waiting.what in ("disturbed", "unsure")
        if old is None or not lost or not is_due(self._search, frame):
            return ()
        self._search = in_vain(self._search, frame)
        board = self.session.terms.variant.board
        try:
            new = self._located(frame)
        except (CalibrationError, VisionError):
            return ()
        found = replace(new, appearance=old.appearance)
        there = lying_like(found, old, board)
        here, fits = self._fit(frame, there), self._fit(frame, found)
        there, here = (found, fits) if fits >= here + _TURNED_GAIN else (there, here)
        moved = np.abs(there.pose.corners(board) - old.pose.corners(board)).max() / old.pose.square_px(board)
        if moved < _MOVED_SQUARES or here <= self._fit(frame, old):
            return ()
        self.calibration = there
        self._start_afresh()
        return (BoardMoved("The board or the camera was moved; it is found again."),)

    def _fit(self, frame: Frame, known: Calibration) -> float:
        """Share of the points that would show the side that the record has there, if the board lay like this."""
        board = self.session.terms.variant.board
        seen = evidence_of(board_patches(frame.bgr, known.pose, board), board, known.appearance)
        seen = seen if self._light_is_white else swapped(seen)
        sides = np.asarray(SIDE_OF)
        wanted = sides[np.frombuffer(self.session.position.placement.pieces, dtype=np.uint8)]
        return float(np.mean(sides[seen.pieces()] == wanted))

    def _nudged(self, frame: Frame, watched: Watched) -> bool:
        """Whether the board lies a little elsewhere than before; if so, it is followed there.

        Looked at when the board comes to rest and while much of it looks strange.
        """
        strange = watched.strange_area > _STRANGE_SQUARES
        if not (strange or not self._looks) or frame.captured_at < self._next_fix:
            return False
        self._next_fix = frame.captured_at + _FIX_SECONDS
        board, old = self.session.terms.variant.board, self._pose()
        new = relocate(frame.bgr, old, board)
        if new is None:
            return False
        if moved_squares(new, old, board) < _MOVED_SQUARES:
            return False
        self.calibration = replace(self._calibrated(), pose=new)
        self._looks, self._in_order = (), None
        return True

    def _calibrated(self) -> Calibration:
        assert self.calibration is not None
        return self.calibration

    def _pose(self) -> BoardPose:
        return self._calibrated().pose

    def _passed(self, frame: Frame) -> tuple[Effect, ...]:
        """A hand or a movement: what was seen last stood until now."""
        looked, self._looks, self._next_look = bool(self._looks), (), float("-inf")
        self._settled = False
        if not looked:
            return ()
        self.session, effects = step(self.session, Lasted(frame.captured_at, frame.sequence))
        return effects

    def _turn_round(self) -> None:
        """The other shade began: White of the record sits where Black was thought to sit."""
        known = self._calibrated()
        pose = known.pose.turned(2, self.session.terms.variant.board)
        self.calibration = replace(known, pose=pose, white_is_dark=not known.white_is_dark)
        self._start_afresh()

    def _look(self, frame: Frame, watched: Watched) -> Sampled | None:
        """One look more at the board, or None: after some looks a still board has shown what there is to see."""
        enough = (
            len(self._looks) == _MOST_LOOKS and watched.still_seconds >= _MOST_LOOKS / self._settings.looks_a_second
        )
        if enough and np.array_equal(watched.covered, self._covered) and frame.captured_at < self._next_glance:
            return None
        self._next_glance, self._covered = frame.captured_at + _GLANCE_SECONDS, watched.covered
        look = self._sampled(frame)
        seen = self._evidence(look)
        self._look_under(watched, seen)
        self._looks = (*self._looks, covered(seen, watched.covered))[-_MOST_LOOKS:]
        return look

    def _look_under(self, watched: Watched, seen: BoardEvidence) -> None:
        """A shadow or a lamp veils nothing: squares that surely show what the record says are believed again."""
        if not watched.veiled.any():
            return
        pieces = np.frombuffer(self.session.position.placement.pieces, dtype=np.uint8)
        believed = watched.veiled & (seen.pieces() == pieces) & (seen.sureness() >= _SURE_UNDER_VEIL)
        if believed.any():
            self._watch = shown(self._watch, believed)

    def _strays(self, frame: Frame, look: Sampled | None, seen: BoardEvidence) -> tuple[tuple[float, float], ...]:
        """Discs that stand off the squares; those of the last look if this frame was not looked at."""
        if look is None:
            return self._astray
        self._astray = ()
        if self._in_order is not None and any_gone(self._in_order, seen):
            board, pose = self.session.terms.variant.board, self._pose()
            record = np.frombuffer(self.session.position.placement.pieces, dtype=np.uint8)
            tried = candidates(board_picture(frame.bgr, pose, board), self._in_order, seen, board, record)
            beside = None if self._squares is None else partial(read_beside, nets=self._nets, read=self._squares)
            self._astray = discs_off_square(frame.bgr, pose, look.patches, tried, beside)
        return self._astray

    def _sampled(self, frame: Frame) -> Sampled:
        return sampled(frame.bgr, self._pose(), self.session.terms.variant.board)

    def _evidence(self, look: Sampled) -> BoardEvidence:
        """What each square shows, by the sides of the record."""
        board = self.session.terms.variant.board
        seen, self._squares = evidence_again(look, board, self._calibrated().appearance, self._nets, self._squares)
        self._read = seen = seen if self._light_is_white else swapped(seen)
        if self._known is None:
            return seen
        return with_reference(seen, look.small, self._known, board, [u.point for u in self.session.uncrowned])

    @property
    def _light_is_white(self) -> bool:
        return self.session.terms.light is Side.WHITE

    def _by_shade(self, pieces: NDArray[Any]) -> NDArray[Any]:
        """Pieces (n,) of the record with light discs as White."""
        return pieces if self._light_is_white else np.asarray(SWAPPED, pieces.dtype)[pieces]

    def _remember(self, session: State, frame: Frame, look: Sampled, watched: Watched) -> None:
        """While the board shows what the record says, that is how its squares look, and slowly how its discs do.

        After a dismissal it may show either, and after a take-back still what was taken back.
        """
        open_ends = (session.standing, session.waiting, session.restoring, session.undone, session.result)
        if not session.started or session.dismissed or any(end is not None for end in open_ends):
            return
        board, placement = session.terms.variant.board, as_it_looks(session)
        otherwise = reads_otherwise(self._looks[-1], placement)
        unlike = self._looks[-1].hidden | (otherwise & long_there(self._known, placement))
        assert self._read is not None
        self._known = reference(look.small, placement, board, self._known, replace(self._read, hidden=unlike))
        if not otherwise.any():
            shades = self._by_shade(np.frombuffer(placement.pieces, dtype=np.uint8))
            self._in_order = InOrder(board_picture(frame.bgr, self._pose(), board), shades)
        if frame.captured_at >= self._next_lesson:
            self._next_lesson = frame.captured_at + _LESSON_SECONDS
            self._relearn(session, frame, watched)

    def _relearn(self, session: State, frame: Frame, watched: Watched) -> None:
        """Moves the learned look towards what the light makes of it now, from squares that are sure."""
        seen, board = self._looks[-1], session.terms.variant.board
        pieces = np.frombuffer(session.position.placement.pieces, dtype=np.uint8).astype(np.int64)
        sure = ~watched.covered & (seen.pieces() == pieces) & (seen.sureness() >= _SURE_LESSON)
        known = self._calibrated()
        lesson = np.where(sure, self._by_shade(pieces), -1).tolist()
        look = learn_look(frame.bgr, known.pose, board, lesson, known.appearance, _LESSON_RATE)
        self.calibration = replace(known, appearance=look)


def _nothing() -> None:
    """There is nothing to learn."""
