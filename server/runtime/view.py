"""What the dashboard shows: a state as a JSON-able snapshot."""

import re
from typing import Any

import numpy as np

from calibration.calibrate import Calibration
from rules.ballots import ballot_of, departure, due_of, listed_openings
from rules.board import NOWHERE, Board, BoardKind
from rules.errors import RulesError
from rules.faults import FaultKind
from rules.fen import fen
from rules.legal_moves import legal_moves
from rules.move import Move
from rules.notation import move_text, point_name
from rules.piece import Side
from rules.placement import Placement
from rules.position import Position
from rules.variant import Promotion, Variant, start_position
from rules.variants.catalogue import VARIANT_NAMES, variant_named
from server.session.clock import Bonus
from server.session.counting import counter_text, counters_shown
from server.session.crowns import crown_message
from server.session.match import match_of
from server.session.record_ply import result_for
from server.session.restoring import wanted
from server.session.rulings import told
from server.session.state import House, Mode, Standing, State
from server.session.stories import huffed
from vision.evidence import BoardEvidence

_LETTERS = ".wbWB"
_SURE = 0.8
"""Probability below which a square is named as one that cannot be told."""
_MOST_UNSURE = 6
BALLOT_TAG = "Ballot"
_PLAYERS_SAY = {"White": "Dark", "Black": "Light"}
_CALM = {
    False: "Waiting for the board to be set up.",
    True: "",
}


def board_view(variant: Variant) -> dict[str, Any]:
    """The board to draw, in the coordinates of rules/board.py."""
    board = variant.board
    points = []
    for point, (x, y) in enumerate(board.xy):
        name = point_name(variant, point)
        points.append({"name": name, "label": name, "x": x, "y": y})
    return {
        "kind": board.kind.value,
        "width": board.width,
        "height": board.height,
        "points": points,
        "idle": [list(xy) for xy in board.idle_xy],
        "outline": [list(xy) for xy in board.outline],
        "lines": _lines(board),
        "kings": variant.promotion is not Promotion.NEVER,
    }


def facing_view(calibration: Calibration | None, board: Board) -> int:
    """Quarter turns after which the drawn board stands as in the picture: 2 if the camera sees it upside down, else 0.

    Seen from its side it is drawn as boards are in books.
    """
    if calibration is None:
        return 0
    middle = (board.width / 2, board.height / 2)
    here, beyond = calibration.pose.project([middle, (middle[0], middle[1] + 0.5)])
    across, down = beyond - here
    return 2 if down > abs(across) else 0


def _lines(board: Board) -> list[list[int]]:
    if board.kind not in (BoardKind.ALQUERQUE, BoardKind.SERPENTS):
        return []
    pairs = {
        (min(point, other), max(point, other))
        for table in board.neighbours
        for point, other in enumerate(table)
        if other != NOWHERE
    }
    return [list(pair) for pair in sorted(pairs)]


def pieces_view(placement: Placement) -> list[str]:
    return [_LETTERS[value] for value in placement.pieces]


def game_view(state: State) -> dict[str, Any]:
    """Everything in a snapshot that follows from the session's state."""
    variant, position = state.terms.variant, state.position
    last = state.plies[-1].move if state.plies else None
    return {
        "variant": variant.name,
        "variant_title": variant.title,
        "mode": state.terms.mode.value,
        "fen": fen(variant, position),
        "first": state.terms.start.to_move.value,
        "begins": variant.first.value,
        "start_ply": 0,
        "to_move": position.to_move.value,
        "ply": state.ply,
        "moves": [ply.text if ply.move is not None else f"({ply.text})" for ply in state.plies if ply.counts],
        "irregularity": _irregularity(state),
        "candidates": [option.text for option in state.candidates],
        "counters": _counters(state),
        "clock": clock_view(state, state.seconds),
        "restore": restore_view(state),
        "light": state.terms.light.value,
        "ballot": _ballot(state),
        "result": state.result,
        "tags": dict(state.tags),
        "pieces": pieces_view(position.placement),
        "last_move": [point_name(variant, int(p)) for p in last.path] if last is not None else [],
        "draw_offer": state.draw_offer.value if state.draw_offer else None,
        "message": _message(state),
        "results": {
            "W": result_for(variant, Side.WHITE),
            "draw": result_for(variant, None),
            "B": result_for(variant, Side.BLACK),
        },
    }


def in_players_words(state: State, text: str) -> str:
    """A sentence of the record with the sides called as the page calls them.

    Where the record's White has the dark discs nobody at the table would know which side "White" is.
    """
    if state.terms.light is Side.WHITE:
        return text
    return re.sub(r"\b(White|Black)\b", lambda found: _PLAYERS_SAY[found[0]], text)


def clock_view(state: State, seconds: float) -> dict[str, Any] | None:
    """Seconds left at a time; `wait` is what is left of the delay before the running side's time runs."""
    clock = state.clock
    if clock is None:
        return None
    wait = 0.0
    if clock.running is not None and clock.control.bonus is Bonus.DELAY:
        wait = max(0.0, clock.control.bonus_seconds - max(0.0, seconds - clock.since))
    return {
        "W": round(clock.left(Side.WHITE, seconds), 2),
        "B": round(clock.left(Side.BLACK, seconds), 2),
        "running": clock.running.value if clock.running is not None else None,
        "wait": round(wait, 2),
        "driver": clock.control.driver.value,
    }


def restore_view(state: State) -> list[dict[str, str]]:
    """A disturbed board: each square to put right, those to be emptied first."""
    restoring = state.restoring
    if restoring is None:
        return []
    due, seen, variant = wanted(state).placement, restoring.seen, state.terms.variant
    squares = [
        {"square": point_name(variant, p), "want": _LETTERS[due[p]], "seen": _LETTERS[seen[p]]}
        for p in seen.difference(due)
        if not (due[p].is_king and due[p].side is seen[p].side)
    ]
    return sorted(squares, key=lambda square: square["want"] != ".")


def _ballot(state: State) -> str | None:
    """The opening card that was drawn, with what is due of it or what departed from it."""
    text = state.tags.get(BALLOT_TAG)
    if not text or state.terms.start != start_position(state.terms.variant):
        return None
    try:
        card = ballot_of(listed_openings(), text)
        played = [ply.move for ply in state.plies if ply.move is not None]
        wrong, due = departure(state.terms.variant, card, played), due_of(state.terms.variant, card, played)
    except RulesError:
        return None
    if wrong is not None:
        return wrong
    left = "" if due is None else f"; next is {move_text(state.terms.variant, state.position, due)}"
    return f"The ballot is {card.text}{left}."


def unsure_view(state: State, look: BoardEvidence | None) -> list[str]:
    """Squares that the newest look cannot tell; none while a hand or a head hides much of the board."""
    if look is None or state.result is not None:
        return []
    sureness = look.sureness()
    names = [point_name(state.terms.variant, int(point)) for point in np.flatnonzero(sureness < _SURE)]
    return names if len(names) <= _MOST_UNSURE else []


def _irregularity(state: State) -> dict[str, Any] | None:
    standing, variant = state.standing, state.terms.variant
    if standing is None or not standing.told:
        return _bare_king(state)
    return {
        "kind": standing.fault.kind.value,
        "squares": [point_name(variant, int(p)) for p in standing.fault.squares],
        "due": [move_text(variant, state.position, m) for m in standing.fault.due],
        "ways": [way_view(variant, move) for move in standing.fault.due if move.is_capture],
        "huff": _discs_to_huff(state, standing),
        "seen": pieces_view(standing.seen),
        "played": [point_name(variant, int(p)) for p in standing.fault.move.path] if standing.fault.move else [],
        "message": in_players_words(state, told(state, standing.fault)),
    }


def _discs_to_huff(state: State, standing: Standing) -> list[str]:
    """Where the house huffs, the squares of the discs of which one may be taken off."""
    if state.terms.house is not House.HUFF or standing.fault.kind is not FaultKind.MISSED_CAPTURE:
        return []
    points = (seen for after in huffed(standing) for seen in standing.seen.difference(after.placement))
    return [point_name(state.terms.variant, point) for point in points]


def way_view(variant: Variant, move: Move) -> dict[str, list[str]]:
    """A move to draw: the squares it goes by, and those whose discs it takes."""
    return {
        "path": [point_name(variant, int(point)) for point in move.path],
        "over": [point_name(variant, int(point)) for point in sorted(move.captured)],
    }


def _bare_king(state: State) -> dict[str, Any] | None:
    """A crown still missing that the players were told of."""
    bare = next((bare for bare in state.uncrowned if bare.told), None)
    if bare is None:
        return None
    name = point_name(state.terms.variant, bare.point)
    return {
        "kind": bare.told,
        "squares": [name],
        "due": [],
        "ways": [],
        "message": in_players_words(state, crown_message(state, bare, bare.told)),
    }


def _counters(state: State) -> list[dict[str, Any]]:
    """The draw rules that come near, each with a sentence for people."""
    if state.result is not None:
        return []
    return [
        {
            "label": f"{counter.due_to}{', a draw may be claimed' if counter.claim and counter.is_full else ''}",
            "text": in_players_words(state, counter_text(state.terms.variant, counter)),
            "count": counter.value,
            "limit": counter.limit,
        }
        for counter in counters_shown(state)
    ]


def _message(state: State) -> str:
    if state.result is not None:
        match = match_of(state)
        return f"The game is over: {state.result}." + (f" {match.text}" if match is not None else "")
    if not state.started:
        return _CALM[False]
    if state.terms.mode is not Mode.TRAINING:
        return _CALM[True]
    due = [m for m in legal_moves(state.terms.variant, state.position) if m.is_capture]
    texts = ", ".join(move_text(state.terms.variant, state.position, m) for m in due[:6])
    return f"A capture is due: {texts}." if due and state.terms.variant.compulsory else ""


def seen_view(state: State, look: BoardEvidence | None, calibration: Calibration | None) -> dict[str, Any] | None:
    """What the camera saw on the board last, whatever the record says; None if the board was not found yet."""
    if calibration is None:
        return None
    variant = state.terms.variant
    corners = [[round(float(x), 1), round(float(y), 1)] for x, y in calibration.pose.corners(variant.board)]
    if look is None:
        return {"corners": corners, "pieces": None, "fen": None, "unsure": None}
    sureness = look.sureness()
    placement = Placement(bytes(int(value) for value in look.pieces()))
    return {
        "pieces": pieces_view(placement),
        "fen": fen(variant, Position(placement, state.position.to_move)),
        "unsure": [point_name(variant, int(point)) for point in np.flatnonzero(sureness < _SURE)],
        "corners": corners,
    }


def settings_view(state: State, pin: str) -> dict[str, Any]:
    return {
        "variants": [[name, variant_named(name).title] for name in VARIANT_NAMES],
        "modes": [mode.value for mode in Mode],
        "house": state.terms.house.value,
        "touch": state.terms.touch,
        "always_hint": state.terms.always_hint,
        "pin_required": bool(pin),
    }
