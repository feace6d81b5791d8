"""How this board, these discs and this room look."""
