"""What a camera cannot tell, in the model of the session: moves taken back by hand, misread plies, questions."""

from dataclasses import replace
from itertools import islice

from hypothesis import strategies as st
from hypothesis.stateful import precondition, rule

from rules.legal_moves import legal_moves, play
from rules.move import Move
from rules.notation import move_text
from rules.placement import Placement
from rules.position import Position
from server.session.state import Look, Mode
from server.session.step import Command
from tests.server.session_table import SessionTable
from tests.server.synthetic import CLEAR, clear_look

MOST_LINES = 4
"""So many orders of the same plies can be offered to a person."""


class Doubts(SessionTable):
    """Physical take-backs with their exits, looks that lean to the wrong move, questions and their answers."""

    # Taking back by hand

    @precondition(lambda self: self.calm and self.truth.entries and self.truth.entries[-1][1] and self.state.confirmed)
    @rule(exit_=st.sampled_from(("put back", "accept", "dismiss", "play on")), data=st.data())
    def the_last_move_is_taken_back_by_hand(self, exit_: str, data) -> None:
        earlier = self.truth.entries[-1][0]
        if earlier.placement == self.board or self.leads_to(self.truth.position, earlier.placement):
            return
        said = self.show(earlier.placement, looks=6)
        if self.state.terms.mode is not Mode.REFEREE:
            assert [word for word in said if word != "reminder"] == ["takeback"]  # in training a capture may be due
            self.truth.take_back(1)
            return
        assert said == ["violation"]
        if exit_ == "put back":
            assert self.show(self.truth.position.placement) == ["resolved"]
        elif exit_ == "play on":
            self.another_move_is_made_instead(earlier, data)
        else:
            assert self.feed(Command(exit_, {}, self.seconds)) == ["takeback", "resolved"]
            self.truth.take_back(1)
            assert self.show(earlier.placement) == []

    def another_move_is_made_instead(self, earlier: Position, data) -> None:
        """Some move other than the one taken back, and one that no lawful play from the record explains."""
        variant, text = self.truth.variant, self.truth.entries[-1][1]
        others = [
            move
            for move in legal_moves(variant, earlier)
            if move_text(variant, earlier, move) != text
            and not self.leads_to(self.truth.position, play(variant, earlier, move).placement)
        ]
        if not others:
            assert self.show(self.truth.position.placement) == ["resolved"]
            return
        move = data.draw(st.sampled_from(others))
        self.truth.take_back(1)
        self.truth.play(move)
        assert self.show(self.truth.position.placement) == ["takeback", "resolved", "move"]
        self.note_the_end()

    def leads_to(self, position: Position, placement: Placement) -> bool:
        """Whether one to three lawful plies make this board."""
        variant, front = self.truth.variant, [position]
        for _ in range(3):
            front = [play(variant, p, m) for p in front for m in legal_moves(variant, p)]
            if any(p.placement == placement for p in front):
                return True
        return False

    # Looks that lean to the wrong move

    @precondition(lambda self: self.calm and not self.state.by_rule and not self.state.dismissed)
    @rule(data=st.data(), answer=st.sampled_from(("choose", "look")))
    def two_moves_of_one_disc_look_alike(self, data, answer: str) -> None:
        """For long: a person is asked, and answers, or a better look does.

        Not after a dismissal: a look that shows the disc gone and hardly where it is may be that misreading again.
        """
        pair = self.pair_of_moves(data)
        if pair is None:
            return
        right, wrong = pair
        self.seconds += 3.0
        said: list[str] = []
        for k in range(14):
            self.seconds += 0.5
            said += self.feed(self.blurred(right, wrong, 0.0, 0.5 + 0.5 * k))
        assert said == ["attention"]
        texts = {move_text(self.truth.variant, self.truth.position, move): move for move in pair}
        if {option.text for option in self.state.candidates} != set(texts):
            self.show(self.truth.position.placement)
            return
        if answer == "choose":
            text = data.draw(st.sampled_from(sorted(texts)))
            right = texts[text]
            assert self.feed(Command("choose", {"candidate": text}, self.seconds))[0] == "move"
            self.truth.play(right)
            if self.truth.moves:
                assert self.show(self.truth.position.placement) == []
        else:
            self.truth.play(right)
            assert self.show(self.truth.position.placement)[0] == "move"
        self.note_the_end()
        if self.state.by_rule:
            self.truth.result = self.state.result

    @precondition(lambda self: self.calm and not self.state.by_rule)
    @rule(data=st.data())
    def one_look_takes_a_move_for_another(self, data) -> None:
        """The reply's look shows which it was, and the record is corrected."""
        pair = self.pair_of_moves(data)
        if pair is None:
            return
        right, wrong = pair
        variant, position = self.truth.variant, self.truth.position
        after = play(variant, position, right)
        misread = play(variant, position, wrong)
        replies = [
            reply
            for reply in legal_moves(variant, after)
            if not self.leads_to(misread, play(variant, after, reply).placement)
            and not {right.end, wrong.end}.intersection((*reply.path, *reply.captured))
        ]
        if not replies:
            return
        reply = data.draw(st.sampled_from(replies))
        self.seconds += 3.0
        said = self.feed(self.blurred(right, wrong, 2.0, 0.5))
        self.truth.play(right)
        self.truth.play(reply)
        shown = self.show(self.truth.position.placement)
        assert "violation" not in shown
        assert shown[:3] == (["takeback", "move", "move"] if "move" in said else ["move", "move", *shown[2:3]])
        self.note_the_end()
        if self.state.by_rule:
            self.truth.result = self.state.result

    def pair_of_moves(self, data) -> tuple[Move, Move] | None:
        """Two quiet moves of one disc that promotes with neither, side by side in the list of legal moves."""
        quiet = [m for m in self.truth.moves if not m.is_capture and not m.promotes]
        pairs = [(a, b) for a in quiet for b in quiet if a.origin == b.origin and a.end != b.end]
        return data.draw(st.sampled_from(pairs)) if pairs else None

    def blurred(self, right: Move, wrong: Move, lean: float, still: float) -> Look:
        """A look that fits both moves, the wrong one better by `lean` (natural log) at each end."""
        position = self.truth.position
        look = clear_look(position.placement, self.seconds, still=still)
        piece = int(position.placement[right.origin])
        evidence = look.evidence.copy()
        evidence[right.origin] = CLEAR
        evidence[right.origin, 0] = 0.0
        for end in (right.end, wrong.end):
            evidence[end] = [0.0 if value in (0, piece) else CLEAR for value in range(5)]
        evidence[right.end, piece] = -lean
        evidence[wrong.end, 0] = -lean
        return replace(look, evidence=evidence)

    # Plies whose order cannot be seen

    @precondition(lambda self: self.calm and not self.state.by_rule)
    @rule(data=st.data())
    def three_plies_between_two_looks(self, data) -> None:
        """One order is recorded; where others lead to the same board, a person says which it was."""
        variant, start = self.truth.variant, self.truth.position
        line = self.line_of_three(data)
        if line is None:
            return
        position = start
        for move in line:
            position = play(variant, position, move)
        alike = [other for other in self.lines_of_three(start) if self.end_of(start, other) == position.placement]
        if len(alike) > MOST_LINES:
            return
        said = self.show(position.placement)
        assert said[:3] == ["move"] * 3
        assert "violation" not in said
        if len(alike) > 1:
            assert "attention" in said
            text = self.words_of(start, line)
            assert text in [option.text for option in self.state.candidates]
            self.feed(Command("choose", {"candidate": text}, self.seconds))
        for move in line:
            self.truth.play(move)
        self.note_the_end()
        if self.state.by_rule:
            self.truth.result = self.state.result
        if self.calm:
            assert self.show(position.placement) == []

    def line_of_three(self, data) -> tuple[Move, ...] | None:
        """Three plies of three discs to a board that fewer plies, or a take-back, do not make."""
        start = self.truth.position
        short = {before.placement for before, _ in self.truth.entries[-2:]} | {start.placement}
        for before, _ in self.truth.entries[-2:]:
            short |= {play(self.truth.variant, before, m).placement for m in legal_moves(self.truth.variant, before)}
        for first in legal_moves(self.truth.variant, start):
            after = play(self.truth.variant, start, first)
            short.add(after.placement)
            short |= {play(self.truth.variant, after, m).placement for m in legal_moves(self.truth.variant, after)}
        lines = [
            line
            for line in islice(self.lines_of_three(start), 400)
            if line[0].end != line[2].origin and self.end_of(start, line) not in short
        ]
        return data.draw(st.sampled_from(lines)) if lines else None

    def lines_of_three(self, start: Position):
        variant = self.truth.variant
        for first in legal_moves(variant, start):
            second_from = play(variant, start, first)
            for second in legal_moves(variant, second_from):
                third_from = play(variant, second_from, second)
                for third in legal_moves(variant, third_from):
                    yield first, second, third

    def end_of(self, position: Position, line: tuple[Move, ...]) -> Placement:
        for move in line:
            position = play(self.truth.variant, position, move)
        return position.placement

    def words_of(self, position: Position, line: tuple[Move, ...]) -> str:
        words = []
        for move in line:
            words.append(move_text(self.truth.variant, position, move))
            position = play(self.truth.variant, position, move)
        return " ".join(words)
