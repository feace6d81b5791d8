"""What can be wrong with what is plugged in.

HardwareError
+-- NoCamera         no such camera here, or it cannot be opened
+-- CameraLost       a camera that worked stopped delivering pictures
+-- SourceUnusable   recorded pictures or a camera name that cannot be used
+-- ScriptUnusable   a script for the simulated board that cannot be played
"""


class HardwareError(Exception):
    """Base of all hardware trouble; the message says what was seen, what was expected and what to do."""


class NoCamera(HardwareError):
    """There is no such camera, or it cannot be opened."""


class CameraLost(HardwareError):
    """A camera that worked stopped delivering pictures."""


class SourceUnusable(HardwareError):
    """Recorded pictures, or the name of a source, that cannot be used."""


class ScriptUnusable(HardwareError):
    """A script for the simulated board that cannot be played; the message begins with the line."""
