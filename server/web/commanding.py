"""Commands from browsers to the companion."""

from typing import Any

from flask import Blueprint, Response, current_app, jsonify, request
from werkzeug.exceptions import BadRequest, RequestEntityTooLarge

from server.errors import GAME_WENT_ON
from server.web.commands import checked
from server.web.companion import Companion
from server.web.errors import BadCommand, Stale, WrongKind
from server.web.pin import PinGuard


def command_route(companion: Companion, guard: PinGuard) -> Blueprint:
    """`POST /api/command`."""
    commanding = Blueprint("commanding", __name__)

    @commanding.post("/api/command")
    def command() -> tuple[Response, int]:
        guard.check_request()
        snapshot = companion.snapshot()
        variants = [name for name, _ in snapshot.get("settings", {}).get("variants", ())]
        order = checked(_json_body(), variants)
        _refuse_stale(order.get("expected_number"), snapshot)  # the companion looks again when it carries it out
        status, answer = companion.command(order)
        return jsonify(answer), status

    return commanding


def _json_body() -> Any:
    if not request.is_json:
        raise WrongKind(f"saw content type {request.mimetype[:60]!r}; expected application/json")
    if (request.content_length or 0) > current_app.config["MAX_CONTENT_LENGTH"]:
        raise RequestEntityTooLarge  # before Werkzeug 2.3 only forms were measured
    try:
        return request.get_json()
    except (BadRequest, RecursionError) as error:
        raise BadCommand('saw a body that is not JSON; expected an object such as {"do": "take_back"}') from error


def _refuse_stale(expected: int | None, snapshot: dict[str, Any]) -> None:
    """Two people pressing at once: the second has not seen what the first did.

    A snapshot that only told of the camera or the clock since then does no harm.
    """
    number = int(snapshot["number"])
    if expected is not None and not snapshot.get("changed", number) <= expected <= number:
        raise Stale(GAME_WENT_ON)
