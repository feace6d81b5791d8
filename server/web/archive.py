"""Past games and their PDN."""

from flask import Blueprint, Response, jsonify, request

from server.web.companion import Companion
from server.web.errors import BadCommand, NothingThere

FORMS = ("strict", "full")
NUMBER = "int(max=9007199254740991)"
"""A number in an address: larger ones than programs can tell apart (2**53 - 1) belong to no page."""


def archive_routes(companion: Companion) -> Blueprint:
    """`/api/games`, `/api/games/N`, pictures of its events, `/games/N.pdn` and `/live.pdn`."""
    archive = Blueprint("archive", __name__)

    @archive.get("/api/games")
    def games() -> Response:
        return jsonify(companion.games())

    @archive.get(f"/api/games/<{NUMBER}:number>")
    def game(number: int) -> Response:
        found = companion.game(number)
        if found is None:
            raise no_such_game(number)
        return jsonify(found)

    @archive.get(f"/api/games/<{NUMBER}:number>/events/<{NUMBER}:event>/<any(before, after):when>.jpg")
    def picture(number: int, event: int, when: str) -> Response:
        jpeg = companion.event_picture(number, event, when)
        if jpeg is None:
            raise NothingThere(f"saw no picture {when} event {event} of game {number}")
        return Response(jpeg, mimetype="image/jpeg", headers={"ETag": f'"{number}-{event}-{when}"'})

    @archive.get(f"/games/<{NUMBER}:number>.pdn")
    def pdn(number: int) -> Response:
        return _pdn(companion, number, f"kibitz-{number}.pdn")

    @archive.get("/live.pdn")
    def live() -> Response:
        return _pdn(companion, None, "kibitz-live.pdn")

    return archive


def no_such_game(number: int | None) -> NothingThere:
    seen = "no game being played" if number is None else f"no game {number}"
    return NothingThere(f"saw {seen}; /api/games lists those there are")


def _pdn(companion: Companion, number: int | None, file_name: str) -> Response:
    form = request.args.get("form", "strict")
    if form not in FORMS:
        raise BadCommand(f"form: saw {form[:40]!r}; expected strict or full")
    text = companion.pdn(number, form)
    if text is None:
        raise no_such_game(number)
    disposition = f'inline; filename="{file_name}"'
    return Response(text, mimetype="text/plain", headers={"Content-Disposition": disposition})
