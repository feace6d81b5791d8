"""A game as it was when the power went: events of the journal replayed into a state."""

from typing import Any

from rules.fen import fen, parse_fen
from rules.legal_moves import play
from rules.notation import parse_move
from rules.piece import Side
from rules.position import Position
from rules.variant import Variant
from rules.variants.catalogue import variant_named
from server.session.state import House, Mode, Ply, State, Terms, new_state


def terms_as_json(terms: Terms, tags: dict[str, str]) -> dict[str, Any]:
    """What the journal keeps of the terms of a game."""
    return {
        "start": fen(terms.variant, terms.start),
        "mode": terms.mode.value,
        "house": terms.house.value,
        "light": terms.light.value,
        "tags": tags,
    }


def terms_from_json(variant: Variant, data: dict[str, Any]) -> Terms:
    return Terms(
        variant,
        parse_fen(variant, data["start"], uncrowned=True),
        Mode(data.get("mode", "referee")),
        House(data.get("house", "correct")),
        Side(data.get("light", "W")),
    )


def resumed(game: dict[str, Any]) -> State:
    """The state after the events of a game of the journal."""
    variant = variant_named(game["variant"])
    state = new_state(terms_from_json(variant, game["terms"]))
    tags = dict(game["terms"].get("tags", {}))
    history: list[Ply] = []
    position, started, result = state.position, False, None
    for event in game["events"]:
        match event["type"]:
            case "ready":
                started = True
            case "move":
                ply = _legal_ply(variant, position, event)
                history.append(ply)
                position = ply.after
            case "resolved" if event["how"] in ("accepted", "huffed"):
                after = parse_fen(variant, event["fen"], uncrowned=True)
                if after.placement != position.placement or after.to_move is not position.to_move:
                    counts = after.to_move is not position.to_move
                    history.append(Ply(position, after, event["kind"], None, None, counts))
                    position = after
            case "takeback":
                gone = min(int(event["plies"]), len(history))
                position = history[len(history) - gone].before if gone else position
                del history[len(history) - gone :]
                result = None
            case "position_set":
                position = parse_fen(variant, event["fen"], uncrowned=True)
                history.clear()
            case "result":
                result = None if event["result"] == "*" else event["result"]
            case "tags":
                tags.update(event["tags"])
    return State(state.terms, position, started, tuple(history), result=result, tags=tags)


def _legal_ply(variant: Variant, position: Position, event: dict[str, Any]) -> Ply:
    move = parse_move(variant, position, event["move"])
    after = play(variant, position, move)
    written = parse_fen(variant, event["fen"], uncrowned=True)
    if written.placement != after.placement:
        after = written
    return Ply(position, after, event["move"], move)
