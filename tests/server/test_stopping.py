"""Kibitz is told to stop: it says so, and live pages end by themselves instead of being waited for."""

import http.client
import threading

from server.cli.main import main
from server.cli.serve import _ending
from server.web.app import create_app
from server.web.serving import listen, serve


def test_a_live_page_ends_at_once_and_whole_when_kibitz_stops(tmp_path, table, capsys):
    companion = table.companion_at(tmp_path)
    app = create_app(companion, heartbeat_seconds=1000.0)
    listener = listen("127.0.0.1", 0)
    port = listener.getsockname()[1]
    serving = threading.Thread(
        target=serve, args=(app, listener, companion.stopping, lambda: _ending(companion)), daemon=True
    )
    serving.start()
    page = http.client.HTTPConnection("127.0.0.1", port)
    page.request("GET", "/api/events")
    answer = page.getresponse()
    while not answer.readline().startswith(b"data: "):
        pass
    companion.stopping.set()
    rest = answer.read()  # raises IncompleteRead if the page was cut off
    serving.join()
    companion.stop()
    page.close()
    assert b"event: snapshot" not in rest
    assert "stopping" in capsys.readouterr().err


def test_a_recording_without_its_game_is_refused_with_the_games_there_are(tmp_path, capsys):
    assert main(["replay", str(tmp_path)]) == 2
    said = capsys.readouterr().err
    assert "usage:" not in said
    assert "--variant english" in said
    assert "turkish" in said
