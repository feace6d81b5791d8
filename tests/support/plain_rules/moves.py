"""Every legal move, found by trying everything: slow, and simple enough to be checked by reading."""

from collections.abc import Iterator
from typing import NamedTuple

from tests.support.plain_rules.game import Capture, Disc, Discs, Game, Situation, turned
from tests.support.plain_rules.lattice import Place, Step


class Turn(NamedTuple):
    """One move; turns with the same ends, captures and outcome are one, whatever their route."""

    origin: Place
    end: Place
    taken: frozenset[Place]
    becomes: Disc


class Finished(NamedTuple):
    capture: Capture
    end: Place
    mover: Disc


def opponent(side: str) -> str:
    return "B" if side == "W" else "W"


def legal_turns(game: Game, situation: Situation) -> set[Turn]:
    side = situation.to_move
    if game.first_king_wins and any(disc.king and disc.side != side for disc in situation.discs.values()):
        return set()
    found: list[tuple[Place, Finished]] = []
    for place, disc in situation.discs.items():
        if disc.side == side:
            found.extend((place, finished) for finished in captures_from(game, situation.discs, place))
    if not found:
        return set(quiet_turns(game, situation))
    best = max(game.rank(finished.capture) for _, finished in found)
    return {
        Turn(origin, done.end, frozenset(place for place, _ in done.capture.taken), crowned(game, done.mover, done.end))
        for origin, done in found
        if game.rank(done.capture) == best
    }


def crowned(game: Game, mover: Disc, end: Place) -> Disc:
    """The disc after its move has ended."""
    if game.crowning != "never" and end in game.far_row[mover.side]:
        return Disc(mover.side, True)
    return mover


def captures_from(game: Game, discs: Discs, origin: Place) -> list[Finished]:
    mover = discs[origin]
    others = {place: disc for place, disc in discs.items() if place != origin}
    return list(continuations(game, others, origin, mover, Capture(mover.king, ()), None))


def continuations(
    game: Game, others: Discs, here: Place, mover: Disc, so_far: Capture, came: Step | None
) -> Iterator[Finished]:
    """Every way to go on capturing from `here` until the capture may stop."""
    for step, victim, landings in jumps(game, others, here, mover, so_far, came):
        capture = Capture(so_far.by_king, (*so_far.taken, (victim, others[victim])))
        left = others
        if game.removal == "at once":
            left = {place: disc for place, disc in others.items() if place != victim}
        going_on: list[Finished] = []
        stops: list[Finished] = []
        for landing in landings:
            after = touched(game, mover, landing)
            ends = game.sequence == "one disc" or (game.crowning == "ends the move" and after != mover)
            more = [] if ends else list(continuations(game, left, landing, after, capture, step))
            going_on.extend(more)
            if not more or game.sequence == "as far as one likes":
                stops.append(Finished(capture, landing, after))
        if going_on and game.sequence == "to the end":
            stops = []
        elif game.lands_behind_last_king and others[victim].king:
            stops = [stop for stop in stops if stop.end == landings[0]]
        yield from going_on
        yield from stops


def touched(game: Game, mover: Disc, landing: Place) -> Disc:
    """The disc after it has touched a place in mid-capture."""
    at_once = game.crowning in ("goes on as king", "ends the move")
    return Disc(mover.side, True) if at_once and landing in game.far_row[mover.side] else mover


def jumps(
    game: Game, others: Discs, here: Place, mover: Disc, so_far: Capture, came: Step | None
) -> Iterator[tuple[Step, Place, list[Place]]]:
    """Each enemy disc that may be jumped from `here`, with the places where the jump may land."""
    flies = mover.king and game.flying
    jumped = {place for place, _ in so_far.taken}
    for step in turned(game.king_jumps if mover.king else game.man_jumps, game, mover.side):
        if not game.may_turn_back and came == (-step[0], -step[1]):
            continue
        at = game.lattice.after(here, step)
        while flies and at is not None and at not in others:
            at = game.lattice.after(at, step)
        if at is None or at not in others or others[at].side == mover.side or at in jumped:
            continue
        if game.men_spare_kings and others[at].king and not mover.king:
            continue
        landings = []
        land = game.lattice.after(at, step)
        while land is not None and land not in others:
            landings.append(land)
            land = game.lattice.after(land, step) if flies and not game.lands_behind else None
        if landings:
            yield step, at, landings


def quiet_turns(game: Game, situation: Situation) -> Iterator[Turn]:
    for origin, disc in situation.discs.items():
        if disc.side != situation.to_move or is_tired(game, situation, origin):
            continue
        if not disc.king and game.stuck_on_far_row and origin in game.far_row[disc.side]:
            continue
        for step in turned(game.king_steps if disc.king else game.man_steps, game, disc.side):
            end = game.lattice.after(origin, step)
            while end is not None and end not in situation.discs:
                yield Turn(origin, end, frozenset(), crowned(game, disc, end))
                end = game.lattice.after(end, step) if disc.king and game.flying else None


def has_man(discs: Discs, side: str) -> bool:
    return any(disc == Disc(side, False) for disc in discs.values())


def is_tired(game: Game, situation: Situation, origin: Place) -> bool:
    """Whether this king has moved as often in a row as it may (Frisian)."""
    place, moves = situation.runs.get(situation.to_move, (None, 0))
    tired = bool(game.king_run) and place == origin and moves >= game.king_run
    return tired and has_man(situation.discs, situation.to_move)


def after_turn(game: Game, situation: Situation, turn: Turn) -> Situation:
    side = situation.to_move
    mover = situation.discs[turn.origin]
    gone = {turn.origin, *turn.taken}
    discs = {place: disc for place, disc in situation.discs.items() if place not in gone}
    discs[turn.end] = turn.becomes
    runs = {who: run for who, run in situation.runs.items() if who != side and run[0] not in turn.taken}
    if game.king_run and mover.king and not turn.taken and has_man(discs, side):
        place, moves = situation.runs.get(side, (None, 0))
        runs[side] = (turn.end, moves + 1 if place == turn.origin else 1)
    return Situation(discs, opponent(side), runs)


def leaves(game: Game, situation: Situation, depth: int) -> int:
    """Positions after exactly `depth` plies, one for each line of distinct moves."""
    if depth == 0:
        return 1
    turns = legal_turns(game, situation)
    if depth == 1:
        return len(turns)
    return sum(leaves(game, after_turn(game, situation, turn), depth - 1) for turn in turns)
