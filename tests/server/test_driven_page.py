"""What people see and press on the dashboard, in a real browser; skipped where none is installed."""

import threading
from contextlib import contextmanager

import pytest

from rules.variants.catalogue import variant_named
from server.runtime.view import board_view, game_view, settings_view
from server.session.state import new_state, terms_for
from server.web.app import create_app
from server.web.serving import listen, serve
from tests.support.driven_page import driven_page
from tests.support.fake_companion import FakeCompanion, snapshot

WINDOWS = [(1280, 800), (1366, 768), (1920, 1080)]


class Shelf(FakeCompanion):
    """Three games: the live one, one that was cut short, and one that was won."""

    def __init__(self, **changes):
        super().__init__(**changes)
        self.newest["game"] = 5
        self.events = []

    def wait_for(self, number, timeout):
        threading.Event().wait(timeout)

    def games(self):
        game = {"variant": "international", "started": 1.7e9, "plies": 3, "result": None, "tags": {}}
        german = {"game": 4, "simulated": True, "variant": "german+takes-backward"}
        won = {"game": 3, "result": "2-0", "plies": 1, "tags": {"White": "Anna", "Black": "Bela"}}
        return [game | {"game": 5}, game | german, game | won]

    def game(self, number):
        found = next((game for game in self.games() if game["game"] == number), None)
        return None if found is None else found | {"events": self.events}


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    with driven_page(tmp_path_factory.mktemp("profile")) as page:
        yield page


@contextmanager
def served(companion):
    stop, listener = threading.Event(), listen("127.0.0.1", 0)
    app = create_app(companion, heartbeat_seconds=0.2)
    serving = threading.Thread(target=serve, args=(app, listener, stop))
    serving.start()
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}/"
    finally:
        stop.set()
        serving.join()


def opened(page, address, *size):
    page.open(address, *size)
    page.until("document.querySelector('#board').childElementCount > 5 && !document.querySelector('#hint').disabled")


def start_of(name, **changes):
    state = new_state(terms_for(variant_named(name)))
    shown = game_view(state) | {"board": board_view(state.terms.variant), "settings": settings_view(state, "")}
    return snapshot() | shown | changes


def test_past_games_are_listed_opened_and_left_again(page):
    shelf = Shelf()
    shelf.events = [
        {"number": 1, "type": "ready"},
        {"number": 2, "type": "move", "ply": 1, "move": "32-28", "pictures": ["after"]},
        {"number": 3, "type": "violation", "message": "A capture was due.", "kind": "missed_capture"},
        {"number": 4, "type": "resolved", "kind": "missed_capture", "how": "accepted"},
        {"number": 5, "type": "takeback", "plies": 1, "moves": ["32-28"]},
        {"number": 6, "type": "result", "result": "2-0", "reason": "Black resigned"},
        {"number": 7, "type": "result", "result": "*", "reason": "entered by hand"},
    ]
    with served(shelf) as address:
        opened(page, address)
        page.click("button", "Past games")
        page.until("document.querySelectorAll('#games-body tr').length === 3")
        live, cut_short, won = page.run("[...document.querySelectorAll('#games-body tr')].map((row) => row.innerText)")
        assert "being played" in live
        assert "not finished" in cut_short
        assert "simulated" in cut_short
        assert "german, takes backward" in cut_short.lower()
        assert "Anna – Bela" in won
        assert "2-0" in won
        assert "1 move" in won
        page.click("#games-body button", "Game 3")
        page.until("document.querySelector('#games-body .event')")
        told = page.text("#games-body")
        for words in (
            "Game 3: International draughts, Anna – Bela",
            "The board was set up.",
            "1. 32-28",
            "A capture was due.",
            "Missed capture: let stand.",
            "Taken back: 32-28.",
            "Result 2-0: Black resigned",
            "The game goes on.",
        ):
            assert words in told
        links = page.run("[...document.querySelectorAll('#games-body .links a')].map((a) => a.getAttribute('href'))")
        assert links == ["/games/3.pdn", "/games/3.pdn?form=full", "/api/games/3"]
        page.click("#games-body button", "Back to the list")
        page.until("document.querySelectorAll('#games-body tr').length === 3")


def test_a_list_of_games_that_cannot_be_had_is_said(page, monkeypatch):
    shelf = Shelf()
    monkeypatch.setattr(shelf, "games", lambda: 1 / 0)
    with served(shelf) as address:
        opened(page, address)
        page.click("button", "Past games")
        said = page.until("document.querySelector('#games-body .problem')?.innerText")
        assert "the game is safe" in said


def test_a_fault_is_drawn_as_the_board_stands_with_what_was_played_and_what_was_due(page):
    shown = start_of("english")
    index = {point["name"]: k for k, point in enumerate(shown["board"]["points"])}
    seen = list(shown["pieces"])
    seen[index["9"]], seen[index["13"]] = ".", "b"
    fault = {
        "kind": "missed_capture",
        "squares": ["9", "13"],
        "due": ["11x18"],
        "ways": [{"path": ["11", "18"], "over": ["15"]}],
        "seen": seen,
        "played": ["9", "13"],
        "message": "A capture was due.",
    }
    with served(Shelf(**(shown | {"irregularity": fault}))) as address:
        opened(page, address)
        titles = "[...document.querySelectorAll('#board g:not(.gone) > title')].map((t) => t.textContent)"
        assert "13: black man" in page.run(titles)
        assert "9: black man" not in page.run(titles)
        assert page.run("document.querySelector('#board .gone title').textContent") == "9: black man"
        assert page.run("document.querySelectorAll('#board .arrow.played').length") == 1
        assert page.run("document.querySelectorAll('#board .arrow.due-way').length") == 1


def test_a_move_that_is_right_in_itself_is_not_drawn_as_the_fault(page):
    shown = start_of("english")
    index = {point["name"]: k for k, point in enumerate(shown["board"]["points"])}
    seen = list(shown["pieces"])
    seen[index["9"]], seen[index["13"]], seen[index["1"]] = ".", "b", "."
    fault = {"kind": "wrong_removed", "squares": ["1"], "due": [], "ways": [], "seen": seen, "played": ["9", "13"]}
    with served(Shelf(**(shown | {"irregularity": fault | {"message": "The disc on 1 was not captured."}}))) as address:
        opened(page, address)
        assert page.run("document.querySelectorAll('#board .arrow.played').length") == 0
        assert page.run("document.querySelectorAll('#board .way').length") == 1
        assert page.run("document.querySelector('#board .gone title').textContent") == "1: black man"
        assert page.run("document.querySelector('#board .left title').textContent") == "9: black man"


@pytest.mark.parametrize("asked_here", [True, False])
def test_a_hint_is_drawn_as_an_arrow_in_the_position_it_was_asked_in(page, asked_here):
    shown = start_of("english", mode="training", ply=0)
    hint = {"move": "11-15", "line": ["11-15"], "score": 0.0, "depth": 3, "ply": 0}
    hint |= {"fen": shown["fen"] if asked_here else "another", "way": {"path": ["11", "15"], "over": []}}
    with served(Shelf(**(shown | {"hint": hint}))) as address:
        opened(page, address)
        assert page.run("document.querySelectorAll('#board .arrow.hint-way').length") == int(asked_here)
        assert page.run("!document.querySelector('#hint-text').hidden") is asked_here


@pytest.mark.parametrize("name", ["international", "english", "honeycomb", "alquerque", "fighting-serpents"])
def test_the_desktop_page_never_scrolls_and_names_can_be_read_on_a_telephone(page, name):
    with served(Shelf(**start_of(name))) as address:
        for size in WINDOWS:
            opened(page, address, *size)
            over = "document.documentElement.scrollHeight - innerHeight"
            assert page.run(over) <= 0, size
        opened(page, address, 390, 844)
        assert page.run("document.documentElement.scrollWidth") <= 390
        scale = "document.querySelector('#board').getScreenCTM().a"
        assert (
            page.run(f"parseFloat(document.querySelector('#board .label').getAttribute('font-size')) * {scale}") >= 10
        )


def test_the_list_of_moves_gives_way_to_a_fault_and_a_clock_and_keeps_the_newest_move_in_view(page):
    fault = {"kind": "missed_capture", "squares": [], "due": [], "ways": [], "message": "A capture was due. " * 5}
    clock = {"W": 300.0, "B": 300.0, "running": None, "wait": 0.0, "driver": "moves"}
    shown = start_of("english", moves=["9-14", "22-18"] * 30, irregularity=fault, clock=clock)
    with served(Shelf(**shown)) as address:
        for size in WINDOWS:
            opened(page, address, *size)
            page.until("document.querySelector('#irregularity').checkVisibility()")
            assert page.run("document.documentElement.scrollHeight - innerHeight") <= 0, size
            below = "document.querySelector('.newest').getBoundingClientRect().bottom"
            page.until(f"{below} <= document.querySelector('#moves').getBoundingClientRect().bottom")


@pytest.mark.parametrize("size", ["", "large", "huge"])
def test_no_dialog_scrolls_sideways_on_a_telephone_and_the_editor_needs_no_scrolling(page, size):
    with served(Shelf(**start_of("international"))) as address:
        opened(page, address)
        page.run(f"localStorage.setItem('size', '{size}')")
        try:
            opened(page, address, 390, 844)
            for name in ("editor", "clock-form", "new-game", "ending", "settings", "players-form", "correct"):
                page.click(f"button[data-open={name}]")
                here = f"[document.getElementById('{name}'), ...document.querySelectorAll('#{name} div, #{name} form')]"
                wide = f"{here}.filter((it) => it.scrollWidth > it.clientWidth + 1).map((it) => it.className || it.id)"
                assert page.run(wide) == []
                if name == "editor" and not size:
                    assert page.run("editor.scrollHeight - editor.clientHeight") <= 0
                page.run(f"document.getElementById('{name}').close()")
        finally:
            page.run("localStorage.removeItem('size')")


@pytest.mark.parametrize(("squares", "words"), [(["11"], "take the disc off 11"), (["10", "11"], "the disc on 11")])
def test_which_disc_is_huffed_is_chosen_by_a_button_for_each(page, squares, words):
    fault = {"kind": "missed_capture", "squares": [], "due": [], "ways": [], "message": "Due.", "huff": squares}
    companion = Shelf(pin="", **start_of("english", irregularity=fault))
    with served(companion) as address:
        opened(page, address)
        page.until(f"document.querySelectorAll('#huff button').length === {len(squares)}")
        page.click("#huff button", words)
        for _ in range(50):
            if companion.commands:
                break
            page.run("fetch('/api/state').then(() => 1)")
        assert companion.commands[0] | {"expected_number": 0} == {"do": "huff", "square": "11", "expected_number": 0}


@pytest.mark.parametrize(("name", "discs"), [("alquerque", 2), ("fighting-serpents", 2), ("english", 4)])
def test_the_editor_offers_kings_only_in_games_that_have_them(page, name, discs):
    shown = start_of(name)
    seen = {"pieces": ["W"] + ["."] * (len(shown["pieces"]) - 1), "unsure": [], "fen": None, "corners": []}
    companion = Shelf(**shown)
    companion.seen = lambda: seen
    with served(companion) as address:
        opened(page, address)
        page.click("button[data-open=editor]")
        page.until(f"document.querySelectorAll('#palette svg').length === {discs}")
        page.click("#editor-camera")
        page.until("document.querySelectorAll('#editor-board .crown').length === " + str(int(discs == 4)))


def test_writing_made_huge_leaves_the_board_large(page):
    with served(Shelf(**start_of("english"))) as address:
        opened(page, address)
        page.run("localStorage.setItem('size', 'huge')")
        try:
            opened(page, address)
            assert page.run("document.querySelector('#board').clientHeight") > 600
            assert page.run("document.documentElement.scrollWidth - innerWidth") <= 0
        finally:
            page.run("localStorage.removeItem('size')")
