"""What a session is told of a settled board."""

from dataclasses import dataclass

import numpy as np

from rules.board import Board
from server.session.state import Look
from vision.activity import Watched
from vision.change import Reference, king_lead
from vision.evidence import BoardEvidence
from vision.frame import Frame
from vision.fusion import covered
from vision.off_square import near_strays
from vision.pose import BoardPose
from vision.rectify import square_lean


@dataclass(frozen=True, slots=True, eq=False)
class Read:
    """The readings of one settled frame, all by the sides of the record.

    `seen` is what the looks at this stillness show together, `newest` what the last of them showed by itself, `known`
    how the board looked when it was last in order, `strays` the places of discs off their squares.
    """

    seen: BoardEvidence
    newest: BoardEvidence | None
    known: Reference | None
    strays: tuple[tuple[float, float], ...]


def settled_look(read: Read, watched: Watched, frame: Frame, pose: BoardPose, board: Board) -> Look:
    """The look; squares beside a stray are in doubt, and those under things that came lately are named."""
    seen = covered(read.seen, near_strays(read.strays, board))
    return Look(
        seen.log_likelihood,
        seen.hidden,
        frame.captured_at,
        frame.sequence,
        watched.still_seconds,
        read.strays,
        under=np.asarray(read.seen.hidden & ~watched.veiled),
        kinglike=None if read.newest is None else king_lead(read.newest),
        kinglike_before=None if read.known is None else read.known.kinglike,
        shift=square_lean(pose, board.xy),
    )
