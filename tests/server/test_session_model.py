"""The session against a plain reference: no looks, commands and crashes lose or double a ply or bend the rules."""

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import precondition, rule

from rules.fen import fen, parse_fen
from rules.judge import Irregular, judge
from rules.legal_moves import legal_moves, play
from rules.notation import move_text
from rules.piece import Piece, Side
from rules.placement import Placement
from rules.position import Position
from server.session.state import Mode
from server.session.step import Command, Tick
from tests.server.session_doubts import Doubts
from tests.server.session_table import STARTS, Reference, Wrong
from tests.server.synthetic import clear_look

SIDES = ("W", "B", "light", "dark")


class Games(Doubts):
    """People, a camera and the power supply."""

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
        if text == self.truth.entries[-1][1]:
            self.refused(Command("replace_move", {"move": text}, self.seconds))
            return
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
        over = self.truth.result is not None and action in ("start", "press")
        if (self.state.clock is None and action != "set") or over:
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

    # The power supply

    @rule()
    def the_plug_is_pulled(self) -> None:
        """What stood open is seen again; what was told may be told again, never what was recorded."""
        self.state = self.rebuilt()
        standing = self.wrong is not None
        said = self.show(self.board, looks=6) if self.truth.result is None else []
        assert "move" not in said
        assert said == (["violation"] if standing else [])


Games.TestCase.settings = settings(
    max_examples=25,
    stateful_step_count=20,
    deadline=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
)
test_games = Games.TestCase
