"""What can be wrong with input to the vision.

VisionError
+-- PoseError        a pose that cannot be a board seen by a camera
+-- PictureError     a picture of the wrong shape or type
+-- AppearanceError  a learned look that cannot be used here
+-- ReaderError      the reader network cannot be loaded or does not fit
"""


class VisionError(Exception):
    """Base of everything the vision refuses; the message says what was seen, what was expected and what to do."""


class PoseError(VisionError):
    """A pose that cannot be a board seen by a camera."""


class PictureError(VisionError):
    """A picture of the wrong shape or type."""


class AppearanceError(VisionError):
    """A learned look that cannot be used here."""


class ReaderError(VisionError):
    """The reader network cannot be loaded or does not fit this code."""
