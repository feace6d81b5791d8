"""Failures as answers: JSON for programs, a plain page for people, never a traceback."""

import logging

from flask import Flask, Response, jsonify, render_template, request
from werkzeug.exceptions import HTTPException

from server.web.errors import WebError

_log = logging.getLogger(__name__)


def answer_failures(app: Flask) -> None:
    """Every error leaves the app as `{"error": sentence}` or as a page that says the same."""

    @app.errorhandler(WebError)
    def known(error: WebError) -> tuple[Response | str, int]:
        return _answer(str(error), error.status)

    @app.errorhandler(HTTPException)
    def http(error: HTTPException) -> tuple[Response | str, int] | HTTPException:
        status = error.code or 500
        return error if status < 400 else _answer(_sentence(error, status), status)

    @app.errorhandler(Exception)
    def unforeseen(error: Exception) -> tuple[Response | str, int]:
        _log.exception("request %s %s failed", request.method, request.path, exc_info=error)
        return _answer("saw a fault inside Kibitz; the game is safe, and the log says more", 500)


def _sentence(error: HTTPException, status: int) -> str:
    path = request.path[:100]
    methods = " or ".join(sorted(set(getattr(error, "valid_methods", None) or ()) - {"HEAD", "OPTIONS"}))
    sentences = {
        404: f"saw no page at {path}; the live page is at /",
        405: f"saw {request.method[:20]} {path}; expected {methods}",
        413: f"saw a request larger than {request.max_content_length} bytes; expected one command, which is shorter",
        416: f"saw a request for a part that {path} does not have; expected one for the whole: leave out Range",
    }
    seen = f"saw a request for {path} that cannot be answered ({error.name})"
    return sentences.get(status, f"{seen}; expected one as the live page at / sends it")


def _answer(sentence: str, status: int) -> tuple[Response | str, int]:
    for_people = "text/html" in request.headers.get("Accept", "") and not request.path.startswith("/api/")
    return (render_template("failure.html", message=sentence) if for_people else jsonify(error=sentence)), status
