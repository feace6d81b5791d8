"""Which squares look as they did when it was last certain what stood on them.

A fixed camera sees an untouched square almost unchanged, whatever its wood, wear or glare; that speaks for its piece
more surely than any general look. Differences are measured under the light of the moment: the median gain of the
squares around each, of which a move changes few.
"""

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rules.board import Board
from rules.piece import SIDE_OF
from rules.placement import Placement
from vision.compared import ACROSS, HEART, LEAST_NOISE, Compared, at_hearts, compared, local_gain_of, over_channels
from vision.evidence import BoardEvidence

_OUTSIDE = (0.6, 0.8)
"""Where a disc that stands on its square does not reach, in widths of a square from the middle."""
_RADIUS = np.hypot(ACROSS[:, None], ACROSS[None, :])
_RIM = np.clip(_RADIUS, *_OUTSIDE) == _RADIUS
_ALL_AROUND, _CLEARLY_OTHER = 0.85, 5.0
"""Share of the pixels there that must differ by so many times the noise for something larger to lie on the square."""
_SHADED = 0.03
"""Share by which the light of a point departs from the board's where something that lies on it throws its shade."""
_SO_NEAR = 1.3
"""In squares: a disc at this distance, shifted by its height, just reaches where discs on the point do not."""
_SURELY_ONE_SIDE = float(np.log(0.9))
_UNCHANGED_BOUND = 7.0
_CHANGED_BOUND = 7.0
_CROWN_CAME = -1.0
_CROWN_LEAD = 4.0
"""Natural log by which a disc must have come to look like a king to be believed crowned: glare is bright, too."""
_CROWN_SHOWS = 5.0
"""What that says for the king: a look at the same disc in the same place errs as it did before."""
_SURELY_GONE = -4.0
_SURELY_BARE = float(np.log(0.9))
_LIKE_ITS_DISC = float(np.log(0.2))
"""Share of bare squares, of those that look like the disc that left them, among all that are read as that disc."""
_LIKE_ANOTHER = float(np.log(0.02))
"""The same for bare squares never seen before that look like a man of the other side."""
_GONE_SHARE, _STAYED_SHARE = 0.2, 0.5
"""Of the pixels that showed a disc's shade, those that still do if it is gone, and under the widest sticker."""
_LEAST_SHARE = 0.1
_STEEPNESS = 16.0
_HALFWAY = 0.4
"""Share of the usual change at which a square is as likely changed as not: a nudged disc stays below."""
_UNTOUCHED = _STEEPNESS * _HALFWAY
"""Log-odds from which a point has changed by less than the noise: nobody has put a crown there."""
_MOST_OF_USUAL = 2.0
"""Times the usual change that a pixel counts for at most: a sliver of a black disc beside is no white one here."""
_CLEAR_RATIO = 3.0
"""How many times the noise a change must be for its absence to count in full."""


@dataclass(frozen=True, slots=True, eq=False)
class Reference:
    """Small patches (n + m, s, s, 3) float32 BGR of points and idle squares, and what stood on the points (n,).

    `empties` (n, s, s, 3) is how each point looked when it was last empty, NaN where it never was. `telling` (n,) are
    the points whose look is known; the others were hidden ever since something else came to stand there. `usual` (n,)
    is what emptying or filling a point would change, in grey levels. `kinglike` (n,) is by how much (natural log) each
    man was likelier read as a king, NaN where that is not known.
    """

    patches: NDArray[np.float32]
    pieces: NDArray[np.uint8]
    empties: NDArray[np.float32]
    telling: NDArray[np.bool_]
    usual: NDArray[np.float64]
    kinglike: NDArray[np.float64]


def reference(
    small: NDArray[np.float32],
    placement: Placement,
    board: Board,
    previous: Reference | None = None,
    seen: BoardEvidence | None = None,
) -> Reference:
    """Remembers how the board looks while `placement` is known to stand on it (light discs as White).

    `small` (n + m, s, s, 3) are the patches of that look as vision/compared.py makes them, `seen` what was read there
    without any reference. Points that are hidden in it keep the look they had, in the light of now; without one they
    say nothing. So do those that lie in the shade of what hides others: it goes when that goes.
    """
    small, pieces = small.copy(), np.frombuffer(placement.pieces, dtype=np.uint8)
    covered = np.zeros(board.size, bool) if seen is None else seen.hidden
    kinglike = np.full(board.size, np.nan) if seen is None else np.where(covered, np.nan, _king_lead(seen, pieces))
    if previous is None:
        empties, telling = np.full_like(small[: board.size], np.nan), ~covered
    else:
        gain, shaded = _gain_where_seen(small, previous.patches, board, ~covered)
        gain = gain[:, None, None, :]
        empties = previous.empties * gain
        kept = (covered | shaded) & previous.telling & (pieces == previous.pieces)
        small[: board.size][kept] = (previous.patches[: board.size] * gain)[kept]
        kinglike[kept] = previous.kinglike[kept]
        telling = ~covered | kept
    empty = (pieces == 0) & ~covered
    empties[empty] = small[: board.size][empty]
    return Reference(small, pieces, empties, telling, _usual_change(small, pieces), kinglike)


def _gain_where_seen(
    now: NDArray[np.float32], then: NDArray[np.float32], board: Board, seen: NDArray[np.bool_]
) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
    """How much brighter the light is at each point (n, 3), and which are `shaded` (n,) by what hides others.

    Around those not `seen` (n,) a hand's colour is no light; its shade passes.
    """
    gain = local_gain_of(now, then, board)[: board.size].copy()
    if seen.all():
        return gain, ~seen
    usual = np.median(gain[seen], axis=0) if seen.any() else np.ones(3, np.float32)
    shaded = seen & (np.abs(gain / usual - 1.0).max(axis=1) > _SHADED)
    gain[~seen | shaded] = usual
    return gain, shaded


def with_reference(
    seen: BoardEvidence, small: NDArray[np.float32], known: Reference, board: Board, uncrowned: Collection[int] = ()
) -> BoardEvidence:
    """The evidence, each square's piece of the reference made likelier or less by how little it changed.

    `small` (n + m, s, s, 3) are the patches of the same look as vision/compared.py makes them. `uncrowned` are points
    of kings whose crown was never seen, known as men: an unchanged look cannot tell which. Where a bare point looks
    quite otherwise, yet shows no disc or changed farther out than discs reach, it is hidden: something else lies
    there, who knows on what. A disc around which everything changed is not gone for that: light falls otherwise there.
    """
    look = compared(small, known.patches, board)
    odds = np.where(seen.hidden, 0.0, unchanged_odds(look, known))
    around = _changed_around(look, known) & ~(_plain_disc(seen) & _beside_one_that_went(odds, known, board))
    strange = (known.pieces == 0) & (odds <= _SURELY_GONE)
    strange &= (seen.log_likelihood[:, 0] >= _SURELY_BARE) | around
    nothing_told = strange | (around & (known.pieces > 0) & (odds < 0.0))
    seen, odds = replace(seen, hidden=seen.hidden | strange), np.where(nothing_told, 0.0, odds)
    stayed = np.where(seen.hidden, 0.0, shade_stayed(look, known))
    stayed *= 1.0 - np.exp(seen.log_likelihood[:, 0].astype(np.float64))  # light wood may share a disc's shade
    raised = seen.log_likelihood.astype(np.float64)
    crowned = np.where(odds > _UNTOUCHED, 0.0, _looks_crowned(seen, known))
    bare = seen.log_likelihood[:, 0] >= _SURELY_BARE
    raised += _by_piece(odds, bare, known.pieces, stayed, crowned, uncrowned)
    raised[:, 0] += np.where(seen.hidden | (known.pieces == 0), 0.0, empty_again(look, known))
    raised[:, 0] = np.logaddexp(raised[:, 0], _seen_where_it_went(seen, odds, known, stayed))
    raised -= np.logaddexp.reduce(raised, axis=1, keepdims=True)
    return BoardEvidence(raised.astype(np.float32), seen.hidden)


def _changed_around(look: Compared, known: Reference) -> NDArray[np.bool_]:
    """Points (n,) around which everything changed, farther out than any disc reaches: a cup, a book, a sleeve."""
    away = over_channels(look.away[: len(known.pieces)])
    noise = max(LEAST_NOISE, float(np.median(away)))
    changed: NDArray[np.float64] = (away[:, _RIM] > _CLEARLY_OTHER * noise).mean(axis=1)
    return np.asarray(changed >= _ALL_AROUND, np.bool_)


def _plain_disc(seen: BoardEvidence) -> NDArray[np.bool_]:
    """Points (n,) that surely show a disc of one side, crowned or not."""
    sides = np.logaddexp(seen.log_likelihood[:, 1:3], seen.log_likelihood[:, 3:5])
    return np.asarray(sides.max(axis=1) >= _SURELY_ONE_SIDE, np.bool_)


def _beside_one_that_went(odds: NDArray[np.float64], known: Reference, board: Board) -> NDArray[np.bool_]:
    """Points (n,) so near to another disc that came or went that this changed what is around them."""
    places = np.array(board.xy, np.float64)
    went = (known.pieces > 0) & (odds <= _SURELY_GONE)
    apart = np.linalg.norm(places[:, None] - places[None, went], axis=2)
    return np.asarray(((apart > 0) & (apart < _SO_NEAR)).any(axis=1), np.bool_)


def _by_piece(
    odds: NDArray[np.float64],
    bare: NDArray[np.bool_],
    pieces: NDArray[np.uint8],
    stayed: NDArray[np.float64],
    king_like: NDArray[np.float64],
    uncrowned: Collection[int],
) -> NDArray[np.float64]:
    """What each piece on each point gains (n, 5).

    A man that stayed is that man; where it went, a king of its side does not stand either. Where its shade `stayed`
    (n,), from 0 to 1, it was nudged or, if it looks like a king, crowned: from steeply above a second disc of the same
    shade changes little, so that an unchanged look does not speak against a crown that is seen; a mark may cover all of
    it, so that no change does. A king may have changed only because its crown came: that says little against it. Where
    its point is `bare` (n,) it has gone, and no man of its side stands there either.
    """
    gains = np.zeros((len(odds), 5))
    every, men = np.arange(len(odds)), np.isin(pieces, (1, 2))
    crowned = stayed * king_like
    went = np.where(odds < 0.0, odds * (1.0 - stayed), 0.0)
    gains[every, pieces] = np.where((pieces >= 3) & ~bare, np.maximum(odds, _CROWN_CAME), odds)
    left = bare & (pieces >= 3)
    gains[every[left], pieces[left] - 2] = odds[left].clip(max=0.0)
    gains[every[men], pieces[men]] = (odds.clip(0.0) * (1.0 - crowned) + went)[men]
    gains[every[men], pieces[men] + 2] = (went * (1.0 - king_like) + _CROWN_SHOWS * crowned)[men]
    for point in uncrowned:
        if men[point]:
            gains[point, pieces[point] + 2] = gains[point, pieces[point]]
    return gains


def _seen_where_it_went(
    seen: BoardEvidence, odds: NDArray[np.float64], known: Reference, stayed: NDArray[np.float64]
) -> NDArray[np.float64]:
    """What speaks (n,) for an empty point where a disc went and is read all the same: the bare square looks like it.

    Another disc that came instead would be read as what it is, unless the bare square was never seen; a disc put down
    anew keeps its shade.
    """
    pieces, every = known.pieces, np.arange(len(known.pieces))
    gone = (pieces > 0) & (odds < _SURELY_GONE) & (stayed < 0.5)
    own = seen.log_likelihood[every, pieces].astype(np.float64) + _LIKE_ITS_DISC
    unseen = np.isnan(known.empties).any(axis=(1, 2, 3))
    other = seen.log_likelihood[every, np.array([0, 2, 1, 2, 1])[pieces]].astype(np.float64) + _LIKE_ANOTHER
    return np.where(gone, np.where(unseen, np.logaddexp(own, other), own), -np.inf)


def _looks_crowned(seen: BoardEvidence, known: Reference) -> NDArray[np.float64]:
    """How much (n,), from 0 to 1, the place of a man looks like a king of its side, and more so than the man did."""
    lead = _king_lead(seen, known.pieces)
    rise = lead - np.nan_to_num(known.kinglike, nan=0.0)
    return np.where(lead > 0.0, np.clip(rise / _CROWN_LEAD, 0.0, 1.0), 0.0)


def king_lead(seen: BoardEvidence) -> NDArray[np.float64]:
    """By how much (n,), natural log, each point is likelier a king, of either side, than a man or bare.

    A mark may hide whose king it is; what is read as a man of the other side or as bare is no sign of a crown.
    """
    read = seen.log_likelihood.astype(np.float64)
    return np.asarray(np.logaddexp(read[:, 3], read[:, 4]) - np.logaddexp.reduce(read[:, :3], axis=1))


def _king_lead(seen: BoardEvidence, pieces: NDArray[np.uint8]) -> NDArray[np.float64]:
    """The same for the places of men; NaN where no man stands."""
    return np.where(np.isin(pieces, (1, 2)), king_lead(seen), np.nan)


def shade_stayed(look: Compared, known: Reference) -> NDArray[np.float64]:
    """How surely (n,), from 0 to 1, a point still shows its disc's shade, be it around a mark.

    Told by how many pixels are nearer to it than to the other side's shade and to the bare square's.
    """
    small, n, held = look.now, len(known.pieces), np.flatnonzero(known.pieces)
    noise = max(LEAST_NOISE, float(np.median(at_hearts(np.abs(small[:n] - known.patches[:n])))))
    own = _shades(known.patches[:n])
    rivals = [rival[held] for rival in _rivals(own, known) if not np.isnan(rival).all()]
    stayed = np.zeros(n)
    if not rivals:
        return stayed
    own, then, now = own[held], known.patches[held], small[held] / look.gain[held, None, None, :]
    share = _nearest(now, own, rivals) / np.maximum(_nearest(then, own, rivals), _LEAST_SHARE)
    apart = np.min([np.nan_to_num(_distance(own, rival), nan=np.inf) for rival in rivals], axis=0)
    clear = np.clip((apart / noise - 1.0) / (_CLEAR_RATIO - 1.0), 0.0, 1.0)
    stayed[held] = np.clip((share - _GONE_SHARE) / (_STAYED_SHARE - _GONE_SHARE), 0.0, 1.0) * clear
    return stayed


def _nearest(
    small: NDArray[np.float32], own: NDArray[np.float64], rivals: list[NDArray[np.float64]]
) -> NDArray[np.float64]:
    """Share (n,) of a disc's pixels in patches (n, s, s, 3) that are nearer to a shade (n, 3) than to all its rivals.

    What is around the disc does not count: the next squares may have its shade.
    """
    nearer, away = np.ones(small.shape[:3], bool), _distance(small, own[:, None, None])
    for rival in rivals:
        nearer &= ~(away >= _distance(small, rival[:, None, None]))
    return np.asarray(nearer[:, HEART].mean(axis=1), np.float64)


def _distance(one: NDArray[Any], other: NDArray[Any]) -> NDArray[np.float64]:
    return np.asarray(over_channels(np.abs(one - other)), np.float64)


def _rivals(own: NDArray[np.float64], known: Reference) -> list[NDArray[np.float64]]:
    """The shades (n, 3) that each point would show empty, and under a disc of the other side; NaN if never seen."""
    bare, side = _shades(known.empties), np.array(SIDE_OF)[known.pieces]
    usual = [np.median(own[side == s], axis=0) if (side == s).any() else np.full(3, np.nan) for s in range(3)]
    return [np.where(np.isnan(bare), _likest(own, bare), bare), np.array([usual[0], usual[2], usual[1]])[side]]


def _likest(own: NDArray[np.float64], bare: NDArray[np.float64]) -> NDArray[np.float64]:
    """Of the bare shades that are known (k of n, 3) the one most like each of `own` (n, 3): cells differ in colour."""
    known = bare[~np.isnan(bare).any(axis=1)]
    if not len(known):
        return np.full_like(own, np.nan)
    return np.asarray(known[_distance(own[:, None], known[None]).argmin(axis=1)])


def _shades(small: NDArray[np.float32]) -> NDArray[np.float64]:
    """The usual colour (n, 3) of the hearts of patches."""
    return np.asarray(np.median(small[:, HEART], axis=1), np.float64)


def unchanged_odds(look: Compared, known: Reference) -> NDArray[np.float64]:
    """Log-odds (n,) that a point still holds what it held, bounded; near 0 where a change would hardly show."""
    odds = _odds_alike(look.away[: len(known.pieces)], known.usual, look.noise)
    return np.where(known.telling, odds, 0.0)


def empty_again(look: Compared, known: Reference) -> NDArray[np.float64]:
    """What speaks (n,) for points that look as they did when they were last empty; 0 where they never were."""
    n = len(known.pieces)
    least = np.full_like(known.usual, known.usual.min(initial=np.inf))
    away = np.abs(look.now[:n] - known.empties * look.gain[:n, None, None, :])
    return np.nan_to_num(np.maximum(_odds_alike(away, least, look.noise), 0.0), nan=0.0)


def _odds_alike(away: NDArray[np.float32], change: NDArray[np.float64], noise: float) -> NDArray[np.float64]:
    """Log-odds (n,) that points look as they did then, from which their pixels are `away` (n, s, s, 3) grey levels.

    `change` (n,) grey levels would be usual. NaN stays NaN.
    """
    most = np.maximum(_MOST_OF_USUAL * change, noise).astype(np.float32)
    apart = at_hearts(np.minimum(away, most[:, None, None, None]))
    clear = np.clip((change / noise - 1.0) / (_CLEAR_RATIO - 1.0), 0.0, 1.0)
    share = (apart - noise) / np.maximum(change - noise, noise)
    odds: NDArray[np.float64] = np.clip(_STEEPNESS * (_HALFWAY - share), -_CHANGED_BOUND, _UNCHANGED_BOUND) * clear
    return odds


def _usual_change(small: NDArray[np.float32], pieces: NDArray[np.uint8]) -> NDArray[np.float64]:
    """What emptying or filling a point would change (n,), in grey levels, judged by how its contents differ now."""
    points = small[: len(pieces), HEART]
    kinds = {kind: points[np.isin(pieces, codes)] for kind, codes in (("e", (0,)), ("w", (1, 3)), ("b", (2, 4)))}
    means = {kind: np.median(group, axis=0) for kind, group in kinds.items() if len(group)}
    if "e" not in means or len(means) < 2:
        return np.full(len(pieces), 0.0)
    apart = {kind: float(np.abs(mean - means["e"]).mean()) for kind, mean in means.items() if kind != "e"}
    least = min(apart.values())
    light, dark = apart.get("w", least), apart.get("b", least)
    return np.choose(np.array(SIDE_OF)[pieces], [least, light, dark]).astype(np.float64)
