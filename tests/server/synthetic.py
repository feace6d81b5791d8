"""Looks at boards that exist only as placements: clear or noisy evidence, and the game of a session step by step."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

import numpy as np

from rules.fen import parse_fen
from rules.legal_moves import play
from rules.notation import parse_move, point_named
from rules.piece import Piece, king
from rules.placement import Placement
from rules.position import Position
from rules.variants.catalogue import variant_named
from server.session.events import Effect
from server.session.state import Look, State, new_state, terms_for
from server.session.step import Event, Lasted, step

CLEAR = -8.0


def clear_look(placement: Placement, seconds: float, *, still: float = 0.5, **more) -> Look:
    """A look without any doubt; the crown of a king is seen."""
    n = len(placement)
    evidence = np.full((n, 5), CLEAR, np.float32)
    evidence[np.arange(n), np.frombuffer(placement.pieces, np.uint8)] = 0.0
    return Look(evidence, np.zeros(n, np.bool_), seconds, round(seconds * 2), still, **more)


@dataclass
class Table:
    """A game at a table: boards are shown to the session one after the other, each for a while."""

    state: State
    seconds: float = 0.0
    said: list[Effect] = field(default_factory=list)
    shift: float | None = None
    """How far, in squares, the camera shifts what is one square high; None if heights do not matter."""

    def feed(self, event: Event) -> tuple[Effect, ...]:
        self.state, effects = step(self.state, event)
        self.said.extend(effects)
        return effects

    def show(self, placement: Placement, looks: int = 3, **more) -> list[Effect]:
        """The board stands still for `looks` half-seconds, then a hand comes."""
        heard: list[Effect] = []
        if self.shift is not None:
            more["shift"] = np.full(len(placement), self.shift, np.float32)
        self.seconds += 3.0
        for k in range(looks):
            still = 0.5 + 0.5 * k
            heard += self.feed(clear_look(placement, self.seconds + still, still=still, **more))
        self.seconds += 0.5 + 0.5 * looks
        heard += self.feed(Lasted(self.seconds, round(self.seconds * 2)))
        return heard


def words(effects: Iterable[Effect]) -> list[str]:
    """What was said, one short text each: `move 11-15`, `violation missed_capture`, `resolved corrected`."""
    return [" ".join((e.type, *_what(e))) for e in effects]


def _what(effect: Effect) -> tuple[str, ...]:
    names = {
        "move": ("move",),
        "violation": ("kind",),
        "resolved": ("how", "kind"),
        "reminder": ("kind",),
        "takeback": ("plies",),
        "attention": ("reason",),
        "result": ("result",),
    }
    return tuple(str(getattr(effect, name)) for name in names.get(effect.type, ()))


def edited(variant, placement: Placement, *edits: str) -> Placement:
    """A board changed by hand: `32-28` moves a disc, `-18` takes one off, `+b25` puts one up, `^31` crowns one."""
    for edit in edits:
        changes: dict[int, Piece] = {}
        if edit.startswith("-"):
            changes[point_named(variant, edit[1:])] = Piece.EMPTY
        elif edit.startswith("+"):
            changes[point_named(variant, edit[2:])] = _LETTERS[edit[1]]
        elif edit.startswith("^"):
            point = point_named(variant, edit[1:])
            changes[point] = king(placement[point].side)
        else:
            origin, end = (point_named(variant, word) for word in edit.split("-"))
            changes = {origin: Piece.EMPTY, end: placement[origin]}
        placement = placement.replaced(changes)
    return placement


_LETTERS = {"w": Piece.WHITE_MAN, "b": Piece.BLACK_MAN, "W": Piece.WHITE_KING, "B": Piece.BLACK_KING}


def positions(name: str, start: str, plies: tuple[str, ...]) -> list[Position]:
    """The positions of a line of moves, the start among them."""
    variant = variant_named(name)
    found = [parse_fen(variant, start)]
    for text in plies:
        found.append(play(variant, found[-1], parse_move(variant, found[-1], text)))
    return found


def begun(name: str, start: str, **terms) -> Table:
    """A table at which the start has been seen."""
    variant = variant_named(name)
    position = parse_fen(variant, start)
    table = Table(new_state(replace(terms_for(variant, position), **terms)))
    table.show(position.placement)
    return table


def quiet(effects: Iterable[Effect]) -> list[str]:
    """What was said but for counts of draws."""
    return [w for w in words(effects) if not w.startswith("draw_counter")]
