"""What the arbiter's tools ask: the legal moves at a ply, and what the camera sees on the board."""

from flask import Blueprint, Response, jsonify, request

from server.web.companion import Companion
from server.web.errors import BadCommand, NotAvailable, NothingThere


def table_routes(companion: Companion) -> Blueprint:
    """`/api/legal` and `/api/seen`."""
    table = Blueprint("table", __name__)

    @table.get("/api/legal")
    def legal() -> Response:
        ply = request.args.get("ply", "")
        if ply and not (ply.isascii() and ply.isdigit() and len(ply) < 6):
            raise BadCommand(f"ply: saw {ply[:40]!r}; expected a whole number from 1")
        moves = companion.legal(int(ply) if ply else None)
        if moves is None:
            raise NothingThere(f"saw no ply {ply} in the game being played")
        return jsonify(moves=moves)

    @table.get("/api/seen")
    def seen() -> Response:
        found = companion.seen()
        if found is None:
            raise NotAvailable("the board has not been found in the picture yet; show it whole, or mark its corners")
        return jsonify(found)

    return table
