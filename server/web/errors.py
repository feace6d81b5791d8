"""What can go wrong between a browser and the companion.

WebError            has the HTTP status that fits
├── BadCommand      400  the command is not one, or a field of it is wrong
├── WrongKind       415  what was sent is not JSON by its own word
├── ForeignPage     403  another site's page sent the command
├── PinNeeded       401  no PIN, or the wrong one
├── PinLocked       429  too many wrong PINs
├── NothingThere    404  no such game
├── NotAvailable    503  no picture, or too many streams
└── Stale           409  the sender had not seen the newest snapshot
ServingError        the server cannot start
└── PortInUse       something else listens there
"""


class WebError(Exception):
    """A request that cannot be done, with a sentence for people."""

    status = 500


class BadCommand(WebError):
    status = 400


class WrongKind(WebError):
    status = 415


class ForeignPage(WebError):
    status = 403


class PinNeeded(WebError):
    status = 401


class PinLocked(WebError):
    status = 429


class NothingThere(WebError):
    status = 404


class NotAvailable(WebError):
    status = 503


class Stale(WebError):
    status = 409


class ServingError(Exception):
    """The dashboard cannot be served."""


class PortInUse(ServingError):
    """Another program listens at the address wanted."""
