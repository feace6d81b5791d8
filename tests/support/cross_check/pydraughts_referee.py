"""Answers positions with the legal moves of pydraughts; run by a Python that has it, never by Kibitz's own.

Reads lines of JSON, [variant, FEN]; writes for each the moves as [origin, end, [captured...]], numbers from 1.
"""

import json
import sys

from draughts.core.game import Game


def main() -> None:
    for line in sys.stdin:
        variant, fen = json.loads(line)
        routes, captures = Game(variant, fen).legal_moves()
        answer = [
            [route[0][0], route[-1][1], sorted(p for p in taken if p is not None)]
            for route, taken in zip(routes, captures, strict=True)
        ]
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
