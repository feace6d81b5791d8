"""What can go wrong while learning where the board is and how it looks.

CalibrationError
+-- BoardNotFound       no board of the expected size in the picture
+-- CornersUnusable     hand-given corners that bound no board
+-- BoardUnlike         the board's pieces do not fit the position it should show
+-- CalibrationFile     a stored calibration that cannot be read or written
"""


class CalibrationError(Exception):
    """Base of everything calibration refuses; the message says what was seen, what was expected and what to do."""


class BoardNotFound(CalibrationError):
    """No board of the expected size in the picture."""


class CornersUnusable(CalibrationError):
    """Hand-given corners that bound no board."""


class BoardUnlike(CalibrationError):
    """The board's pieces do not fit the position it should show."""


class CalibrationFile(CalibrationError):
    """A stored calibration that cannot be read or written."""
