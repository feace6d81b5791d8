"""Measures py-draughts in its own environment: `perft VARIANT DEPTH` or `pdn FILE`; prints JSON."""

import json
import re
import sys
import time
from pathlib import Path

from draughts import AmericanBoard, StandardBoard

_BOARDS = {"international": StandardBoard, "english": AmericanBoard}


def leaves(board, depth):
    moves = list(board.legal_moves)
    if depth == 1:
        return len(moves)
    total = 0
    for move in moves:
        board.push(move)
        total += leaves(board, depth - 1)
        board.pop()
    return total


def perft(variant, depth):
    board = _BOARDS[variant]()
    began = time.process_time()
    total = leaves(board, int(depth))
    return {"leaves": total, "seconds": time.process_time() - began}


def pdn(file):
    text = Path(file).read_text(encoding="utf-8")
    games = [part for part in re.split(r"(?m)^(?=\[Event )", text) if part.strip()]
    began = time.process_time()
    plies = sum(len(StandardBoard.from_pdn(game)._moves_stack) for game in games)
    return {"games": len(games), "plies": plies, "seconds": time.process_time() - began}


sys.stdout.write(json.dumps({"perft": perft, "pdn": pdn}[sys.argv[1]](*sys.argv[2:])))
