"""Every game of the catalogue, written from the texts: variants-from-sources.md, variants-world.md, and their sources.

Kept apart from rules/variants on purpose: no value here is taken from there.
"""

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import cache

from tests.support.plain_rules import game as plain
from tests.support.plain_rules import lattice as on
from tests.support.plain_rules.game import BLACK, WHITE, Game
from tests.support.plain_rules.lattice import Lattice, Place

AHEAD = (on.AHEAD_LEFT, on.AHEAD_RIGHT)


def on_rows(board: Lattice, *rows: int) -> frozenset[str]:
    return frozenset(name for name, (_, row) in board.places.items() if row in rows)


def rows_ends(board: Lattice) -> dict[str, frozenset[Place]]:
    top = max(row for _, row in board.places.values())
    return {
        WHITE: frozenset(place for place in board.places.values() if place[1] == top),
        BLACK: frozenset(place for place in board.places.values() if place[1] == 1),
    }


def two_camps(board: Lattice, white_rows: Iterable[int]) -> dict[str, frozenset[str]]:
    """White on the given rows, Black on the same rows as he counts them."""
    top = max(row for _, row in board.places.values())
    white_rows = tuple(white_rows)
    return {
        "white": on_rows(board, *white_rows),
        "black": on_rows(board, *(top + 1 - row for row in white_rows)),
    }


def diagonal_game(board: Lattice, rows: int) -> Game:
    """International draughts on any chequered board (FMJD Annex 1; texts 000, 001, 002, 004)."""
    return Game(
        lattice=board,
        **two_camps(board, range(1, rows + 1)),
        far_row=rows_ends(board),
        man_steps=AHEAD,
        man_jumps=on.DIAGONAL,
        king_steps=on.DIAGONAL,
        king_jumps=on.DIAGONAL,
    )


def international() -> Game:
    return diagonal_game(on.dark_squares(10, 10), 4)


def corner() -> Game:
    """The long dark diagonal a1-j10 empty, White below and right of it, Black above and left."""
    board = on.dark_squares(10, 10)
    return replace(
        international(),
        white=frozenset(name for name, (column, row) in board.places.items() if column > row),
        black=frozenset(name for name, (column, row) in board.places.items() if column < row),
    )


def one_way() -> Game:
    """White on columns a-e, Black on f-j, rows 1 to 8; all move upward and are crowned on row 10."""
    board = on.dark_squares(10, 10)
    top = rows_ends(board)[WHITE]
    return replace(
        international(),
        white=frozenset(name for name in on_rows(board, *range(1, 9)) if name[0] in "abcde"),
        black=frozenset(name for name in on_rows(board, *range(1, 9)) if name[0] in "fghij"),
        far_row={WHITE: top, BLACK: top},
        one_way=True,
    )


def parachute() -> Game:
    """White on rows 2, 3, 4 and 10, Black on 9, 8, 7 and 1."""
    board = on.dark_squares(10, 10)
    return replace(international(), white=on_rows(board, 2, 3, 4, 10), black=on_rows(board, 9, 8, 7, 1))


def joompex(game: Game) -> Game:
    """In a capture a king lands directly behind the disc it takes (text 004)."""
    return replace(game, lands_behind=True)


def eight() -> Game:
    return diagonal_game(on.dark_squares(8, 8), 3)


def mirrored_eight() -> Game:
    return diagonal_game(on.mirrored_squares(8, 8), 3)


def diagonal_start(game: Game) -> Game:
    """The main road a1-h8 is empty; White below it, Black above."""
    places = game.lattice.places
    return replace(
        game,
        white=frozenset(name for name, (column, row) in places.items() if column > row),
        black=frozenset(name for name, (column, row) in places.items() if column < row),
    )


def english() -> Game:
    """Black begins; men capture forward; short kings; free choice; crowning ends the move (text 001)."""
    return replace(eight(), begins=BLACK, man_jumps=AHEAD, flying=False, rank=plain.free, crowning="ends the move")


def pooh() -> Game:
    """As English, but after a capture the disc may go on and need not (text 003)."""
    return replace(english(), sequence="as far as one likes")


def russian() -> Game:
    return replace(eight(), rank=plain.free, crowning="goes on as king")


def pool() -> Game:
    return replace(eight(), rank=plain.free, begins=BLACK)


def czech() -> Game:
    return replace(eight(), man_jumps=AHEAD, rank=plain.king_first)


def italian() -> Game:
    return replace(
        mirrored_eight(),
        man_jumps=AHEAD,
        flying=False,
        rank=plain.italian,
        men_spare_kings=True,
        crowning="ends the move",
    )


def spanish() -> Game:
    return replace(mirrored_eight(), man_jumps=AHEAD, rank=plain.quality)


def german() -> Game:
    """No federation text: men forward only, kings land directly behind, free choice."""
    return replace(eight(), man_jumps=AHEAD, lands_behind=True, rank=plain.free)


def thai() -> Game:
    """Eight men; discs leave during the move; a king lands directly behind and may turn back."""
    return replace(
        diagonal_game(on.dark_squares(8, 8), 2),
        man_jumps=AHEAD,
        lands_behind=True,
        rank=plain.free,
        removal="at once",
        crowning="ends the move",
    )


def frisian() -> Game:
    """Captures in eight directions, worth first, three moves of one king at most."""
    eight_ways = (*on.DIAGONAL, *on.DOUBLED)
    return replace(international(), man_jumps=eight_ways, king_jumps=eight_ways, rank=plain.frisian, king_run=3)


def frysk() -> Game:
    return replace(frisian(), **two_camps(on.dark_squares(10, 10), [1]))


def malaysian() -> Game:
    return replace(diagonal_game(on.dark_squares(12, 12), 5), man_jumps=AHEAD)


def turkish(board: Lattice, rows: Iterable[int]) -> Game:
    """Men forward and sideways, kings as rooks, majority; men crowned on stopping."""
    return Game(
        lattice=board,
        **two_camps(board, rows),
        far_row=rows_ends(board),
        man_steps=(on.FORWARD, on.LEFT, on.RIGHT),
        man_jumps=(on.FORWARD, on.LEFT, on.RIGHT),
        king_steps=on.ORTHOGONAL,
        king_jumps=on.ORTHOGONAL,
    )


def turkish_8() -> Game:
    """Discs leave one by one; two jumps in a row may not be opposite."""
    return replace(turkish(on.all_squares(8, 8), (2, 3)), removal="at once", may_turn_back=False)


def armenian() -> Game:
    """Men also step diagonally ahead, kings move as queens; captures stay orthogonal; a new king captures on."""
    return replace(
        turkish_8(),
        man_steps=(on.FORWARD, on.LEFT, on.RIGHT, *AHEAD),
        king_steps=(*on.ORTHOGONAL, *on.DIAGONAL),
        crowning="goes on as king",
    )


def gothic_10() -> Game:
    """All 100 squares; men go and capture five ways, short kings eight (text 000)."""
    board = on.all_squares(10, 10)
    five = (on.FORWARD, on.LEFT, on.RIGHT, *AHEAD)
    return Game(
        lattice=board,
        **two_camps(board, (1, 2)),
        far_row=rows_ends(board),
        man_steps=five,
        man_jumps=five,
        king_steps=(*on.ORTHOGONAL, *on.DIAGONAL),
        king_jumps=(*on.ORTHOGONAL, *on.DIAGONAL),
        flying=False,
    )


def gothic_8() -> Game:
    """As the German texts have it: men step diagonally ahead only."""
    board = on.all_squares(8, 8)
    return replace(gothic_10(), lattice=board, **two_camps(board, (1, 2)), far_row=rows_ends(board), man_steps=AHEAD)


def alquerque() -> Game:
    """One disc per move, any direction; steps forward, sideways, diagonally ahead; no crowning (text 000)."""
    board = on.alquerque_points()
    return Game(
        lattice=board,
        white=on_rows(board, 1, 2) | {"d3", "e3"},
        black=on_rows(board, 4, 5) | {"a3", "b3"},
        far_row=rows_ends(board),
        man_steps=(on.FORWARD, on.LEFT, on.RIGHT, *AHEAD),
        man_jumps=(*on.ORTHOGONAL, *on.DIAGONAL),
        rank=plain.free,
        sequence="one disc",
        crowning="never",
        stuck_on_far_row=True,
    )


def fighting_serpents() -> Game:
    """Three rows of 16, 17 and 16 points; ends and middle of the middle row empty; every step any way."""
    board = on.serpent_points()
    return Game(
        lattice=board,
        white=on_rows(board, 1) | {f"{letter}2" for letter in "jklmnop"},
        black=on_rows(board, 3) | {f"{letter}2" for letter in "bcdefgh"},
        far_row=rows_ends(board),
        man_steps=(*on.ALONG, *on.SLANTS),
        man_jumps=(*on.ALONG, *on.SLANTS),
        rank=plain.free,
        crowning="never",
    )


def honeycomb() -> Game:
    """Men step left, right, left-forward, right-forward and capture six ways; kings fly six ways (text 000)."""
    board = on.honeycomb_cells()
    six = (*on.ALONG, *on.SLANTS)
    return Game(
        lattice=board,
        **two_camps(board, (1, 2, 3)),
        far_row=rows_ends(board),
        man_steps=(*on.ALONG, (1, 1), (-1, 1)),
        man_jumps=six,
        king_steps=six,
        king_jumps=six,
    )


def hexdame() -> Game:
    """Letter up, number up, or both: the three ways forward; sixteen men in the corner a1-d4 (Freeling)."""
    board = on.hexdame_cells()
    ahead = ((1, 0), (0, 1), (1, 1))
    six = (*ahead, *((-i, -k) for i, k in ahead))
    places = board.places.values()
    return Game(
        lattice=board,
        white=frozenset(f"{letter}{number}" for letter in "abcd" for number in range(1, 5)),
        black=frozenset(f"{letter}{number}" for letter in "fghi" for number in range(6, 10)),
        far_row={
            WHITE: frozenset(place for place in places if 9 in place),
            BLACK: frozenset(place for place in places if 1 in place),
        },
        man_steps=ahead,
        man_jumps=six,
        king_steps=six,
        king_jumps=six,
    )


_GAMES: dict[str, Callable[[], Game]] = {
    "international": international,
    "international-quality": lambda: replace(international(), rank=plain.quality),
    "killer": lambda: replace(international(), lands_behind_last_king=True),
    "breakthrough": lambda: replace(international(), first_king_wins=True),
    "antidraughts": international,
    "corner": corner,
    "one-way": one_way,
    "parachute": parachute,
    "joompex-10": lambda: joompex(international()),
    "joompex-8": lambda: joompex(eight()),
    "brazilian": eight,
    "philippine": mirrored_eight,
    "canadian": lambda: diagonal_game(on.dark_squares(12, 12), 5),
    "sri-lankan": lambda: diagonal_game(on.mirrored_squares(12, 12), 5),
    "malaysian": malaysian,
    "spantsiretti": lambda: diagonal_game(on.dark_squares(10, 8), 3),
    "diagonal-brazilian": lambda: diagonal_start(eight()),
    "english": english,
    "pooh": pooh,
    "russian": russian,
    "russian-giveaway": russian,
    "diagonal-russian": lambda: diagonal_start(russian()),
    "pool": pool,
    "czech": czech,
    "italian": italian,
    "spanish": spanish,
    "portuguese": spanish,
    "german": german,
    "thai": thai,
    "frisian": frisian,
    "frysk": frysk,
    "turkish": turkish_8,
    "armenian": armenian,
    "turkish-10": lambda: turkish(on.all_squares(10, 10), (2, 3, 4)),
    "gothic-10": gothic_10,
    "gothic": gothic_8,
    "alquerque": alquerque,
    "fighting-serpents": fighting_serpents,
    "honeycomb": honeycomb,
    "hexdame": hexdame,
    # House options, where sources disagree.
    "german+takes-backward": lambda: replace(german(), man_jumps=on.DIAGONAL),
    "german+lands-anywhere": lambda: replace(german(), lands_behind=False),
    "turkish+king-goes-on": lambda: replace(turkish_8(), crowning="goes on as king"),
    "turkish+king-stops": lambda: replace(turkish_8(), crowning="ends the move"),
    "armenian+man-goes-on": lambda: replace(armenian(), crowning="on stopping"),
    "armenian+kings-take-diagonally": lambda: replace(armenian(), king_jumps=(*on.ORTHOGONAL, *on.DIAGONAL)),
    "gothic+moves-five-ways": lambda: replace(gothic_8(), man_steps=gothic_10().man_steps),
    "gothic+flying-kings": lambda: replace(gothic_8(), flying=True),
    "gothic+free-choice": lambda: replace(gothic_8(), rank=plain.free),
    "malaysian+lands-behind": lambda: replace(malaysian(), lands_behind=True),
    "honeycomb+short-kings": lambda: replace(honeycomb(), flying=False),
}

PLAIN_NAMES: tuple[str, ...] = tuple(_GAMES)


@cache
def plain_game(name: str) -> Game:
    return _GAMES[name]()
