"""A table for the model of the session: people, a camera and a power supply, and a secretary who knows the truth."""

import json
from dataclasses import dataclass, field, replace

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant

from rules.fen import parse_fen
from rules.legal_moves import legal_moves, play
from rules.move import Move
from rules.notation import move_text
from rules.piece import Side
from rules.placement import Placement
from rules.position import Position
from rules.variants.catalogue import variant_named
from server.errors import CommandRefused
from server.session.events import as_json
from server.session.state import Mode, State, new_state, terms_for
from server.session.step import Command, Event, Lasted, step
from server.store.kept_terms import terms_as_json
from server.store.resume import resumed
from tests.server.synthetic import clear_look

STARTS = {
    "international": ("W:W27,31,32,38,42,K46:B9,12,13,20,18", "W:W32,38,42,48:B5,9,12,13"),
    "english": ("B:W20,24,31,32,K22:B1,2,9,12", "B:W21,22,24,28,31,32:B1,2,5,9,11"),
    "turkish": ("W:Wa3,c3,e3,h2:Bb6,d6,h7,f6", "W:Wa3,c4,g2,Ke1:Ba6,c7,h6"),
}


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


class SessionTable(RuleBasedStateMachine):
    """What every model of the session needs; the rules of what happens are its heirs'."""

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

    def refused(self, command: Command) -> None:
        with pytest.raises(CommandRefused):
            self.feed(command)

    def rebuilt(self) -> State:
        game = {"variant": self.truth.variant_name, "terms": self.opening, "events": self.journal}
        return resumed(game)

    @invariant()
    def the_record_is_the_truth(self) -> None:
        if not hasattr(self, "truth"):
            return
        rebuilt = self.rebuilt()
        assert self.state.refused == rebuilt.refused
        for state in (self.state, rebuilt):
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
