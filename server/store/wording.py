"""What became of an irregularity, as a sentence for the comments of a game."""

from rules.faults import FaultKind

_NAMES = {
    FaultKind.WRONG_ORIENTATION: "the board lying turned",
    FaultKind.WRONG_SETUP: "the start position set up otherwise",
    FaultKind.OFF_SQUARE: "the disc off its square",
    FaultKind.OUT_OF_TURN: "the move out of turn",
    FaultKind.OPPONENT_PIECE_MOVED: "the move of an opponent's disc",
    FaultKind.ILLEGAL_MOVE: "the illegal move",
    FaultKind.MISSED_CAPTURE: "the missed capture",
    FaultKind.NOT_MAJORITY: "the lesser capture",
    FaultKind.CAPTURE_INCOMPLETE: "the capture that stopped early",
    FaultKind.CAPTURED_NOT_REMOVED: "the captured disc left standing",
    FaultKind.WRONG_REMOVED: "the disc taken off wrongly",
    FaultKind.NOT_CROWNED: "the missing crown",
    FaultKind.WRONGLY_CROWNED: "the crown on a man",
    FaultKind.UNCROWNED_KING_MOVED: "the move of a king without its crown",
    FaultKind.PIECE_APPEARED: "the disc that came from nowhere",
    FaultKind.PIECE_VANISHED: "the disc that is gone",
    FaultKind.TAKEN_BACK: "the move taken back",
    FaultKind.BOARD_DISTURBED: "the disturbed board",
    FaultKind.TOUCHED: "the disc touched",
}
_OUTCOMES = {
    "accepted": "{} was let stand",
    "corrected": "{} was put right",
    "dismissed": "{}: ruled to be no irregularity",
    "huffed": "{}: a disc was huffed for it",
}


def named(kind: str) -> str:
    """An irregularity as the subject of a sentence; a word that is not known as it is, without underscores."""
    known = kind in FaultKind.__members__.values()
    return _NAMES[FaultKind(kind)] if known else kind.replace("_", " ")


def outcome(kind: str, how: str) -> str:
    """`The missed capture was let stand`, without a full stop."""
    text = _OUTCOMES.get(how, f"{{}}: {how}").format(named(kind))
    return text[:1].upper() + text[1:]
