"""Who may command the companion and what a command must look like."""

import json
import socket
import threading
from contextlib import ExitStack, contextmanager
from http.client import HTTPResponse
from types import SimpleNamespace

import pytest

from server.web.app import create_app
from server.web.errors import PortInUse
from server.web.refusals import refusal
from server.web.serving import listen, serve

PIN = {"X-Kibitz-Pin": "2468"}


def _send(browser, body, headers=PIN):
    return browser.post("/api/command", json=body, headers=headers)


def test_a_command_with_the_pin_reaches_the_companion(browser, companion):
    answer = _send(browser, {"do": "new_game", "variant": "english", "mode": "training"})
    assert (answer.status_code, answer.json) == (202, {"number": 8})
    assert companion.commands == [{"do": "new_game", "variant": "english", "mode": "training"}]


@pytest.mark.parametrize("headers", [{}, {"X-Kibitz-Pin": "1111"}, {"X-Kibitz-Pin": ""}, {"X-Kibitz-Pin": "é"}])
def test_a_command_without_the_right_pin_is_refused(browser, companion, headers):
    answer = _send(browser, {"do": "accept"}, headers)
    assert answer.status_code == 401
    assert "PIN" in answer.json["error"]
    assert companion.commands == []


def test_the_pin_entered_once_is_remembered_by_a_signed_cookie(browser, companion):
    assert browser.post("/pin", data={"pin": "2468"}).status_code == 303
    assert _send(browser, {"do": "accept"}, {}).status_code == 202
    companion.pin = "9999"
    assert _send(browser, {"do": "accept"}, {}).status_code == 401


def test_a_wrong_pin_on_the_page_is_said_there(browser):
    answer = browser.post("/pin", data={"pin": "1"})
    assert answer.status_code == 401
    assert "wrong PIN" in answer.text


def test_no_pin_is_needed_where_the_settings_say_so(browser, companion):
    companion.pin = ""
    assert _send(browser, {"do": "accept"}, {}).status_code == 202


def test_guessing_locks_the_door_for_a_minute(companion):
    now = [0.0]
    browser = create_app(companion, clock=lambda: now[0]).test_client()
    for _ in range(10):
        assert _send(browser, {"do": "accept"}, {"X-Kibitz-Pin": "0000"}).status_code == 401
    assert _send(browser, {"do": "accept"}).status_code == 429
    now[0] = 61.0
    assert _send(browser, {"do": "accept"}).status_code == 202


def test_a_page_of_another_site_cannot_command(browser, companion):
    assert _send(browser, {"do": "accept"}, PIN | {"Origin": "http://elsewhere.example"}).status_code == 403
    assert companion.commands == []


@pytest.mark.parametrize(
    ("body", "error"),
    [
        ([], 'saw []; expected an object such as {"do": "take_back"}'),
        ({"do": "take_back", "plies": 0}, "take_back.plies: saw 0; expected a whole number from 1 to 1000"),
        ({"do": "take_back", "plies": True}, "take_back.plies: saw True; expected a whole number from 1 to 1000"),
        ({"do": "choose"}, "choose.candidate: saw nothing; it is needed: one line of text of 1 to 200 characters"),
        ({"do": "settings", "mode": "loud"}, "settings.mode: saw 'loud'; expected one of referee, training, record"),
        ({"do": "new_game", "variant": "go"}, "new_game.variant: saw 'go'; expected one of international, english"),
        ({"do": "accept", "why": 1}, "accept: saw a field 'why'; expected only expected_number"),
        (
            {"do": "new_game", "start": "W:W31:B1", "ballot": "draw"},
            "new_game: saw both a start and a ballot; expected one of them: the ballot begins at the start",
        ),
        ({"do": "hint", "seconds": 1e9}, "hint.seconds: saw 1000000000.0; expected seconds from 0.1 to 60"),
    ],
)
def test_a_wrong_field_is_named_with_what_was_expected(browser, companion, body, error):
    answer = _send(browser, body)
    assert (answer.status_code, answer.json) == (400, {"error": error})
    assert companion.commands == []


@pytest.mark.parametrize("name", [None, 7, "explode", ["accept"]])
def test_an_unknown_command_lists_those_there_are(browser, name):
    answer = _send(browser, {"do": name})
    assert answer.status_code == 400
    assert "expected one of new_game, set_position" in answer.json["error"]


@pytest.mark.parametrize("body", [b"", b"{", b"\xff\xfe", b"[" * 9000])
def test_malformed_json_is_a_400_in_json(browser, body):
    answer = browser.post("/api/command", data=body, headers=PIN, content_type="application/json")
    assert answer.status_code == 400
    assert "not JSON" in answer.json["error"]


def test_a_form_is_not_taken_for_a_command(browser):
    answer = browser.post("/api/command", data={"do": "accept"}, headers=PIN)
    assert answer.status_code == 415
    assert "application/json" in answer.json["error"]


def test_an_overlong_body_is_a_413_in_json(browser):
    answer = browser.post("/api/command", data=b" " * 20_000, headers=PIN, content_type="application/json")
    assert answer.status_code == 413
    assert "larger than 16384 bytes" in answer.json["error"]


def test_of_two_browsers_pressing_at_once_the_second_is_told_to_look_again(browser, companion):
    refused = _send(browser, {"do": "take_back", "expected_number": 6})
    assert refused.status_code == 409
    assert refused.json["error"] == (
        "The game went on meanwhile, so nothing was changed. Look at the board, then press again."
    )
    assert companion.commands == []
    assert _send(browser, {"do": "take_back", "expected_number": 7}).status_code == 202
    assert companion.commands == [{"do": "take_back", "expected_number": 7}]


def test_a_snapshot_that_only_told_of_the_camera_makes_no_press_stale(browser, companion, fake):
    companion.newest = fake.snapshot(number=9, changed=7)
    assert _send(browser, {"do": "take_back", "expected_number": 6}).status_code == 409
    assert _send(browser, {"do": "take_back", "expected_number": 7}).status_code == 202
    assert _send(browser, {"do": "take_back", "expected_number": 9}).status_code == 202
    assert _send(browser, {"do": "take_back", "expected_number": 10}).status_code == 409


def test_a_refusal_of_the_companion_is_handed_on(browser, companion):
    companion.answer = (409, {"error": "saw no irregularity to accept"})
    answer = _send(browser, {"do": "accept"})
    assert (answer.status_code, answer.json) == companion.answer


def test_a_port_in_use_is_said_with_the_cure():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(PortInUse, match="choose --port"):
            listen("127.0.0.1", port)


def test_serving_ends_when_told_to_stop(companion):
    stop = threading.Event()
    stop.set()
    app = create_app(companion)
    serve(app, listen("127.0.0.1", 0), stop)
    assert app.extensions["stopping"].is_set()


@pytest.mark.parametrize("origin", ["http://[::1", "null", "", "//", "http://[zz]/"])
def test_an_origin_that_is_no_address_is_a_foreign_page(browser, origin):
    answer = browser.post("/api/command", json={"do": "accept"}, headers={"Origin": origin, "X-Kibitz-Pin": "1"})
    assert answer.status_code == 403
    assert "saw a request from a page of" in answer.json["error"]


@pytest.mark.parametrize("command", ["tags", "new_game"])
@pytest.mark.parametrize("name", ["Result", "GameType", "FEN", "SetUp", "result"])
def test_tags_that_follow_from_the_game_are_no_tags_to_edit(browser, companion, command, name):
    answer = _send(browser, {"do": command, "tags": {"White": "Ada", name: "1-0"}})
    assert answer.status_code == 400
    assert "commands of their own" in answer.json["error"]
    assert companion.commands == []


@pytest.mark.parametrize(
    "host", ["127.0.0.1:8000", "localhost:8000", "[::1]:8000", "club-pi", "pi.local:80", "PI.LAN."]
)
def test_without_a_pin_the_names_of_this_network_are_answered(browser, companion, host):
    companion.pin = ""
    assert browser.get("/api/state", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize("path", ["/", "/api/state", "/api/picture.jpg"])
def test_without_a_pin_a_name_of_the_internet_is_not_answered(browser, companion, path):
    companion.pin = ""
    answer = browser.get(path, headers={"Host": "rebound.example:8000"})
    assert answer.status_code == 403
    companion.pin = "2468"
    assert browser.get(path, headers={"Host": "rebound.example:8000"}).status_code == 200


@contextmanager
def _served(companion):
    """The address of a server that runs as long as it is looked at."""
    stop, listener = threading.Event(), listen("127.0.0.1", 0)
    serving = threading.Thread(target=serve, args=(create_app(companion), listener, stop))
    serving.start()
    try:
        yield listener.getsockname()
    finally:
        stop.set()
        serving.join()


PIECE = b"1000\r\n" + b" " * 4096 + b"\r\n"
REFUSED = {
    "a body larger than any command": (b"POST /api/command HTTP/1.1\r\nContent-Length: 1000000000\r\n\r\n", 413),
    "pieces without end": (
        b"POST /api/command HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n" + PIECE * 16,
        413,
    ),
    "a length that is none": (b"POST /api/command HTTP/1.1\r\nContent-Length: -5\r\n\r\n", 400),
    "a header that is none": (b"GET /api/state HTTP/1.1\r\nno header\r\n\r\n", 400),
    "headers without end": (b"GET /api/state HTTP/1.1\r\nX: " + b"x" * 262_144, 431),
    "an address without end": (b"GET /" + b"x" * 262_144, 431),
}


@pytest.mark.parametrize("status", [400, 413, 431, 500, 501, 505])
def test_whatever_the_server_refuses_has_a_sentence(status):
    said = refusal(status, "Bad", SimpleNamespace(max_request_body_size=1, max_request_header_size=2))
    assert said.startswith("saw ")
    assert "; " in said


@pytest.mark.parametrize(("request_", "status"), REFUSED.values(), ids=REFUSED)
def test_what_is_refused_before_it_is_read_is_refused_in_json_and_in_words(companion, request_, status):
    with _served(companion) as address, socket.create_connection(address, timeout=20) as connection:
        connection.sendall(request_)
        answer = HTTPResponse(connection)
        answer.begin()
        assert answer.status == status
        assert answer.headers["Content-Type"] == "application/json"
        said = json.loads(answer.read())["error"]
        assert said.startswith("saw ")
        assert "expected" in said


@pytest.mark.parametrize(
    ("path", "asked", "status"),
    [
        ("/api/games", {"method": "DELETE"}, 405),
        ("/api/nowhere", {}, 404),
        ("/static/icon.svg", {"headers": {"Range": "bytes=99999-"}}, 416),
        ("/api/command", {"method": "POST", "headers": PIN, "data": "{}", "content_type": "text/csv"}, 415),
        ("/api/command", {"method": "POST", "headers": PIN, "content_type": "application/json"}, 400),
        ("/api/command", {"method": "POST", "headers": PIN | {"Host": "["}, "json": {"do": "fly"}}, 400),
    ],
)
def test_every_refusal_is_json_with_a_plain_sentence(browser, path, asked, status):
    answer = browser.open(path, **asked)
    assert answer.status_code == status
    assert answer.json["error"].startswith(("saw ", "do: saw "))


def test_many_connections_that_ask_for_nothing_keep_nobody_out(companion):
    with _served(companion) as address, ExitStack() as open_ones:
        for _ in range(150):
            idle = open_ones.enter_context(socket.create_connection(address, timeout=20))
            idle.sendall(b"GET /api/state HTTP/1.1\r\n")
        asking = open_ones.enter_context(socket.create_connection(address, timeout=20))
        asking.sendall(b"GET /api/state HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert asking.recv(12) == b"HTTP/1.1 200"
