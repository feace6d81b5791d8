"""One file per kind of board, each yielding a Board."""
