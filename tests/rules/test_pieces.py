"""What may stand on a point."""

from rules.piece import SIDE_OF, Piece, Side, man


def test_the_table_of_sides_for_arrays_says_what_the_pieces_say() -> None:
    for piece in Piece:
        assert SIDE_OF[piece] == (0 if piece.side is None else man(piece.side))
    assert {SIDE_OF[man(side)] for side in Side} == {1, 2}
