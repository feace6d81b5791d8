"""The session against a plain reference: no looks, commands and crashes lose or double a ply or bend the rules."""

import json
from dataclasses import dataclass, field, replace

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from rules.fen import fen, parse_fen
from rules.judge import Irregular, judge
from rules.legal_moves import legal_moves, play
from rules.move import Move
from rules.notation import move_text
from rules.piece import Piece, Side
from rules.placement import Placement
from rules.position import Position
from rules.variants.catalogue import variant_named
from server.errors import CommandRefused
from server.session.events import as_json
from server.session.state import Mode, State, new_state, terms_for
from server.session.step import Command, Event, Lasted, Tick, step
from server.store.chronicle import terms_as_json
from server.store.resume import resumed
from tests.server.synthetic import clear_look

STARTS = {
    "international": ("W:W27,31,32,38,42,K46:B9,12,13,20,18", "W:W32,38,42,48:B5,9,12,13"),
    "english": ("B:W20,24,31,32,K22:B1,2,9,12", "B:W21,22,24,28,31,32:B1,2,5,9,11"),
    "turkish": ("W:Wa3,c3,e3,h2:Bb6,d6,h7,f6", "W:Wa3,c4,g2,Ke1:Ba6,c7,h6"),
}
SIDES = ("W", "B", "light", "dark")


@dataclass
class Reference:
    """What a careful secretary would write down."""

    variant_name: str
    position: Position
    entries: list[tuple[Position, str]] = field(default_factory=list)
    """Each turn: the position before it, and its text; an irregular one that was let stand has none."""
    result: str | None = None
    offer: Side | None = None

    @property
    def variant(self):
        return variant_named(self.variant_name)

    @property
    def moves(self) -> tuple[Move, ...]:
        return legal_moves(self.variant, self.position)

    def play(self, move: Move) -> None:
        self.entries.append((self.position, move_text(self.variant, self.position, move)))
        if self.offer is self.position.to_move.opponent:
            self.offer = None
        self.position = play(self.variant, self.position, move)

    def let_stand(self, position: Position) -> None:
        if self.offer is self.position.to_move.opponent:
            self.offer = None
        self.entries.append((self.position, ""))
        self.position = position

    def take_back(self, count: int) -> None:
        self.position = self.entries[-count][0]
        del self.entries[-count:]
        self.result = None


@dataclass(frozen=True)
class Wrong:
    """An irregular board that has been told, and the position it leads to if it stands."""

    kind: str
    position: Position


class Games(RuleBasedStateMachine):
    """People, a camera and the power supply."""

    def __init__(self) -> None:
        super().__init__()
        self.seconds = 0.0

    @initialize(name=st.sampled_from(sorted(STARTS)), which=st.integers(0, 1), mode=st.sampled_from(list(Mode)))
    def sit_down(self, name: str, which: int, mode: Mode) -> None:
        variant = variant_named(name)
        start = parse_fen(variant, STARTS[name][which])
        self.truth = Reference(name, start)
        self.state: State = new_state(replace(terms_for(variant, start), mode=mode))
        self.journal: list[dict] = []
        self.opening = terms_as_json(self.state.terms, {})
        self.wrong: Wrong | None = None
        self.tags: dict[str, str] = {}
        self.show(start.placement)

    # The camera

    def feed(self, event: Event) -> list[str]:
        self.state, effects = step(self.state, event)
        self.journal += [json.loads(json.dumps(as_json(e, self.seconds, 0))) for e in effects]
        return [e.type for e in effects if e.type not in ("draw_counter", "clock")]

    def show(self, placement: Placement, looks: int = 4) -> list[str]:
        said: list[str] = []
        self.seconds += 3.0
        for k in range(looks):
            self.seconds += 0.5
            said += self.feed(clear_look(placement, self.seconds, still=0.5 + 0.5 * k))
        self.seconds += 0.5
        return said + self.feed(Lasted(self.seconds, 0))

    @property
    def board(self) -> Placement:
        return self.truth.position.placement if self.wrong is None else self.wrong.position.placement

    @property
    def calm(self) -> bool:
        return self.wrong is None and self.truth.result is None and bool(self.truth.moves)

    def note_the_end(self) -> None:
        """The game's own rules may have ended it; the reference takes that from the rules, not from the session."""
        if not self.truth.moves:
            self.truth.result = self.state.result
            assert self.state.result is not None

    @precondition(lambda self: self.calm and not self.state.by_rule)
    @rule(data=st.data(), count=st.sampled_from((1, 1, 1, 2)))
    def plies(self, data, count: int) -> None:
        """One move, or two before the camera sees the board again."""
        made = 0
        for _ in range(count):
            if self.truth.moves:
                self.truth.play(data.draw(st.sampled_from(self.truth.moves)))
                made += 1
        said = self.show(self.truth.position.placement)
        assert said.count("move") == made
        assert "violation" not in said
        self.note_the_end()
        if self.state.by_rule:
            self.truth.result = self.state.result

    @precondition(lambda self: self.truth.result is None)
    @rule()
    def nothing_happens(self) -> None:
        assert self.show(self.board) == []

    @precondition(lambda self: self.calm)
    @rule(point=st.integers(0, 49), value=st.integers(0, 4))
    def one_look_misreads_a_square(self, point: int, value: int) -> None:
        placement = self.truth.position.placement
        misread = placement.replaced({point % len(placement): Piece(value)})
        self.seconds += 3.0
        assert self.feed(clear_look(misread, self.seconds)) == []
        assert self.show(placement) == []

    # Irregularities

    @precondition(lambda self: self.calm and self.state.terms.mode is not Mode.RECORD)
    @rule(data=st.data())
    def an_irregularity(self, data) -> None:
        """A disc is moved as it may not, or taken off; the referee's own judge says what that is."""
        placement, side = self.truth.position.placement, self.truth.position.to_move
        origin = data.draw(st.sampled_from(placement.points_of(side)))
        empty = [p for p, v in enumerate(placement.pieces) if v == 0]
        end = data.draw(st.sampled_from((None, *empty)))
        changes = {origin: Piece.EMPTY} if end is None else {origin: Piece.EMPTY, end: placement[origin]}
        seen = placement.replaced(changes)
        verdict = judge(self.truth.variant, self.truth.position, seen)
        if not isinstance(verdict, Irregular) or self.reachable(seen) or len(placement.points_of(side)) == 1:
            return
        fault = verdict.faults[0]
        if fault.kind not in ("illegal_move", "missed_capture", "piece_vanished"):
            return
        goes_on = Position(seen, side if end is None else side.opponent)
        self.wrong = Wrong(fault.kind.value, goes_on)
        assert self.show(seen, looks=6) == ["violation"]

    def reachable(self, seen: Placement) -> bool:
        """Whether lawful play, or a take-back, explains a board as well."""
        variant = self.truth.variant
        earlier = [before for before, _ in self.truth.entries[-3:]]
        front = [self.truth.position, *earlier]
        for _ in range(3):
            if any(position.placement == seen for position in front):
                return True
            front = [play(variant, p, m) for p in front for m in legal_moves(variant, p)]
        return any(position.placement == seen for position in front)

    @precondition(lambda self: self.wrong is not None)
    @rule()
    def it_is_put_back(self) -> None:
        self.wrong = None
        assert self.show(self.truth.position.placement) == ["resolved"]

    @precondition(lambda self: self.wrong is not None)
    @rule(data=st.data())
    def the_next_player_goes_on(self, data) -> None:
        wrong = self.wrong
        assert wrong is not None
        moves = legal_moves(self.truth.variant, wrong.position)
        after = [(m, play(self.truth.variant, wrong.position, m).placement) for m in moves]
        apart = [m for m, placement in after if not self.explained_without(placement)]
        if not apart:
            return
        move = data.draw(st.sampled_from(apart))
        self.wrong = None
        self.truth.let_stand(wrong.position)
        self.truth.play(move)
        said = self.show(self.truth.position.placement)
        assert said[:2] == ["resolved", "move"]
        self.note_the_end()

    def explained_without(self, placement: Placement) -> bool:
        """Whether a board also follows from the record by lawful plies."""
        return self.reachable(placement)

    @precondition(lambda self: self.wrong is not None)
    @rule()
    def the_arbiter_accepts(self) -> None:
        wrong = self.wrong
        assert wrong is not None
        self.truth.let_stand(wrong.position)
        self.wrong = None
        assert "resolved" in self.feed(Command("accept", {}, self.seconds))
        self.note_the_end_quietly()

    def note_the_end_quietly(self) -> None:
        """A displacement ends no game by itself: players are asked to go on or to enter the result."""

    @precondition(lambda self: self.wrong is not None)
    @rule()
    def the_arbiter_dismisses(self) -> None:
        """It was a misreading: the next looks show the board of the record."""
        self.wrong = None
        assert self.feed(Command("dismiss", {}, self.seconds)) == ["resolved"]
        assert self.show(self.truth.position.placement) == []

    # Commands

    @precondition(lambda self: self.truth.entries)
    @rule(data=st.data())
    def the_record_is_taken_back(self, data) -> None:
        count = data.draw(st.integers(1, min(3, len(self.truth.entries))))
        self.wrong = None
        self.truth.take_back(count)
        assert self.feed(Command("take_back", {"plies": count}, self.seconds)) == ["takeback"]
        self.show(self.truth.position.placement)

    @precondition(lambda self: self.truth.entries and self.truth.entries[-1][1])
    @rule(data=st.data())
    def the_last_move_is_replaced(self, data) -> None:
        before = self.truth.entries[-1][0]
        move = data.draw(st.sampled_from(legal_moves(self.truth.variant, before)))
        text = move_text(self.truth.variant, before, move)
        self.wrong = None
        self.truth.take_back(1)
        self.truth.play(move)
        self.feed(Command("replace_move", {"move": text}, self.seconds))
        self.note_the_end()
        if self.state.by_rule:
            self.truth.result = self.state.result
        if self.truth.result is None:
            self.show(self.truth.position.placement)

    @rule(which=st.integers(0, 1))
    def a_position_is_set_up(self, which: int) -> None:
        text = STARTS[self.truth.variant_name][which]
        self.wrong = None
        position = parse_fen(self.truth.variant, text)
        self.truth = Reference(self.truth.variant_name, position)
        self.feed(Command("set_position", {"fen": fen(self.truth.variant, position)}, self.seconds))
        assert self.show(position.placement)[0] == "ready"

    @rule(side=st.sampled_from(SIDES))
    def a_draw_is_offered(self, side: str) -> None:
        meant = Side(side) if side in ("W", "B") else (Side.WHITE if side == "light" else Side.BLACK)
        if self.truth.result is not None or self.truth.offer is meant:
            self.refused(Command("offer_draw", {"side": side}, self.seconds))
            return
        self.feed(Command("offer_draw", {"side": side}, self.seconds))
        if self.truth.offer is meant.opponent:
            self.truth.result, self.truth.offer, self.wrong = self.state.result, None, None
            assert self.state.result in ("1-1", "1/2-1/2")
        else:
            self.truth.offer = meant

    @rule()
    def a_draw_is_refused(self) -> None:
        if self.truth.offer is None:
            self.refused(Command("refuse_draw", {}, self.seconds))
            return
        self.truth.offer = None
        assert self.feed(Command("refuse_draw", {}, self.seconds)) == ["draw_offer"]

    @precondition(lambda self: self.truth.result is None)
    @rule(side=st.sampled_from(("W", "B")))
    def a_side_resigns(self, side: str) -> None:
        self.feed(Command("resign", {"side": side}, self.seconds))
        self.truth.result, self.truth.offer, self.wrong = self.state.result, None, None
        assert self.state.result in (("0-2", "0-1") if side == "W" else ("2-0", "1-0"))

    @precondition(lambda self: self.truth.result is not None)
    @rule()
    def play_goes_on_after_all(self) -> None:
        self.feed(Command("result", {"result": "*"}, self.seconds))
        self.truth.result, self.truth.offer = None, None

    @rule(name=st.sampled_from(("White", "Black", "Event")), text=st.sampled_from(("A", "B", "")))
    def a_tag_is_edited(self, name: str, text: str) -> None:
        self.feed(Command("tags", {"tags": {name: text}}, self.seconds))
        self.tags[name] = text

    @rule(action=st.sampled_from(("set", "start", "press", "pause", "give", "off")))
    def the_clock_is_used(self, action: str) -> None:
        fields = {"action": action, "minutes": 600, "seconds_left": 36_000, "driver": "moves"}
        if self.state.clock is None and action != "set":
            self.refused(Command("clock", fields, self.seconds))
            return
        self.feed(Command("clock", fields, self.seconds))

    @rule(seconds=st.floats(0.1, 30.0))
    def time_passes(self, seconds: float) -> None:
        self.seconds += seconds
        assert self.feed(Tick(self.seconds)) == []

    @rule(
        command=st.sampled_from(
            (
                Command("choose", {"candidate": "99-98"}),
                Command("huff"),
                Command("take_back", {"plies": 999}),
                Command("replace_move", {"ply": 999, "move": "1-2"}),
                Command("set_position", {"fen": "nothing"}),
                Command("result", {"result": "7-7"}),
                Command("juggle"),
            )
        )
    )
    def a_command_that_makes_no_sense_changes_nothing(self, command: Command) -> None:
        if command.do == "huff" and self.wrong is not None and self.wrong.kind == "missed_capture":
            return
        self.refused(command)

    def refused(self, command: Command) -> None:
        with pytest.raises(CommandRefused):
            self.feed(command)

    # The power supply

    def rebuilt(self) -> State:
        game = {"variant": self.truth.variant_name, "terms": self.opening, "events": self.journal}
        return resumed(game)

    @rule()
    def the_plug_is_pulled(self) -> None:
        """What stood open is seen again; what was told may be told again, never what was recorded."""
        self.state = self.rebuilt()
        standing = self.wrong is not None
        said = self.show(self.board, looks=6) if self.truth.result is None else []
        assert "move" not in said
        assert said == (["violation"] if standing else [])

    @invariant()
    def the_record_is_the_truth(self) -> None:
        if not hasattr(self, "truth"):
            return
        for state in (self.state, self.rebuilt()):
            assert [ply.text if ply.move else "" for ply in state.plies] == [text for _, text in self.truth.entries]
            assert state.position.placement == self.truth.position.placement
            assert state.position.to_move is self.truth.position.to_move
            assert state.result == self.truth.result
            assert state.draw_offer is self.truth.offer
            assert state.tags == {k: v for k, v in self.tags.items() if v}
            for ply in state.plies:
                if ply.move is not None:
                    assert ply.move in legal_moves(self.truth.variant, ply.before)
                    assert play(self.truth.variant, ply.before, ply.move).placement == ply.after.placement


Games.TestCase.settings = settings(
    max_examples=25,
    stateful_step_count=20,
    deadline=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
)
test_games = Games.TestCase
