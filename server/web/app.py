"""The dashboard's application."""

import secrets
import threading
import time
from collections.abc import Callable

from flask import Flask, Response

from server.web.archive import archive_routes
from server.web.commanding import command_route
from server.web.companion import Companion
from server.web.failures import answer_failures
from server.web.live import live_routes
from server.web.pin import PinGuard, harden_cookies, pin_pages
from server.web.streams import StreamSeats
from server.web.table import table_routes

LARGEST_REQUEST_BYTES = 16 * 1024
STREAM_SEATS = 24
POLICY = "default-src 'self'; img-src 'self' blob: data:; frame-ancestors 'none'; base-uri 'none'; form-action 'self'"


def create_app(
    companion: Companion,
    *,
    secret_key: bytes | None = None,
    heartbeat_seconds: float = 10.0,
    stream_seats: int = STREAM_SEATS,
    clock: Callable[[], float] = time.monotonic,
) -> Flask:
    """The Flask application for one companion.

    `secret_key` signs the cookies; keep it to keep people's PIN entered over a restart. `app.extensions["stopping"]`
    is the event that ends the streams.
    """
    app = Flask(__name__)
    secret = secret_key or secrets.token_bytes(32)
    app.config.update(SECRET_KEY=secret, MAX_CONTENT_LENGTH=LARGEST_REQUEST_BYTES)
    stopping = app.extensions["stopping"] = threading.Event()
    guard = PinGuard(companion, secret, clock)
    harden_cookies(app)
    answer_failures(app)
    app.before_request(guard.refuse_foreign_names)
    app.register_blueprint(live_routes(companion, guard, StreamSeats(stream_seats), heartbeat_seconds, stopping))
    app.register_blueprint(table_routes(companion))
    app.register_blueprint(archive_routes(companion))
    app.register_blueprint(command_route(companion, guard))
    app.register_blueprint(pin_pages(guard))
    app.after_request(_guard_headers)
    return app


def _guard_headers(response: Response) -> Response:
    """Nothing from elsewhere runs in the page, and what changes is never taken from a cache."""
    response.headers["Content-Security-Policy"] = POLICY
    response.headers["X-Content-Type-Options"] = "nosniff"
    response.headers["Referrer-Policy"] = "same-origin"
    response.headers["Cache-Control"] = "no-cache" if response.headers.get("ETag") else "no-store"
    return response
