"""Answers positions with the legal moves of py-draughts; run by a Python that has it, never by Kibitz's own.

Reads lines of JSON, [variant, FEN]; writes for each the moves as [origin, end, [captured...]], numbers from 1.
"""

import json
import sys

from draughts.boards.brazilian import Board as Brazilian
from draughts.boards.frisian import Board as Frisian
from draughts.boards.russian import Board as Russian
from draughts.boards.standard import Board as Standard

BOARDS = {"international": Standard, "russian": Russian, "brazilian": Brazilian, "frisian": Frisian}


def main() -> None:
    for line in sys.stdin:
        variant, fen = json.loads(line)
        moves = BOARDS[variant].from_fen(fen).legal_moves
        answer = [
            [move.square_list[0] + 1, move.square_list[-1] + 1, sorted(p + 1 for p in move.captured_list)]
            for move in moves
        ]
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
