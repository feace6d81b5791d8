"""A variant with one rule taken away: the first relaxation that makes a move legal names the fault."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from enum import Enum
from functools import cache
from typing import Any

from rules.board import NOWHERE, Direction
from rules.variant import Chain, Directions, Landing, Promotion, Variant


class Relaxation(Enum):
    """One rule taken away."""

    COMPULSION = "compulsion"
    """Quiet moves are allowed though a capture is due."""
    MAJORITY = "majority"
    """Any capture may be played, whatever its rank."""
    COMPLETION = "completion"
    """A capture may stop after any jump, and rank does not matter."""
    BACKWARD = "backward"
    """Men step in every direction of the board's kings, and back."""
    BACKWARD_CAPTURE = "backward_capture"
    """Men capture in every direction of the board's kings, and back."""
    ANY_DIRECTION = "any_direction"
    """Men and kings step and capture in every direction the board has."""
    TAKE_KINGS = "take_kings"
    """Men may take kings."""
    KING_FLIES = "king_flies"
    """Kings fly and land anywhere."""
    LANDING = "landing"
    """Kings land anywhere behind what they take."""
    REVERSAL = "reversal"
    """Two jumps in a row may be opposite."""
    REMOVAL = "removal"
    """Captured discs leave at once where they should stay until the move is over."""
    CHAIN = "chain"
    """A capture may go on where one disc a move is the rule."""
    PROMOTION_IN_PASSING = "promotion_in_passing"
    """A man that touches the promotion row in mid-capture becomes a king there and goes on."""
    ONE_JUMP = "one_jump"
    """A capture ends with its first jump, whatever its rank."""
    FAR_ROW = "far_row"
    """Discs on the far row move like others (alquerque)."""
    KING_RUN = "king_run"
    """One king may move without end (Frisian)."""


@cache
def relaxed(variant: Variant, relaxation: Relaxation) -> Variant:
    """The variant without one rule, or the variant itself if it has no such rule.

    The name carries the relaxation, all else is as it was. Where an illegal capture is to be found, rank counts no
    longer: it would hide behind a better legal one.
    """
    changes = _CHANGES[relaxation](variant)
    if all(getattr(variant, name) == value for name, value in changes.items()):
        return variant
    return replace(variant, name=f"{variant.name}~{relaxation.value}", **changes)


def _chain(variant: Variant) -> Chain:
    return Chain.NEVER if variant.chain is Chain.NEVER else Chain.MAY


def _backward(variant: Variant) -> dict[str, Any]:
    steps = variant.man_steps
    return {"man_steps": _every_way(steps, variant.king_steps, _backs(steps)), "far_row_only_captures": False}


def _backward_capture(variant: Variant) -> dict[str, Any]:
    ways = variant.man_captures
    return {"man_captures": _every_way(ways, variant.king_captures, _backs(ways)), "precedence": ()}


def _any_direction(variant: Variant) -> dict[str, Any]:
    ways = tuple(d for d in Direction if any(p != NOWHERE for p in variant.board.neighbours[d]))
    fields = ("man_steps", "man_captures", "king_steps", "king_captures")
    return dict.fromkeys(fields, ways) | {"precedence": (), "far_row_only_captures": False}


_CHANGES: Mapping[Relaxation, Callable[[Variant], dict[str, Any]]] = {
    Relaxation.COMPULSION: lambda v: {"compulsory": False},
    Relaxation.MAJORITY: lambda v: {"precedence": ()},
    Relaxation.COMPLETION: lambda v: {"precedence": (), "chain": _chain(v)},
    Relaxation.BACKWARD: _backward,
    Relaxation.BACKWARD_CAPTURE: _backward_capture,
    Relaxation.ANY_DIRECTION: _any_direction,
    Relaxation.TAKE_KINGS: lambda v: {"man_takes_king": True, "precedence": ()},
    Relaxation.KING_FLIES: lambda v: {"king_flies": True, "king_landing": Landing.ANY, "precedence": ()},
    Relaxation.LANDING: lambda v: {"king_landing": Landing.ANY, "precedence": ()},
    Relaxation.REVERSAL: lambda v: {"may_reverse": True, "precedence": ()},
    Relaxation.REMOVAL: lambda v: {"removed_at_once": True, "precedence": ()},
    Relaxation.CHAIN: lambda v: {"chain": Chain.MAY},
    Relaxation.PROMOTION_IN_PASSING: lambda v: {"promotion": Promotion.AT_ONCE_AND_GO_ON, "precedence": ()},
    Relaxation.ONE_JUMP: lambda v: {"chain": Chain.NEVER, "precedence": ()},
    Relaxation.FAR_ROW: lambda v: {"far_row_only_captures": False},
    Relaxation.KING_RUN: lambda v: {"king_run_limit": 0},
}


def _every_way(*lists: Directions) -> Directions:
    return tuple(sorted({direction for directions in lists for direction in directions}))


def _backs(directions: Directions) -> Directions:
    return tuple(direction.opposite for direction in directions)
