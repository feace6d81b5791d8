import numpy as np
import pytest
from numpy.typing import NDArray

from rules.faults import FaultKind
from rules.fen import parse_fen
from rules.interpret import (
    CannotSee,
    Disturbed,
    Ground,
    Interpretation,
    Irregularity,
    NothingHappened,
    Plies,
    interpret,
    interpret_from,
)
from rules.legal_moves import legal_moves, play
from rules.piece import Piece, Side
from rules.placement import Placement
from rules.position import Position
from rules.scoring import scores
from rules.variant import Variant, start_position
from rules.variants.catalogue import variant_named

ENGLISH = variant_named("english")
MARGIN = 2.5
NOTHING_HIDDEN = np.zeros(32, dtype=np.bool_)


def evidence_of(placement: Placement, seed: int = 0, noise: float = 1.0) -> NDArray[np.float32]:
    rng = np.random.default_rng(seed)
    n = len(placement)
    table = rng.normal(-9.0, noise, (n, 5))
    table[np.arange(n), list(placement.pieces)] = rng.normal(0.0, noise, n)
    return table.astype(np.float32)


def seen(variant: Variant, position: Position, evidence: NDArray[np.float32]) -> Interpretation:
    hidden = np.zeros(len(position.placement), dtype=np.bool_)
    return interpret(variant, position, evidence, hidden, min_margin=MARGIN)


def english(text: str) -> Position:
    return parse_fen(ENGLISH, text, uncrowned=True)


def test_an_untouched_board_is_nothing() -> None:
    position = start_position(ENGLISH)
    reading = seen(ENGLISH, position, evidence_of(position.placement))
    assert isinstance(reading.hypothesis, NothingHappened)
    assert reading.sure


@pytest.mark.parametrize("name", ["international", "english"])
def test_a_correct_game_of_200_plies_is_silent(name: str) -> None:
    variant = variant_named(name)
    rng = np.random.default_rng(7)
    position = start_position(variant)
    for ply in range(200):
        moves = legal_moves(variant, position)
        if not moves:
            position = start_position(variant)
            continue
        move = moves[int(rng.integers(len(moves)))]
        after = play(variant, position, move)
        reading = seen(variant, position, evidence_of(after.placement, seed=ply, noise=1.5))
        assert isinstance(reading.hypothesis, Plies)
        assert reading.hypothesis.moves[0].key == move.key
        position = after


@pytest.mark.parametrize("plies", [2, 3])
def test_fast_replies_between_two_looks_are_recovered(plies: int) -> None:
    rng = np.random.default_rng(plies)
    for game in range(10):
        start = position = start_position(ENGLISH)
        for _ in range(plies):
            moves = legal_moves(ENGLISH, position)
            position = play(ENGLISH, position, moves[int(rng.integers(len(moves)))])
        reading = seen(ENGLISH, start, evidence_of(position.placement, seed=game))
        assert not isinstance(reading.hypothesis, Irregularity | Disturbed)
        assert reading.hypothesis.placement == position.placement


def test_a_single_misread_square_is_never_an_accusation() -> None:
    position = start_position(ENGLISH)
    for point in range(32):
        for wrong in range(5):
            table = evidence_of(position.placement, seed=point, noise=0.3)
            table[point] = -3.0
            table[point, int(position.placement[point])] = -2.0
            table[point, wrong] = 2.0
            reading = seen(ENGLISH, position, table)
            assert not (reading.sure and isinstance(reading.hypothesis, Irregularity))


def test_a_misread_square_does_not_hide_a_legal_move() -> None:
    position = start_position(ENGLISH)
    move = legal_moves(ENGLISH, position)[0]
    after = play(ENGLISH, position, move)
    table = evidence_of(after.placement, noise=0.3)
    table[31] = [0.0, -4.0, -9.0, -9.0, -9.0]
    reading = seen(ENGLISH, position, table)
    assert isinstance(reading.hypothesis, Plies)
    assert reading.hypothesis.moves == (move,)


FAULTS = [
    ("W:W32,18:B14,1", "B:W28,18:B14,1", "missed_capture"),
    ("W:W32,18:B14,1", "B:W32,9:B14,1", "captured_not_removed"),
    ("W:W18,32:B5", "B:W23,32:B5", "illegal_move"),
    ("B:W32,31:B9,1", "W:W32,27:B9,1", "out_of_turn"),
    ("W:W32,18:B1", "W:W32:B1", "piece_vanished"),
]


@pytest.mark.parametrize(("before", "after", "kind"), FAULTS)
def test_a_clear_irregularity_wins(before: str, after: str, kind: str) -> None:
    reading = seen(ENGLISH, english(before), evidence_of(english(after).placement, noise=0.5))
    assert isinstance(reading.hypothesis, Irregularity)
    assert reading.hypothesis.fault.kind == kind
    assert reading.sure


def test_two_moves_that_fit_alike_leave_it_unsure() -> None:
    position = english("W:W18,32:B5")
    table = evidence_of(play(ENGLISH, position, legal_moves(ENGLISH, position)[0]).placement, noise=0.0)
    ends = [m.end for m in legal_moves(ENGLISH, position) if m.origin == 17]
    table[17] = [0.0, -9.0, -9.0, -9.0, -9.0]
    for point in ends:
        table[point] = [0.0, 0.0, -9.0, -9.0, -9.0]
    table[31] = [-9.0, 0.0, -9.0, -9.0, -9.0]
    reading = seen(ENGLISH, position, table)
    assert not reading.sure
    assert reading.runners_up


def test_a_board_swept_together_is_disturbed() -> None:
    start = start_position(ENGLISH)
    shuffled = Placement(bytes(np.random.default_rng(3).permutation(list(start.placement.pieces)).tolist()))
    assert isinstance(seen(ENGLISH, start, evidence_of(shuffled)).hypothesis, Disturbed)


def test_a_hidden_board_cannot_be_seen() -> None:
    start = start_position(ENGLISH)
    hidden = np.ones(32, dtype=np.bool_)
    reading = interpret(ENGLISH, start, evidence_of(start.placement), hidden, min_margin=MARGIN)
    assert isinstance(reading.hypothesis, CannotSee)


def standing(after: Placement) -> Interpretation:
    """A missed capture (32-28 though 18x9 was due) stands; then the board shows `after`."""
    grounds = (
        Ground(english("B:W28,18:B14,1"), "standing", same_side_cost=3.0),
        Ground(english("W:W32,18:B14,1"), "record"),
    )
    return interpret_from(ENGLISH, grounds, scores(evidence_of(after, noise=0.5), NOTHING_HIDDEN), min_margin=MARGIN)


def test_an_irregularity_that_stands_may_be_played_on_from() -> None:
    reading = standing(english("W:W28:B23,1").placement)
    assert isinstance(reading.hypothesis, Plies)
    assert reading.ground.label == "standing"


def test_an_irregularity_that_stands_may_be_put_back() -> None:
    reading = standing(english("W:W32,18:B14,1").placement)
    assert isinstance(reading.hypothesis, NothingHappened)
    assert reading.ground.label == "record"


def test_the_right_move_may_be_made_instead() -> None:
    reading = standing(english("B:W32,9:B1").placement)
    assert isinstance(reading.hypothesis, Plies)
    assert reading.ground.label == "record"


def test_an_untouched_irregularity_still_stands() -> None:
    reading = standing(english("B:W28,18:B14,1").placement)
    assert isinstance(reading.hypothesis, NothingHappened)
    assert reading.ground.label == "standing"


def test_a_ground_of_the_last_resort_is_left_alone_while_another_explains_the_board() -> None:
    position = english("W:W32,18:B14,1")
    last = Ground(position, "last", last_resort=True)
    seen = scores(evidence_of(position.placement, noise=0.0), NOTHING_HIDDEN)
    reading = interpret_from(ENGLISH, (Ground(position, "first", 0.1), last), seen, min_margin=MARGIN)
    assert reading.ground.label == "first"
    assert "last" not in {c.ground.label for c in reading.runners_up}


def test_orders_of_the_same_plies_are_told_apart_from_rivals() -> None:
    start = english("W:W25,32:B1")
    after = english("B:W22,27:B6")
    reading = interpret_from(
        ENGLISH, (Ground(start),), scores(evidence_of(after.placement, noise=0.0), NOTHING_HIDDEN), min_margin=MARGIN
    )
    assert reading.sure
    assert len(reading.best.moves) == 3
    assert [len(c.moves) for c in reading.alike] == [3]


def test_a_ply_whose_origin_is_hidden_hangs_on_one_point() -> None:
    position = english("W:W32:B1")
    hidden = NOTHING_HIDDEN.copy()
    hidden[31] = True
    after = english("B:W28:B1").placement
    reading = interpret(ENGLISH, position, evidence_of(after, noise=0.0), hidden, min_margin=MARGIN)
    assert isinstance(reading.hypothesis, Plies)
    assert reading.hangs_on_one
    clear = interpret(ENGLISH, position, evidence_of(after, noise=0.0), NOTHING_HIDDEN, min_margin=MARGIN)
    assert not clear.hangs_on_one


DISPLACED = [
    ("W:W32,31:B5,1", "B:W32,31:B15,1", "opponent_piece_moved"),
    ("W:W32,31:B5,1", "B:W32,19:B5,1", "illegal_move"),
]


@pytest.mark.parametrize(("before", "after", "kind"), DISPLACED)
@pytest.mark.parametrize("lead", [3.0, 0.1, -0.1])
def test_a_doubtful_crown_does_not_hide_which_disc_was_displaced(
    before: str, after: str, kind: str, lead: float
) -> None:
    board, carried = english(before), english(after).placement
    table = evidence_of(carried, noise=0.0)
    end = next(p for p in carried.difference(board.placement) if carried[p] is not Piece.EMPTY)
    man = int(carried[end])
    table[end, man + 2] = table[end, man] - lead
    reading = seen(ENGLISH, board, table)
    assert isinstance(reading.hypothesis, Irregularity)
    assert reading.hypothesis.fault.kind == kind
    assert reading.margin > 0.8


def test_a_man_that_was_carried_and_crowned_is_told_for_both() -> None:
    carried = english("B:WK19,32:B5,1").placement
    reading = seen(ENGLISH, english("W:W32,31:B5,1"), evidence_of(carried, noise=0.0))
    assert isinstance(reading.hypothesis, Irregularity)
    assert [f.kind.value for f in (reading.hypothesis.fault, *reading.hypothesis.others)] == [
        "illegal_move",
        "wrongly_crowned",
    ]


def test_an_irregularity_that_stands_is_no_rival_of_itself_with_a_crown() -> None:
    before, after = english("W:W32,31:B5,1"), english("W:W32,31:B5,15,1").placement
    first = seen(ENGLISH, before, evidence_of(after, noise=0.0))
    assert isinstance(first.hypothesis, Irregularity)
    table = evidence_of(after, noise=0.0)
    table[14, 4] = table[14, 2] - 3.5
    stands = Ground(Position(after, Side.WHITE), "standing", 4.5, same_side_cost=3.0, stands=first.hypothesis)
    again = interpret_from(ENGLISH, (stands, Ground(before)), scores(table, NOTHING_HIDDEN), min_margin=MARGIN)
    assert isinstance(again.hypothesis, NothingHappened)
    assert again.ground is stands
    assert again.sure


def test_a_crown_that_may_stand_on_another_man_does_not_hold_up_a_clear_move() -> None:
    position = start_position(ENGLISH)
    move = legal_moves(ENGLISH, position)[0]
    table = evidence_of(play(ENGLISH, position, move).placement, noise=0.0)
    bystander = next(p for p in position.placement.points_of(Side.WHITE) if p not in move.path)
    table[bystander, [Piece.WHITE_MAN, Piece.WHITE_KING]] = [-3.2, 0.0]
    reading = seen(ENGLISH, position, table)
    assert reading.best.moves == (move,)
    assert reading.sure


def test_a_crown_that_plainly_stands_on_another_man_is_no_clear_move() -> None:
    position = start_position(ENGLISH)
    move = legal_moves(ENGLISH, position)[0]
    table = evidence_of(play(ENGLISH, position, move).placement, noise=0.0)
    bystander = next(p for p in position.placement.points_of(Side.BLACK) if p not in move.path)
    table[bystander, Piece.BLACK_KING], table[bystander, Piece.BLACK_MAN] = 0.0, -9.0
    reading = seen(ENGLISH, position, table)
    assert isinstance(reading.hypothesis, Irregularity)
    assert reading.hypothesis.fault.kind is FaultKind.WRONGLY_CROWNED


def test_a_king_whose_mark_hides_its_side_was_moved_rather_than_taken_away_and_another_put_up() -> None:
    position = english("B:W18,32:BK1,14")
    moved = position.placement.replaced({0: Piece.EMPTY, 4: Piece.BLACK_KING})
    table = evidence_of(moved, noise=0.0)
    table[4, [Piece.BLACK_KING, Piece.WHITE_KING]] = [-3.0, 0.0]
    reading = seen(ENGLISH, position, table)
    assert isinstance(reading.hypothesis, Irregularity)
    assert reading.hypothesis.fault.kind is FaultKind.MISSED_CAPTURE
    assert reading.margin > 0.8


def test_a_square_left_that_looks_like_the_other_side_crowned_or_not_may_be_bare() -> None:
    position = english("B:W21,22,32:B1,2,14")
    moved = position.placement.replaced({21: Piece.EMPTY, 14: Piece.WHITE_MAN})
    table = evidence_of(moved, noise=0.0)
    table[21] = [-2.5, -9.0, -0.7, -9.0, -0.9]
    reading = seen(ENGLISH, position, table)
    assert isinstance(reading.hypothesis, Irregularity)
    assert reading.hypothesis.fault.kind is FaultKind.OPPONENT_PIECE_MOVED


def test_a_king_of_doubtful_side_captured_too_few_rather_than_a_man_moved_while_others_went() -> None:
    international = variant_named("international")
    position = parse_fen(international, "B:W31,33,41:BK15")
    changes = dict.fromkeys((14, 30, 32), Piece.EMPTY) | {25: Piece.BLACK_KING}
    table = evidence_of(position.placement.replaced(changes), noise=0.0)
    table[25, [Piece.WHITE_MAN, Piece.WHITE_KING, Piece.BLACK_KING]] = [-6.0, 0.0, -3.0]
    reading = seen(international, position, table)
    assert isinstance(reading.hypothesis, Irregularity)
    assert reading.hypothesis.fault.kind is FaultKind.NOT_MAJORITY
    assert reading.margin > 0.8
