"""Serving the dashboard until told to stop."""

import errno
import logging
import socket
import threading
from collections.abc import Callable
from typing import Any

from flask import Flask
from waitress import wasyncore  # type: ignore[import-untyped]
from waitress.server import create_server  # type: ignore[import-untyped]

from server.web.app import LARGEST_REQUEST_BYTES, STREAM_SEATS
from server.web.errors import PortInUse, ServingError
from server.web.refusals import Channel

THREADS = STREAM_SEATS + 8
"""Each live page holds a thread; eight remain for everything else."""
MOST_CONNECTIONS = 400
IDLE_SECONDS = 30
"""A connection on which nothing is asked for is closed then: many of them would keep everybody else out."""
LOOK_FOR_STOP_SECONDS = 0.3
SHUTDOWN_SECONDS = 2.0


def serve(
    app: Flask, listener: socket.socket, stop: threading.Event, ending: Callable[[], None] = lambda: None
) -> None:
    """Serves `app` at an address that `listen` has taken, and blocks until `stop` is set.

    `ending` is called as soon as it is: it should wake the live pages that wait for news, which then end by themselves.
    """
    for name in ("waitress", "waitress.queue"):  # live pages that are still open at the end are nobody's trouble
        logging.getLogger(name).setLevel(logging.ERROR)
    sockets: dict[int, Any] = {}
    server = create_server(
        app,
        map=sockets,
        sockets=[listener],
        threads=THREADS,
        ident=None,
        clear_untrusted_proxy_headers=True,
        connection_limit=MOST_CONNECTIONS,
        channel_timeout=IDLE_SECONDS,
        cleanup_interval=IDLE_SECONDS // 3,
        channel_request_lookahead=1,  # so that a live page that was closed is noticed
        max_request_body_size=4 * LARGEST_REQUEST_BYTES,  # what is a little too large is answered by the application
    )
    server.channel_class = Channel
    try:
        while not stop.is_set():
            wasyncore.loop(timeout=LOOK_FOR_STOP_SECONDS, map=sockets, use_poll=True, count=1)
    finally:
        app.extensions["stopping"].set()
        ending()
        server.task_dispatcher.shutdown(timeout=SHUTDOWN_SECONDS)
        wasyncore.close_all(sockets)


def listen(host: str, port: int) -> socket.socket:
    """Takes the address, port 0 being any that is free; raises PortInUse or ServingError if it cannot be had."""
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        return socket.create_server((host, port), family=family)
    except (OSError, OverflowError, UnicodeError) as error:
        raise _unservable(host, port, error) from error


def _unservable(host: str, port: int, error: Exception) -> ServingError:
    if isinstance(error, OSError) and error.errno == errno.EADDRINUSE:
        return PortInUse(
            f"saw another program listening at {host}:{port}; stop it (perhaps another Kibitz) or choose --port"
        )
    if isinstance(error, PermissionError):
        return ServingError(
            f"saw that port {port} is not for everyone (those below 1024 belong to the system); expected one such as "
            "8000: choose it with --port"
        )
    if isinstance(error, socket.gaierror | UnicodeError) or getattr(error, "errno", None) == errno.EADDRNOTAVAIL:
        return ServingError(
            f"saw --host {host}, which is no address of this machine; expected 127.0.0.1 for this machine alone, or "
            "0.0.0.0 for every device in the room"
        )
    why = getattr(error, "strerror", None) or str(error)
    return ServingError(f"cannot listen at {host}:{port} ({why}); choose --host and --port that this machine has")
