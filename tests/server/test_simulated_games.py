"""A fast slice of `kibitz bench games`: whole games are watched in silence, mistakes told as what they are."""

import numpy as np
import pytest

from hardware.simulator.chance import chance_game, chance_mistake
from hardware.simulator.mistakes import PLANTED, plant
from rules.faults import FaultKind
from rules.fen import parse_fen
from rules.judge import Irregular, judge
from rules.legal_moves import legal_moves
from rules.notation import parse_move
from rules.variant import start_position
from rules.variants.catalogue import VARIANT_NAMES, variant_named
from server.benchmarks.rulings import in_two_plies
from server.cli.bench_games import games_table, mistakes_table, verdicts_table
from server.cli.trials import GameTrial, MistakeTrial, game_trial, mistake_trial, verdict_delays
from server.settings import Settings

ONE_OF_EACH_KIND = ("english", "turkish", "gothic", "alquerque")


@pytest.mark.parametrize("name", VARIANT_NAMES)
def test_games_by_chance_are_legal_and_the_same_again(name: str) -> None:
    variant = variant_named(name)
    game = chance_game(variant, 5, 6)
    assert game == chance_game(variant, 5, 6)
    assert parse_move(variant, game.start, game.moves[0]) in legal_moves(variant, game.start)


@pytest.mark.parametrize("kind", PLANTED)
@pytest.mark.parametrize("name", ONE_OF_EACH_KIND)
def test_planted_mistakes_are_no_legal_moves(name: str, kind: FaultKind) -> None:
    variant = variant_named(name)
    case = chance_mistake(kind, variant, 3)
    if case is None or kind in (FaultKind.NOT_CROWNED, FaultKind.OFF_SQUARE):
        pytest.skip("the game gives no room for it, or the points show nothing of it")
    assert isinstance(judge(variant, case.start, case.mistake.board), Irregular)


def test_what_a_move_and_its_answer_lead_to_is_not_planted_as_a_mistake() -> None:
    variant = variant_named("frisian")
    start = parse_fen(variant, "W:W22,27,32,42,43,46,48,49:B4,5,13,14,K50")
    for seed in range(20):
        mistake = plant(FaultKind.OUT_OF_TURN, variant, start, np.random.default_rng(seed))
        assert mistake is None or not in_two_plies(variant, start, mistake.board)
    fresh = start_position(variant)
    assert plant(FaultKind.OUT_OF_TURN, variant, fresh, np.random.default_rng(1)) is not None


def test_where_no_capture_is_due_none_can_be_missed() -> None:
    english = variant_named("english")
    assert plant(FaultKind.MISSED_CAPTURE, english, start_position(english), np.random.default_rng(1)) is None


def test_a_whole_simulated_game_is_watched_in_silence() -> None:
    trial = game_trial(variant_named("english"), 4, 4)
    assert trial.seen == trial.played
    assert trial.fully_right, trial.events


def test_a_planted_mistake_is_told_as_what_it_is() -> None:
    trial = mistake_trial(FaultKind.MISSED_CAPTURE, variant_named("international"), 0)
    assert trial is not None
    assert trial.told == ("missed_capture",)
    assert trial.fully_right, trial.events


def test_the_table_counts_what_was_right() -> None:
    def game(moves: tuple[str, ...], *more: dict[str, object]) -> GameTrial:
        events = tuple({"type": "move", "move": m} for m in moves)
        return GameTrial("english", 1, ("11-15", "22-18"), (*events, *more), True)

    games = [game(("11-15", "22-18")), game(("11-15",), {"type": "violation", "kind": "missed_capture"})]
    lines = "\n".join(games_table(games))
    assert "fully right, unaided     1 (50.0%)" in lines
    assert "plies right              3 of 4" in lines
    assert "false accusations        1" in lines
    assert mistakes_table([]) == []


def test_a_crown_asked_for_in_a_game_in_which_all_are_put_on_is_a_false_accusation() -> None:
    events = ({"type": "move", "move": "11-15"}, {"type": "reminder", "kind": "not_crowned"})
    trial = GameTrial("english", 1, ("11-15",), events, True)
    assert trial.accusations == 1
    assert not trial.fully_right


def test_a_crown_asked_for_by_a_reminder_was_told() -> None:
    case = chance_mistake(FaultKind.NOT_CROWNED, variant_named("english"), 3)
    assert case is not None
    moves = [{"type": "move", "move": m} for m in case.moves]
    asked = {"type": "reminder", "kind": "not_crowned"}
    assert MistakeTrial("english", 3, case, (*moves, asked)).fully_right
    assert not MistakeTrial("english", 3, case, tuple(moves)).found


def test_verdicts_are_timed_from_the_hand_that_has_gone() -> None:
    delays = verdict_delays(variant_named("english"), 4, 3)
    assert len(delays) == 3
    assert all(0.5 * Settings().settle_seconds < delay < Settings().settle_seconds + 0.5 for delay in delays)
    late = Settings().settle_seconds + 0.12
    assert "and 120 ms" in verdicts_table([late] * 30)[1]
    assert verdicts_table([]) == []
