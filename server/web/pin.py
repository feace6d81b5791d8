"""The PIN: who may command the companion."""

import hashlib
import hmac
import re
import threading
from collections.abc import Callable
from contextlib import suppress
from ipaddress import ip_address
from urllib.parse import urlsplit

from flask import Blueprint, Flask, redirect, render_template, request, session
from werkzeug.wrappers import Response

from server.web.companion import Companion
from server.web.errors import ForeignPage, PinLocked, PinNeeded

COOKIE_KEY = "pin"
WRONG_PINS_ALLOWED = 10
LOCK_SECONDS = 60.0
_LOCAL_DOMAINS = ("local", "localhost", "lan", "home", "internal", "intranet")
"""Ends of names that no public name server gives."""


class PinGuard:
    """Compares PINs in constant time and stops guessing: ten wrong ones lock the door for a minute."""

    def __init__(self, companion: Companion, secret: bytes, clock: Callable[[], float]) -> None:
        self._companion = companion
        self._secret = secret
        self._clock = clock
        self._lock = threading.Lock()
        self._wrong = 0
        self._locked_until = 0.0

    @property
    def needed(self) -> bool:
        return bool(self._companion.pin)

    @property
    def token(self) -> str:
        """What the signed cookie holds: it dies with a change of the PIN and does not tell the PIN."""
        return hmac.new(self._secret, self._companion.pin.encode(), hashlib.sha256).hexdigest()

    def admit(self, pin: str) -> None:
        """Raises PinNeeded for a wrong PIN, PinLocked after too many."""
        with self._lock:
            if self._clock() < self._locked_until:
                raise PinLocked("saw too many wrong PINs; wait a minute and try again")
            if hmac.compare_digest(pin.encode(), self._companion.pin.encode()):
                self._wrong = 0
                return
            self._wrong += 1
            if self._wrong >= WRONG_PINS_ALLOWED:
                self._wrong, self._locked_until = 0, self._clock() + LOCK_SECONDS
        raise PinNeeded("saw a wrong PIN; expected the one Kibitz showed when it started")

    @property
    def is_open(self) -> bool:
        """Whether the browser of the current request need not be asked for the PIN."""
        return not self.needed or hmac.compare_digest(str(session.get(COOKIE_KEY, "")), self.token)

    def check_request(self) -> None:
        """Passes the current request if it carries the PIN or the cookie, and comes from our own page."""
        refuse_foreign_pages()
        if not self.needed:
            return
        pin = request.headers.get("X-Kibitz-Pin")
        if pin is not None:
            self.admit(pin)
        elif not self.is_open:
            raise PinNeeded("saw no PIN; send it in the header X-Kibitz-Pin or enter it at /pin")

    def refuse_foreign_names(self) -> None:
        """Where no PIN guards, a name of the internet may be another site's, made to point here (DNS rebinding)."""
        if not self.needed and not _is_of_this_net(request.host):
            raise ForeignPage(
                f"saw the address {request.host[:100]!r}; expected this machine's number or its name in this network: "
                "open it by that, or let Kibitz ask for a PIN"
            )


def _is_of_this_net(host: str) -> bool:
    """Whether a host (with its port) is an address in numbers or a name that only a local network gives."""
    name = host.rpartition(":")[0] if re.fullmatch(r".*:\d*", host) else host
    name = name.strip("[]").rstrip(".").lower()
    with suppress(ValueError):
        ip_address(name)
        return True
    return "." not in name or name.rpartition(".")[2] in _LOCAL_DOMAINS or name.endswith((".home.arpa", "fritz.box"))


def refuse_foreign_pages() -> None:
    """A page of another site cannot command the companion, even where no PIN is needed."""
    origin = request.headers.get("Origin")
    if origin is not None and _place(origin) != request.host:
        raise ForeignPage(f"saw a request from a page of {origin[:100]}; expected one from http://{request.host}")


def _place(origin: str) -> str | None:
    """The host and port of a page's origin; None for one that is no address."""
    try:
        return urlsplit(origin).netloc
    except ValueError:
        return None


def pin_pages(guard: PinGuard) -> Blueprint:
    """The page where a browser gets its cookie."""
    pages = Blueprint("pin", __name__)

    @pages.get("/pin")
    def ask() -> str:
        return render_template("pin.html", error=None)

    @pages.post("/pin")
    def enter() -> Response | tuple[str, int]:
        refuse_foreign_pages()
        try:
            guard.admit(request.form.get("pin", "").strip())
        except (PinNeeded, PinLocked) as error:
            return render_template("pin.html", error=str(error)), error.status
        session.permanent = True
        session[COOKIE_KEY] = guard.token
        return redirect("/", 303)

    return pages


def harden_cookies(app: Flask) -> None:
    """The cookie is signed, unreadable to scripts and never sent from another site."""
    app.config.update(SESSION_COOKIE_NAME="kibitz", SESSION_COOKIE_HTTPONLY=True, SESSION_COOKIE_SAMESITE="Strict")
