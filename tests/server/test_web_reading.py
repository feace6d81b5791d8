"""What anyone may read: the page, the state, pictures, games."""

import json

import pytest

from server.web.app import create_app


def test_the_page_needs_nothing_from_elsewhere(browser):
    page = browser.get("/")
    assert page.status_code == 200
    assert "https://" not in page.text
    assert page.headers["Content-Security-Policy"].startswith("default-src 'self'")


def test_the_state_is_the_newest_snapshot_and_never_cached(browser, companion):
    answer = browser.get("/api/state")
    assert answer.json == json.loads(json.dumps(companion.newest))
    assert answer.headers["Cache-Control"] == "no-store"


def test_the_picture_comes_with_and_without_overlay(browser, companion):
    assert browser.get("/api/picture.jpg").data == companion.jpeg
    assert browser.get("/api/picture.jpg?overlay=1").data.endswith(b"overlay")
    assert browser.get("/api/picture.jpg").mimetype == "image/jpeg"


def test_without_a_picture_the_answer_says_so(browser, companion):
    companion.jpeg = None
    answer = browser.get("/api/picture.jpg")
    assert answer.status_code == 503
    assert "camera" in answer.json["error"]


def test_games_are_listed_and_read_one_by_one(browser):
    assert browser.get("/api/games").json[0]["game"] == 3
    assert browser.get("/api/games/3").json["events"] == [{"type": "move"}]


@pytest.mark.parametrize("path", ["/api/games/9", "/games/9.pdn", "/api/nowhere"])
def test_what_is_not_there_is_a_404_in_json(browser, path):
    answer = browser.get(path)
    assert answer.status_code == 404
    assert answer.json["error"].startswith("saw no ")


@pytest.mark.parametrize("path", ["/games/3.pdn", "/live.pdn"])
def test_pdn_comes_in_both_forms(browser, path):
    assert "{strict}" in browser.get(path).text
    assert "{full}" in browser.get(path + "?form=full").text
    assert browser.get(path + "?form=loose").json["error"] == "form: saw 'loose'; expected strict or full"


def test_a_wrong_method_is_a_405_in_json(browser):
    answer = browser.get("/api/command")
    assert answer.status_code == 405
    assert answer.json["error"] == "saw GET /api/command; expected POST"


def test_a_fault_inside_shows_no_traceback(browser, companion, monkeypatch):
    monkeypatch.setattr(companion, "games", lambda: 1 / 0)
    answer = browser.get("/api/games")
    assert answer.status_code == 500
    assert "inside Kibitz" in answer.json["error"]
    assert "ZeroDivision" not in answer.text


def _events(browser, count, **headers):
    stream = browser.get("/api/events", headers=headers, buffered=False)
    blocks = stream.iter_encoded()
    texts = [next(blocks).decode() for _ in range(count + 1)][1:]
    stream.close()
    return texts


def test_a_new_stream_begins_with_the_newest_snapshot(browser):
    (event,) = _events(browser, 1)
    kind, number, data, *_ = event.split("\n")
    assert (kind, number) == ("event: snapshot", "id: 7")
    assert json.loads(data.removeprefix("data: "))["number"] == 7


def test_a_stream_goes_on_after_the_event_seen_last(browser, companion, fake):
    companion.queue = [None, fake.snapshot(number=9)]
    quiet, beat, event = _events(browser, 3, **{"Last-Event-ID": "7"})
    assert quiet.startswith(":")
    assert beat.startswith(":")
    assert "id: 9\n" in event
    assert companion.waited_for == [8, 8]


@pytest.mark.parametrize("seen", ["5", "99", "nonsense"])
def test_a_stream_that_missed_something_gets_the_newest_at_once(browser, seen):
    assert "id: 7\n" in _events(browser, 1, **{"Last-Event-ID": seen})[0]


def test_streams_are_bounded_and_a_closed_one_gives_its_seat_back(companion):
    browser = create_app(companion, heartbeat_seconds=0, stream_seats=1).test_client()
    first = browser.get("/api/events", buffered=False)
    refused = browser.get("/api/events", buffered=False)
    assert refused.status_code == 503
    assert "close one" in refused.json["error"]
    first.close()
    again = browser.get("/api/events", buffered=False)
    assert again.status_code == 200
    again.close()


def test_streams_end_when_the_server_stops(companion):
    app = create_app(companion, heartbeat_seconds=0)
    app.extensions["stopping"].set()
    assert app.test_client().get("/api/events").text == "retry: 2000\n\n"


@pytest.mark.parametrize(
    "path",
    ["/api/games/99999999999999999999", "/games/99999999999999999999.pdn", f"/api/games/1/events/{2**63}/after.jpg"],
)
def test_a_number_too_large_for_any_journal_is_a_404(browser, path):
    answer = browser.get(path)
    assert answer.status_code == 404
    assert answer.json["error"].startswith("saw no page")
