"""Crowns that come late: a reminder first, an irregularity only after the next ply or once the bare king has moved.

Nothing is said of a crown that could not be seen: the second disc of a stack hardly shows from steeply above.
"""

from dataclasses import replace
from math import isnan

from rules.faults import FaultKind
from rules.fen import fen
from rules.notation import point_name
from rules.piece import Piece, Side, king, man
from server.session.events import Crowned, Effect, Reminder, Resolved, Violation
from server.session.record_ply import Outcome
from server.session.state import Look, Mode, State, Uncrowned

_SURE = 4.0
"""Natural log by which a man must beat a king before a crown is missed, or a king a man to prove that kings show.

In some 700 simulated games with every crown put on, one dark stack looked like a man by 3.6.
"""
_AS_BEFORE, _LEAST_LEAD = 0.8, 2.5
"""Where the disc was seen as the man that it was: the share of its lead then that a bare king keeps, and the least.

Of 120 promotions on simulated boards with a crown and without, more than half of the bare kings kept so much in every
look, and no crowned one; in some 600 games one stack kept 0.8 of 2.4, and another 0.82 of 2.5.
"""
_STANDS_OUT = {"light": 0.5, "dark": 0.6}
"""Shift in squares of what is one square high from which the second disc of a stack, 0.15 high, stands out.

That is by a thirteenth of a square, where its wall shows shaded below it, and by a tenth where all of it is dark. More
steeply from above, one of 120 stacks on simulated boards kept 0.9 of its lead as a man, 2.7.
"""


def look_at_crowns(state: State, look: Look) -> Outcome:
    """Follows every king that promoted without being seen crowned."""
    effects: list[Effect] = []
    kept: list[Uncrowned] = []
    for bare in (_seen_again(_as_it_was(state, look, u), look) for u in state.uncrowned):
        state = _proven(state, look, bare.point)
        follow, said = _followed(state, look, bare)
        effects.extend(said)
        if follow is not None:
            kept.append(follow)
    return replace(state, uncrowned=tuple(kept)), tuple(effects)


def _lead(look: Look, point: int, side: Side) -> float:
    """By how much (natural log) a king of this side is likelier than a man."""
    return float(look.evidence[point][king(side)] - look.evidence[point][man(side)])


def _as_it_was(state: State, look: Look, bare: Uncrowned) -> Uncrowned:
    """The king with how kinglike it was as the man that it was, while what was seen then is still at hand."""
    if bare.as_man is not None or look.kinglike_before is None:
        return bare
    move = next((p.move for p in reversed(state.plies[-2:]) if p.move and p.move.end == bare.point), None)
    return replace(bare, as_man=float("nan") if move is None else float(look.kinglike_before[move.origin]))


def _seen_again(bare: Uncrowned, look: Look) -> Uncrowned:
    """The king after one look more: a crown that showed once is no crown missing."""
    if look.kinglike is None or look.hidden[bare.point]:
        return bare
    return replace(bare, most_kinglike=max(bare.most_kinglike, float(look.kinglike[bare.point])))


def _looks_bare(look: Look, bare: Uncrowned, lead: float) -> bool:
    """Whether it surely looks like a man: always as it did when it was one, or, where that is not known, by far."""
    if look.kinglike is None or bare.as_man is None or isnan(bare.as_man):
        return lead <= -_SURE
    return bare.most_kinglike <= min(_AS_BEFORE * bare.as_man, -_LEAST_LEAD)


def _proven(state: State, look: Look, point: int) -> State:
    """What a king plainly seen where it promoted proves: this set's crowns show where things are shifted so far."""
    side = state.position.placement[point].side
    if side is None or look.shift is None or look.hidden[point] or _lead(look, point, side) < _SURE:
        return state
    least = min(_enough(state, side), float(look.shift[point]))
    return replace(state, crowns_shown={**state.crowns_shown, side: least})


def _would_show(state: State, look: Look, bare: Uncrowned, side: Side) -> bool:
    """Whether a crown there would be seen: beside men of its side that have none, if no crown of it was seen yet."""
    if side not in state.crowns_shown and man(side) not in map(Piece, state.position.placement.pieces):
        return False
    return look.shift is None or float(look.shift[bare.point]) >= _enough(state, side)


def _enough(state: State, side: Side) -> float:
    """The shift at which crowns of a side show."""
    return state.crowns_shown.get(side, _STANDS_OUT[state.terms.shade(side)])


def _followed(state: State, look: Look, bare: Uncrowned) -> tuple[Uncrowned | None, tuple[Effect, ...]]:
    piece = state.position.placement[bare.point]
    if piece.side is None or not piece.is_king:
        return None, ()
    if bare.told and state.ply > bare.told_ply:
        return None, (_exit(state, bare, "accepted"),)
    if look.hidden[bare.point]:
        return bare, ()
    lead = _lead(look, bare.point, piece.side)
    if lead > 0:
        return None, _crowned(state, bare)
    if not _looks_bare(look, bare, lead) or not _would_show(state, look, bare, piece.side):
        return replace(bare, lacking_since=None), ()
    since = look.still_since if bare.lacking_since is None else bare.lacking_since
    return _lacking(state, replace(bare, lacking_since=since), look.seconds - since)


def _lacking(state: State, bare: Uncrowned, stood: float) -> tuple[Uncrowned, tuple[Effect, ...]]:
    """A king that clearly looks like a man."""
    over_long = state.ply > bare.ply and stood >= state.terms.fault_seconds - 1e-6
    if not over_long or bare.told or state.terms.mode is Mode.RECORD:
        return bare, ()
    if bare.moved and state.ply >= bare.ply + 2:
        kind = FaultKind.UNCROWNED_KING_MOVED
    elif bare.reminded is None:
        name = point_name(state.terms.variant, bare.point)
        word = Reminder(FaultKind.NOT_CROWNED.value, (name,), f"Please crown the disc on {name}.")
        return replace(bare, reminded=state.ply), (word,)
    elif state.ply > bare.reminded:
        kind = FaultKind.NOT_CROWNED
    else:
        return bare, ()
    return replace(bare, told=kind.value, told_ply=state.ply), (_violation(state, bare, kind),)


def crown_message(state: State, bare: Uncrowned, kind: str) -> str:
    """The sentence for the players."""
    name = point_name(state.terms.variant, bare.point)
    if kind == FaultKind.UNCROWNED_KING_MOVED:
        return f"The disc now on {name} moved without a crown; it is a king by the rules. Please crown it."
    return f"The disc on {name} is a king and still has no crown; please crown it."


def _violation(state: State, bare: Uncrowned, kind: FaultKind) -> Violation:
    side = state.position.placement[bare.point].side or state.position.to_move
    names = (point_name(state.terms.variant, bare.point),)
    seen = fen(state.terms.variant, state.position)
    return Violation(kind.value, state.terms.shade(side), names, (), crown_message(state, bare, kind.value), seen)


def _crowned(state: State, bare: Uncrowned) -> tuple[Effect, ...]:
    """The crown has come; that is said where it had been missed."""
    if bare.reminded is None and not bare.told:
        return ()
    corrected = (_exit(state, bare, "corrected"),) if bare.told else ()
    return (Crowned(point_name(state.terms.variant, bare.point)), *corrected)


def _exit(state: State, bare: Uncrowned, how: str) -> Resolved:
    return Resolved(how, bare.told, fen(state.terms.variant, state.position), state.ply)


def let_pass(state: State, how: str) -> Outcome:
    """Missing crowns that were told are accepted or dismissed; it stays a king by the record."""
    told = tuple(bare for bare in state.uncrowned if bare.told)
    kept = tuple(bare for bare in state.uncrowned if not bare.told)
    return replace(state, uncrowned=kept), tuple(_exit(state, bare, how) for bare in told)
