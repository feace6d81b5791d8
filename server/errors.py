"""What can go wrong while the companion runs.

ServerError
+-- UsageError       unusable input: exit status 2
+-- FaultFound       a command ran and found fault: exit status 1
+-- CommandRefused   a command that the state of the game does not allow
+-- StoreError       the journal cannot be written or read
"""


class ServerError(Exception):
    """Base of everything the server refuses; the message says what was seen, what was expected and what to do."""


class UsageError(ServerError):
    """Input that cannot be used."""


class FaultFound(ServerError):
    """The command ran and found fault."""


class CommandRefused(ServerError):
    """A command that the state of the game does not allow."""


GAME_WENT_ON = "The game went on meanwhile, so nothing was changed. Look at the board, then press again."
"""To whoever pressed without having seen what the game has become."""


class StoreError(ServerError):
    """The journal cannot be written or read."""
