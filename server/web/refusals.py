"""What the HTTP server refuses before the application sees it, as JSON with a plain sentence like every other error."""

import json
from typing import Any

from waitress.channel import HTTPChannel  # type: ignore[import-untyped]
from waitress.task import ErrorTask  # type: ignore[import-untyped]


class PlainRefusal(ErrorTask):  # type: ignore[misc]
    """Answers a request that could not be received whole."""

    def execute(self) -> None:
        """Writes `{"error": sentence}` with the status that fits, and closes the connection."""
        error = self.request.error
        body = json.dumps({"error": refusal(error.code, str(error.body), self.channel.adj)}).encode()
        self.status = f"{error.code} {error.reason}"
        self.response_headers.append(("Content-Type", "application/json"))
        self.response_headers.append(("Cache-Control", "no-store"))
        self.response_headers.append(("Connection", "close"))
        self.close_on_finish = True
        self.content_length = len(body)
        self.write(body)


class Channel(HTTPChannel):  # type: ignore[misc]
    """A connection to a browser that is told in words what was refused."""

    error_task_class = PlainRefusal


def refusal(status: int, seen: str, bounds: Any) -> str:
    """The sentence for a status; `seen` is the server's own word, `bounds` has the sizes it takes in bytes."""
    sentences = {
        413: f"saw a request of {bounds.max_request_body_size} bytes or more; expected one command, which is much "
        "shorter: send one at a time",
        431: f"saw headers of {bounds.max_request_header_size} bytes or more; expected those of a browser: clear this "
        "site's cookies, or send fewer",
        500: "saw a fault inside Kibitz; the game is safe, and the log says more: try again",
        501: "saw a body in a transfer encoding that Kibitz does not read; expected it plain or chunked",
    }
    return sentences.get(
        status, f"saw a request that is not HTTP as Kibitz reads it ({seen}); expected one of a browser"
    )
