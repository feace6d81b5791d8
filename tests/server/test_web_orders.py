"""Every command of the contract over HTTP, to a running companion whose camera shows nothing of use."""

import json
import threading

import pytest

from server.web.app import create_app
from server.web.commands import COMMANDS

PIN = {"X-Kibitz-Pin": "2468"}


@pytest.fixture
def running(tmp_path, table):
    companion = table.companion_at(tmp_path)
    companion.start()
    yield companion
    companion.stop()


@pytest.fixture
def looking(tmp_path, table):
    """A companion whose camera has shown one grey picture without a board."""
    companion = table.companion_at(tmp_path, pictures=1)
    companion.start()
    assert companion.wait_for(2, 20.0)
    yield create_app(companion, heartbeat_seconds=0).test_client()
    companion.stop()


@pytest.fixture
def site(running):
    return create_app(running, heartbeat_seconds=0).test_client()


def order(site, do, **fields):
    return site.post("/api/command", json={"do": do, **fields}, headers=PIN)


def shown(site, do, **fields):
    """The state from which a command shows, once it was taken."""
    answer = order(site, do, **fields)
    assert answer.status_code == 202, answer.json
    state = site.get("/api/state").json
    assert state["number"] >= answer.json["number"]
    return state


def journalled(site):
    state = site.get("/api/state").json
    return [event["type"] for event in site.get(f"/api/games/{state['game']}").json["events"]]


def after_moves(site, *moves):
    for move in moves:
        state = shown(site, "choose", candidate=move)
    return state


def test_new_game_begins_the_game_that_was_asked_for(site):
    tags = {"White": "Anna", "Black": "Ben"}
    state = shown(site, "new_game", variant="turkish", mode="training", house="huff", first="dark", tags=tags)
    assert (state["variant"], state["mode"], state["settings"]["house"]) == ("turkish", "training", "huff")
    assert (state["game"], state["moves"], state["tags"]) == (2, [], tags)
    assert len(site.get("/api/games").json) == 2
    assert [site.get(f"/api/games/{n}").json["terms"]["begun"] for n in (1, 2)] == ["by_itself", "asked"]


def test_new_game_may_begin_in_the_middle(site):
    state = shown(site, "new_game", start="W:WK10,21:B5,K30")
    assert state["to_move"] == "W"
    assert state["pieces"].count("W") == state["pieces"].count("B") == 1
    assert '[FEN "W:' in site.get("/live.pdn").text


def test_set_position_puts_the_board_up_and_the_record_keeps_what_was_before(site):
    after_moves(site, "9-13")
    state = shown(site, "set_position", fen="B:W21,22:B1,2")
    assert (state["fen"], state["moves"], state["to_move"]) == ("B:W21,22:B1,2", [], "B")
    assert journalled(site)[-2:] == ["move", "position_set"]
    assert "9-13" in site.get("/live.pdn?form=full").text


def test_take_back_takes_as_many_plies_as_asked(site):
    after_moves(site, "9-13", "22-18", "11-15")
    assert shown(site, "take_back")["moves"] == ["9-13", "22-18"]
    assert shown(site, "take_back", plies=2)["moves"] == []
    assert order(site, "take_back").status_code == 409


def test_replace_move_puts_another_move_in_the_place_of_a_misread_one(site):
    after_moves(site, "9-13", "22-18", "11-15")
    assert site.get("/api/legal?ply=2").json["moves"].count("24-19") == 1
    assert shown(site, "replace_move", ply=2, move="24-19")["moves"] == ["9-13", "24-19"]
    assert shown(site, "replace_move", move="23-19")["moves"] == ["9-13", "23-19"]
    assert journalled(site)[-2:] == ["takeback", "move"]


def test_a_move_cannot_be_replaced_by_itself(site):
    after_moves(site, "9-13", "22-18", "11-15")
    for ply, move in ((3, "11-15"), (2, "22-18")):
        answer = order(site, "replace_move", ply=ply, move=move)
        assert answer.status_code == 409
        assert f"the record has {move} already" in answer.json["error"]
    assert site.get("/api/state").json["moves"] == ["9-13", "22-18", "11-15"]


def test_moves_before_a_position_was_put_up_count_in_the_list_of_games(site):
    after_moves(site, "9-13", "22-18", "11-15")
    shown(site, "take_back")
    shown(site, "set_position", fen="B:W21,22:B1,2")
    assert [game["plies"] for game in site.get("/api/games").json] == [2]
    after_moves(site, "1-5")
    shown(site, "set_position", fen="B:W21,22:B1,3")
    after_moves(site, "1-5", "22-18")
    shown(site, "take_back")
    assert [game["plies"] for game in site.get("/api/games").json] == [4]


def test_choose_records_a_legal_move_and_refuses_another(site):
    assert after_moves(site, "9-13")["last_move"] == ["9", "13"]
    refused = order(site, "choose", candidate="1-32")
    assert refused.status_code == 409
    assert "1-32" in refused.json["error"]
    assert site.get("/api/state").json["moves"] == ["9-13"]


@pytest.mark.parametrize("do", ["accept", "dismiss", "huff", "refuse_draw", "accept_draw"])
def test_where_nothing_stands_there_is_nothing_to_decide(site, do):
    number = site.get("/api/state").json["number"]
    answer = order(site, do)
    assert answer.status_code == 409
    assert answer.json["error"]
    assert site.get("/api/state").json["number"] == number


def test_a_draw_is_offered_refused_offered_again_and_agreed(site):
    assert shown(site, "offer_draw", side="W")["draw_offer"] == "W"
    assert shown(site, "refuse_draw")["draw_offer"] is None
    shown(site, "offer_draw", side="B")
    state = shown(site, "accept_draw")
    assert state["result"] == state["results"]["draw"]
    assert journalled(site) == ["draw_offer", "draw_offer", "draw_offer", "result"]


@pytest.mark.parametrize(("side", "winner"), [("W", "B"), ("B", "W"), ("light", "B"), ("dark", "W")])
def test_who_resigns_loses(site, side, winner):
    state = shown(site, "resign", side=side)
    assert state["result"] == state["results"][winner]


def test_the_arbiter_enters_a_result_and_takes_it_off_again(site):
    assert shown(site, "result", result="0-1", reason="did not come")["result"] == "0-1"
    assert '[Result "0-1"]' in site.get("/live.pdn").text
    assert shown(site, "result", result="*")["result"] is None


def test_tags_are_written_down_and_an_empty_one_is_taken_off(site):
    assert shown(site, "tags", tags={"White": "Anna", "Event": "Club"})["tags"] == {"White": "Anna", "Event": "Club"}
    assert shown(site, "tags", tags={"Event": ""})["tags"] == {"White": "Anna"}
    assert '[White "Anna"]' in site.get("/live.pdn").text


def test_settings_change_the_mode_and_the_house_rule_of_the_game(site):
    state = shown(site, "settings", mode="record", house="huff")
    assert (state["mode"], state["settings"]["house"]) == ("record", "huff")
    assert journalled(site) == ["settings"]


def test_the_clock_is_set_started_pressed_given_time_paused_and_taken_away(site):
    state = shown(site, "clock", action="set", white_minutes=10, black_minutes=5, bonus_seconds=3, driver="presses")
    assert (state["clock"]["W"], state["clock"]["B"], state["clock"]["running"]) == (600.0, 300.0, None)
    assert shown(site, "clock", action="start")["clock"]["running"] == "B"
    assert shown(site, "clock", action="press", side="B")["clock"]["running"] == "W"
    given = shown(site, "clock", action="give", side="B", seconds_left=77)
    assert given["clock"]["B"] == 77.0
    assert shown(site, "clock", action="pause")["clock"]["running"] is None
    assert shown(site, "clock", action="off")["clock"] is None
    assert journalled(site)[-1] == "clock_off"
    assert order(site, "clock", action="press").status_code == 409


def test_a_ballot_is_drawn_and_its_next_ply_is_told(site):
    state = shown(site, "new_game", ballot="9-13 22-18 10-15")
    assert state["ballot"] == "The ballot is 9-13 22-18 10-15; next is 9-13."
    assert after_moves(site, "9-13", "22-18")["ballot"].endswith("next is 10-15.")
    assert "this was 11-15" in after_moves(site, "11-15")["ballot"]
    drawn = shown(site, "new_game", ballot="draw")
    assert len(drawn["tags"]["Ballot"].split()) == 3
    assert order(site, "new_game", ballot="1-2 3-4").status_code == 409
    assert order(site, "new_game", variant="turkish", ballot="draw").status_code == 409


def test_touch_move_is_a_setting_that_a_restart_keeps(site, running, tmp_path, table):
    assert shown(site, "settings", touch=True)["settings"]["touch"] is True
    running.stop()
    again = table.companion_at(tmp_path)
    assert again.snapshot()["settings"]["touch"] is True
    again.stop()


def test_calibrate_says_why_a_board_is_not_found(looking):
    answer = order(looking, "calibrate")
    assert answer.status_code == 409
    assert "saw" in answer.json["error"]
    twisted = order(looking, "calibrate", corners=[[0, 0], [1, 1], [2, 2], [3, 3]])
    assert twisted.status_code == 409
    assert twisted.json["error"]
    assert looking.get("/api/seen").status_code == 503


def test_a_hexagon_is_marked_by_its_six_corners(tmp_path, table):
    companion = table.companion_at(tmp_path, variant="honeycomb", pictures=1)
    companion.start()
    assert companion.wait_for(2, 20.0)
    site = create_app(companion, heartbeat_seconds=0).test_client()
    six = [[120, 20], [220, 20], [280, 120], [220, 220], [120, 220], [60, 120]]
    answers = [order(site, "calibrate", corners=six[:count]) for count in (4, 5, 6)]
    companion.stop()
    assert [answer.status_code for answer in answers[:2]] == [409, 400]
    assert "six" in answers[0].json["error"]
    assert "a hexagon's six" in answers[1].json["error"]
    assert answers[2].status_code == 202 or "six" not in answers[2].json["error"]
    assert answers[2].status_code != 400


def test_only_the_simulated_game_can_be_paused(site):
    answer = order(site, "simulated", paused=True)
    assert answer.status_code == 409
    assert "real board" in answer.json["error"]
    assert "paused" not in site.get("/api/state").json["camera"]


def test_calibrate_without_any_picture_says_so(site):
    answer = order(site, "calibrate")
    assert answer.status_code == 409
    assert "no picture" in answer.json["error"]


def test_hint_is_given_in_training_alone(site, running):
    refused = order(site, "hint", seconds=0.1)
    assert refused.status_code == 409
    assert "training" in refused.json["error"]
    shown(site, "settings", mode="training")
    number = order(site, "hint", seconds=0.1).json["number"]
    found = running.wait_for(number, 60.0)
    assert found["hint"]["move"] in site.get("/api/legal").json["moves"]
    assert found["hint"]["fen"] == found["fen"]
    assert found["hint"]["move"].startswith(found["hint"]["way"]["path"][0])
    shown(site, "new_game")
    assert site.get("/api/state").json["hint"] is None


def test_where_it_is_wanted_training_hints_at_every_move_unasked_and_a_restart_keeps_that(
    site, running, tmp_path, table
):
    state = shown(site, "settings", mode="training", always_hint=True)
    assert state["settings"]["always_hint"] is True
    for move in ("11-15", "22-18"):
        here = after_moves(site, move)["fen"]
        while (site.get("/api/state").json["hint"] or {"fen": ""})["fen"] != here:
            assert running.wait_for(running.snapshot()["number"] + 1, 20.0)
    running.stop()
    again = table.companion_at(tmp_path)
    assert again.snapshot()["settings"]["always_hint"] is True
    again.stop()


def test_no_hint_is_given_once_the_game_is_over(site):
    shown(site, "settings", mode="training")
    shown(site, "result", result="1-0")
    assert order(site, "hint").status_code == 409


def test_every_command_takes_the_newest_number_and_refuses_an_older_one(site):
    number = site.get("/api/state").json["number"]
    shown(site, "choose", candidate="9-13")
    stale = order(site, "take_back", expected_number=number)
    assert stale.status_code == 409
    assert "press again" in stale.json["error"]
    assert site.get("/api/state").json["moves"] == ["9-13"]


def test_two_browsers_pressing_at_once_move_the_game_once(running):
    """Both have seen the same snapshot; whoever comes second is told to look again."""
    app = create_app(running, heartbeat_seconds=0)
    number = running.snapshot()["number"]
    together, answers = threading.Barrier(2), []

    def press():
        browser = app.test_client()
        together.wait()
        answers.append(order(browser, "choose", candidate="9-13", expected_number=number).status_code)

    presses = [threading.Thread(target=press) for _ in range(2)]
    for thread in presses:
        thread.start()
    for thread in presses:
        thread.join()
    assert sorted(answers) == [202, 409]
    assert running.snapshot()["moves"] == ["9-13"]


def test_of_presses_that_passed_the_door_together_only_the_first_takes_back(running):
    """The web threads all saw the same snapshot; the companion sees that the game has gone on."""
    for text in ("9-13", "24-20"):
        assert running.command({"do": "choose", "candidate": text})[0] == 202
    number = running.snapshot()["number"]
    press = {"do": "take_back", "expected_number": number}
    assert [running.command(press)[0] for _ in range(3)] == [202, 409, 409]
    assert running.snapshot()["moves"] == ["9-13"]


BAD = [None, 7, True, -1, 1e400, "", " ", "x" * 5000, "\n", "\x00", [], {}, [[]], {"a": {}}, "💣"]


@pytest.mark.parametrize("do", sorted(COMMANDS))
def test_nothing_that_is_sent_in_a_field_breaks_the_companion(site, do):
    """Nonsense is refused with a sentence; what is in order may be taken or refused, but never fails inside."""
    for field in COMMANDS[do]:
        for value in BAD:
            body = json.dumps({"do": do, field.name: value})
            answer = site.post("/api/command", data=body, headers=PIN, content_type="application/json")
            assert answer.status_code in (202, 400, 409, 413), (do, field.name, value)
            assert answer.status_code == 202 or answer.json["error"]
    unknown = order(site, do, nonsense=1)
    assert unknown.status_code == 400
    assert "nonsense" in unknown.json["error"]
    assert site.get("/api/state").status_code == 200


@pytest.mark.parametrize("ply", ["0", "-1", "x", "99", "1e3", "999999999999"])
def test_legal_moves_of_a_ply_that_is_not_there_are_refused(site, ply):
    answer = site.get(f"/api/legal?ply={ply}")
    assert answer.status_code in (400, 404)
    assert "ply" in answer.json["error"]


def test_pictures_of_events_are_served_and_others_are_a_404(looking):
    site = looking
    after_moves(site, "9-13")
    game = site.get("/api/games/1").json
    assert "after" in game["events"][-1]["pictures"]
    answer = site.get(f"/api/games/1/events/{len(game['events'])}/after.jpg")
    assert answer.mimetype == "image/jpeg"
    assert answer.data.startswith(b"\xff\xd8")
    assert site.get("/api/games/1/events/77/after.jpg").status_code == 404
    assert site.get("/api/games/9/events/1/before.jpg").status_code == 404
    assert site.get("/api/games/1/events/1/sideways.jpg").status_code == 404


def test_the_record_on_a_disk_that_fails_is_said_in_the_snapshot(tmp_path, table):
    (tmp_path / "data").write_text("no folder")
    companion = table.companion_at(tmp_path / "data")
    companion.start()
    browser = create_app(companion, heartbeat_seconds=0).test_client()
    state = shown(browser, "choose", candidate="9-13")
    companion.stop()
    assert state["moves"] == ["9-13"]
    assert not state["record"]["ok"]
    assert "--data" in state["record"]["message"]
    assert "9-13" in browser.get("/live.pdn").text


def test_a_started_again_companion_shows_the_game_it_had(tmp_path, table):
    companion = table.companion_at(tmp_path)
    companion.start()
    after_moves(create_app(companion, heartbeat_seconds=0).test_client(), "9-13", "22-18")
    companion.stop()
    again = table.companion_at(tmp_path)
    assert again.snapshot()["moves"] == ["9-13", "22-18"]
    assert again.snapshot()["game"] == 1
    again.stop()
