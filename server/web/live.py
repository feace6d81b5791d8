"""The live page and what feeds it."""

import threading

from flask import Blueprint, Response, jsonify, render_template, request

from server.web.companion import Companion
from server.web.errors import NotAvailable
from server.web.pin import PinGuard
from server.web.streams import StreamSeats, last_event, snapshot_events


def live_routes(
    companion: Companion, guard: PinGuard, seats: StreamSeats, heartbeat_seconds: float, stopping: threading.Event
) -> Blueprint:
    """`/`, `/api/state`, `/api/events` and `/api/picture.jpg`."""
    live = Blueprint("live", __name__)

    @live.get("/")
    def page() -> str:
        return render_template("live.html", pin_needed=guard.needed, locked=not guard.is_open)

    @live.get("/api/state")
    def state() -> Response:
        return jsonify(companion.snapshot())

    @live.get("/api/events")
    def events() -> Response:
        seen = last_event(request.headers.get("Last-Event-ID"))
        seats.take()
        stream = snapshot_events(companion, seen, heartbeat_seconds, stopping.is_set)
        response = Response(stream, mimetype="text/event-stream", headers={"X-Accel-Buffering": "no"})
        response.call_on_close(seats.give_back)
        return response

    @live.get("/api/picture.jpg")
    def picture() -> Response:
        jpeg = companion.picture(request.args.get("overlay", "0") not in ("", "0"))
        if jpeg is None:
            raise NotAvailable("saw no camera picture yet; expected one within seconds of the start: check the camera")
        return Response(jpeg, mimetype="image/jpeg")

    return live
