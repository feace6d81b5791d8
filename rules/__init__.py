"""What is allowed on the board: boards, variants, moves, rulings and records; no pictures and no I/O."""
