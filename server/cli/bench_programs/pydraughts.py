"""Measures pydraughts in its own environment: `pdn FILE`, read and replayed; prints JSON."""

import json
import sys
import time
from pathlib import Path

from draughts import Board, Move
from draughts.PDN import PDNReader

_FEW = 1
"""Games replayed; it takes a second for one."""


def pdn(file):
    text = Path(file).read_text(encoding="utf-8")
    few = "[Event ".join(text.split("[Event ")[: _FEW + 1])
    began = time.process_time()
    plies = 0
    games = PDNReader(few).games
    for game in games:
        board = Board("standard")
        for move in game.moves:
            board.push(Move(board, pdn_move=move))
            plies += 1
    return {"games": len(games), "plies": plies, "seconds": time.process_time() - began}


sys.stdout.write(json.dumps(pdn(sys.argv[2])))
