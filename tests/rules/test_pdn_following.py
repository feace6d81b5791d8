"""The kernel's way of playing written moves against the plain one."""

import random

import pytest

from rules.kernel import compiled, layout
from rules.kernel.follow import follow_text
from rules.kernel.lattice import sets_of
from rules.kernel.tables import tables_of
from rules.legal_moves import legal_moves, play
from rules.move import Move
from rules.notation import full_text
from rules.pdn_following import moves_in, played_text
from rules.pdn_matching import Reading
from rules.piece import Side
from rules.position import Position
from rules.variant import Variant, start_position
from rules.variants.catalogue import VARIANT_NAMES, variant_named


def _game(variant: Variant, seed: str) -> tuple[list[Move], Position, str]:
    """Random play up to the first move that is not told from another by its squares."""
    position, moves, words, chance = start_position(variant), [], [], random.Random(seed)
    for _ in range(70):
        legal = legal_moves(variant, position)
        if not legal:
            break
        move = chance.choice(legal)
        if sum((m.origin, m.end) == (move.origin, move.end) for m in legal) > 1:
            break
        words.append(full_text(variant, move).replace(":", "x"))
        moves.append(move)
        position = play(variant, position, move)
    return moves, position, " ".join(words)


@pytest.mark.parametrize("name", VARIANT_NAMES)
def test_compiled_and_uncompiled_kernels_play_the_same_text_to_the_same_end(name: str) -> None:
    variant = variant_named(name)
    moves, end, text = _game(variant, name)
    if not text.isascii() or not moves:
        pytest.skip("no plain text in this game")
    done, packed, after = played_text(Reading(variant), start_position(variant), text)
    assert (done, [m.key for m in moves_in(packed)], after) == (len(moves), [m.key for m in moves], end)
    if compiled.warm_up():
        again = played_text(Reading(variant), start_position(variant), text)
        assert again[0] == done
        assert again[1] == packed
        assert again[2] == end


@pytest.mark.parametrize("text", ["32-28 19-24 28-23 18x27", "32-28 99-1", "32-28 1-6", "32-28 19-23 28x9"])
def test_a_text_with_a_move_that_is_not_legal_needs_thought(text: str) -> None:
    variant = variant_named("international")
    assert played_text(Reading(variant), start_position(variant), text)[0] == -1


def test_plain_functions_on_lists_need_no_compiler() -> None:
    variant = variant_named("international")
    tables = tables_of(variant)
    cells = list(start_position(variant).placement.pieces)
    squares = [k - 1 if 1 <= k <= 50 else -1 for k in range(layout.SQUARES_SIZE)]
    played, control = [0] * 400, [0] * layout.FOLLOW_SIZE
    blank = ([0] * (60 * layout.RECORD), [0] * layout.TALLY_SIZE, [0] * layout.WORK_SIZE, [0] * (2 * layout.PLY))
    text = list(b"1.32-28 19-23")
    blank[1][layout.ROOM] = len(blank[0])
    control[layout.FOLLOW_LETTERS], control[layout.FOLLOW_ROOM] = len(text), len(played)
    flat = (tables.neighbours, tables.masks, tables.crown, tables.rules, sets_of(variant)[0])
    done = follow_text(cells, *flat, *blank, text, squares, [0] * 20, played, control)
    assert (done, control[layout.FOLLOW_SIDE]) == (2, 0 if start_position(variant).to_move is Side.WHITE else 1)
