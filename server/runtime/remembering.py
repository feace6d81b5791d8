"""What of a look may be remembered as how the record's pieces look."""

import numpy as np
from numpy.typing import NDArray

from rules.piece import SIDE_OF, Piece, man
from rules.placement import Placement
from server.session.state import State
from vision.change import Reference
from vision.evidence import BoardEvidence

_RATHER_OTHER = 1.0
"""Natural log by which a point must read otherwise for its look not to be remembered as its piece's."""


def as_it_looks(session: State) -> Placement:
    """The position with its uncrowned kings as the men that they look like, so that a crown that comes is a change."""
    placement = session.position.placement
    bare = {u.point: placement[u.point].side for u in session.uncrowned}
    return placement.replaced({point: man(side) for point, side in bare.items() if side is not None})


def long_there(known: Reference | None, placement: Placement) -> NDArray[np.bool_]:
    """Points (n,) whose look with this very piece on them is known; that of what just came is learned, however read."""
    pieces = np.frombuffer(placement.pieces, dtype=np.uint8)
    return np.zeros(len(pieces), bool) if known is None else known.telling & (known.pieces == pieces)


def reads_otherwise(seen: BoardEvidence, placement: Placement) -> NDArray[np.bool_]:
    """Points (n,) that rather show another side than the placement, or a man's crown: their look is not its look."""
    pieces, best = np.frombuffer(placement.pieces, dtype=np.uint8), seen.pieces()
    every, sides = np.arange(len(pieces)), np.asarray(SIDE_OF)
    lead = seen.log_likelihood[every, best] - seen.log_likelihood[every, pieces]
    other = (sides[best] != sides[pieces]) | ((best >= Piece.WHITE_KING) & (pieces < Piece.WHITE_KING))
    return np.asarray(other & (lead > _RATHER_OTHER))
